//! What a review does not show (R5). Whatever stands here is a supposition until a test or a signal shows it.

use idempotency::contract::{KeyMade, Parsed};
use idempotency::invariant::Invariant;
use serde::Serialize;

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

/// Numbers that the verdict rests on and that nothing in the contract can enforce.
const ON_TRUST: &[(&str, &str)] = &[
    ("between.longest-delay", "measure it, or have stale keys refused"),
    ("effect.longest", "measure it, or stop a handler that runs longer"),
    ("servers.longest-pause", "measure it: runtime, machine and network together"),
    ("servers.clock-skew", "watch the clocks"),
    ("supplier.remembers", "the supplier's word; test it against the supplier"),
    ("supplier.longest-delay", "measure it at the supplier's side"),
    ("store.failover", "kill the primary under load and look for acknowledged records"),
];

/// What a review of `parsed` with these rows leaves open.
pub(super) fn list(parsed: &Parsed, results: &[Judged]) -> Vec<Unproven> {
    let contract = &parsed.contract;
    let mut list = unknown(results);
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
    if contract.reservation.status == contract.fingerprint.status && !contract.fingerprint.covers.is_empty() {
        list.push(Unproven {
            what: format!(
                "the status {} for \"in progress\" and for another payload",
                contract.fingerprint.status
            ),
            why: "the client has to tell them apart by the body: one is to be repeated, the other never"
                .into(),
        });
    }
    for (field, how) in ON_TRUST {
        let matters = !field.starts_with("supplier.") || contract.is_external();
        if matters && let Some(value) = contract.get(field) {
            list.push(Unproven {
                what: format!("`{field} = {value}`"),
                why: format!("taken on trust: {how}"),
            });
        }
    }
    for (field, source) in &contract.sources {
        if let Some(guess) = source.strip_prefix("guess:") {
            list.push(Unproven { what: format!("`{field}`"), why: format!("a guess: {}", guess.trim()) });
        }
    }
    list
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
