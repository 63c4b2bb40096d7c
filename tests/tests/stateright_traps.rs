//! What to beware of in stateright 0.31.0. Each test first shows on a tiny model that the trap is there, so that an
//! upgrade that mends it fails here, and then that our way avoids it.

mod common;
mod graph;

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use common::{DEMO, ORDERS, changed, demo, orders, scenario};
use graph::unresolvable;
use idempotency::invariant::Broken;
use idempotency_model::fault::Fault;
use idempotency_model::search::{Bounds, CutShort, Goal, search};
use idempotency_model::server::ServerStep;
use idempotency_model::setup::Setup;
use idempotency_model::world::{Action, Scratch, World};
use stateright::actor::{Actor, ActorModel, Envelope, Id, Network, Out, model_timeout};
use stateright::{Checker, Expectation, Model, Property};

/// An actor with one timer and no state: all that happens is that the timer fires.
#[derive(Clone)]
struct Alarmed {
    /// Whether the timer's value says whose it is.
    names_its_actor: bool,
}

impl Actor for Alarmed {
    type Msg = ();
    type Timer = Option<Id>;
    type State = ();
    type Storage = ();
    type Random = ();

    fn on_start(&self, id: Id, _storage: &Option<()>, out: &mut Out<Self>) {
        out.set_timer(self.names_its_actor.then_some(id), model_timeout());
    }
}

fn alarmed(actors: usize, names_its_actor: bool) -> ActorModel<Alarmed> {
    ActorModel::new((), ()).actors(vec![Alarmed { names_its_actor }; actors]).property(
        Expectation::Always,
        "the first actor fires first",
        |_, state| {
            let is_set = |at: usize| state.timers_set[at].iter().count() == 1;
            is_set(1) || !is_set(0)
        },
    )
}

/// How many states there are, whatever their properties say.
fn alarmed_states(actors: usize, names_its_actor: bool) -> usize {
    let mut model = alarmed(actors, names_its_actor);
    model.properties.clear();
    let model = model.property(Expectation::Always, "whole", |_, _| true);
    model.checker().spawn_bfs().join().unique_state_count()
}

#[test]
fn equal_timers_move_between_actors_unseen() {
    // Every subset of the timers may have fired, but only their number is seen,
    assert_eq!([2, 3, 4, 5].map(|actors| alarmed_states(actors, false)), [3, 4, 5, 6]);
    // and a state that breaks the property is taken for one that does not.
    alarmed(2, false).checker().spawn_bfs().join().assert_properties();

    // A timer that names its actor, as `twin::Alarm` does, is seen.
    assert_eq!([2, 3, 4, 5].map(|actors| alarmed_states(actors, true)), [4, 8, 16, 32]);
    let checker = alarmed(2, true).checker().spawn_bfs().join();
    assert_eq!(checker.discovery("the first actor fires first").expect("broken").into_actions().len(), 1);
}

/// Counts from zero up to its end.
struct Count {
    end: u32,
    /// Each is a property: the count stays below it.
    below: &'static [u32],
}

impl Count {
    fn to(end: u32, below: &'static [u32]) -> Self {
        Self { end, below }
    }
}

impl Model for Count {
    type State = u32;
    type Action = ();

    fn init_states(&self) -> Vec<u32> {
        vec![0]
    }

    fn actions(&self, count: &u32, actions: &mut Vec<()>) {
        actions.extend((*count < self.end).then_some(()));
    }

    fn next_state(&self, count: &u32, (): ()) -> Option<u32> {
        Some(count + 1)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let all = [
            Property::always("first", |model: &Self, count| *count < model.below[0]),
            Property::always("second", |model: &Self, count| *count < model.below[1]),
        ];
        all.into_iter().take(self.below.len()).collect()
    }
}

/// The length of the story to the first property of `model`.
fn first_story(model: Count) -> usize {
    model.checker().spawn_bfs().join().discovery("first").expect("broken").into_actions().len()
}

#[test]
fn with_two_properties_a_later_violation_overwrites_the_first() {
    assert_eq!(first_story(Count::to(1000, &[2, 250])), 250);
    // If the other one holds, the last violation of all is reported.
    assert_eq!(first_story(Count::to(1000, &[2, 5000])), 1000);

    // One property a run finds the first violation,
    assert_eq!(first_story(Count::to(1000, &[2])), 2);
    // and our search finds it for every invariant in one run.
    let setup = Setup::new(&changed(DEMO, "key.made = 'per-attempt'").contract, &scenario("retention"));
    let all = search(&setup, Goal::all(), Bounds::default());
    assert!(all.broken.len() > 1);
    for (invariant, path) in &all.broken {
        let alone = Goal { invariants: Broken::default().with(*invariant), ..Goal::all() };
        let found = search(&setup, alone, Bounds::default());
        assert_eq!(found.path(*invariant).expect("broken").steps.len(), path.steps.len(), "{invariant}");
    }
}

/// A tree whose node n leads to 2n + 1 and 2n + 2. The property is broken in its last row.
struct Tree {
    /// How long the first step takes, and whether it was begun.
    first_step: (Duration, Arc<AtomicBool>),
}

const NODES: u32 = (1 << 15) - 1;

impl Tree {
    fn with_first_step(pause: Duration) -> Self {
        Self { first_step: (pause, Arc::default()) }
    }
}

impl Model for Tree {
    type State = u32;
    type Action = u32;

    fn init_states(&self) -> Vec<u32> {
        vec![0]
    }

    fn actions(&self, node: &u32, actions: &mut Vec<u32>) {
        actions.extend([2 * node + 1, 2 * node + 2].into_iter().filter(|next| *next < NODES));
    }

    fn next_state(&self, _node: &u32, next: u32) -> Option<u32> {
        let (pause, begun) = &self.first_step;
        if !begun.swap(true, Ordering::Relaxed) {
            std::thread::sleep(*pause);
        }
        Some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("not the last row", |_, node| *node < NODES / 2)]
    }
}

#[test]
fn a_search_that_was_cut_short_passes() {
    let tree = || Tree::with_first_step(Duration::ZERO).checker();
    assert!(tree().spawn_bfs().join().discovery("not the last row").is_some());
    for cut in [tree().target_state_count(10), tree().target_max_depth(10)] {
        let checker = cut.spawn_bfs().join();
        assert!(checker.is_done());
        checker.assert_properties();
    }

    // Ours says that it was cut short, and why.
    let setup = Setup::new(&orders(), &scenario("crash"));
    let cut = |bounds| search(&setup, Goal::all(), bounds).cut_short;
    assert_eq!(cut(Bounds { states: 10, ..Bounds::default() }), Some(CutShort::States));
    assert_eq!(cut(Bounds { time: Some(Duration::ZERO), ..Bounds::default() }), Some(CutShort::Time));
    assert_eq!(cut(Bounds::default()), None);
}

#[test]
fn a_timeout_passes_with_two_threads_and_does_nothing_with_one() {
    let timeout = Duration::from_millis(100);
    let slow = || Tree::with_first_step(10 * timeout);

    let two = slow().checker().threads(2).timeout(timeout).spawn_bfs().join();
    assert!(two.is_done());
    two.assert_properties();

    let one = slow();
    let begun = Arc::clone(&one.first_step.1);
    let one = one.checker().timeout(timeout).spawn_bfs().join();
    // Unless the machine was so busy that it never began, which passes as well.
    if begun.load(Ordering::Relaxed) {
        assert!(one.discovery("not the last row").is_some());
    } else {
        one.assert_properties();
    }
}

#[test]
fn a_model_without_properties_is_done_at_once() {
    let checker = Count::to(1000, &[]).checker().spawn_bfs().join();
    assert_eq!(checker.unique_state_count(), 1);
    assert!(checker.is_done());

    // Ours judges every invariant unless it is told otherwise, and reports how many states it saw.
    let setup = Setup::new(&demo(), &scenario("crash"));
    let found = search(&setup, Goal { reduce: false, ..Goal::all() }, Bounds::default());
    assert!(found.states > 1000);
}

/// Two lamps that may each be lit once: it makes no difference which one is.
struct Lamps;

impl Model for Lamps {
    type State = [bool; 2];
    type Action = usize;

    fn init_states(&self) -> Vec<[bool; 2]> {
        vec![[false; 2]]
    }

    fn actions(&self, lamps: &[bool; 2], actions: &mut Vec<usize>) {
        actions.extend((0..2).filter(|at| !lamps[*at]));
    }

    fn next_state(&self, lamps: &[bool; 2], at: usize) -> Option<[bool; 2]> {
        let mut lamps = *lamps;
        lamps[at] = true;
        Some(lamps)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("whole", |_, _| true)]
    }
}

#[test]
fn symmetry_is_ignored_by_breadth_first_search() {
    fn sorted(lamps: &[bool; 2]) -> [bool; 2] {
        let mut lamps = *lamps;
        lamps.sort_unstable();
        lamps
    }
    assert_eq!(Lamps.checker().symmetry_fn(sorted).spawn_dfs().join().unique_state_count(), 3);
    assert_eq!(Lamps.checker().symmetry_fn(sorted).spawn_bfs().join().unique_state_count(), 4);

    // Ours reduces in its breadth-first search.
    let setup = Setup::new(&demo(), &scenario("crash"));
    let states = |reduce| search(&setup, Goal { reduce, ..Goal::all() }, Bounds::default()).states;
    assert!(states(true) < states(false));
}

/// A graph that starts at zero, and the nodes at which something is resolved.
struct Graph {
    edges: &'static [(usize, usize)],
    resolved: &'static [usize],
}

impl Graph {
    fn is_resolved(&self, node: usize) -> bool {
        self.resolved.contains(&node)
    }

    fn after(&self, node: usize) -> impl Iterator<Item = usize> {
        self.edges.iter().filter(move |(from, _)| *from == node).map(|(_, to)| *to)
    }

    /// The nodes from which no resolution can be reached.
    fn dead_ends(&self) -> Vec<usize> {
        let count = self.edges.iter().map(|(from, to)| from.max(to) + 1).max().unwrap_or(1);
        let edges: Vec<_> = self.edges.iter().map(|(from, to)| (*from as u32, *to as u32)).collect();
        let resolved: Vec<_> = (0..count).map(|node| self.is_resolved(node)).collect();
        let dead = unresolvable(&edges, &resolved);
        (0..count).filter(|node| dead[*node]).collect()
    }
}

impl Model for Graph {
    type State = usize;
    type Action = usize;

    fn init_states(&self) -> Vec<usize> {
        vec![0]
    }

    fn actions(&self, node: &usize, actions: &mut Vec<usize>) {
        actions.extend(self.after(*node));
    }

    fn next_state(&self, _node: &usize, to: usize) -> Option<usize> {
        Some(to)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::eventually("resolved", |graph: &Self, node| graph.is_resolved(*node))]
    }
}

#[test]
fn eventually_misses_cycles_and_joins() {
    // It sees an end that is not resolved,
    let end = || Graph { edges: &[(0, 1), (0, 2)], resolved: &[1] };
    assert!(end().checker().spawn_bfs().join().discovery("resolved").is_some());
    // but not a cycle that never leads to one,
    let cycle = || Graph { edges: &[(0, 1), (0, 2), (2, 3), (3, 2)], resolved: &[1] };
    cycle().checker().spawn_bfs().join().assert_properties();
    // nor a way past it that ends where another way, through it, ended before.
    let join = || Graph { edges: &[(0, 1), (0, 2), (1, 3), (2, 3)], resolved: &[1] };
    join().checker().spawn_bfs().join().assert_properties();

    // Backward reachability sees all three. `search.rs` asks the same of every graph of the world.
    assert_eq!(end().dead_ends(), [2]);
    assert_eq!(cycle().dead_ends(), [2, 3]);
    assert_eq!(join().dead_ends(), [2, 3]);
}

/// An actor that counts its starts where a crash cannot take them away.
#[derive(Clone)]
struct Restarted;

impl Actor for Restarted {
    type Msg = ();
    type Timer = ();
    type State = u8;
    type Storage = u8;
    type Random = ();

    fn on_start(&self, _id: Id, storage: &Option<u8>, out: &mut Out<Self>) -> u8 {
        let starts = storage.unwrap_or(0) + 1;
        out.save(starts);
        starts
    }
}

#[test]
fn max_crashes_bounds_crashes_at_one_time_and_not_in_all() {
    let checker = ActorModel::<_, (), ()>::new((), ())
        .actor(Restarted)
        .max_crashes(1)
        .within_boundary(|_, state| *state.actor_states[0] <= 9)
        .property(Expectation::Always, "two starts at the most", |_, state| *state.actor_states[0] <= 8)
        .checker()
        .spawn_bfs()
        .join();
    // One crash was allowed, and eight happened.
    checker.assert_any_discovery("two starts at the most");

    // A budget is of the whole run.
    for (name, budget) in [("crash", 2), ("pause", 1), ("rotation", 0)] {
        let setup = Setup::new(&demo(), &scenario(name));
        assert_eq!(setup.budget.of(Fault::Crash), budget);
        assert_eq!(most_crashes(&setup), budget, "{name}");
    }
}

/// How many crashes there are on the way with the most of them.
fn most_crashes(setup: &Setup) -> u8 {
    let mut seen = HashSet::from([(World::start(setup), 0)]);
    let mut open: Vec<_> = seen.iter().copied().collect();
    let (mut scratch, mut actions) = (Scratch::default(), Vec::new());
    while let Some((world, crashes)) = open.pop() {
        world.candidates(setup, &mut scratch, &mut actions);
        for action in actions.drain(..) {
            let Some((next, _)) = world.after(setup, action) else { continue };
            let next = (next, crashes + u8::from(matches!(action, Action::Server(_, ServerStep::Crash))));
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    seen.iter().map(|(_, crashes)| *crashes).max().unwrap_or(0)
}

/// An actor to which one message comes that changes nothing in it.
#[derive(Clone)]
struct Unmoved {
    /// Whether it takes its state all the same.
    takes_its_state: bool,
}

impl Actor for Unmoved {
    type Msg = ();
    type Timer = ();
    type State = ();
    type Storage = ();
    type Random = ();

    fn on_start(&self, _id: Id, _storage: &Option<()>, _out: &mut Out<Self>) {}

    fn on_msg(&self, _id: Id, state: &mut Cow<'_, ()>, _src: Id, (): (), _out: &mut Out<Self>) {
        if self.takes_its_state {
            *state.to_mut() = ();
        }
    }
}

/// Whether the history is seen to say that the message came.
fn history_says_that_it_came(takes_its_state: bool) -> bool {
    let message = Envelope { src: Id::from(0), dst: Id::from(0), msg: () };
    let checker = ActorModel::new((), 0)
        .actor(Unmoved { takes_its_state })
        .init_network(Network::new_unordered_nonduplicating([message]))
        .record_msg_in(|(), came, _| Some(came + 1))
        .property(Expectation::Sometimes, "it came", |_, state| state.history > 0)
        .checker()
        .spawn_bfs()
        .join();
    checker.discovery("it came").is_some()
}

#[test]
fn a_history_is_not_told_of_a_delivery_that_changes_nothing() {
    assert!(!history_says_that_it_came(false));

    // The twin takes the state of an actor to which a message came, changed or not (`twin.rs` counts on that),
    assert!(history_says_that_it_came(true));
    // and effects are counted where they happen: a state that broke an invariant says so by itself.
    let setup = Setup::new(&changed(ORDERS, "supplier.remembers = '30m'").contract, &scenario("supplier"));
    let found = search(&setup, Goal::all(), Bounds::default());
    let (_, path) = found.broken.first().expect("broken");
    assert_eq!(path.steps.last().expect("a step").1.supplier.effects, 2);
}
