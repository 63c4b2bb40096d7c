//! The bridge between the world, which has no clock, and the protocol, which compares times.
//!
//! A slot of the world's store says only "the lease ended" or "the settle time is over". When the protocol is asked,
//! the slot becomes a record whose times lie on the right side of [`NOW`]; what it decides goes back the same way.

use idempotency::contract::Contract;
use idempotency::protocol::{Record, Rules, Stage, State, Time, Token};

use crate::limits::Limits;
use crate::message::Class;
use crate::store::{Slot, Tag};

/// The moment of every question.
pub(crate) const NOW: Time = Time(1_000_000);
/// A moment at which every period of [`rules`] is over.
pub(crate) const LONG_AGO: Time = Time(0);

const SOON: u64 = 10;
const LATER: u64 = 20;

/// The rules of `contract`, with figures that stand for themselves: what matters is the order of the two periods that
/// run from the mark.
pub(crate) fn rules(contract: &Contract) -> Rules {
    let limits = Limits::of(contract);
    let mut rules = Rules::of(contract);
    let (window, settles) = if limits.settles_first { (LATER, SOON) } else { (SOON, LATER) };
    rules.lease = SOON;
    rules.horizon = rules.horizon.map(|_| SOON);
    rules.retention = rules.retention.map(|_| SOON);
    rules.unresolved = rules.unresolved.map(|_| SOON);
    rules.cancel_within = rules.cancel_within.map(|_| SOON);
    rules.supplier.call_again_for = rules.supplier.call_again_for.map(|_| window);
    rules.supplier.settles = rules.supplier.settles.map(|_| settles);
    rules
}

/// The payload of the model's intent; a probe may have another.
pub(crate) const OURS: u8 = 0;

/// The record that stands in `slot`.
pub(crate) fn record(slot: Slot) -> Option<Record<u8, Class>> {
    let lease_until = if slot.lease_ended { NOW } else { NOW.plus(1) };
    let state = match slot.tag {
        Tag::Absent | Tag::Gone => return None,
        Tag::Reserved => {
            State::InProgress { owner: Token(slot.owner.into()), lease_until, stage: Stage::Reserved }
        }
        Tag::Called => {
            let age = match (slot.window_over, slot.settled) {
                (false, false) => 0,
                (true, true) => LATER + 1,
                // Only one of the two is over: the one that comes first.
                _ => SOON + 1,
            };
            let stage = Stage::Called { mark: Token(slot.detail.into()), at: Time(NOW.0 - age) };
            State::InProgress { owner: Token(slot.owner.into()), lease_until, stage }
        }
        Tag::Completed => State::Completed { answer: Class::of(slot.detail), at: NOW },
        Tag::Unknown => State::Unknown { at: NOW },
        Tag::Cancelled => State::Cancelled { at: NOW },
    };
    Some(Record { fingerprint: (slot.tag != Tag::Cancelled).then_some(OURS), state })
}

/// The same record at a moment when every period has run out.
pub(crate) fn aged(record: &Record<u8, Class>) -> Record<u8, Class> {
    let state = match record.state {
        State::InProgress { owner, stage, .. } => State::InProgress { owner, lease_until: LONG_AGO, stage },
        State::Completed { answer, .. } => State::Completed { answer, at: LONG_AGO },
        State::Unknown { .. } => State::Unknown { at: LONG_AGO },
        State::Cancelled { .. } => State::Cancelled { at: LONG_AGO },
    };
    Record { fingerprint: record.fingerprint, state }
}

/// The slot in which `record` stands, where `before` stood.
pub(crate) fn slot(record: &Record<u8, Class>, before: Slot) -> Slot {
    let token = |token: Token| u8::try_from(token.0).unwrap_or(u8::MAX);
    let mut slot = before.emptied();
    match record.state {
        State::InProgress { owner, lease_until, stage } => {
            slot.owner = token(owner);
            slot.lease_ended = lease_until <= NOW;
            match stage {
                Stage::Reserved => slot.tag = Tag::Reserved,
                Stage::Called { mark, .. } => {
                    slot.tag = Tag::Called;
                    slot.detail = token(mark);
                    if before.tag == Tag::Called && before.detail == slot.detail {
                        slot.window_over = before.window_over;
                        slot.settled = before.settled;
                    }
                }
            }
        }
        State::Completed { answer, .. } => {
            slot.tag = Tag::Completed;
            slot.detail = answer as u8;
        }
        State::Unknown { .. } => slot.tag = Tag::Unknown,
        State::Cancelled { .. } => slot.tag = Tag::Cancelled,
    }
    slot
}
