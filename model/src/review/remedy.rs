//! The smallest change of the contract after which a broken invariant holds, found by trying.
//!
//! A try is cheap where it fails: the stories that are known so far are played again under the changed contract, and
//! one that still ends badly is enough. Only a change that none of them refutes is searched for, and what that finds
//! joins the known stories.

use std::cell::RefCell;
use std::collections::HashMap;

use idempotency::contract::{Contract, Parsed};
use idempotency::invariant::{Broken, Invariant};
use serde::Serialize;

use super::candidate::{Candidate, Sort, candidates};
use super::judge::Run;
use super::{Options, Progress};
use crate::scenario::Scenario;
use crate::search::{Found, Goal, Path, search};
use crate::setup::Setup;
use crate::world::{Action, World};

/// Another value for one field.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Change {
    /// The field's path.
    pub field: String,
    /// What stands there now, or is assumed.
    pub from: String,
    /// What should stand there.
    pub to: String,
}

/// Changes after which invariants that were broken hold in every scenario that was run, while none is broken that held
/// before. That was checked by whole searches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Remedy {
    /// The invariants that it mends.
    pub mends: Vec<Invariant>,
    /// What to change: one field, or two; more only where no two are enough.
    pub changes: Vec<Change>,
    /// Whether the figure in it is the smallest, or the largest, that is enough: one second less, or more, was tried
    /// and is not.
    pub tight: bool,
}

/// A story that is known to break an invariant under some contract.
struct Known {
    invariant: Invariant,
    scenario: usize,
    actions: Vec<Action>,
}

/// Looks for remedies.
struct Search<'a> {
    parsed: &'a Parsed,
    options: &'a Options,
    /// The scenarios, the small spaces first.
    scenarios: Vec<&'a Scenario>,
    /// What is broken as it stands.
    broken: Broken,
    candidates: Vec<Candidate>,
    known: RefCell<Vec<Known>>,
    /// Which candidates weaken a sound contract, as far as that was asked.
    weak: RefCell<HashMap<usize, bool>>,
}

/// Remedies for the broken invariants: single changes first, and those that mend the most.
pub(super) fn find(
    parsed: &Parsed,
    options: &Options,
    runs: &[Run],
    progress: &mut dyn FnMut(Progress<'_>),
) -> Vec<Remedy> {
    let broken = broken_in(runs.iter().map(|run| &run.found));
    if broken.is_empty() {
        return Vec::new();
    }
    let mut runs: Vec<_> = runs.iter().collect();
    runs.sort_by_key(|run| run.found.states);
    let search = Search {
        parsed,
        options,
        scenarios: runs.iter().map(|run| &run.scenario).collect(),
        broken,
        candidates: candidates(&parsed.contract),
        known: RefCell::default(),
        weak: RefCell::default(),
    };
    for (at, run) in runs.iter().enumerate() {
        run.found.broken.iter().for_each(|(invariant, path)| search.learn(*invariant, at, path));
    }
    let mut remedies: Vec<Remedy> = Vec::new();
    let open = |remedies: &[Remedy]| {
        let mended = |invariant: &Invariant| remedies.iter().any(|remedy| remedy.mends.contains(invariant));
        broken.iter().filter(|invariant| !mended(invariant)).fold(Broken::default(), Broken::with)
    };
    for sort in [&[Sort::Default, Sort::Figure][..], &[Sort::Word]] {
        let wanted = open(&remedies);
        for (at, candidate) in search.candidates.iter().enumerate().filter(|(_, it)| sort.contains(&it.sort))
        {
            progress(Progress::Remedy(candidate.field));
            remedies.extend(search.attempt(&[at], wanted));
        }
    }
    for invariant in open(&remedies).iter() {
        progress(Progress::Remedy("several fields"));
        let wanted = Broken::default().with(invariant);
        if open(&remedies).has(invariant) {
            remedies.extend(search.pair(wanted).or_else(|| search.several(wanted)));
        }
    }
    remedies.sort_by_key(|remedy| (remedy.changes.len(), std::cmp::Reverse(remedy.mends.len())));
    remedies
}

impl Search<'_> {
    /// Tries some candidates together; a remedy if they mend something of `wanted`.
    fn attempt(&self, chosen: &[usize], wanted: Broken) -> Option<Remedy> {
        if wanted.is_empty() {
            return None;
        }
        let contract = self.changed(chosen)?;
        let setups: Vec<_> = self.scenarios.iter().map(|scenario| Setup::new(&contract, scenario)).collect();
        let mut open =
            wanted.iter().filter(|it| !self.is_refuted(*it, &setups)).fold(Broken::default(), Broken::with);
        if open.is_empty() || chosen.iter().any(|at| self.weakens(*at)) {
            return None;
        }
        let held = self.options.judged().without(self.broken);
        let mut left = Broken::default();
        for (at, setup) in setups.iter().enumerate() {
            let goal = Goal { invariants: self.options.judged(), ..Goal::all() };
            let found = search(setup, goal, self.options.bounds);
            found.broken.iter().for_each(|(invariant, path)| self.learn(*invariant, at, path));
            left = left.or(broken_in([&found]));
            open = open.without(left);
            if open.is_empty() || found.cut_short.is_some() || !left.and(held).is_empty() {
                return None;
            }
        }
        let tight = match chosen {
            [only] => self.is_tight(*only, open),
            _ => false,
        };
        let change = |at: &usize| Change {
            field: self.candidates[*at].field.into(),
            from: self.parsed.contract.get(self.candidates[*at].field).unwrap_or_default(),
            to: self.candidates[*at].value.to_string(),
        };
        let mends = self.broken.without(left).iter().collect();
        Some(Remedy { mends, changes: chosen.iter().map(change).collect(), tight })
    }

    /// The first pair of changes, of two different fields, that mends something of `wanted`.
    fn pair(&self, wanted: Broken) -> Option<Remedy> {
        let pairs =
            (0..self.candidates.len()).flat_map(|second| (0..second).map(move |first| [first, second]));
        pairs
            .filter(|[first, second]| self.candidates[*first].field != self.candidates[*second].field)
            .find_map(|pair| self.attempt(&pair, wanted))
    }

    /// Every safe default together, if that mends something of `wanted`, less each one that is not needed for it. No
    /// fewer of these are enough, though others might be.
    fn several(&self, wanted: Broken) -> Option<Remedy> {
        let mut chosen: Vec<usize> = Vec::new();
        for at in (0..self.candidates.len()).filter(|at| self.candidates[*at].sort == Sort::Default) {
            chosen.push(at);
            if self.changed(&chosen).is_none() {
                chosen.pop();
            }
        }
        let mut best = self.attempt(&chosen, wanted)?;
        let mut at = 0;
        while at < chosen.len() {
            let fewer: Vec<_> = chosen.iter().copied().filter(|it| *it != chosen[at]).collect();
            match self.attempt(&fewer, wanted) {
                Some(remedy) => (best, chosen) = (remedy, fewer),
                None => at += 1,
            }
        }
        Some(best)
    }

    fn weakens(&self, at: usize) -> bool {
        let known = self.weak.borrow().get(&at).copied();
        known.unwrap_or_else(|| {
            let weakens = self.candidates[at].weakens(self.options);
            self.weak.borrow_mut().insert(at, weakens);
            weakens
        })
    }

    fn changed(&self, chosen: &[usize]) -> Option<Contract> {
        if let [only] = chosen {
            return self.candidates[*only].applied(self.parsed);
        }
        let change = |at: &usize| (self.candidates[*at].field, self.candidates[*at].value.clone());
        self.parsed.with_all(chosen.iter().map(change)).ok()
    }

    fn learn(&self, invariant: Invariant, scenario: usize, path: &Path) {
        let actions = path.steps.iter().map(|(action, _)| *action).collect();
        self.known.borrow_mut().push(Known { invariant, scenario, actions });
    }

    /// Whether a story that is known breaks `invariant` under these setups too.
    fn is_refuted(&self, invariant: Invariant, setups: &[Setup]) -> bool {
        let known = self.known.borrow();
        known
            .iter()
            .filter(|story| story.invariant == invariant)
            .any(|story| plays(&setups[story.scenario], &story.actions, invariant))
    }

    /// Whether the value a second beyond the figure mends less.
    fn is_tight(&self, at: usize, mended: Broken) -> bool {
        let Candidate { field, beyond: Some(beyond), .. } = &self.candidates[at] else { return false };
        let Ok(contract) = self.parsed.with(field, beyond.clone()) else { return false };
        let setups: Vec<_> = self.scenarios.iter().map(|scenario| Setup::new(&contract, scenario)).collect();
        mended.iter().any(|invariant| self.is_refuted(invariant, &setups))
    }
}

/// Whether these actions can happen one after the other, and break `invariant` in the end.
fn plays(setup: &Setup, actions: &[Action], invariant: Invariant) -> bool {
    let mut world = World::start(setup);
    let mut may = Vec::new();
    for action in actions {
        may.clear();
        world.candidates(setup, &mut Default::default(), &mut may);
        match world.after(setup, *action) {
            Some((after, _)) if may.contains(action) => world = after,
            _ => return false,
        }
    }
    may.clear();
    world.candidates(setup, &mut Default::default(), &mut may);
    let last = may.iter().all(|action| world.after(setup, *action).is_none());
    world.broken(last).has(invariant)
}

fn broken_in<'a>(found: impl IntoIterator<Item = &'a Found>) -> Broken {
    found.into_iter().flat_map(|found| &found.broken).fold(Broken::default(), |set, (it, _)| set.with(*it))
}
