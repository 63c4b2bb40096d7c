//! The world has the states and the transitions that SPIN finds in `model/peer/everything.pml`, where the protocol is
//! written once more.
//!
//! `model/peer/README.md` says what that proves, and where to begin when a test here fails.

mod common;

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

use common::{demo, edited, orders, scenario};
use idempotency::contract::Contract;
use idempotency_model::fault::{Budget, Fault};
use idempotency_model::peer::defines;
use idempotency_model::scenario::{LARGEST, Scenario};
use idempotency_model::search::{Bounds, Goal, search};
use idempotency_model::setup::Setup;

const PROMELA: &str = include_str!("../../model/peer/everything.pml");

#[derive(Debug, PartialEq, Eq)]
struct Graph {
    states: usize,
    transitions: usize,
}

fn world(setup: &Setup) -> Graph {
    let found = search(setup, Goal { reduce: false, ..Goal::all() }, Bounds::default());
    assert_eq!(found.cut_short, None);
    Graph { states: found.states, transitions: found.transitions }
}

/// What SPIN finds in `promela` within these bounds: its graph, or the assertion that failed.
fn spin(promela: &str, bounds: &[String]) -> Result<Graph, String> {
    let folder = tempfile::tempdir().expect("a folder for a while");
    let run = |program: &str, arguments: &[&str]| output_of(folder.path(), program, arguments);
    fs::write(folder.path().join("everything.pml"), promela).expect("the folder can be written to");
    run("gcc", &["--version"]);
    let bounds = bounds.iter().map(String::as_str);
    // Without -o2 SPIN drops a variable that is written and never read, and the states that differ only there.
    let arguments: Vec<_> = ["-o2", "-a"].into_iter().chain(bounds).chain(["everything.pml"]).collect();
    run("spin", &arguments);
    run("gcc", &["-O1", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"]);
    let pan = folder.path().join("pan").to_string_lossy().into_owned();
    // -E: a run that has come to its end is no error.
    let report = run(&pan, &["-E", "-m10000", "-w21"]);
    if let Some(line) = report.lines().find(|line| line.contains("assertion violated")) {
        return Err(line.to_owned());
    }
    assert!(report.contains("errors: 0"), "pan found another error:\n{report}");
    assert!(!report.contains("max search depth too small"), "pan did not search everything:\n{report}");
    let number = |what: &str| {
        let line = report.lines().find_map(|line| line.trim().strip_suffix(what));
        line.and_then(|number| number.trim().parse::<usize>().ok())
            .unwrap_or_else(|| panic!("pan says nothing of `{what}`:\n{report}"))
    };
    // Its first "transition" leads to the start.
    Ok(Graph { states: number("states, stored"), transitions: number("transitions (= stored+matched)") - 1 })
}

fn output_of(folder: &Path, program: &str, arguments: &[&str]) -> String {
    let output = match Command::new(program).args(arguments).current_dir(folder).output() {
        Ok(output) => output,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            panic!(
                "this test needs `{program}`: install spin and gcc (on Debian: apt-get install spin gcc libc6-dev)"
            )
        }
        Err(error) => panic!("{program}: {error}"),
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let other = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {arguments:?}: {}\n{text}\n{other}", output.status);
    text
}

fn largest() -> Scenario {
    scenario(LARGEST)
}

/// The largest scenario with so many attempts, and these faults alone.
fn within(attempts: u8, faults: &[(Fault, u8)]) -> Scenario {
    Scenario { attempts, budget: Budget::new(faults), click_in_place: false, ..largest() }
}

/// Bounds that go through everything the Promela says, in a space that is searched at once.
fn small() -> Scenario {
    within(2, &[(Fault::Crash, 1), (Fault::Pause, 1), (Fault::Retention, 1), (Fault::Error, 1)])
}

fn setup(contract: &Contract, scenario: &Scenario) -> Setup {
    Setup::new(contract, scenario)
}

#[track_caller]
fn same(scenario: &Scenario) {
    let setup = setup(&orders(), scenario);
    let bounds = defines(&setup).expect("the Promela says all of it");
    let found = spin(PROMELA, &bounds);
    assert_eq!(found, Ok(world(&setup)), "SPIN's graph, and the world's, at {}", bounds.join(" "));
}

#[test]
fn spin_has_the_same_graph_at_the_bounds_of_the_scenario() {
    same(&largest());
}

/// From nothing upwards: the first that fails says which step to look at.
#[test]
fn spin_has_the_same_graph_at_smaller_bounds() {
    same(&within(1, &[]));
    same(&within(3, &[]));
    for (fault, _) in setup(&orders(), &largest()).budget.iter() {
        same(&within(2, &[(fault, 1)]));
    }
    same(&small());
}

/// More of one fault than the scenario has: the counts are not equal by the luck of ones.
#[test]
fn spin_has_the_same_graph_at_other_bounds() {
    same(&within(1, &[(Fault::Crash, 2), (Fault::Pause, 1), (Fault::Repeat, 2), (Fault::Retention, 2)]));
    same(&within(2, &[(Fault::Pause, 2), (Fault::Error, 2), (Fault::Gateway, 2)]));
}

/// Each guard of the Promela that is taken away shows: in the graph, or because the effect happens twice.
#[test]
fn a_slip_in_the_promela_shows() {
    let setup = setup(&orders(), &small());
    let (bounds, graph) = (defines(&setup).expect("the Promela says all of it"), world(&setup));
    let slips = [
        ("the mark is not fenced", ":: holds(v) ->\n    record = called", ":: true ->\n    record = called"),
        (
            "completion is not fenced",
            ":: holds(v) -> commit(); leave(v, DONE)",
            ":: true -> commit(); leave(v, DONE)",
        ),
        (
            "an error needs no holder",
            ":: holds(v) -> end_record(unresolved)",
            ":: true -> end_record(unresolved)",
        ),
        ("the mark does not renew the lease", "mark = token[v]; lease_over = 0;", "mark = token[v];"),
        (
            "a take-over runs the handler again",
            ":: record == called -> stand[w] = marked;",
            ":: false -> skip;",
        ),
        ("the supplier forgets", "known_keys = known_keys |", "known_keys = 0 *"),
        ("a record goes while it is worked on", "retention > 0 && !busy(0) && !busy(1)", "retention > 0"),
        ("a closed connection brings an answer", "answer_to(attempt, what) > 0", "answer_to(1, what) > 0"),
        ("a pause costs nothing", ":: owner_lives -> pause--", ":: owner_lives -> skip"),
    ];
    for (slip, from, to) in slips {
        assert_eq!(PROMELA.matches(from).count(), 1, "{slip}: `{from}` is not there once");
        let found = spin(&PROMELA.replace(from, to), &bounds);
        assert_ne!(found.as_ref(), Ok(&graph), "{slip}, and nothing shows");
    }
}

#[test]
fn the_promela_asserts_that_the_effect_happens_once() {
    let bounds = defines(&setup(&orders(), &small())).expect("the Promela says all of it");
    let fence = ":: holds(v) ->\n    record = called";
    let found = spin(&PROMELA.replace(fence, ":: true ->\n    record = called"), &bounds);
    let assertion = found.expect_err("two workers call under two marks");
    assert!(assertion.contains("charges<=1"), "{assertion}");
}

/// Each guard of the world that is taken away shows.
#[test]
fn a_slip_in_the_world_shows() {
    let bounds = defines(&setup(&orders(), &small())).expect("the Promela says all of it");
    let graph = spin(PROMELA, &bounds).expect("the effect happens once");
    let slips = [
        "reservation.completion = \"unfenced\"",
        "reservation.mark = \"unfenced\"",
        "reservation.take-over = \"run-again\"",
        "reservation.recoverer = false",
        "reservation.atomic = false",
        "answers.error = \"release\"",
        "client.on-in-flight = \"unknown\"",
        "retention.completed = \"10s\"",
    ];
    for slip in slips {
        let found = world(&setup(&edited(&orders(), slip), &small()));
        assert_ne!(found, graph, "{slip}, and nothing shows");
    }
}

#[test]
fn what_the_promela_does_not_say_is_refused() {
    let refused = |contract: &Contract, scenario: &Scenario| {
        defines(&setup(contract, scenario)).expect_err("the Promela does not say all of it")
    };
    assert!(refused(&demo(), &largest()).contains("an effect of our own"));
    assert!(refused(&orders(), &within(2, &[(Fault::Click, 1)])).contains("the fault click"));
    let unfenced = edited(&orders(), "reservation.mark = \"unfenced\"");
    assert_eq!(
        refused(&unfenced, &largest()),
        "everything.pml does not say: a mark without a fence, or none"
    );
}
