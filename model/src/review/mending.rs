//! Which of the remedies to take together.

use idempotency::contract::{Contract, Parsed};
use idempotency::invariant::{Broken, Invariant};
use serde::Serialize;
use toml::Value;

use super::judge::{self, Verdict};
use super::remedy::{Change, Remedy};
use super::{Options, Progress};

/// The fewest changes that mend everything for which there is a remedy, and what is true of the contract with all of
/// them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mending {
    /// Which of [`Review::remedies`](super::Review::remedies), by their places in it; none if nothing mends.
    pub remedies: Vec<usize>,
    /// The invariants that no remedy mends, or only one that sets a field otherwise than another of these.
    pub left: Vec<Invariant>,
    /// The verdict on the contract with all of these changes, which was searched; none where there is no change, or where
    /// that contract contradicts itself.
    pub together: Option<Verdict>,
    /// What is still broken then.
    pub broken: Vec<Invariant>,
}

/// Chooses among `remedies`, and searches the contract with the chosen ones.
pub(super) fn find(
    parsed: &Parsed,
    options: &Options,
    broken: Broken,
    remedies: &[Remedy],
    progress: &mut dyn FnMut(Progress<'_>),
) -> Mending {
    let chosen = choose(remedies, broken);
    let mended = mended(remedies, &chosen);
    let mut mending = Mending {
        remedies: chosen,
        left: broken.without(mended).iter().collect(),
        together: None,
        broken: Vec::new(),
    };
    let changes = mending.remedies.iter().flat_map(|at| &remedies[*at].changes);
    if !mending.remedies.is_empty()
        && let Some(contract) = changed(parsed, changes)
    {
        progress(Progress::Remedy("all changes together"));
        let rows = judge::rows(&contract, options, &judge::run(&contract, options, progress));
        let violated = rows.iter().filter(|row| row.verdict == Verdict::Violated);
        let broken = violated.fold(Broken::default(), |set, row| set.with(row.invariant));
        mending.together = rows.iter().map(|row| row.verdict).max();
        mending.broken = broken.iter().collect();
    }
    mending
}

fn changed<'a>(parsed: &Parsed, changes: impl Iterator<Item = &'a Change>) -> Option<Contract> {
    let value = |change: &'a Change| Some((change.field.as_str(), change.to.parse::<Value>().ok()?));
    let changes: Option<Vec<_>> = changes.map(value).collect();
    parsed.with_all(changes?).ok()
}

fn mended(remedies: &[Remedy], chosen: &[usize]) -> Broken {
    let mends = chosen.iter().flat_map(|at| &remedies[*at].mends);
    mends.fold(Broken::default(), |set, invariant| set.with(*invariant))
}

/// The places of the remedies that together leave the least of `broken`, and of those the ones with the fewest fields.
fn choose(remedies: &[Remedy], broken: Broken) -> Vec<usize> {
    let mut best = Best { chosen: Vec::new(), cost: (usize::MAX, 0, 0) };
    let broken: Vec<_> = broken.iter().collect();
    try_all(remedies, &broken, &mut Vec::new(), 0, &mut best);
    best.chosen.sort_unstable();
    best.chosen
}

struct Best {
    chosen: Vec<usize>,
    /// How many invariants are left, how many fields are set, and by how many remedies.
    cost: (usize, usize, usize),
}

fn try_all(remedies: &[Remedy], open: &[Invariant], chosen: &mut Vec<usize>, left: usize, best: &mut Best) {
    let cost = (left, fields(remedies, chosen), chosen.len());
    if cost >= best.cost {
        return;
    }
    let mended = mended(remedies, chosen);
    let Some(next) = open.iter().position(|invariant| !mended.has(*invariant)) else {
        *best = Best { chosen: chosen.clone(), cost };
        return;
    };
    let mends = |remedy: &Remedy| remedy.mends.contains(&open[next]);
    let fits =
        |at: &usize| mends(&remedies[*at]) && chosen.iter().all(|it| agree(&remedies[*it], &remedies[*at]));
    let ways: Vec<_> = (0..remedies.len()).filter(fits).collect();
    for at in &ways {
        chosen.push(*at);
        try_all(remedies, &open[next + 1..], chosen, left, best);
        chosen.pop();
    }
    try_all(remedies, &open[next + 1..], chosen, left + 1, best);
}

fn fields(remedies: &[Remedy], chosen: &[usize]) -> usize {
    let mut fields: Vec<_> =
        chosen.iter().flat_map(|at| &remedies[*at].changes).map(|change| &change.field).collect();
    fields.sort_unstable();
    fields.dedup();
    fields.len()
}

/// Whether two remedies set no field to two values.
fn agree(one: &Remedy, other: &Remedy) -> bool {
    let differ =
        |change: &Change| other.changes.iter().any(|it| it.field == change.field && it.to != change.to);
    !one.changes.iter().any(differ)
}

#[cfg(test)]
mod tests {
    use idempotency::invariant::Invariant::{V1, V2, V7, V8};

    use super::*;

    fn remedy(mends: &[Invariant], changes: &[(&str, &str)]) -> Remedy {
        let change = |(field, to): &(&str, &str)| Change {
            field: (*field).into(),
            from: String::new(),
            to: (*to).into(),
        };
        Remedy { mends: mends.to_vec(), changes: changes.iter().map(change).collect(), tight: None }
    }

    fn all(invariants: &[Invariant]) -> Broken {
        invariants.iter().fold(Broken::default(), |set, it| set.with(*it))
    }

    #[test]
    fn the_fewest_fields_that_mend_everything_are_taken() {
        let remedies = [
            remedy(&[V2], &[("a", "1")]),
            remedy(&[V1, V2], &[("b", "1"), ("c", "1")]),
            remedy(&[V8], &[("d", "1")]),
            remedy(&[V8], &[("c", "1")]),
        ];
        assert_eq!(choose(&remedies, all(&[V1, V2, V8])), [1, 3], "c is changed once for both");
    }

    #[test]
    fn remedies_that_contradict_one_another_are_not_taken_together() {
        let remedies = [
            remedy(&[V1], &[("a", "1")]),
            remedy(&[V2], &[("a", "2")]),
            remedy(&[V2], &[("b", "1"), ("c", "1")]),
        ];
        assert_eq!(choose(&remedies, all(&[V1, V2])), [0, 2]);
        assert_eq!(choose(&remedies[..2], all(&[V1, V2])).len(), 1, "one of the two is left");
    }

    #[test]
    fn what_nothing_mends_is_left() {
        assert_eq!(choose(&[remedy(&[V1], &[("a", "1")])], all(&[V1, V7])), [0]);
        assert_eq!(choose(&[], all(&[V7])), [0; 0]);
    }
}
