//! The five questions (R2) and the four outcomes (R1), answered from the contract and from the runs.

use idempotency::contract::{
    Canonical, Contract, EffectKind, InFlight, KeyKept, KeyMade, OnError, OnMismatch, OnRejection, OnSuccess,
    ScopePart, TakeOver,
};
use idempotency::invariant::Invariant;
use serde::Serialize;

use super::judge::{Judged, Run, Verdict, has};
use crate::message::Event;

/// One of the five questions, and what the contract answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// The question.
    pub question: &'static str,
    /// The answer.
    pub answer: String,
}

/// Whether an outcome was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shown {
    /// It was seen, and what must be true of it holds.
    Shown,
    /// What must be true of it is broken.
    Broken,
    /// It was not seen, or what must be true of it is unknown.
    NotShown,
}

/// One of the four outcomes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The outcome.
    pub outcome: &'static str,
    /// What must be true of it.
    pub demands: &'static str,
    /// What the client gets.
    pub answer: String,
    /// Whether it was seen.
    pub shown: Shown,
}

/// The five questions, answered from the contract.
pub(super) fn questions(contract: &Contract) -> Vec<Answer> {
    let answer = |question, answer| Answer { question, answer };
    vec![
        answer("Which scope binds the attempts?", scope(contract)),
        answer("Which payload is the same?", payload(contract)),
        answer("Who owns the effect?", owner(contract)),
        answer("What does a replay get?", replay(contract)),
        answer("What is to be done when the outcome is unknown?", unknown(contract)),
    ]
}

fn scope(contract: &Contract) -> String {
    let part = |part: &ScopePart| match part {
        ScopePart::Owner => "the owner",
        ScopePart::Credential => "the credential",
        ScopePart::Operation => "the operation",
        ScopePart::Region => "the region",
    };
    let key = &contract.key;
    if key.made == KeyMade::Never {
        return "None: requests have no key, and every delivery is a command of its own.".into();
    }
    let within: Vec<_> = key.scope.iter().map(part).collect();
    let made = match key.made {
        KeyMade::PerIntent => "made once for an intent",
        KeyMade::PerAttempt | KeyMade::Never => "made anew for every attempt, so it binds nothing",
    };
    let lost = match key.kept {
        KeyKept::Reload => "",
        KeyKept::Answer => " A reload loses it.",
    };
    format!("The key in `{}`, {made}; unique within {}.{lost}", key.name, joined(&within))
}

fn payload(contract: &Contract) -> String {
    let print = &contract.fingerprint;
    if print.covers.is_empty() {
        return "Any: no fingerprint is kept, and another payload passes under the same key.".into();
    }
    let form = match print.canonical {
        Canonical::Bytes => "compared byte by byte",
        Canonical::Jcs => "in the canonical form of RFC 8785",
    };
    let covers = if print.covers == ["body"] { "the whole body".into() } else { joined(&print.covers) };
    let mismatch = match print.on_mismatch {
        OnMismatch::Conflict => format!("Another payload gets {} before the handler.", print.status),
        OnMismatch::Replay => "Another payload gets the first one's answer.".into(),
    };
    format!("One that is equal in {covers}, {form}. {mismatch}")
}

fn owner(contract: &Contract) -> String {
    let reservation = &contract.reservation;
    let after = match reservation.take_over {
        TakeOver::Never => "nobody takes over from it".into(),
        TakeOver::ByStage => {
            format!("after {} without a heartbeat another takes over, by the stage", reservation.lease)
        }
        TakeOver::RunAgain => {
            format!("after {} without a heartbeat another runs the handler again", reservation.lease)
        }
    };
    let whose = match contract.effect.kind {
        EffectKind::None => return "Nobody: the operation is a read.".into(),
        EffectKind::OneTransaction => {
            return "The transaction that inserts the key: reservation, effect and result commit together."
                .into();
        }
        EffectKind::FencedTransaction => {
            "effect and result commit together, if it still holds the reservation"
        }
        EffectKind::TwoTransactions => "effect and result are two transactions",
        EffectKind::External => "the effect is a call to the supplier, marked in the record before it leaves",
    };
    format!("The holder of the reservation: {whose}; {after}.")
}

fn replay(contract: &Contract) -> String {
    if contract.key.made == KeyMade::Never {
        return "There is none: every delivery is a command of its own.".into();
    }
    let answers = &contract.answers;
    let success = match answers.success {
        OnSuccess::Replay => "A success is replayed as it was stored",
        OnSuccess::Release => "Of a success nothing is kept",
    };
    let rejection = match answers.rejection {
        OnRejection::Replay => "a rejection too",
        OnRejection::Release => "a rejection frees the key",
        OnRejection::ReleaseIfPayloadAlone => "a rejection too, unless the payload alone decides it",
    };
    let error = match answers.error {
        OnError::Unknown => "after an ambiguous error it is told \"unknown\"",
        OnError::Replay => "an ambiguous error too",
        OnError::Release => "an ambiguous error frees the key",
    };
    let flight = match contract.reservation.in_flight {
        InFlight::Refuse => format!("while the first is in progress it gets {}", contract.reservation.status),
        InFlight::Wait => format!(
            "while the first is in progress it waits {}, then gets {}",
            contract.reservation.wait, contract.reservation.status
        ),
    };
    let marker = match answers.marker.as_str() {
        "" => "no header marks it".into(),
        marker => format!("`{marker}` marks it"),
    };
    format!(
        "{success}, {rejection}, {error}; {flight}; {marker}. Records are kept for {}; after that the same key is a new \
         command.",
        contract.retention.completed
    )
}

fn unknown(contract: &Contract) -> String {
    let client = match (contract.routes.status, contract.routes.cancel) {
        (true, true) => "The client asks the status route, or cancels by key",
        (true, false) => "The client asks the status route; \"not found\" there proves nothing",
        (false, true) => "The client cancels by key",
        (false, false) => "The client has no route to ask and tells its user that it does not know",
    };
    let server = match contract.answers.error {
        OnError::Unknown => "the server keeps the record as `unknown` until it is resolved",
        OnError::Replay => "the server stores the error as if it were the outcome",
        OnError::Release => "the server frees the key as if nothing had happened",
    };
    let supplier = if contract.is_external() {
        let again =
            contract.call_again_for().map(|window| format!("calls again with the same key within {window}"));
        let ask = contract.supplier.can_be_asked.then(|| "asks the supplier by our business id".to_owned());
        let ways: Vec<_> = again.into_iter().chain(ask).chain(["leaves it to a person".to_owned()]).collect();
        format!(" After a crash the recovery {}.", ways.join(", else "))
    } else {
        String::new()
    };
    format!("{client}; {server}.{supplier}")
}

/// The four outcomes for one key.
pub(super) fn outcomes(contract: &Contract, runs: &[Run], results: &[Judged]) -> Vec<Outcome> {
    let seen =
        |events: &[Event]| runs.iter().any(|run| events.iter().all(|event| has(run.found.events, *event)));
    let judge = |events: &[Event], invariants: &[Invariant]| {
        let rows = || results.iter().filter(|row| invariants.contains(&row.invariant));
        let judged = invariants.iter().all(|invariant| rows().any(|row| row.invariant == *invariant));
        if rows().any(|row| row.verdict == Verdict::Violated) {
            Shown::Broken
        } else if judged && seen(events) && rows().all(|row| row.verdict == Verdict::Holds) {
            Shown::Shown
        } else {
            Shown::NotShown
        }
    };
    let outcome =
        |outcome, demands, answer: &str, shown| Outcome { outcome, demands, answer: answer.into(), shown };
    let conflict = match contract.fingerprint.on_mismatch {
        OnMismatch::Conflict if !contract.fingerprint.covers.is_empty() => {
            contract.fingerprint.status.to_string()
        }
        _ => "the first one's answer".into(),
    };
    vec![
        outcome(
            "first success",
            "one resource, one effect",
            "the success",
            judge(&[Event::Effect, Event::Success], &[Invariant::V1]),
        ),
        outcome(
            "timeout after the write",
            "one resource, one effect",
            "nothing; the client retries, asks, or says that it does not know",
            judge(&[Event::Effect, Event::ToldUnknown], &[Invariant::V1, Invariant::V8]),
        ),
        outcome(
            "repeat with the same payload",
            "the same result",
            "the stored answer",
            judge(&[Event::Replay], &[Invariant::V1, Invariant::V2]),
        ),
        outcome(
            "repeat with another payload",
            "a conflict before any write",
            &conflict,
            judge(&[Event::Conflict], &[Invariant::V3]),
        ),
    ]
}

fn joined(parts: &[impl AsRef<str>]) -> String {
    match parts {
        [] => "nothing".into(),
        [one] => one.as_ref().into(),
        [first @ .., last] => {
            let first: Vec<_> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}
