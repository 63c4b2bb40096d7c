//! The search finds what a plain breadth-first search finds: the same states, the same broken invariants, and to each a
//! story of the same length; and leaves nothing out that matters where it reduces.

mod common;
mod graph;
mod whole;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use common::{DEMO, OPAQUE, ORDERS, changed, demo, orders};
use idempotency::contract::Contract;
use idempotency::invariant::{
    Broken,
    Invariant::{self, *},
};
use idempotency_model::scenario::{LARGEST, Scenario};
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
                // If it had to go back to the whole space, it would not be smaller.
                assert!(found.states < plain.states(), "{name}");
            } else {
                assert_eq!((found.states, found.transitions), (plain.states(), plain.edges.len()), "{name}");
            }
        }
        judge_some(&setup, &plain, name);
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

/// The reduced search forgets what tells nothing of the invariants that it judges. It must find each of them as well when
/// it judges no other, and none that a plain search does not find.
fn judge_some(setup: &Setup, plain: &Plain, name: &str) {
    let judged = |invariants: Broken| search(setup, Goal { invariants, ..Goal::all() }, Bounds::default());
    for (invariant, length) in &plain.lengths {
        let found = judged(Broken::default().with(*invariant));
        assert_eq!(lengths(&found), BTreeMap::from([(*invariant, *length)]), "{invariant} alone in {name}");
    }
    let broken = plain.lengths.keys().copied().fold(Broken::default(), Broken::with);
    let found = judged(Goal::all().invariants.without(broken));
    assert_eq!(lengths(&found), BTreeMap::new(), "{name}");
    assert_eq!(found.events, plain.events, "{name}");
    assert!(found.states < plain.states(), "{name}");
}

/// Up to how many states stateright counts them as well.
const SMALL: usize = 10_000;

/// A test for each contract: its edits, and which invariants it breaks in any scenario.
macro_rules! agree {
    ($($name:ident: $base:ident, [$($edit:expr),*], breaks [$($broken:ident),*];)+) => { $(
        #[test]
        fn $name() {
            let edits: &[&str] = &[$($edit),*];
            let contract = changed($base, &edits.join("\n")).contract;
            // The largest space of an order is compared once, below: it has millions of states.
            let wanted = |scenario: &Scenario| !contract.is_external() || scenario.name != LARGEST;
            assert_eq!(compare(&contract, wanted), BTreeSet::from([$($broken),*]));
        }
    )+ };
}

agree! {
    on_the_demo_request: DEMO, [], breaks [];
    on_no_fingerprint: DEMO, ["fingerprint.covers = []"], breaks [V3];
    on_a_key_for_every_attempt: DEMO, ["key.made = 'per-attempt'"], breaks [V1, V2, V8, V11];
    on_a_scope_without_owner: DEMO, ["key.scope = ['operation']"], breaks [V5];
    on_a_short_retention: DEMO, ["retention.completed = '1m'"], breaks [V1, V2, V8];
    on_unfenced_completion: DEMO, ["reservation.completion = 'unfenced'"], breaks [V1, V2, V4, V6];
    on_a_reservation_that_is_not_atomic: DEMO, ["reservation.atomic = false"], breaks [];
    on_a_reservation_never_taken_over: DEMO, ["reservation.take-over = 'never'"], breaks [V10];
    on_a_timeout_told_as_failure: DEMO, ["client.on-timeout = 'fail'"], breaks [V8];
    on_an_edit_sent_at_once: DEMO, ["client.on-edit = 'send'"], breaks [V11];
    on_a_client_that_fails_and_keeps_sending: DEMO,
        ["client.at-deadline = 'fail'", "client.after-deadline = 'keep-sending'"], breaks [V8, V9];
    on_keys_that_carry_their_time: DEMO,
        ["key.time = 'uuidv7'", "between.longest-delay = 'unlimited'"], breaks [];

    on_the_order: ORDERS, [], breaks [];
    on_an_unfenced_mark: ORDERS, ["reservation.mark = 'unfenced'"], breaks [V1, V2, V4];
    on_nothing_fenced: ORDERS,
        ["reservation.mark = 'unfenced'", "reservation.completion = 'unfenced'"], breaks [V1, V2, V4, V6];
    on_an_error_that_releases: ORDERS, ["answers.error = 'release'"], breaks [V1, V7];
    on_a_supplier_that_forgets: ORDERS, ["supplier.remembers = '30m'"], breaks [V1];
    on_a_handler_run_again: ORDERS, [OPAQUE, "reservation.take-over = 'run-again'"], breaks [V1];
    on_a_supplier_asked_in_time: ORDERS,
        [OPAQUE, "supplier.can-be-asked = true", "supplier.settles = '10m'"], breaks [];
    on_a_supplier_asked_too_early: ORDERS,
        [OPAQUE, "supplier.can-be-asked = true", "supplier.settles = '1m'"], breaks [V1];
    on_an_intents_key_that_is_forgotten: ORDERS, [
        "supplier.key = 'from-intent'", "client.late-resend = '25h'", "retention.completed = '7d'",
        "answers.error = 'release'"
    ], breaks [V7];
    on_an_intents_key_for_every_attempt: ORDERS,
        ["supplier.key = 'from-intent'", "key.made = 'per-attempt'"], breaks [V1, V2, V8, V11];
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
            ("lost-answer", 333),
            ("concurrent", 200),
            ("crash", 370),
            ("pause", 211),
            ("error", 159),
            ("rejection", 114),
            ("retention", 832),
            ("cancel", 483),
            ("edit", 199),
            ("reload", 279),
            ("payload", 100),
            ("owner", 104),
            ("rotation", 18),
            ("supplier", 211),
            ("store", 52),
            ("everything", 7566),
        ]
    );
    assert_eq!(
        sizes(&orders()),
        [
            ("lost-answer", 833),
            ("concurrent", 552),
            ("crash", 3068),
            ("pause", 2943),
            ("error", 309),
            ("rejection", 230),
            ("retention", 2000),
            ("cancel", 935),
            ("edit", 955),
            ("reload", 731),
            ("payload", 540),
            ("owner", 544),
            ("rotation", 46),
            ("supplier", 6117),
            ("store", 272),
            ("everything", 86284),
        ]
    );
}

#[test]
fn on_everything_that_can_happen_to_the_order() {
    assert_eq!(compare(&orders(), |scenario| scenario.name == LARGEST), BTreeSet::new());
}
