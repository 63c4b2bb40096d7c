//! Searching the scenarios, and the verdict on each row.

use idempotency::contract::Contract;
use idempotency::invariant::Invariant;
use serde::Serialize;

use super::{Options, Progress};
use crate::clock::Times;
use crate::message::Event;
use crate::scenario::Scenario;
use crate::search::{CutShort, Found, Goal, search_accepting};
use crate::setup::Setup;
use crate::story::Story;

/// What is known of an invariant. The order is that of weight: one violated row makes the whole violated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The whole space at these bounds was searched, and it was never broken.
    Holds,
    /// The search was cut short before it was broken.
    Unknown,
    /// It was broken, and the story has times that keep the contract's numbers.
    Violated,
}

impl Verdict {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Unknown => "unknown",
            Self::Violated => "violated",
        }
    }
}

/// One row: an invariant in a scenario.
#[derive(Clone, Debug, Serialize)]
pub struct Judged {
    /// The invariant.
    pub invariant: Invariant,
    /// The scenario's name.
    pub scenario: &'static str,
    /// The verdict.
    pub verdict: Verdict,
    /// How many different states were searched.
    pub states: usize,
    /// Whether the good thing that the invariant is about was seen to happen here; if not, a row that holds does so
    /// emptily. It says nothing of the verdict, so in JSON it is not called like what an outcome shows.
    #[serde(rename = "good_case")]
    pub shown: bool,
    /// Why it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The shortest story, where it is violated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub story: Option<Story>,
}

/// One scenario, searched.
pub(super) struct Run {
    pub(super) scenario: Scenario,
    pub(super) setup: Setup,
    pub(super) found: Found,
}

/// Searches every scenario of `options`.
pub(super) fn run(
    contract: &Contract,
    options: &Options,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Vec<Run> {
    let goal = Goal { invariants: options.judged(), ..Goal::all() };
    let count = options.scenarios.len();
    let search_one = |(at, scenario): (usize, &Scenario)| {
        progress(Progress::Scenario(scenario.name, at + 1, count));
        let setup = Setup::new(contract, scenario);
        let found = search_timed(contract, &setup, goal, options);
        Run { scenario: scenario.clone(), setup, found }
    };
    options.scenarios.iter().enumerate().map(search_one).collect()
}

/// Searches a setup of `contract`. A path counts only if there are times for it that keep the contract's numbers.
pub(super) fn search_timed(contract: &Contract, setup: &Setup, goal: Goal, options: &Options) -> Found {
    search_accepting(setup, goal, options.bounds, &mut |_, path| Times::of(contract, setup, path).is_ok())
}

/// One row for each scenario and each invariant.
pub(super) fn rows(contract: &Contract, options: &Options, runs: &[Run]) -> Vec<Judged> {
    let row = |run: &Run, invariant: Invariant| {
        let mut row = Judged {
            invariant,
            scenario: run.scenario.name,
            verdict: Verdict::Holds,
            states: run.found.states,
            shown: shows(invariant, run.found.events),
            reason: None,
            story: None,
        };
        let refused = run.found.refused.iter().find(|(found, _)| *found == invariant);
        let told = |path| Story::tell(contract, &run.setup, &run.scenario, invariant, path);
        match (run.found.path(invariant).or(refused.map(|(_, path)| path)).map(told), run.found.cut_short) {
            (Some(Ok(story)), _) => {
                row.verdict = Verdict::Violated;
                row.story = Some(story);
            }
            (Some(Err(infeasible)), _) => {
                row.verdict = Verdict::Unknown;
                row.reason = Some(format!(
                    "stories were found, but none has times that the contract allows: {infeasible}"
                ));
            }
            (None, Some(cut_short)) => {
                row.verdict = Verdict::Unknown;
                row.reason = Some(reason(cut_short, run.found.states));
            }
            (None, None) => {}
        }
        row
    };
    runs.iter().flat_map(|run| options.invariants.iter().map(move |invariant| row(run, *invariant))).collect()
}

fn reason(cut_short: CutShort, states: usize) -> String {
    match cut_short {
        CutShort::States => format!("the bound on states was hit: {states} were seen"),
        CutShort::Time => format!("the bound on time was hit: {states} states were seen"),
        CutShort::Model => {
            "a bound of the model was hit: it can give out no more tokens, or hold no more messages".into()
        }
    }
}

/// The converse of each invariant: the good thing without which it would hold for want of anything happening.
pub(crate) fn converse(invariant: Invariant) -> (&'static [Event], &'static str) {
    match invariant {
        Invariant::V1 => {
            (&[Event::Effect, Event::Success], "the effect happens and the client is told of it")
        }
        Invariant::V2 => (&[Event::Replay], "a stored answer is replayed"),
        Invariant::V3 => (&[Event::Conflict], "another payload under the same key gets a conflict"),
        Invariant::V4 => (&[Event::Completed], "a terminal record is written"),
        Invariant::V5 => (&[Event::KeptApart], "another owner's request with the same key is kept apart"),
        Invariant::V6 => (&[Event::Completed], "the holder completes its reservation"),
        Invariant::V7 => (&[Event::TakenOver], "a reservation whose owner is gone is taken over"),
        Invariant::V8 => (&[Event::Rejection], "a rejection is reported to the user"),
        Invariant::V9 => (&[Event::Deadline], "a deadline passes"),
        Invariant::V10 => (&[Event::Completed], "an intent is completed"),
        Invariant::V11 => (&[Event::Replaced], "a replacement is sent"),
    }
}

pub(super) fn has(events: u32, event: Event) -> bool {
    events >> event as u32 & 1 != 0
}

fn shows(invariant: Invariant, events: u32) -> bool {
    converse(invariant).0.iter().all(|event| has(events, *event))
}
