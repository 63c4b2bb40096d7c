//! The twin in actors is the world: it has the same states, and tells the same stories.

mod common;
mod whole;

use std::collections::HashSet;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use common::{DEMO, ORDERS, changed, demo, orders, scenario};
use idempotency::contract::Contract;
use idempotency::invariant::Invariant;
use idempotency_model::fault::{Budget, Fault};
use idempotency_model::search::{Bounds, Goal, search};
use idempotency_model::setup::Setup;
use idempotency_model::twin::{self, Explorer, Part, Twin};
use idempotency_model::world::{World, Worlds};
use stateright::actor::{ActorModel, ActorModelState};
use stateright::{Checker, Expectation, Model};
use whole::WholeWorlds;

/// The twin of `setup` with a property that never stops the search.
fn whole(setup: &Setup) -> ActorModel<Part, Invariant> {
    let mut model = Twin::new(setup).expect("it has a twin").model(Invariant::V1);
    model.properties.clear();
    model.property(Expectation::Always, "whole", |_, _| true)
}

fn raw() -> Goal {
    Goal { reduce: false, ..Goal::all() }
}

/// The three counts of one setup: the twin's, stateright's of the world, and our search's of the world.
fn counts(setup: &Setup) -> [usize; 3] {
    let found = search(setup, raw(), Bounds::default());
    assert_eq!(found.cut_short, None);
    let worlds = WholeWorlds(Worlds { setup: setup.clone() });
    [
        whole(setup).checker().spawn_bfs().join().unique_state_count(),
        worlds.checker().spawn_bfs().join().unique_state_count(),
        found.states,
    ]
}

/// One setup of `contract` under the scenario `name`, without what the twin cannot say.
fn small(contract: &Contract, name: &str) -> Setup {
    Setup::new(contract, &scenario(name)).without_what_the_twin_cannot_say().0
}

/// Everything at smaller bounds: what the twin can still walk in a second.
fn smaller_everything(contract: &Contract) -> Setup {
    let mut everything = scenario("everything");
    everything.attempts = 2;
    everything.budget =
        Budget::new(&[Fault::Crash, Fault::Pause, Fault::Repeat, Fault::Retention].map(|fault| (fault, 1)));
    Setup::new(contract, &everything)
}

/// One assertion each: the twin, the world under stateright, and the world under our search have this many states.
fn assert_counts(contract: &Contract, scenarios: &[(&str, usize)]) {
    let counted: Vec<_> = scenarios.iter().map(|(name, _)| (*name, counts(&small(contract, name)))).collect();
    let pinned: Vec<_> = scenarios.iter().map(|(name, count)| (*name, [*count; 3])).collect();
    assert_eq!(counted, pinned);
}

#[test]
fn a_local_effect_has_as_many_states_in_the_twin_as_in_the_world() {
    assert_counts(
        &demo(),
        &[
            ("lost-answer", 1903),
            ("concurrent", 1228),
            ("crash", 1176),
            ("pause", 656),
            ("error", 616),
            ("rejection", 383),
            ("retention", 17470),
            ("cancel", 3653),
            ("edit", 115),
            ("reload", 1909),
            ("payload", 225),
            ("owner", 230),
            ("rotation", 42),
            ("supplier", 656),
            ("store", 115),
        ],
    );
}

#[test]
fn an_external_effect_has_as_many_states_in_the_twin_as_in_the_world() {
    assert_counts(
        &orders(),
        &[
            ("lost-answer", 4307),
            ("concurrent", 2804),
            ("crash", 17534),
            ("pause", 11487),
            ("error", 1284),
            ("rejection", 715),
            ("retention", 28542),
            ("cancel", 5709),
            ("edit", 739),
            ("reload", 4349),
            ("payload", 1473),
            ("owner", 1478),
            ("rotation", 102),
            ("supplier", 24066),
            ("store", 739),
        ],
    );
}

#[test]
fn a_suppliers_key_made_of_the_intents_has_as_many_states_in_the_twin_as_in_the_world() {
    let late = "supplier.key = 'from-intent'\nclient.late-resend = '25h'\nretention.completed = '7d'";
    assert_counts(&changed(ORDERS, late).contract, &[("supplier", 42509)]);
    let other = "supplier.key = 'from-intent'\nkey.made = 'per-attempt'";
    assert_counts(&changed(ORDERS, other).contract, &[("rejection", 2791)]);
}

#[test]
fn smaller_everything_has_as_many_states_in_the_twin_as_in_the_world() {
    let counted = [demo(), orders()].map(|contract| counts(&smaller_everything(&contract)));
    assert_eq!(counted, [[4256; 3], [63101; 3]]);
}

/// Contracts that go other ways through the actors: other kinds of effect, no key, a second slot, a supplier that can
/// be asked, guards that are off. Each with a scenario, and with how many states it has there.
fn others() -> Vec<(&'static str, Contract, &'static str, usize)> {
    let local = [
        ("effect.kind = 'one-transaction'", "crash", 346),
        ("effect.kind = 'two-transactions'", "error", 867),
        ("effect.kind = 'none'", "crash", 69),
        ("key.required = false\nkey.made = 'never'", "crash", 94),
        ("key.made = 'per-attempt'", "crash", 3834),
        ("reservation.atomic = false", "concurrent", 7680),
        ("reservation.hang-up = 'release'", "error", 882),
        ("store.durable = false\nservers.processes = 1", "crash", 1671),
        ("client.after-deadline = 'keep-sending'", "retention", 23133),
        ("store.kind = 'redis'\nstore.evicts = true\nretention.unresolved = '1h'", "store", 1145),
    ];
    let external = [
        (ASKED, "supplier", 76042),
        ("supplier.remembers = '30m'", "supplier", 60389),
        ("reservation.mark = 'never'\nreservation.take-over = 'run-again'", "pause", 14921),
    ];
    let of = |base: &'static str| {
        move |(edits, scenario, count)| (edits, changed(base, edits).contract, scenario, count)
    };
    local.into_iter().map(of(DEMO)).chain(external.into_iter().map(of(ORDERS))).collect()
}

/// A supplier that takes no key, and can be asked instead.
const ASKED: &str = "
supplier.takes-key = false
supplier.key = ''
supplier.remembers = ''
supplier.call-again-for = ''
supplier.can-be-asked = true
supplier.settles = '10m'
";

#[test]
fn other_contracts_have_as_many_states_in_the_twin_as_in_the_world() {
    for (edits, contract, scenario, count) in others() {
        assert_eq!(counts(&small(&contract, scenario)), [count; 3], "{edits} under {scenario}");
    }
}

/// Every state of `model`, compared in full: a fingerprint cannot make two of them one.
fn states(model: &ActorModel<Part, Invariant>) -> HashSet<ActorModelState<Part>> {
    let mut seen: HashSet<_> = model.init_states().into_iter().collect();
    let mut open: Vec<_> = seen.iter().cloned().collect();
    while let Some(state) = open.pop() {
        open.extend(model.next_states(&state).into_iter().filter(|next| seen.insert(next.clone())));
    }
    seen
}

/// Every world of `setup`.
fn worlds(setup: &Setup) -> HashSet<World> {
    let model = Worlds { setup: setup.clone() };
    let mut seen: HashSet<_> = model.init_states().into_iter().collect();
    let mut open: Vec<_> = seen.iter().copied().collect();
    while let Some(world) = open.pop() {
        open.extend(model.next_states(&world).into_iter().filter(|next| seen.insert(*next)));
    }
    seen
}

#[test]
fn every_twin_state_is_one_world_and_every_world_is_one_twin_state() {
    let asked = changed(ORDERS, ASKED).contract;
    for (contract, name) in
        [(demo(), "crash"), (orders(), "payload"), (orders(), "cancel"), (asked, "payload")]
    {
        let setup = small(&contract, name);
        let twins = states(&whole(&setup));
        let images: HashSet<_> = twins.iter().map(|state| twin::world(state).expect("it fits")).collect();
        assert_eq!(images.len(), twins.len(), "{name}: two twin states are one world");
        assert!(images == worlds(&setup), "{name}: the worlds are others");
    }
}

/// The length of the shortest story to `invariant`, as the twin tells it.
fn length_in_the_twin(setup: &Setup, invariant: Invariant) -> Option<usize> {
    let checker = Twin::new(setup).expect("it has a twin").model(invariant).checker().spawn_bfs().join();
    checker.discovery(invariant.id()).map(|path| path.into_actions().len())
}

#[test]
fn the_twin_breaks_the_same_invariants_in_as_many_steps() {
    use Invariant::{V1, V2, V4, V7, V9, V10};
    let mut stories = Vec::new();
    for (edits, contract, scenario, _) in others() {
        let setup = small(&contract, scenario);
        let found = search(&setup, raw(), Bounds::default());
        for invariant in Invariant::ALL {
            let length = found.path(*invariant).map(|path| path.steps.len());
            // To see that one holds takes the whole space; these two stand for all.
            if length.is_some() || [V1, V10].contains(invariant) {
                assert_eq!(length_in_the_twin(&setup, *invariant), length, "{invariant}: {edits}");
            }
            stories.extend(length.map(|length| (edits, *invariant, length)));
        }
    }
    let evicting = "store.kind = 'redis'\nstore.evicts = true\nretention.unresolved = '1h'";
    assert_eq!(
        stories,
        [
            ("key.required = false\nkey.made = 'never'", V1, 5),
            ("key.required = false\nkey.made = 'never'", V2, 5),
            ("key.made = 'per-attempt'", V1, 5),
            ("key.made = 'per-attempt'", V2, 5),
            ("store.durable = false\nservers.processes = 1", V1, 6),
            ("store.durable = false\nservers.processes = 1", V2, 6),
            ("store.durable = false\nservers.processes = 1", V4, 6),
            ("store.durable = false\nservers.processes = 1", V7, 2),
            ("client.after-deadline = 'keep-sending'", V9, 2),
            (evicting, V1, 6),
            (evicting, V2, 6),
            (evicting, V4, 6),
            (evicting, V7, 2),
            ("supplier.remembers = '30m'", V1, 9),
            ("reservation.mark = 'never'\nreservation.take-over = 'run-again'", V1, 7),
        ]
    );
}

#[test]
fn what_an_actor_cannot_see_is_refused_by_name() {
    let refused = |contract: &Contract, name: &str| {
        Twin::new(&Setup::new(contract, &scenario(name))).expect_err("it has no twin").to_string()
    };
    let others = "scenarios with one: concurrent, crash, pause, error, rejection, retention, cancel, reload, \
                  payload, owner, rotation, supplier, everything";
    assert_eq!(
        refused(&demo(), "lost-answer"),
        format!(
            "no twin in an actor model: half-answer (the delivery of an answer has one reading there); {others}"
        )
    );
    assert_eq!(
        refused(&demo(), "edit"),
        format!(
            "no twin in an actor model: edit (an actor cannot see that another one was replaced); {others}"
        )
    );
    let stale = changed(DEMO, "store.reads = 'may-be-stale'").contract;
    assert_eq!(
        refused(&stale, "store"),
        format!(
            "no twin in an actor model: stale-read (the delivery of a request has one reading there); {others}"
        )
    );
}

#[test]
fn what_an_actor_cannot_see_can_be_dropped_and_is_named() {
    let setup = Setup::new(&demo(), &scenario("lost-answer"));
    let (smaller, dropped) = setup.without_what_the_twin_cannot_say();
    assert_eq!(dropped, [Fault::HalfAnswer]);
    assert!(Twin::new(&smaller).is_ok());
    assert_eq!(smaller.without_what_the_twin_cannot_say().1, []);
}

/// What `address` answers to a request for `path`, once it listens.
fn get(address: SocketAddr, path: &str) -> String {
    let connect = |_| {
        let stream = TcpStream::connect(address);
        stream.inspect_err(|_| std::thread::sleep(Duration::from_millis(1))).ok()
    };
    let mut stream = (0..10_000).find_map(connect).expect("it listens");
    write!(stream, "GET {path} HTTP/1.0\r\n\r\n").expect("it is sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it is answered");
    assert!(answer.starts_with("HTTP/1.0 200 "), "{answer}");
    answer
}

#[test]
fn the_explorer_shows_states_and_steps_as_words() {
    let twin = Twin::new(&small(&orders(), "crash")).expect("it has a twin");
    let loopback = SocketAddr::from(([127, 0, 0, 1], 0));
    let explorer = Explorer::new(&twin, Invariant::V1, loopback).expect("a port is free");
    let address = explorer.address();
    std::thread::spawn(move || explorer.serve());

    assert!(get(address, "/").contains("<title>Stateright Explorer</title>"));
    assert!(get(address, "/.status").contains(r#"["Always","V1",null]"#));
    let start = get(address, "/.states/");
    assert!(
        start.contains(r"client    Waiting for the answer to request 1, attempts made: 1, told Nothing"),
        "{start}"
    );
    assert!(start.contains(r"under way request 1 under key 1 ─► servers\n"), "{start}");
    let steps = get(address, "/.states/0");
    for action in ["client ─► servers: request 1 under key 1", "client: Timeout", "client: Deadline"] {
        assert!(steps.contains(&format!(r#""action":"{action}""#)), "{action} in {steps}");
    }
}

#[test]
fn the_explorer_is_not_served_to_others() {
    let twin = Twin::new(&small(&demo(), "crash")).expect("it has a twin");
    let everywhere = SocketAddr::from(([0, 0, 0, 0], 0));
    let error = Explorer::new(&twin, Invariant::V1, everywhere).expect_err("it is open to others");
    assert_eq!(error.to_string(), "0.0.0.0:0 is open to others: the Explorer is served on loopback only");
}
