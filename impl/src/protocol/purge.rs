//! What may be deleted, and what a person may decide.

use super::own::Lost;
use super::record::{Record, State, Time};
use super::rules::Rules;

/// What a person found out about an unknown outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution<A> {
    /// The effect happened; this is its answer.
    Happened(A),
    /// The effect did not happen and will not.
    DidNotHappen,
}

/// Whether `record` may be deleted at `now`: a terminal one after its retention, an unresolved one only where the
/// contract deletes those by age, which hides an unknown effect.
pub fn expires<F, A>(record: &Record<F, A>, now: Time, rules: &Rules) -> bool {
    match record.state {
        State::Completed { at, .. } | State::Cancelled { at } => {
            rules.retention.is_some_and(|retention| now.since(at) >= retention)
        }
        State::Unknown { at } => rules.unresolved.is_some_and(|age| now.since(at) >= age),
        // The start of the reservation is the lease's end less the lease: a heartbeat makes it younger.
        State::InProgress { lease_until, .. } => {
            rules.unresolved.is_some_and(|age| now.plus(rules.lease).since(lease_until) >= age)
        }
    }
}

/// The record after a person resolved an unknown outcome.
///
/// # Errors
/// [`Lost`] if the record is not `unknown`.
pub fn resolve<F: Clone, A>(
    record: &Record<F, A>,
    resolution: Resolution<A>,
    now: Time,
) -> Result<Record<F, A>, Lost> {
    let State::Unknown { .. } = record.state else { return Err(Lost) };
    let state = match resolution {
        Resolution::Happened(answer) => State::Completed { answer, at: now },
        Resolution::DidNotHappen => State::Cancelled { at: now },
    };
    Ok(Record { fingerprint: record.fingerprint.clone(), state })
}
