//! Reductions: worlds that differ only in what can make no difference are one.
//!
//! Each keeps every step that can still happen, with the flaws and events it notes: for every world and its
//! representative, the same can happen from here on, and the evidence is the same. The tests hold the reduced search to
//! the whole one: same verdicts, same lengths of stories, same events.

use idempotency::contract::{AfterDeadline, SupplierKey};
use idempotency::invariant::{Broken, Invariant};

use crate::client::{Client, Phase, Told};
use crate::fault::Fault;
use crate::limits::Late;
use crate::message::{Class, Delivery, Message};
use crate::server::Stand;
use crate::setup::Setup;
use crate::site::Site;
use crate::store::Tag;
use crate::world::World;

/// What of a history still matters: what tells whether an invariant is broken that is still open. What is broken
/// already needs no second story.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Matters {
    /// The bits of the flaws.
    flaws: u8,
    /// Whether a second terminal record differs from a first.
    terminals: bool,
    /// Whether one result differs from another.
    results: bool,
    /// Whether a second effect differs from a first.
    count: bool,
    /// Whether it makes a difference which last word the client told its user.
    told: bool,
}

impl Matters {
    /// What matters where only the invariants of `open` are judged.
    pub(crate) fn to(setup: &Setup, open: Broken) -> Self {
        let start = World::start(setup);
        let tells = |bit: &u8| !World { flaws: *bit, ..start }.broken(false).and(open).is_empty();
        let results = open.has(Invariant::V2);
        // An effect after a replacement is one that makes the count grow.
        let grows = open.has(Invariant::V11) && setup.budget.of(Fault::Edit) > 0;
        Self {
            flaws: (0..8).map(|bit| 1 << bit).filter(tells).sum(),
            terminals: open.has(Invariant::V4),
            results,
            // The number of a result is that of its effect.
            count: open.has(Invariant::V1) || results || grows,
            told: open.has(Invariant::V8),
        }
    }
}

/// The representative of all worlds that are like `world` in all that matters.
pub(crate) fn canonical(setup: &Setup, matters: Matters, mut world: World) -> World {
    forget_history(matters, &mut world);
    settle_client(setup, matters, &mut world.client);
    drop_dead_messages(setup, &mut world);
    forget_closed(setup, &mut world);
    rename_tokens(setup, &mut world);
    // Workers are alike: which of them does a thing makes no difference.
    world.site.works.sort_unstable_by_key(|work| {
        (work.stand as u8, work.token, work.delivery, work.slot, work.detail, work.settled)
    });
    world
}

/// No step asks what happened before, how often, or with which result; only the evidence does.
fn forget_history(matters: Matters, world: &mut World) {
    world.flaws &= matters.flaws;
    let World { site, supplier, net, .. } = world;
    if !matters.terminals {
        site.slots.iter_mut().for_each(|slot| slot.terminal_written = false);
    }
    if !matters.count {
        site.effects = site.effects.min(1);
        supplier.effects = supplier.effects.min(1);
    }
    if matters.results {
        return;
    }
    site.named = 0;
    for slot in site.slots.iter_mut().filter(|slot| slot.tag == Tag::Completed) {
        slot.detail = first(Class::of(slot.detail)) as u8;
    }
    for work in site.works.iter_mut().filter(|work| work.stand == Stand::Finishing) {
        work.detail = 1;
    }
    net.map(|message| match message {
        Message::Answer { delivery, class } => Message::Answer { delivery, class: first(class) },
        Message::Reply { token, result } => Message::Reply { token, result: result.min(1) },
        other => other,
    });
    // Two bits for each: one, where there are any.
    supplier.results = (supplier.results | supplier.results >> 1) & 0x5555;
}

/// The class, with the first result for any other.
fn first(class: Class) -> Class {
    if class.result().is_some() { Class::Success1 } else { class }
}

/// A client that will do nothing more: how it came to its last word makes no difference, only the word does.
fn settle_client(setup: &Setup, matters: Matters, client: &mut Client) {
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
    let told = match client.told {
        Told::Unknown => Told::Done,
        Told::Rejected | Told::Failed | Told::Cancelled if !matters.told => Told::Done,
        told => told,
    };
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

/// Whose connection is closed gets no answer, so which delivery it was makes no difference, if it may come as late as
/// another. The first attempt stands for all: while it is waited for there is no other, and afterwards it never is
/// again.
fn forget_closed(setup: &Setup, world: &mut World) {
    let client = world.client;
    let is_closed = |delivery: Delivery| delivery.is_attempt() && !client.waits_for(delivery);
    for work in world.site.works.iter_mut().filter(|work| is_closed(Delivery(work.delivery))) {
        work.delivery = Delivery::FIRST.0;
    }
    let first = |message| match message {
        Message::Request { delivery, slot }
            if is_closed(delivery) && setup.limits.is_as_late_as_first(delivery) =>
        {
            Message::Request { delivery: Delivery::FIRST, slot }
        }
        other => other,
    };
    if world.net.iter().any(|message| message != first(message)) {
        world.net.map(first);
    }
}

/// Tokens are only ever compared for equality, and a new one differs from all that are still named anywhere. So they
/// are numbered anew, without gaps, in the same order; and what the supplier has filed under a mark that nobody can name
/// any more is dropped.
fn rename_tokens(setup: &Setup, world: &mut World) {
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
            Message::Call { token, mark, .. } | Message::Lookup { token, mark, .. } => {
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
    // The rank of a token among those that are named; zero stays zero.
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
        Message::Call { token, mark, slot } => Message::Call { token: rank(token), mark: rank(mark), slot },
        Message::Lookup { token, mark, slot, settled } => {
            Message::Lookup { token: rank(token), mark: rank(mark), slot, settled }
        }
        Message::Reply { token, result } => Message::Reply { token: rank(token), result },
        other => other,
    });
    let supplier = &mut world.supplier;
    let is_named = |mark: u8| named >> mark & 1 != 0;
    supplier.first = supplier.first.map(|mark| if is_named(mark) { rank(mark) } else { 0 });
    let (remembered, closed, results) = (supplier.remembered, supplier.closed, supplier.results);
    supplier.closed = 0;
    let by_mark = setup.supplier_key == SupplierKey::FromMark;
    if by_mark {
        (supplier.remembered, supplier.results) = (0, 0);
    }
    for mark in (1..8).filter(|mark| is_named(*mark)) {
        let to = rank(mark);
        supplier.closed |= (closed >> mark & 1) << to;
        if by_mark {
            supplier.remembered |= (remembered >> mark & 1) << to;
            supplier.results |= (results >> (2 * mark) & 3) << (2 * to);
        }
    }
    world.site.last_token = last;
}

#[cfg(test)]
mod tests;
