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
    let bound = contract.key.made == KeyMade::PerIntent;
    let kept = contract.answers.success == OnSuccess::Replay;
    let repeated = if bound && kept { "the stored answer".into() } else { new.clone() };
    let print = &contract.fingerprint;
    let other = match print.on_mismatch {
        _ if !bound => new,
        OnMismatch::Conflict if !print.covers.is_empty() && kept => print.status.to_string(),
        OnMismatch::Conflict if !print.covers.is_empty() => {
            format!("{} while the first is in progress, and then {new}", print.status)
        }
        _ if kept => "the first one's answer".into(),
        _ => new,
    };
    let mut outcomes = vec![
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
    ];
    for outcome in &mut outcomes[2..] {
        // What was seen then is not what the row is about, so it shows nothing of it.
        if let (Shown::Shown | Shown::NotShown, Some(why)) = (outcome.shown, no_repeat(contract)) {
            (outcome.shown, outcome.here) = (Shown::NotShown, why.into());
        }
    }
    outcomes
}

/// Why this client has no repeat that its key could bind; `None` if it has.
fn no_repeat(contract: &Contract) -> Option<&'static str> {
    match contract.key.made {
        KeyMade::PerIntent => None,
        KeyMade::PerAttempt => Some(
            "no repeat of this client has the key of another attempt; only a proxy's copy has it, or another request \
             by chance",
        ),
        KeyMade::Never => Some("no request has a key, and none is told to be a repeat"),
    }
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
    let (broken, holding) = (of(Verdict::Violated), of(Verdict::Holds));
    let mut unknown = of(Verdict::Unknown);
    unknown.retain(|it| !broken.contains(it));
    if !broken.is_empty() && !unknown.is_empty() {
        (Shown::Broken, format!("{}; {}", is(&broken, "broken"), is(&unknown, "unknown")))
    } else if !broken.is_empty() {
        (Shown::Broken, is(&broken, "broken"))
    } else if !unknown.is_empty() {
        (Shown::NotShown, is(&unknown, "unknown"))
    } else if holding.len() < invariants.len() {
        (Shown::NotShown, "not all that it rests on was judged".into())
    } else if !seen {
        (Shown::NotShown, "it did not occur in what was run".into())
    } else {
        (Shown::Shown, "it was seen, and it is so in every run that was searched".into())
    }
}
