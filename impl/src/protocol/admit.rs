//! What a delivery gets.

use super::record::{Record, Stage, State, Time, Token};
use super::recover::{Recovery, recover};
use super::rules::Rules;
use crate::contract::OnMismatch;

/// What the protocol has to know of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request<F> {
    /// The fingerprint of its payload.
    pub fingerprint: F,
    /// When its key was made, if the key says so.
    pub made_at: Option<Time>,
}

/// What a delivery gets. Only `Reserve` and `TakeOver` give a right to run the effect, and only once the store has
/// written the record that goes with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission<A> {
    /// The key is older than the horizon: refused, whatever the store knows of it.
    Stale,
    /// The key is bound to another payload: refused, before the handler.
    Conflict,
    /// The stored answer.
    Replay(A),
    /// The intent was cancelled.
    Cancelled,
    /// Nobody can tell yet whether the effect happened.
    Unknown,
    /// Another holds the reservation.
    InFlight {
        /// When its lease ends.
        until: Time,
    },
    /// The reservation's lease ended, and this is what may be done about it.
    TakeOver(Recovery),
    /// The key is new.
    Reserve,
}

/// Decides what `request` gets at `now`, where `record` is what the store holds for its key in its scope.
///
/// The order matters, and is RIFL's (SOSP 2015): stale before all else, since a purged record and a new key look the
/// same; then conflict, replay, unknown, in progress; and only then new.
pub fn admit<F: PartialEq, A: Clone>(
    record: Option<&Record<F, A>>,
    request: &Request<F>,
    now: Time,
    rules: &Rules,
) -> Admission<A> {
    if let (Some(horizon), Some(made_at)) = (rules.horizon, request.made_at)
        && now.since(made_at) > horizon
    {
        return Admission::Stale;
    }
    let Some(record) = record else { return Admission::Reserve };
    let differs = record.fingerprint.as_ref().is_some_and(|bound| *bound != request.fingerprint);
    if differs && rules.compares && rules.on_mismatch == OnMismatch::Conflict {
        return Admission::Conflict;
    }
    match &record.state {
        State::Completed { answer, .. } => Admission::Replay(answer.clone()),
        State::Cancelled { .. } => Admission::Cancelled,
        State::Unknown { .. } => Admission::Unknown,
        State::InProgress { lease_until, .. } => match recover(record, now, rules) {
            Recovery::NotYet | Recovery::Never => Admission::InFlight { until: *lease_until },
            recovery => Admission::TakeOver(recovery),
        },
    }
}

/// The record of a new reservation. The store writes it only where there is none: that is what makes it atomic.
pub fn reserve<F, A>(fingerprint: F, owner: Token, now: Time, rules: &Rules) -> Record<F, A> {
    Record {
        fingerprint: Some(fingerprint),
        state: State::InProgress { owner, lease_until: now.plus(rules.lease), stage: Stage::Reserved },
    }
}

/// What a reservation that is not atomic writes: whoever read an absent key writes later, over another's reservation
/// too; a terminal record it leaves, and goes on all the same. This is a defect to be modelled, not one to be used.
pub fn reserve_blindly<F: Clone, A: Clone>(
    record: Option<&Record<F, A>>,
    fingerprint: F,
    owner: Token,
    now: Time,
    rules: &Rules,
) -> Record<F, A> {
    match record {
        Some(found) if found.is_terminal() => found.clone(),
        _ => reserve(fingerprint, owner, now, rules),
    }
}
