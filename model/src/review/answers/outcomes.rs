//! The four outcomes for one key: what is demanded of each, and what was seen of it.

use idempotency::contract::{Contract, KeyMade, OnMismatch, OnSuccess};
use idempotency::invariant::Invariant;
use serde::Serialize;

use super::joined;
use super::questions::does;
use crate::message::Event;
use crate::review::judge::{Judged, Run, Verdict, has};

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
    /// What is true of it here.
    pub here: String,
    /// What the client gets.
    pub answer: String,
    /// Whether it was seen.
    pub shown: Shown,
}

/// The four outcomes for one key.
pub(in crate::review) fn outcomes(contract: &Contract, runs: &[Run], results: &[Judged]) -> Vec<Outcome> {
    let seen =
        |events: &[Event]| runs.iter().any(|run| events.iter().all(|event| has(run.found.events, *event)));
    let outcome = |outcome, demands, answer: String, events: &[Event], invariants: &[Invariant]| {
        let (shown, here) = judge(seen(events), invariants, results);
        Outcome { outcome, demands, here, answer, shown }
    };
    let new = "whatever a new command gets".to_owned();
    let repeated = match (contract.key.made, contract.answers.success) {
        (KeyMade::PerIntent, OnSuccess::Replay) => "the stored answer".into(),
        _ => new.clone(),
    };
    let print = &contract.fingerprint;
    let other = match print.on_mismatch {
        _ if contract.key.made == KeyMade::Never => new,
        OnMismatch::Conflict if !print.covers.is_empty() => print.status.to_string(),
        _ => "the first one's answer".into(),
    };
    vec![
        outcome(
            "first success",
            "one resource, one effect",
            "the success".into(),
            &[Event::Effect, Event::Success],
            &[Invariant::V1],
        ),
        outcome(
            "timeout after the write",
            "one resource, one effect, and no word of a failure",
            format!("nothing, and {}", does(contract, contract.client.on_timeout)),
            &[Event::Effect, Event::ToldUnknown],
            &[Invariant::V1, Invariant::V8],
        ),
        outcome(
            "repeat with the same payload",
            "the same result",
            repeated,
            &[Event::Replay],
            &[Invariant::V1, Invariant::V2],
        ),
        outcome(
            "repeat with another payload",
            "a conflict before any write",
            other,
            &[Event::Conflict],
            &[Invariant::V3],
        ),
    ]
}

/// What the rows of the invariants that an outcome rests on say of it.
fn judge(seen: bool, invariants: &[Invariant], results: &[Judged]) -> (Shown, String) {
    let of = |verdict: Verdict| {
        let has = |invariant: &&Invariant| {
            results.iter().any(|row| row.invariant == **invariant && row.verdict == verdict)
        };
        let named = invariants.iter().filter(has);
        named.map(|invariant| format!("{invariant} ({})", invariant.title())).collect::<Vec<_>>()
    };
    let is = |named: &[String], word: &str| {
        let verb = if named.len() == 1 { "is" } else { "are" };
        format!("{} {verb} {word}", joined(named))
    };
    let (broken, unknown, holding) = (of(Verdict::Violated), of(Verdict::Unknown), of(Verdict::Holds));
    if !broken.is_empty() {
        (Shown::Broken, is(&broken, "broken"))
    } else if !unknown.is_empty() {
        (Shown::NotShown, is(&unknown, "unknown"))
    } else if holding.len() < invariants.len() {
        (Shown::NotShown, "not all that it rests on was judged".into())
    } else if !seen {
        (Shown::NotShown, "it did not occur in what was run".into())
    } else {
        (Shown::Shown, "it was seen, and it is so in every run".into())
    }
}
