//! Stories: every path that breaks an invariant is told in sentences, with times that keep the contract's numbers.

mod clock;
#[path = "../common/mod.rs"]
mod common;
mod golden;
mod late;
mod replay;
mod told;
mod variants;
mod walks;

use std::sync::LazyLock;

use idempotency::contract::Contract;
use idempotency::invariant::Invariant;
use idempotency_model::clock::Infeasible;
use idempotency_model::scenario::Scenario;
use idempotency_model::search::{Bounds, Goal, Path, search};
use idempotency_model::setup::Setup;
use idempotency_model::story::Story;

use self::variants::{ALL, Variant};

/// The largest scenario is cut here: what it breaks, it breaks early.
const BOUNDS: Bounds = Bounds { states: 300_000, time: None };

/// One broken invariant of one variant in one scenario.
struct Case {
    variant: &'static Variant,
    contract: Contract,
    scenario: Scenario,
    setup: Setup,
    invariant: Invariant,
    path: Path,
    story: Result<Story, Infeasible>,
}

impl Case {
    /// What it is called in a failure.
    fn name(&self) -> String {
        let Self { variant, scenario, invariant, .. } = self;
        format!("{:?} with {}: {} {invariant}", variant.of, variant.edits.replace('\n', ", "), scenario.name)
    }

    fn is_known(&self) -> bool {
        self.variant.known == (self.scenario.name, self.invariant)
    }
}

/// Everything that the variants break.
static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let (first, second) = ALL.split_at(ALL.len() / 2);
    std::thread::scope(|scope| {
        let other = scope.spawn(|| second.iter().flat_map(cases).collect::<Vec<_>>());
        let mut all: Vec<_> = first.iter().flat_map(cases).collect();
        all.extend(other.join().expect("the other half is searched"));
        all
    })
});

fn cases(variant: &'static Variant) -> Vec<Case> {
    let contract = variant.contract();
    let in_scenario = |scenario: Scenario| {
        let setup = Setup::new(&contract, &scenario);
        let found = search(&setup, Goal::all(), BOUNDS);
        let case = |(invariant, path): (Invariant, Path)| {
            let story = Story::tell(&contract, &setup, &scenario, invariant, &path);
            let (contract, scenario, setup) = (contract.clone(), scenario.clone(), setup.clone());
            Case { variant, contract, scenario, setup, invariant, path, story }
        };
        found.broken.into_iter().map(case).collect::<Vec<_>>()
    };
    Scenario::all().into_iter().flat_map(in_scenario).collect()
}

/// The stories that could be told.
fn stories() -> impl Iterator<Item = (&'static Case, &'static Story)> {
    CASES.iter().filter_map(|case| Some((case, case.story.as_ref().ok()?)))
}
