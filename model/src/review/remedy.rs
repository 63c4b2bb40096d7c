//! The smallest change of the contract after which a broken invariant holds, found by trying.
//!
//! A try is cheap where it fails: the stories that are known so far are played again under the changed contract, and
//! one that still ends badly is enough. Only a change that none of them refutes is searched for, and what that finds
//! joins the known stories.

use std::cell::RefCell;
use std::collections::HashMap;

use idempotency::contract::{Contract, Parsed, Period};
use idempotency::invariant::{Broken, Invariant};
use serde::Serialize;
use toml::Value;

use super::candidate::{Candidate, Sort, candidates};
use super::judge::{Run, search_timed};
use super::{Options, Progress};
use crate::clock::Times;
use crate::scenario::LARGEST;
use crate::search::{Found, Goal, Path};
use crate::setup::Setup;
use crate::world::{Action, Scratch, World};

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
    /// On which side of the figure in it a second was tried and is not enough; none where that was not found.
    pub tight: Option<Tight>,
}

/// How a figure that just mends is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tight {
    /// It is the least: a second less is not enough.
    Least,
    /// It is the most: a second more is too much.
    Most,
}

/// How many stories are kept. More would cost more to play again than they save.
const MOST_KNOWN: usize = 400;

/// A story that is known to break an invariant under some contract.
struct Known {
    invariant: Invariant,
    scenario: usize,
    actions: Vec<Action>,
}

/// What a change does by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alone {
    /// The contract would be refused: it goes together with another change only.
    Refused,
    /// It stops some story.
    StopsSome,
    /// It stops none.
    StopsNothing,
}

/// Looks for remedies.
struct Search<'a> {
    parsed: &'a Parsed,
    options: &'a Options,
    /// What was found as it stands, the small spaces first.
    runs: Vec<&'a Run>,
    /// What is broken as it stands.
    broken: Broken,
    /// What has stories without times as it stands.
    unsure: Broken,
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
        runs: runs.clone(),
        broken,
        unsure: runs
            .iter()
            .flat_map(|run| &run.found.refused)
            .fold(Broken::default(), |set, (it, _)| set.with(*it)),
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
        for (at, candidate) in search.candidates.iter().enumerate().filter(|(_, it)| sort.contains(&it.sort))
        {
            progress(Progress::Remedy(candidate.field));
            remedies.extend(search.attempt(&[at], open(&remedies)));
        }
    }
    for invariant in open(&remedies).iter() {
        progress(Progress::Remedy("several fields"));
        let wanted = Broken::default().with(invariant);
        if open(&remedies).has(invariant) {
            let found = search.pair(wanted);
            let found = found.or_else(|| search.several(wanted, |it| it.is_default));
            let more = |it: &Candidate| it.is_default || it.sort == Sort::Figure;
            remedies.extend(found.or_else(|| search.several(wanted, more)));
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
        // What a known story still breaks is not mended; the rest is open until it is searched.
        let refuted = |it: &Invariant| self.is_refuted(*it, &contract);
        let mut open = self.broken.iter().filter(|it| !refuted(it)).fold(Broken::default(), Broken::with);
        if open.and(wanted).is_empty() || chosen.iter().any(|at| self.weakens(*at)) {
            return None;
        }
        let held = self.options.judged().without(self.broken);
        for at in self.order(open) {
            let setup = Setup::new(&contract, &self.runs[at].scenario);
            let goal = Goal { invariants: open.or(held), ..Goal::all() };
            // Where the change makes no difference, what was found before stands; but where stories had no times, other
            // numbers may give them some.
            let same = setup == self.runs[at].setup && self.runs[at].found.refused.is_empty();
            let searched = (!same).then(|| search_timed(&contract, &setup, goal, self.options));
            let found = searched.as_ref().unwrap_or(&self.runs[at].found);
            if !same {
                found.broken.iter().for_each(|(invariant, path)| self.learn(*invariant, at, path));
            }
            let broken = broken_in([found]);
            let unsure = found.refused.iter().fold(Broken::default(), |set, (it, _)| set.with(*it));
            open = open.without(broken).without(unsure);
            let harm = broken.or(unsure.without(self.unsure)).and(held);
            if open.and(wanted).is_empty() || found.cut_short.is_some() || !harm.is_empty() {
                return None;
            }
        }
        let tight = match chosen {
            [only] => self.tight(*only, open),
            _ => None,
        };
        let change = |at: &usize| Change {
            field: self.candidates[*at].field.into(),
            from: self.parsed.contract.get(self.candidates[*at].field).unwrap_or_default(),
            to: self.candidates[*at].value.to_string(),
        };
        let mends = open.iter().collect();
        Some(Remedy { mends, changes: chosen.iter().map(change).collect(), tight })
    }

    /// The first pair of changes, of two different fields, that mends something of `wanted`. A change that stops no
    /// known story by itself is paired only with one that cannot be made alone: two of them would hardly do better.
    fn pair(&self, wanted: Broken) -> Option<Remedy> {
        let alone: Vec<_> = (0..self.candidates.len()).map(|at| self.alone(at, wanted)).collect();
        let promising = |[first, second]: &[usize; 2]| match (alone[*first], alone[*second]) {
            (Alone::StopsNothing, other) | (other, Alone::StopsNothing) => other == Alone::Refused,
            _ => true,
        };
        let pairs = (0..alone.len()).flat_map(|second| (0..second).map(move |first| [first, second]));
        pairs
            .filter(|[first, second]| self.candidates[*first].field != self.candidates[*second].field)
            .filter(promising)
            .find_map(|pair| self.attempt(&pair, wanted))
    }

    /// What a candidate does alone to the stories of `wanted` that are known.
    fn alone(&self, at: usize, wanted: Broken) -> Alone {
        let Some(contract) = self.candidates[at].applied(self.parsed) else { return Alone::Refused };
        let known = self.known.borrow();
        let mut stories = known.iter().filter(|story| wanted.has(story.invariant));
        if stories.any(|story| !self.plays(story, &contract)) {
            Alone::StopsSome
        } else {
            Alone::StopsNothing
        }
    }

    /// The scenarios in the order in which failures are likely: those in which something of `open` was broken first,
    /// and the small spaces before the large ones.
    fn order(&self, open: Broken) -> Vec<usize> {
        let known = self.known.borrow();
        let broke = |at: &usize| known.iter().any(|story| story.scenario == *at && open.has(story.invariant));
        let mut order: Vec<_> = (0..self.runs.len()).collect();
        order.sort_by_key(|at| (self.runs[*at].scenario.name == LARGEST, !broke(at)));
        order
    }

    /// Every value of this sort together, if that mends something of `wanted`, less each one that is not needed for
    /// it. No fewer of these are enough, though others might be.
    fn several(&self, wanted: Broken, of: impl Fn(&Candidate) -> bool) -> Option<Remedy> {
        let mut chosen: Vec<usize> = Vec::new();
        // Twice: some go only together with one that comes later.
        for _ in 0..2 {
            for at in (0..self.candidates.len()).filter(|at| of(&self.candidates[*at])) {
                if !chosen.contains(&at) {
                    chosen.push(at);
                    if self.changed(&chosen).is_none() {
                        chosen.pop();
                    }
                }
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
        if self.known.borrow().len() == MOST_KNOWN {
            return;
        }
        self.known.borrow_mut().push(Known { invariant, scenario, actions });
    }

    /// Whether a story that is known breaks `invariant` under `contract` too.
    fn is_refuted(&self, invariant: Invariant, contract: &Contract) -> bool {
        let known = self.known.borrow();
        known.iter().filter(|story| story.invariant == invariant).any(|story| self.plays(story, contract))
    }

    /// Whether the steps of a story can happen one after the other under `contract`, at times that it allows, and break
    /// the invariant in the end.
    fn plays(&self, story: &Known, contract: &Contract) -> bool {
        let setup = Setup::new(contract, &self.runs[story.scenario].scenario);
        played(&setup, &story.actions, story.invariant)
            .is_some_and(|path| Times::of(contract, &setup, &path).is_ok())
    }

    /// On which side the value a second beyond the figure mends less.
    fn tight(&self, at: usize, mended: Broken) -> Option<Tight> {
        let Candidate { field, value, beyond, .. } = &self.candidates[at];
        let beyond = beyond.as_ref()?;
        let contract = self.parsed.with(field, beyond.clone()).ok()?;
        let length = |value: &Value| value.as_str()?.parse::<Period>().ok();
        let side = if length(beyond)? < length(value)? { Tight::Least } else { Tight::Most };
        mended.iter().any(|invariant| self.is_refuted(invariant, &contract)).then_some(side)
    }
}

/// The path of these actions, if they can happen one after the other and break `invariant` in the end.
fn played(setup: &Setup, actions: &[Action], invariant: Invariant) -> Option<Path> {
    let mut world = World::start(setup);
    let (mut may, mut scratch) = (Vec::new(), Scratch::default());
    let mut steps = Vec::new();
    for action in actions {
        may.clear();
        world.candidates(setup, &mut scratch, &mut may);
        let (after, _) = world.after(setup, *action).filter(|_| may.contains(action))?;
        steps.push((*action, after));
        world = after;
    }
    may.clear();
    world.candidates(setup, &mut scratch, &mut may);
    let last = may.iter().all(|action| world.after(setup, *action).is_none());
    world.broken(last).has(invariant).then_some(Path { steps })
}

fn broken_in<'a>(found: impl IntoIterator<Item = &'a Found>) -> Broken {
    found.into_iter().flat_map(|found| &found.broken).fold(Broken::default(), |set, (it, _)| set.with(*it))
}
