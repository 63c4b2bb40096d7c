//! What may be asked about an intent from outside, without a new effect.

use super::record::{Record, State, Time};
use super::rules::Rules;

/// What the status route answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusAnswer<A> {
    /// The stored answer.
    Done(A),
    /// It is in progress.
    InProgress,
    /// Nobody can tell yet.
    Unknown,
    /// It was cancelled and takes no effect.
    Cancelled,
    /// There is no record. That is not "it did not happen": a delivery may still be on its way.
    NotFound,
}

/// What a cancel by key answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CancelAnswer<F, A> {
    /// Cancelled: where there was no record, this tombstone has to be stored first.
    Cancelled(Option<Record<F, A>>),
    /// The result was there first.
    Done(A),
    /// It is in progress, and cannot be cancelled now.
    InProgress,
    /// Nobody can tell yet.
    Unknown,
    /// The intent is so old that the record of an effect may be gone: neither answer would be honest.
    TooOld,
}

/// What became of the intent of `record`.
pub fn status<F, A: Clone>(record: Option<&Record<F, A>>) -> StatusAnswer<A> {
    match record.map(|found| &found.state) {
        None => StatusAnswer::NotFound,
        Some(State::Completed { answer, .. }) => StatusAnswer::Done(answer.clone()),
        Some(State::InProgress { .. }) => StatusAnswer::InProgress,
        Some(State::Unknown { .. }) => StatusAnswer::Unknown,
        Some(State::Cancelled { .. }) => StatusAnswer::Cancelled,
    }
}

/// Cancels an intent whose first attempt was sent at `begun`, if it has no record yet.
pub fn cancel<F, A: Clone>(
    record: Option<&Record<F, A>>,
    begun: Time,
    now: Time,
    rules: &Rules,
) -> CancelAnswer<F, A> {
    match record.map(|found| &found.state) {
        Some(State::Completed { answer, .. }) => CancelAnswer::Done(answer.clone()),
        Some(State::Cancelled { .. }) => CancelAnswer::Cancelled(None),
        Some(State::InProgress { .. }) => CancelAnswer::InProgress,
        Some(State::Unknown { .. }) => CancelAnswer::Unknown,
        None if rules.cancel_within.is_some_and(|limit| now.since(begun) >= limit) => CancelAnswer::TooOld,
        None => {
            CancelAnswer::Cancelled(Some(Record { fingerprint: None, state: State::Cancelled { at: now } }))
        }
    }
}
