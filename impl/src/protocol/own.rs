//! What the owner of a reservation may write.

use super::record::{Record, Stage, State, Time, Token};
use super::rules::Rules;
use crate::contract::{Fence, Mark, OnError, OnRejection, OnSuccess};

/// The reservation is another's by now, or is gone: the caller writes nothing, and its transaction is rolled back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the reservation was lost: another took it over, or it is gone")]
pub struct Lost;

/// How a handler ended. Certainty decides, not success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome<A> {
    /// The effect happened.
    Completed(A),
    /// The effect certainly did not happen, and will not.
    Rejected {
        /// What the client is told.
        answer: A,
        /// Whether every later delivery of this payload would be rejected as well.
        payload_alone: bool,
    },
    /// The effect may have happened.
    Ambiguous(A),
}

/// What is left in the store after a handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept<F, A> {
    /// This record.
    Record(Record<F, A>),
    /// Nothing: the key is free again.
    Nothing,
}

/// Stores that the external call is about to leave. `token` becomes the mark from which the supplier's key is made.
///
/// # Errors
/// [`Lost`] if the mark is fenced and `token` does not hold the reservation.
pub fn mark<F: Clone, A>(
    record: Option<&Record<F, A>>,
    token: Token,
    fingerprint: F,
    now: Time,
    rules: &Rules,
) -> Result<Record<F, A>, Lost> {
    if rules.mark == Mark::Fenced && !record.is_some_and(|found| found.is_held_by(token)) {
        return Err(Lost);
    }
    let stage = match record.map(|found| &found.state) {
        // A call may have left under the first mark already: the key made from it, and its time, stay.
        Some(State::InProgress { owner, stage: stage @ Stage::Called { .. }, .. }) if *owner == token => {
            *stage
        }
        _ => Stage::Called { mark: token, at: now },
    };
    Ok(Record {
        fingerprint: Some(record.and_then(|found| found.fingerprint.clone()).unwrap_or(fingerprint)),
        state: State::InProgress { owner: token, lease_until: now.plus(rules.lease), stage },
    })
}

/// Extends the lease of a handler that still runs.
///
/// # Errors
/// [`Lost`] if `token` does not hold the reservation.
pub fn heartbeat<F: Clone, A>(
    record: Option<&Record<F, A>>,
    token: Token,
    now: Time,
    rules: &Rules,
) -> Result<Record<F, A>, Lost> {
    match record {
        Some(Record { fingerprint, state: State::InProgress { owner, stage, .. } }) if *owner == token => {
            Ok(Record {
                fingerprint: fingerprint.clone(),
                state: State::InProgress { owner: token, lease_until: now.plus(rules.lease), stage: *stage },
            })
        }
        _ => Err(Lost),
    }
}

/// Stores how the handler of `token` ended. Where the effect is local, its writes commit with this or not at all.
///
/// # Errors
/// [`Lost`] if completion is fenced and `token` does not hold the reservation.
pub fn finish<F: Clone, A>(
    record: Option<&Record<F, A>>,
    token: Token,
    fingerprint: F,
    outcome: Outcome<A>,
    now: Time,
    rules: &Rules,
) -> Result<Kept<F, A>, Lost> {
    if rules.completion == Fence::Fenced && !record.is_some_and(|found| found.is_held_by(token)) {
        return Err(Lost);
    }
    let state = match outcome {
        Outcome::Completed(answer) => match rules.success {
            OnSuccess::Replay => State::Completed { answer, at: now },
            OnSuccess::Release => return Ok(Kept::Nothing),
        },
        Outcome::Rejected { answer, payload_alone } => match rules.rejection {
            OnRejection::Replay => State::Completed { answer, at: now },
            OnRejection::ReleaseIfPayloadAlone if !payload_alone => State::Completed { answer, at: now },
            OnRejection::ReleaseIfPayloadAlone | OnRejection::Release => return Ok(Kept::Nothing),
        },
        Outcome::Ambiguous(answer) => match rules.error {
            OnError::Unknown => State::Unknown { at: now },
            OnError::Replay | OnError::ReplayIndeterminate => State::Completed { answer, at: now },
            OnError::Release => return Ok(Kept::Nothing),
        },
    };
    let fingerprint = record.and_then(|found| found.fingerprint.clone()).unwrap_or(fingerprint);
    Ok(Kept::Record(Record { fingerprint: Some(fingerprint), state }))
}

/// Whether `token` may free the key because its handler was cancelled.
///
/// # Errors
/// [`Lost`] if `token` does not hold the reservation.
pub fn release<F, A>(record: Option<&Record<F, A>>, token: Token) -> Result<(), Lost> {
    if record.is_some_and(|found| found.is_held_by(token)) { Ok(()) } else { Err(Lost) }
}
