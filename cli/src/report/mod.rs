//! The forms of a report. Each is made of the same [`idempotency_model::review::Review`].

mod advice;
pub(crate) mod errors;
pub(crate) mod json;
pub(crate) mod junit;
pub(crate) mod markdown;
pub(crate) mod pretty;
pub(crate) mod sarif;
mod telling;

use idempotency::invariant::Invariant;
use idempotency_model::review::{Change, Masked, Remedy, Review, Shown, Tight, Verdict, good_case};
use idempotency_model::scenario::Scenario;

/// How wide a story is where no terminal sets a width.
const WIDTH: usize = 100;

/// The verdict in words: one that rests on nothing says so.
fn verdict(review: &Review) -> &'static str {
    match review.verdict {
        Verdict::Holds if !review.shows_anything() => "holds, emptily",
        verdict => verdict.word(),
    }
}

/// What a verdict that rests on nothing means; empty for any other.
fn emptiness(review: &Review) -> &'static str {
    if review.verdict == Verdict::Holds && !review.shows_anything() {
        "Nothing was shown: in none of the rows that were run did the thing happen that its invariant is about."
    } else {
        ""
    }
}

/// The invariants with this verdict, by id and title: `V1 at most one effect`.
fn named(review: &Review, verdict: Verdict) -> Vec<String> {
    let name = |invariant: &Invariant| format!("{invariant} {}", invariant.title());
    review.with_verdict(verdict).iter().map(name).collect()
}

/// The invariants that were judged, in order.
fn judged(review: &Review) -> Vec<Invariant> {
    Invariant::ALL.iter().copied().filter(|invariant| review.of(*invariant).next().is_some()).collect()
}

/// Why a row that holds emptily does so.
fn empty_row(invariant: Invariant) -> String {
    format!("It holds emptily: in this scenario it was not seen that {}.", good_case(invariant))
}

/// A scenario and its bounds, as they are written on the command line: `a process is killed at any step; attempts=2,
/// crash=2; 1176 states`.
fn scenario(review: &Review, scenario: &Scenario) -> String {
    let faults = scenario.budget.iter().map(|(fault, times)| format!(", {}={times}", fault.name()));
    let states = review.results.iter().find(|row| row.scenario == scenario.name).map_or(0, |row| row.states);
    format!(
        "{}; attempts={}{}; {states} states",
        scenario.about,
        scenario.attempts,
        faults.collect::<String>()
    )
}

/// What a row says that holds emptily.
const EMPTILY: &str = "holds emptily: all was searched and nothing broke it, though its good case did not occur in this \
                       scenario";

/// What the bound `attempts` counts.
const ATTEMPTS: &str = "`attempts` counts the requests that the client sends by itself and that may arrive. A click, a \
                        reload, an edit, a question, a cancel and another's request come beside it, each as its fault \
                        says. Where the contract allows more attempts, a story fills them in to keep its times: sent in \
                        vain, they reach no server.";

/// A change in words: the field and its value, and what stands there now.
fn change(change: &Change) -> (String, String) {
    (format!("{} = {}", change.field, change.to), format!("(now {})", change.from))
}

/// A remedy in words.
fn remedy(remedy: &Remedy) -> String {
    let changes: Vec<_> = remedy.changes.iter().map(change).collect();
    let changes: Vec<_> = changes.iter().map(|(to, now)| format!("{to} {now}")).collect();
    changes.join(" and ")
}

/// What a remedy mends, in words, and whether its figure is the smallest or the largest that does.
fn mends(remedy: &Remedy) -> String {
    let tight = match remedy.tight {
        Some(Tight::Least) => "; a second less is not enough",
        Some(Tight::Most) => "; a second more is too much",
        None => "",
    };
    format!("mends {}{tight}", ids(&remedy.mends))
}

fn ids(invariants: &[Invariant]) -> String {
    invariants.iter().map(|invariant| invariant.id()).collect::<Vec<_>>().join(", ")
}

/// An outcome's state in words.
fn shown(shown: Shown) -> &'static str {
    match shown {
        Shown::Shown => "shown",
        Shown::Broken => "broken",
        Shown::NotShown => "not shown",
    }
}

/// A mask in words.
fn masked(it: &Masked) -> String {
    format!(
        "`{} = {}` does no harm, because `{} = {}`. With {} there, {} breaks in `{}`.",
        it.field, it.value, it.by, it.by_value, it.without, it.invariant, it.scenario
    )
}

#[cfg(test)]
mod words {
    use idempotency::invariant::Invariant;

    use super::*;

    #[test]
    fn a_figure_says_on_which_side_it_is_not_enough() {
        let said = |tight| mends(&Remedy { mends: vec![Invariant::V1], changes: Vec::new(), tight });
        assert_eq!(said(Some(Tight::Least)), "mends V1; a second less is not enough");
        assert_eq!(said(Some(Tight::Most)), "mends V1; a second more is too much");
        assert_eq!(said(None), "mends V1");
    }
}
