//! What a review does not show (R5). Whatever stands here is a supposition until a test or a signal shows it.

mod bounds;
mod trust;

use idempotency::contract::{Contract, KeyMade, OnMismatch, Parsed};
use idempotency::invariant::Invariant;
use serde::Serialize;

use super::Options;
use super::answers::joined;
use super::judge::{Judged, Verdict, converse};

/// Something that the review does not show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unproven {
    /// What is not shown.
    pub what: String,
    /// Why not, and what would show it.
    pub why: String,
}

/// What a review of `parsed` with these rows leaves open.
pub(super) fn list(parsed: &Parsed, options: &Options, results: &[Judged]) -> Vec<Unproven> {
    let contract = &parsed.contract;
    let mut list = unknown(results);
    list.extend(bounds::beyond(contract, options));
    for invariant in Invariant::ALL {
        let rows = || results.iter().filter(|row| row.invariant == *invariant);
        let holds = rows().count() > 0 && rows().all(|row| row.verdict == Verdict::Holds);
        if holds && !rows().any(|row| row.shown) {
            list.push(Unproven {
                what: format!("{invariant}, {}: it holds emptily", invariant.title()),
                why: format!("in no run was it seen that {}", converse(*invariant).1),
            });
        }
    }
    if !contract.key.required && contract.key.made != KeyMade::Never {
        list.push(Unproven {
            what: "`key.required = false`".into(),
            why: "a request without a key has no protection at all; only those with one were searched".into(),
        });
    }
    if contract.reservation.status == contract.fingerprint.status && tells_conflicts(contract) {
        list.push(Unproven {
            what: format!(
                "the status {} for \"in progress\" and for another payload",
                contract.fingerprint.status
            ),
            why: "the client has to tell them apart by the body: one is to be repeated, the other never"
                .into(),
        });
    }
    for (field, how) in trust::on_trust(contract) {
        list.push(Unproven {
            what: format!("`{field} = {}`", contract.get(field).unwrap_or_default()),
            why: format!("taken on trust: {how}"),
        });
    }
    let idle = |path: &str| parsed.assumed.iter().any(|it| it.path == path && !it.applies);
    for (field, source) in contract.sources.iter().filter(|(field, _)| !idle(field)) {
        if let Some(guess) = source.strip_prefix("guess:") {
            list.push(Unproven { what: format!("`{field}`"), why: format!("a guess: {}", guess.trim()) });
        }
    }
    list
}

/// Whether a client may be told that its key is bound to another payload.
fn tells_conflicts(contract: &Contract) -> bool {
    let print = &contract.fingerprint;
    contract.key.made == KeyMade::PerIntent
        && print.on_mismatch == OnMismatch::Conflict
        && !print.covers.is_empty()
}

/// The rows that are unknown: those with the same reason together, by the scenarios in which they have it.
fn unknown(results: &[Judged]) -> Vec<Unproven> {
    // How many states were seen differs from row to row, and stands in the table.
    let cause = |reason: &str| {
        let counted = |rest: &str| rest.starts_with(|letter: char| letter.is_ascii_digit());
        match reason.split_once(": ") {
            Some((cause, rest)) if counted(rest) => cause.to_owned(),
            _ => reason.to_owned(),
        }
    };
    let rows = results.iter().filter(|row| row.verdict == Verdict::Unknown);
    let mut by_invariant: Vec<(String, Invariant, Vec<&str>)> = Vec::new();
    for row in rows {
        let why = cause(row.reason.as_deref().unwrap_or_default());
        match by_invariant.iter_mut().find(|(found, it, _)| *found == why && *it == row.invariant) {
            Some((_, _, scenarios)) => scenarios.push(row.scenario),
            None => by_invariant.push((why, row.invariant, vec![row.scenario])),
        }
    }
    let mut groups: Vec<(String, Vec<Invariant>, Vec<&str>)> = Vec::new();
    for (why, invariant, scenarios) in by_invariant {
        match groups.iter_mut().find(|(found, _, its)| *found == why && *its == scenarios) {
            Some((_, invariants, _)) => invariants.push(invariant),
            None => groups.push((why, vec![invariant], scenarios)),
        }
    }
    let mut run: Vec<&str> = results.iter().map(|row| row.scenario).collect();
    run.dedup();
    let told = |(why, invariants, scenarios): (String, Vec<Invariant>, Vec<&str>)| {
        let ids: Vec<_> = invariants.iter().map(|it| it.id()).collect();
        let names: Vec<_> = scenarios.iter().map(|name| format!("`{name}`")).collect();
        let all = scenarios.len() == run.len() && run.len() > 1;
        let place = if all { "every scenario".into() } else { joined(&names) };
        Unproven { what: format!("{} in {place}", joined(&ids)), why }
    };
    groups.into_iter().map(told).collect()
}
