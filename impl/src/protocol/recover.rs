//! What becomes of a reservation whose lease ended.

use super::own::Lost;
use super::record::{Record, Stage, State, Time, Token};
use super::rules::Rules;
use crate::contract::TakeOver;

/// What may be done about a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// Its lease still runs.
    NotYet,
    /// Nobody may take it over.
    Never,
    /// Take it over and run the handler.
    RunAgain,
    /// Take it over and call the supplier again with the key made from `mark`.
    CallAgain {
        /// The mark of the first call.
        mark: Token,
    },
    /// Take it over and ask the supplier by our business id.
    Ask {
        /// Whether "not found" will be conclusive.
        settled: bool,
    },
    /// Nothing that the supplier can do tells: the record becomes `unknown`.
    GiveUp,
}

/// What the supplier said when it was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It knows our business id. The caller finishes the record with what it said.
    Found,
    /// It does not.
    NotFound,
}

/// What follows from a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterAsking<F, A> {
    /// Finish the record as completed.
    Complete,
    /// The call never took effect and never will: this record, and the handler runs.
    RunAgain(Record<F, A>),
    /// It proves nothing yet: this record waits until "not found" is conclusive, and is asked about again.
    Wait(Record<F, A>),
    /// It will never prove anything: this record, for a person.
    GiveUp(Record<F, A>),
}

/// Decides what may be done about `record` at `now`. A record that is not in progress needs nothing: `Never`.
pub fn recover<F, A>(record: &Record<F, A>, now: Time, rules: &Rules) -> Recovery {
    let State::InProgress { lease_until, stage, .. } = &record.state else { return Recovery::Never };
    if rules.take_over == TakeOver::Never {
        return Recovery::Never;
    }
    if now < *lease_until {
        return Recovery::NotYet;
    }
    if rules.take_over == TakeOver::RunAgain {
        return Recovery::RunAgain;
    }
    match *stage {
        Stage::Reserved => Recovery::RunAgain,
        Stage::Called { mark, at } => {
            let age = now.since(at);
            if rules.supplier.call_again_for.is_some_and(|window| age <= window) {
                Recovery::CallAgain { mark }
            } else if rules.supplier.can_be_asked {
                Recovery::Ask { settled: rules.supplier.settles.is_some_and(|settles| age >= settles) }
            } else {
                Recovery::GiveUp
            }
        }
    }
}

/// The record after `token` has taken it over for `recovery`. The store writes it as a compare-and-set on what was read.
///
/// # Errors
/// [`Lost`] if there is nothing to take over: the record is not in progress, or its lease runs.
pub fn take_over<F: Clone, A>(
    record: &Record<F, A>,
    token: Token,
    recovery: Recovery,
    now: Time,
    rules: &Rules,
) -> Result<Record<F, A>, Lost> {
    let State::InProgress { stage, .. } = &record.state else { return Err(Lost) };
    let stage = match recovery {
        Recovery::NotYet | Recovery::Never => return Err(Lost),
        Recovery::GiveUp => return Ok(with(record, State::Unknown { at: now })),
        Recovery::RunAgain => Stage::Reserved,
        Recovery::CallAgain { .. } | Recovery::Ask { .. } => *stage,
    };
    Ok(with(record, State::InProgress { owner: token, lease_until: now.plus(rules.lease), stage }))
}

/// Decides what follows from what the supplier said. `settled` is what [`recover`] said when it was asked, not what
/// would be said now: an answer may be older than the settle time.
///
/// # Errors
/// [`Lost`] if `token` does not hold the reservation.
pub fn after_asking<F: Clone, A>(
    record: Option<&Record<F, A>>,
    token: Token,
    finding: Finding,
    settled: bool,
    now: Time,
    rules: &Rules,
) -> Result<AfterAsking<F, A>, Lost> {
    let Some(record) = record else { return Err(Lost) };
    let State::InProgress { owner, stage: Stage::Called { at, .. }, .. } = record.state else {
        return Err(Lost);
    };
    if owner != token {
        return Err(Lost);
    }
    Ok(match (finding, rules.supplier.settles) {
        (Finding::Found, _) => AfterAsking::Complete,
        (Finding::NotFound, Some(_)) if settled => AfterAsking::RunAgain(with(
            record,
            State::InProgress { owner: token, lease_until: now.plus(rules.lease), stage: Stage::Reserved },
        )),
        (Finding::NotFound, Some(settles)) => {
            let State::InProgress { stage, .. } = record.state else { return Err(Lost) };
            let lease_until = at.plus(settles);
            AfterAsking::Wait(with(record, State::InProgress { owner: token, lease_until, stage }))
        }
        (Finding::NotFound, None) => AfterAsking::GiveUp(with(record, State::Unknown { at: now })),
    })
}

fn with<F: Clone, A>(record: &Record<F, A>, state: State<A>) -> Record<F, A> {
    Record { fingerprint: record.fingerprint.clone(), state }
}
