//! Reductions: worlds that differ only in what can make no difference are one.
//!
//! Each keeps every step that can still happen, with the flaws and events it notes: for every world and its
//! representative, the same can happen from here on, and the evidence is the same. The tests hold the reduced search to
//! the whole one: same verdicts, same lengths of stories, same events.

use idempotency::contract::AfterDeadline;

use crate::client::{Client, Phase, Told};
use crate::fault::Fault;
use crate::limits::Late;
use crate::message::{Delivery, Message};
use crate::server::Stand;
use crate::setup::Setup;
use crate::site::Site;
use crate::store::Tag;
use crate::world::World;

/// The representative of all worlds that are like `world`.
pub(crate) fn canonical(setup: &Setup, mut world: World) -> World {
    settle_client(setup, &mut world.client);
    drop_dead_messages(setup, &mut world);
    rename_tokens(&mut world);
    // Workers are alike: which of them does a thing makes no difference.
    world.site.works.sort_unstable_by_key(|work| {
        (work.stand as u8, work.token, work.delivery, work.slot, work.detail, work.settled)
    });
    world
}

/// A client that will do nothing more: how it came to its last word makes no difference, only the word does.
fn settle_client(setup: &Setup, client: &mut Client) {
    let may_go_on = |told| match told {
        Told::Unknown => {
            [Fault::Click, Fault::Reload, Fault::Ask, Fault::Cancel, Fault::Edit]
                .iter()
                .any(|it| client.left.has(*it))
                || setup.client.after_deadline == AfterDeadline::KeepSending
        }
        Told::Failed => setup.client.after_deadline == AfterDeadline::KeepSending,
        _ => false,
    };
    if client.phase != Phase::Ended || may_go_on(client.told) {
        return;
    }
    let repeats = client.left.has(Fault::Repeat);
    let told = if client.told == Told::Unknown { Told::Done } else { client.told };
    let mut left = client.left;
    for fault in Fault::ALL.into_iter().take_while(|fault| *fault <= Fault::Gateway) {
        if fault != Fault::Repeat {
            left.drop(fault);
        }
    }
    *client = Client {
        phase: Phase::Ended,
        told,
        awaits: Delivery::NONE,
        attempts: if repeats { client.attempts } else { 0 },
        deadline_over: true,
        left,
    };
}

/// A message that nobody will ever receive: an answer to a connection that is closed, a reply to a worker that is gone,
/// a request that the contract's numbers do not let arrive any more.
fn drop_dead_messages(setup: &Setup, world: &mut World) {
    let World { client, site, .. } = *world;
    let Site { works, slots, .. } = site;
    world.net.retain(|message| match message {
        Message::Answer { delivery, .. } => client.may_wait_for(delivery),
        Message::Reply { token, .. } => works
            .iter()
            .any(|work| work.token == token && matches!(work.stand, Stand::Called | Stand::Asking)),
        Message::Request { delivery, slot } => {
            let slot = slots[usize::from(slot)];
            !(delivery.is_attempt() && !setup.keyless && setup.limits.late_in(slot, delivery) == Late::Cannot)
        }
        Message::Call { .. } | Message::Lookup { .. } => true,
    });
}

/// Tokens are only ever compared for equality, and a new one differs from all that are still named anywhere. So they
/// are numbered anew, without gaps, in the same order; and what the supplier has filed under a mark that nobody can name
/// any more is dropped.
fn rename_tokens(world: &mut World) {
    let mut named = 0_u8;
    let mut name = |token: u8| named |= 1 << token;
    for slot in &world.site.slots {
        name(slot.owner);
        if slot.tag == Tag::Called {
            name(slot.detail);
        }
    }
    for work in &world.site.works {
        name(work.token);
        if work.stand == Stand::Marked {
            name(work.detail);
        }
    }
    for message in world.net.iter() {
        match message {
            Message::Call { token, mark } | Message::Lookup { token, mark, .. } => {
                name(token);
                name(mark);
            }
            Message::Reply { token, .. } => name(token),
            Message::Request { .. } | Message::Answer { .. } => {}
        }
    }
    let named = named & !1;
    let last = named.count_ones() as u8;
    if last == world.site.last_token {
        return;
    }
    // The rank of a token among those that are named; zero stays zero, and stands for the intent's own key as well.
    let rank = |token: u8| (named & ((1_u16 << (token + 1)) - 1) as u8).count_ones() as u8;
    for slot in &mut world.site.slots {
        slot.owner = rank(slot.owner);
        if slot.tag == Tag::Called {
            slot.detail = rank(slot.detail);
        }
    }
    for work in &mut world.site.works {
        work.token = rank(work.token);
        if work.stand == Stand::Marked {
            work.detail = rank(work.detail);
        }
    }
    world.net.map(|message| match message {
        Message::Call { token, mark } => Message::Call { token: rank(token), mark: rank(mark) },
        Message::Lookup { token, mark, settled } => {
            Message::Lookup { token: rank(token), mark: rank(mark), settled }
        }
        Message::Reply { token, result } => Message::Reply { token: rank(token), result },
        other => other,
    });
    let supplier = &mut world.supplier;
    let (remembered, closed, results) = (supplier.remembered, supplier.closed, supplier.results);
    (supplier.remembered, supplier.closed, supplier.results) = (remembered & 1, 0, results & 3);
    for mark in (1..8).filter(|mark| named >> mark & 1 != 0) {
        let to = rank(mark);
        supplier.remembered |= (remembered >> mark & 1) << to;
        supplier.closed |= (closed >> mark & 1) << to;
        supplier.results |= (results >> (2 * mark) & 3) << (2 * to);
    }
    world.site.last_token = last;
}
