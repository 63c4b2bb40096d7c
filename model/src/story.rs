//! A path told in sentences: what happened, when, between whom, and what it broke.
//!
//! [`Story::tell`] makes one; it can be read as a list ([`Story::plain`]), as a sequence chart for a terminal
//! ([`Story::chart`]) or for a page ([`Story::mermaid`]), and as data: JSON through serde, and a trace of states in the
//! format of Apalache ([`Story::itf`]).

mod actor;
mod changes;
mod chart;
mod client;
mod ending;
mod fates;
mod itf;
mod late;
mod mermaid;
mod plain;
mod request;
mod server;
mod store;
mod supplier;
mod teller;
mod words;

use idempotency::contract::Contract;
use idempotency::invariant::Invariant;
use serde::Serialize;

pub use self::actor::{Actor, Participant};
pub use self::fates::Fate;

use crate::clock::{Infeasible, Times, moment};
use crate::scenario::Scenario;
use crate::search::Path;
use crate::setup::Setup;
use crate::world::World;

/// A story of how an invariant is broken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Story {
    /// The id of the invariant that is broken at the end.
    pub invariant: &'static str,
    /// What it says, in a few words.
    pub title: &'static str,
    /// The scenario in which it was found.
    pub scenario: &'static str,
    /// The operation, as the contract names it.
    pub operation: String,
    /// What the operation does, as the contract says it; empty if it does not.
    pub does: String,
    /// How many steps there are.
    pub length: usize,
    /// The faults in it, by their names in kebab case: those of [`crate::fault::Fault`], and `timeout`, `deadline`,
    /// `lost-answer`, `lost-request`, `late-delivery`, `late-call`, `other-payload`, `other-owner`, which need no
    /// budget.
    pub faults: Vec<&'static str>,
    /// Who takes part, in the order of a chart.
    pub participants: Vec<Participant>,
    /// What there is before the first step, in a sentence.
    pub beginning: String,
    /// The messages that were sent before the first step and never arrived.
    pub sent_first: Vec<Arrow>,
    /// The steps.
    pub steps: Vec<Step>,
    /// What is broken, in a sentence with its counts.
    pub ending: String,
    /// The worlds before the first step and after each.
    #[serde(skip)]
    worlds: Vec<World>,
}

/// One step of a story.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Its place, from one.
    pub index: usize,
    /// When it happens, in milliseconds after the first attempt was sent.
    pub at_ms: u64,
    /// The same, to be read: `2.0 s`.
    pub at: String,
    /// The stable name of what happens, in kebab case. For a worker it is the name of the point at which a real one
    /// can be killed.
    pub name: &'static str,
    /// Who acts.
    pub actor: Actor,
    /// On whom, if it is a message that arrives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<Actor>,
    /// What happens, in a sentence or two.
    pub text: String,
    /// The same in a few words, for a chart.
    pub label: String,
    /// What it changed, in words; empty if it changed nothing.
    pub changes: Vec<String>,
    /// How often the intent has taken effect by now.
    pub effects: u8,
    /// The message that arrives in this step, and those that leave in it and never arrive.
    pub messages: Vec<Arrow>,
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Arrow {
    /// Who sent it.
    pub from: Actor,
    /// To whom.
    pub to: Actor,
    /// What it says, in a few words.
    pub label: String,
    /// What became of it.
    pub fate: Fate,
    /// When it was sent, in milliseconds after the first attempt was.
    pub sent_ms: u64,
}

impl Arrow {
    /// Its label, and when it was sent, if it arrives at `now` and that is later.
    fn words(&self, now: u64) -> String {
        match self.fate {
            Fate::Arrives if self.sent_ms < now => {
                format!("{} (sent at {})", self.label, moment(self.sent_ms))
            }
            Fate::UnderWay => format!("{} (under way)", self.label),
            Fate::Arrives | Fate::Lost => self.label.clone(),
        }
    }
}

impl Story {
    /// Tells `path`, which breaks `invariant` in `scenario` under `contract`; `setup` is that of the two.
    ///
    /// # Errors
    ///
    /// [`Infeasible`] if no times keep every number of the contract: then the path cannot happen under it.
    pub fn tell(
        contract: &Contract,
        setup: &Setup,
        scenario: &Scenario,
        invariant: Invariant,
        path: &Path,
    ) -> Result<Self, Infeasible> {
        let times = Times::of(contract, setup, path)?;
        Ok(teller::tell(contract, setup, scenario, invariant, &times))
    }
}
