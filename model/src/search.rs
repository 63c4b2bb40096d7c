//! A breadth-first search of a whole space, with exact states.
//!
//! Every state that is kept is compared in full, not by its hash, so that no two are ever taken for one. The first
//! state in which an invariant is broken is nearest to the start, so the story to it is a shortest one.

use std::time::{Duration, Instant};

use idempotency::invariant::{Broken, Invariant};

use crate::reduce::{Matters, canonical};
use crate::seen::Seen;
use crate::setup::Setup;
use crate::world::{Action, Scratch, World};

/// How far a search may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// How many different states may be kept.
    pub states: usize,
    /// How long it may take.
    pub time: Option<Duration>,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { states: 20_000_000, time: None }
    }
}

/// Why a search is not whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutShort {
    /// The bound on states was hit.
    States,
    /// The bound on time was hit.
    Time,
    /// A bound inside the model was hit: messages under way, tokens, or the parts of which worlds are made.
    Model,
}

/// What a search looks for, and when it may stop.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// The invariants that are judged.
    pub invariants: Broken,
    /// Stop as soon as one of them is broken.
    pub stop_at_first: bool,
    /// Leave out what cannot make a difference (see `reduce.rs`).
    pub reduce: bool,
}

impl Goal {
    /// Every invariant, in the reduced space.
    pub fn all() -> Self {
        let invariants = Invariant::ALL.iter().fold(Broken::default(), |set, invariant| set.with(*invariant));
        Self { invariants, stop_at_first: false, reduce: true }
    }
}

/// A shortest way from the start to a state in which an invariant is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The steps, each with the world after it.
    pub steps: Vec<(Action, World)>,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found {
    /// How many different states were seen.
    pub states: usize,
    /// How many transitions were taken.
    pub transitions: usize,
    /// The shortest path to each broken invariant.
    pub broken: Vec<(Invariant, Path)>,
    /// For each invariant to which there are only paths that were not accepted: the first of them.
    pub refused: Vec<(Invariant, Path)>,
    /// The events of every transition, as bits of [`crate::message::Event`].
    pub events: u32,
    /// Why it is not whole, if it is not.
    pub cut_short: Option<CutShort>,
}

impl Found {
    /// The path to `invariant`, if it was broken.
    pub fn path(&self, invariant: Invariant) -> Option<&Path> {
        self.broken.iter().find(|(found, _)| *found == invariant).map(|(_, path)| path)
    }
}

/// How many paths to one invariant may be refused before no more are offered.
const OFFERS: usize = 100;

/// Searches the whole space of `setup`, within `bounds`.
pub fn search(setup: &Setup, goal: Goal, bounds: Bounds) -> Found {
    search_accepting(setup, goal, bounds, &mut |_, _| true)
}

/// Searches the whole space of `setup`, within `bounds`. A path to a broken invariant counts only if `accept` says so;
/// if not, the search goes on to the next state in which the invariant is broken for the first time.
pub fn search_accepting(
    setup: &Setup,
    goal: Goal,
    bounds: Bounds,
    accept: &mut dyn FnMut(Invariant, &Path) -> bool,
) -> Found {
    let begun = Instant::now();
    let canonical = |matters, world| if goal.reduce { canonical(setup, matters, world) } else { world };
    let mut matters = Matters::to(setup, goal.invariants);
    let mut seen = Seen::new(&canonical(matters, World::start(setup)));
    let (mut scratch, mut actions) = (Scratch::default(), Vec::new());
    let mut found = Found {
        states: 0,
        transitions: 0,
        broken: Vec::new(),
        refused: Vec::new(),
        events: 0,
        cut_short: None,
    };
    let mut broken = Broken::default();
    let mut offers = [0; Invariant::ALL.len()];
    let mut next = 0;
    'search: while next < seen.len() {
        if next.is_multiple_of(4096) && bounds.time.is_some_and(|time| begun.elapsed() > time) {
            found.cut_short = Some(CutShort::Time);
            break;
        }
        let world = seen.open(next);
        actions.clear();
        world.candidates(setup, &mut scratch, &mut actions);
        let mut last = true;
        for action in actions.drain(..) {
            let Some((after, noted)) = world.after(setup, action) else { continue };
            last = false;
            found.transitions += 1;
            found.events |= noted.events;
            let kept = seen.note(&canonical(matters, after));
            if noted.overflow || kept.is_err() {
                found.cut_short = Some(CutShort::Model);
            }
        }
        seen.keep(next);
        let here = world.broken(last).and(goal.invariants).without(broken);
        if !here.is_empty() {
            // Only where it breaks for the first time on its way is a path offered.
            let before = seen.world(seen.parent(next)).broken(false);
            for invariant in here.without(if next == 0 { Broken::default() } else { before }).iter() {
                let offered = &mut offers[invariant as usize];
                if *offered == OFFERS {
                    continue;
                }
                *offered += 1;
                let Some(path) = retrace(setup, &|world| canonical(matters, world), &seen, next) else {
                    // A step between two representatives was not found between the worlds that they stand for. The
                    // whole space needs no representatives.
                    return search_accepting(setup, Goal { reduce: false, ..goal }, bounds, accept);
                };
                if accept(invariant, &path) {
                    broken = broken.with(invariant);
                    found.broken.push((invariant, path));
                } else if *offered == 1 {
                    found.refused.push((invariant, path));
                }
            }
            // What was found needs no second story.
            matters = Matters::to(setup, goal.invariants.without(broken));
        }
        if goal.invariants.without(broken).is_empty() || goal.stop_at_first && !broken.is_empty() {
            break 'search;
        }
        if seen.len() > bounds.states {
            found.cut_short = Some(CutShort::States);
            break 'search;
        }
        next += 1;
    }
    found.states = seen.len();
    found.refused.retain(|(invariant, _)| !broken.has(*invariant));
    found
}

/// The path to the state at `index`: the chain of parents says which worlds, and every step between two is found again.
/// The earlier a state was kept, the more of its history is in it; `canonical` keeps what matters now.
fn retrace(setup: &Setup, canonical: &dyn Fn(World) -> World, seen: &Seen, index: usize) -> Option<Path> {
    let mut chain = vec![index];
    while let Some(at) = chain.last()
        && *at != 0
    {
        chain.push(seen.parent(*at));
    }
    chain.reverse();
    let (mut scratch, mut actions) = (Scratch::default(), Vec::new());
    let mut world = World::start(setup);
    let mut steps = Vec::new();
    for index in &chain[1..] {
        let wanted = canonical(seen.world(*index));
        actions.clear();
        world.candidates(setup, &mut scratch, &mut actions);
        let step = actions.drain(..).find_map(|action| {
            let (after, _) = world.after(setup, action)?;
            (canonical(after) == wanted).then_some((action, after))
        });
        let (action, after) = step?;
        steps.push((action, after));
        world = after;
    }
    Some(Path { steps })
}
