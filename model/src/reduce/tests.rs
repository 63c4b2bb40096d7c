use std::collections::HashSet;

use idempotency::contract::Contract;

use super::*;
use crate::scenario::Scenario;
use crate::world::{Action, Scratch};

/// The steps from `world`, as the representatives to which they lead and the events on the way. Steps that lead nowhere
/// new are none.
fn steps(setup: &Setup, matters: Matters, world: &World) -> HashSet<(World, u32)> {
    let mut actions: Vec<Action> = Vec::new();
    world.candidates(setup, &mut Scratch::default(), &mut actions);
    let here = canonical(setup, matters, *world);
    let lead = |action| {
        let (after, noted) = world.after(setup, action)?;
        let there = canonical(setup, matters, after);
        (there != here).then_some((there, noted.events))
    };
    actions.into_iter().filter_map(lead).collect()
}

/// For every world of the raw space its representative breaks the same open invariants, and has the same steps: to the
/// same representatives. Gives the number of worlds.
fn is_exact(contract: &str, scenario: &Scenario, open: Broken) -> usize {
    let contract = Contract::parse(contract).expect("a contract").contract;
    let setup = Setup::new(&contract, scenario);
    let matters = Matters::to(&setup, open);
    let start = World::start(&setup);
    let (mut known, mut worlds) = (HashSet::from([start]), vec![start]);
    let mut actions = Vec::new();
    while let Some(world) = worlds.pop() {
        let like = canonical(&setup, matters, world);
        let judged = |world: &World| world.broken(false).and(open);
        assert_eq!(judged(&world), judged(&like), "{world:?}");
        let [these, those] = [&world, &like].map(|it| steps(&setup, matters, it));
        assert_eq!(these, those, "{world:?}");
        actions.clear();
        world.candidates(&setup, &mut Scratch::default(), &mut actions);
        for (after, _) in actions.drain(..).filter_map(|action| world.after(&setup, action)) {
            if known.insert(after) {
                worlds.push(after);
            }
        }
    }
    known.len()
}

/// A supplier that neither takes a key nor can be asked, and no fence: every count grows.
const UNFENCED: &str = "[effect]\nkind = \"external\"\n[reservation]\nmark = \"unfenced\"\n\
    completion = \"unfenced\"\ntake-over = \"run-again\"\n[client]\non-edit = \"send\"\nat-deadline = \"fail\"\n";

/// Its records are gone before the last attempt arrives, and after the first one did.
const SHORT: &str = "[retention]\ncompleted = \"130s\"\n";

fn alone(invariant: Invariant) -> Broken {
    Broken::default().with(invariant)
}

fn scenario(faults: &[(Fault, u8)]) -> Scenario {
    let any = Scenario::all().into_iter().next().expect("a scenario");
    Scenario { attempts: 1, budget: crate::fault::Budget::new(faults), ..any }
}

#[test]
fn a_world_and_its_representative_do_the_same_whatever_is_judged() {
    let faults = [(Fault::Edit, 1), (Fault::Pause, 1), (Fault::Crash, 1)];
    let all = Invariant::ALL.iter().copied().fold(Broken::default(), Broken::with);
    for open in Invariant::ALL.iter().copied().map(alone).chain([all, Broken::default()]) {
        assert!(is_exact(UNFENCED, &scenario(&faults), open) > 1000, "the space is not a small one");
    }
}

#[test]
fn a_world_and_its_representative_do_the_same_under_every_scenario() {
    let all = Invariant::ALL.iter().copied().fold(Broken::default(), Broken::with);
    let small = |it: &Scenario| !["everything", "rotation", "payload", "owner", "store"].contains(&it.name);
    for scenario in Scenario::all().iter().filter(|it| small(it)) {
        for open in [all, alone(Invariant::V8)] {
            for contract in [UNFENCED, SHORT] {
                assert!(is_exact(contract, scenario, open) > 100, "{}", scenario.name);
            }
        }
    }
}
