//! Times for a path that keep every number of the contract.
//!
//! The world has no clock, and a path is only an order of steps. Here each step becomes a moment, each number of the
//! contract a bound on the difference of two moments, and the earliest solution is the time of the story. A path that
//! has none could not happen under this contract.
//!
//! The order of the path is kept if it can be. If not, only what one side of the network saw is kept in order, and what
//! was sent before it arrived: steps of different sides change places freely, since they share nothing but messages.
//!
//! The model makes fewer attempts than most contracts allow. Attempts of the contract that bring nothing may therefore
//! lie between two of the model, and the model's deadline may stand for the end of the contract's attempts.

mod choice;
mod client;
mod length;
mod network;
mod plan;
mod site;
mod supplier;

use std::fmt;

use idempotency::contract::Contract;

use self::choice::Choice;
use self::plan::Plan;
use crate::search::Path;
use crate::setup::Setup;
use crate::trace::Trace;

pub use length::{length, moment};

/// Times for the steps of a path, in milliseconds after the first attempt was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Times {
    path: Path,
    steps: Vec<Timed>,
}

/// When a step happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timed {
    /// When it happens.
    pub at: u64,
    /// When the next attempt leaves, if the step made the client retry: a pause lies between.
    pub retry: Option<u64>,
    /// How many attempts of the contract lie in that pause, or before the client's end. The path says nothing
    /// of them: they bring nothing.
    pub skipped: u64,
}

impl Times {
    /// The earliest times for `path` under `contract`, whose setup is `setup`.
    ///
    /// # Errors
    ///
    /// [`Infeasible`] if no times keep every number of the contract.
    pub fn of(contract: &Contract, setup: &Setup, path: &Path) -> Result<Self, Infeasible> {
        let actions = || path.steps.iter().map(|(action, _)| *action);
        let Some(trace) = Trace::new(setup, actions()) else {
            return Err(Infeasible { because: vec!["the path is not one of this setup"] });
        };
        let mut last = vec!["the order of the steps"];
        for coarse in Choice::coarse(contract, setup, &trace) {
            // The later choices leave more room: what forbids those forbids it.
            if let Err(because) = Plan::new(contract, setup, &trace, coarse).solve() {
                last = because;
                continue;
            }
            for choice in coarse.finer(contract, setup, &trace) {
                match Plan::new(contract, setup, &trace, choice).solve() {
                    Ok(steps) => {
                        if let Some(times) = Self::in_order(setup, path, &trace, steps) {
                            return Ok(times);
                        }
                    }
                    Err(because) => last = because,
                }
            }
        }
        Err(Infeasible { because: last })
    }

    /// The steps sorted by their times; `None` if that order leads elsewhere, which a wrong independence would do.
    fn in_order(setup: &Setup, path: &Path, trace: &Trace, steps: Vec<Timed>) -> Option<Self> {
        if steps.is_sorted_by_key(|step| step.at) {
            return Some(Self { path: path.clone(), steps });
        }
        let mut order: Vec<usize> = (0..steps.len()).collect();
        order.sort_by_key(|index| steps[*index].at);
        let again = Trace::new(setup, order.iter().map(|index| trace.steps[*index].action))?;
        (again.end() == trace.end()).then(|| Self {
            path: Path { steps: again.steps.iter().map(|step| (step.action, step.after)).collect() },
            steps: order.iter().map(|index| steps[*index]).collect(),
        })
    }

    /// The path in the order of its times: the one that was given, or one that differs only in the order of steps that
    /// know nothing of one another.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// When each step of [`Times::path`] happens.
    pub fn steps(&self) -> &[Timed] {
        &self.steps
    }
}

/// No times keep every number of the contract: this path cannot happen under it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Infeasible {
    /// The bounds that contradict one another: fields of the contract, and other reasons in words.
    pub because: Vec<&'static str>,
}

impl fmt::Display for Infeasible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "these contradict one another: {}", self.because.join("; "))
    }
}

impl std::error::Error for Infeasible {}
