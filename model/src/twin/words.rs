//! How the twin's messages, timers and states read, in the Explorer and in a path.

use std::fmt;

use serde::Serialize;

use super::actor::{Alarm, PartState, Place, Side, Step};
use crate::client::Client;
use crate::fault::{self, Fault, Left};
use crate::message::{Delivery, Message};
use crate::server::{Stand, Work};
use crate::store::{Slot, Tag};

/// A message under way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Post(pub Message);

// stateright sorts the deliveries by the message, so that a path of indices means the same every time.
impl Ord for Post {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.code().cmp(&other.0.code())
    }
}

impl PartialOrd for Post {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for Post {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Message::Request { delivery, slot } => write!(f, "{} under key {}", named(delivery), slot + 1),
            Message::Answer { delivery, class } => write!(f, "answer to {}: {class:?}", named(delivery)),
            Message::Call { token, mark, slot } => {
                write!(f, "call of token {token} with mark {mark} for key {}", slot + 1)
            }
            Message::Lookup { token, mark, slot, settled } => {
                let settled = if settled { ", settled" } else { "" };
                write!(f, "question of token {token} about mark {mark} for key {}{settled}", slot + 1)
            }
            Message::Reply { token, result: 0 } => write!(f, "reply to token {token}: not found"),
            Message::Reply { token, result } => write!(f, "reply to token {token}: result {result}"),
        }
    }
}

/// What a worker is called: as in a story.
fn server(at: usize) -> String {
    format!("server {}", if at == 0 { 'A' } else { 'B' })
}

/// What a delivery is called.
pub(super) fn named(delivery: Delivery) -> String {
    match delivery {
        Delivery::NONE => "nobody".into(),
        Delivery::CLICK => "the second click".into(),
        Delivery::OTHER => "the probe".into(),
        Delivery::STATUS => "the status question".into(),
        Delivery::CANCEL => "the cancel".into(),
        Delivery(number) => format!("request {number}"),
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Edge => "client",
            Self::Site => "servers",
            Self::Supplier => "supplier",
        })
    }
}

impl fmt::Debug for Alarm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.step {
            Step::Client(step) => write!(f, "{}: {step:?}", self.at),
            Step::Server(at, step) => write!(f, "{}: {step:?}", server(at.into())),
            Step::Store(at, step) => write!(f, "key {}: {step:?}", at + 1),
            Step::SupplierForgets => write!(f, "{}: Forgets", self.at),
        }
    }
}

impl fmt::Debug for PartState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.side {
            Side::Edge(client) => {
                write!(
                    f,
                    "client    {}{}",
                    client_words(client),
                    left_words(client.left, fault::Side::Client)
                )?;
            }
            Side::Site(site) => {
                for (at, work) in site.works.iter().enumerate() {
                    writeln!(f, "{}  {}", server(at), work_words(*work))?;
                }
                for (at, slot) in site.slots.iter().enumerate() {
                    writeln!(f, "key {}     {}", at + 1, slot_words(*slot))?;
                }
                let named: Vec<_> = (1..=3).filter(|result| site.named >> result & 1 != 0).collect();
                write!(f, "servers   {} local effects, results named {named:?}", site.effects)?;
                write!(f, "{}", left_words(site.left, fault::Side::Site))?;
            }
            Side::Supplier(supplier) => {
                write!(
                    f,
                    "supplier  {} effects, keys remembered {:#b}, calls closed {:#b}{}",
                    supplier.effects,
                    supplier.remembered,
                    supplier.closed,
                    left_words(supplier.left, fault::Side::Supplier),
                )?;
            }
        }
        Ok(())
    }
}

fn client_words(client: &Client) -> String {
    let waits = if client.phase == crate::client::Phase::Ended {
        String::new()
    } else {
        format!(" for the answer to {}", named(client.awaits))
    };
    let over = if client.deadline_over { ", deadline over" } else { "" };
    format!("{:?}{waits}, attempts made: {}, told {:?}{over}", client.phase, client.attempts, client.told)
}

fn work_words(work: Work) -> String {
    if work.stand == Stand::Idle {
        return "Idle".into();
    }
    let settled = if work.settled { ", settled" } else { "" };
    let (stand, slot, delivery) = (work.stand, work.slot, named(Delivery(work.delivery)));
    format!(
        "{stand:?} for {delivery} under key {}, token {}, detail {}{settled}",
        slot + 1,
        work.token,
        work.detail
    )
}

fn slot_words(slot: Slot) -> String {
    let mut words = match slot.tag {
        Tag::Reserved => format!("Reserved by token {}", slot.owner),
        Tag::Called => format!("Called by token {} with mark {}", slot.owner, slot.detail),
        Tag::Completed => format!("Completed: {:?}", crate::message::Class::of(slot.detail)),
        tag => format!("{tag:?}"),
    };
    for (is_so, word) in [
        (slot.lease_ended, ", lease ended"),
        (slot.window_over, ", window over"),
        (slot.settled, ", settled"),
        (slot.asked, ", asked"),
        (slot.terminal_written, ", a terminal record is to be kept"),
    ] {
        if is_so {
            words.push_str(word);
        }
    }
    words
}

/// The faults of `side` that may still happen.
fn left_words(left: Left, side: fault::Side) -> String {
    let may = |found: &Fault| fault::Side::of(*found) == side && left.has(*found);
    let names: Vec<_> = Fault::ALL.into_iter().filter(may).map(Fault::name).collect();
    if names.is_empty() { String::new() } else { format!("; may happen: {}", names.join(", ")) }
}
