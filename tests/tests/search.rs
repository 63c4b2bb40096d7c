//! The search finds what a plain breadth-first search finds: the same states, the same broken invariants, and to each a
//! story of the same length; and leaves nothing out that matters where it reduces.

mod common;
mod graph;
mod whole;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use common::{demo, edited, orders};
use idempotency::contract::Contract;
use idempotency::invariant::Invariant::{self, *};
use idempotency_model::scenario::Scenario;
use idempotency_model::search::{Bounds, Found, Goal, search};
use idempotency_model::setup::Setup;
use idempotency_model::store::Slot;
use idempotency_model::world::{Scratch, World, Worlds};
use stateright::{Checker, Model};

/// What a plain search of the whole space found.
#[derive(Default)]
struct Plain {
    /// The length of the shortest way to each broken invariant.
    lengths: BTreeMap<Invariant, usize>,
    events: u32,
    edges: Vec<(u32, u32)>,
    /// By state: whether no slot is in progress.
    resolved: Vec<bool>,
}

impl Plain {
    fn search(setup: &Setup) -> Self {
        let start = World::start(setup);
        let mut plain = Self::default();
        let mut known = HashMap::from([(start, 0)]);
        let mut open = VecDeque::from([(start, 0)]);
        let (mut scratch, mut actions) = (Scratch::default(), Vec::new());
        while let Some((world, depth)) = open.pop_front() {
            let from = plain.resolved.len() as u32;
            plain.resolved.push(!world.site.slots.into_iter().any(Slot::is_in_progress));
            world.candidates(setup, &mut scratch, &mut actions);
            let mut last = true;
            for (next, noted) in actions.drain(..).filter_map(|action| world.after(setup, action)) {
                last = false;
                plain.events |= noted.events;
                assert!(!noted.overflow, "a bound of the model was hit");
                let new = known.len() as u32;
                let to = *known.entry(next).or_insert_with(|| {
                    open.push_back((next, depth + 1));
                    new
                });
                plain.edges.push((from, to));
            }
            for invariant in world.broken(last).iter() {
                plain.lengths.entry(invariant).or_insert(depth);
            }
        }
        plain
    }

    fn states(&self) -> usize {
        self.resolved.len()
    }
}

fn lengths(found: &Found) -> BTreeMap<Invariant, usize> {
    found.broken.iter().map(|(invariant, path)| (*invariant, path.steps.len())).collect()
}

/// The largest scenario.
const EVERYTHING: &str = "everything";

/// Compares the searches of `contract` under the scenarios that are wanted, and gives what is broken in any of them.
fn compare(contract: &Contract, wanted: impl Fn(&Scenario) -> bool) -> BTreeSet<Invariant> {
    let mut broken = BTreeSet::new();
    for scenario in Scenario::all().iter().filter(|scenario| wanted(scenario)) {
        let (name, setup) = (scenario.name, Setup::new(contract, scenario));
        let plain = Plain::search(&setup);
        for reduce in [false, true] {
            let found = search(&setup, Goal { reduce, ..Goal::all() }, Bounds::default());
            assert_eq!(found.cut_short, None, "{name}");
            assert_eq!(lengths(&found), plain.lengths, "{name}, reduced: {reduce}");
            assert_eq!(found.events, plain.events, "{name}, reduced: {reduce}");
            if reduce {
                assert!(found.states <= plain.states(), "{name}");
            } else {
                assert_eq!((found.states, found.transitions), (plain.states(), plain.edges.len()), "{name}");
            }
        }
        if plain.states() < SMALL {
            let checker = whole::WholeWorlds(Worlds { setup }).checker().spawn_bfs().join();
            assert_eq!(checker.unique_state_count(), plain.states(), "{name}");
        }
        // No way leads back, so every run has a last state: if all of those are resolved, every run is. And V10, which
        // looks at last states only, says the same as a walk back from every resolved state.
        assert!(!graph::is_cyclic(&plain.edges, plain.states()), "{name}");
        let dead = graph::unresolvable(&plain.edges, &plain.resolved);
        assert_eq!(dead.contains(&true), plain.lengths.contains_key(&V10), "{name}");
        broken.extend(plain.lengths.into_keys());
    }
    broken
}

/// Up to how many states stateright counts them as well.
const SMALL: usize = 10_000;

/// A test for each contract: its edits, and which invariants it breaks in any scenario.
macro_rules! agree {
    ($($name:ident: $base:ident, $edits:literal, breaks [$($broken:ident),*];)+) => { $(
        #[test]
        fn $name() {
            let contract = edited(&$base(), $edits);
            // Everything that can happen to an order has millions of states: see the last test.
            let wanted = |scenario: &Scenario| !contract.is_external() || scenario.name != EVERYTHING;
            assert_eq!(compare(&contract, wanted), BTreeSet::from([$($broken),*]));
        }
    )+ };
}

agree! {
    on_the_demo_request: demo, "", breaks [];
    on_no_fingerprint: demo, "fingerprint.covers = []", breaks [V3];
    on_a_key_for_every_attempt: demo, "key.made = 'per-attempt'", breaks [V1, V2, V8, V11];
    on_a_scope_without_owner: demo, "key.scope = ['operation']", breaks [V5];
    on_a_short_retention: demo, "retention.completed = '1m'", breaks [V1, V2, V8];
    on_unfenced_completion: demo, "reservation.completion = 'unfenced'", breaks [V1, V2, V4, V6];
    on_a_reservation_that_is_not_atomic: demo, "reservation.atomic = false", breaks [];
    on_a_reservation_never_taken_over: demo, "reservation.take-over = 'never'", breaks [V10];
    on_a_timeout_told_as_failure: demo, "client.on-timeout = 'fail'", breaks [V8];
    on_an_edit_sent_at_once: demo, "client.on-edit = 'send'", breaks [V11];

    on_the_order: orders, "", breaks [];
    on_an_unfenced_mark: orders, "reservation.mark = 'unfenced'", breaks [V1, V2, V4];
    on_an_error_that_releases: orders, "answers.error = 'release'", breaks [V1, V7];
    on_a_supplier_that_forgets: orders, "supplier.remembers = '30m'", breaks [V1];
    on_a_handler_run_again: orders,
        "reservation.take-over = 'run-again'\nsupplier.takes-key = false", breaks [V1];
    on_a_supplier_asked_too_early: orders,
        "supplier.takes-key = false\nsupplier.can-be-asked = true\nsupplier.settles = '1m'", breaks [V1];
}

#[test]
fn the_reduced_spaces_have_these_sizes() {
    let sizes = |contract: &Contract| -> Vec<_> {
        let size = |scenario: &Scenario| {
            let setup = Setup::new(contract, scenario);
            (scenario.name, search(&setup, Goal::all(), Bounds::default()).states)
        };
        Scenario::all().iter().map(size).collect()
    };
    assert_eq!(
        sizes(&demo()),
        [
            ("lost-answer", 1014),
            ("concurrent", 477),
            ("crash", 636),
            ("pause", 446),
            ("error", 275),
            ("rejection", 204),
            ("retention", 3115),
            ("cancel", 1201),
            ("edit", 362),
            ("reload", 707),
            ("payload", 181),
            ("owner", 186),
            ("rotation", 34),
            ("supplier", 446),
            ("store", 93),
            ("everything", 29349),
        ]
    );
    assert_eq!(
        sizes(&orders()),
        [
            ("lost-answer", 2810),
            ("concurrent", 1457),
            ("crash", 6392),
            ("pause", 6213),
            ("error", 565),
            ("rejection", 440),
            ("retention", 7715),
            ("cancel", 2229),
            ("edit", 1814),
            ("reload", 2111),
            ("payload", 1009),
            ("owner", 1014),
            ("rotation", 90),
            ("supplier", 12852),
            ("store", 507),
            ("everything", 342894),
        ]
    );
}

#[test]
fn on_everything_that_can_happen_to_the_order() {
    assert_eq!(compare(&orders(), |scenario| scenario.name == EVERYTHING), BTreeSet::new());
}
