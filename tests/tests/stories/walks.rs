//! Walks that break nothing: a search shows only shortest paths, and many a step is on none of them.

use idempotency::invariant::Invariant;
use idempotency_model::clock::Times;
use idempotency_model::scenario::Scenario;
use idempotency_model::search::Path;
use idempotency_model::setup::Setup;
use idempotency_model::story::Story;
use idempotency_model::world::{Scratch, World};

use super::{replay, told, variants};

/// How many walks each variant takes in each scenario, and how far they go.
const WALKS: u64 = 6;
const LENGTH: usize = 14;

/// A generator of numbers without any pretence (Knuth's MMIX), so that a walk is the same everywhere.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// A walk of at most [`LENGTH`] steps.
fn walk(setup: &Setup, numbers: &mut Numbers) -> Path {
    let (mut scratch, mut actions) = (Scratch::default(), Vec::new());
    let mut world = World::start(setup);
    let mut steps = Vec::new();
    while steps.len() < LENGTH {
        actions.clear();
        world.candidates(setup, &mut scratch, &mut actions);
        actions.retain(|action| world.after(setup, *action).is_some_and(|(_, noted)| !noted.overflow));
        if actions.is_empty() {
            break;
        }
        let action = actions[numbers.below(actions.len())];
        let Some((after, _)) = world.after(setup, action) else { unreachable!("it was looked at before") };
        steps.push((action, after));
        world = after;
    }
    Path { steps }
}

#[test]
fn every_step_has_its_sentence_and_every_time_its_number() {
    let variants = variants::ALL
        .iter()
        .map(|variant| (format!("{:?}, {}", variant.of, variant.edits), variant.contract()));
    let (mut told, mut without) = (0, 0);
    let mut wrong = Vec::new();
    for (seed, (name, contract)) in (1..).zip(variants.chain(variants::published())) {
        let mut numbers = Numbers(seed);
        for scenario in Scenario::all() {
            let setup = Setup::new(&contract, &scenario);
            for _ in 0..WALKS {
                let path = walk(&setup, &mut numbers);
                let Ok(times) = Times::of(&contract, &setup, &path) else {
                    without += 1;
                    continue;
                };
                told += 1;
                let story = Story::tell(&contract, &setup, &scenario, Invariant::V1, &path);
                let story = story.expect("a path that has times is told");
                let mut complaints = replay::complaints(&contract, &setup, &times);
                complaints.extend(told::unwhole(&story));
                complaints.extend(told::undrawn(&story));
                wrong.extend(
                    complaints
                        .into_iter()
                        .map(|one| format!("{name}, {}: {one}\n{}", scenario.name, story.plain(100))),
                );
            }
        }
    }
    assert!(told > 1000 && without > 20, "{told} walks are told, {without} have no times");
    assert!(wrong.is_empty(), "{} of {told}:\n{}", wrong.len(), wrong[..wrong.len().min(5)].join("\n"));
}
