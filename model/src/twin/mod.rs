//! The world once more, as three actors of stateright's own `ActorModel`: for its Explorer, and for readers who know it.
//!
//! ```text
//!          Request             Call, Lookup
//!   edge ───────────►  site  ───────────────►  supplier
//!        ◄───────────        ◄───────────────
//!           Answer                Reply
//! ```
//!
//! The actors call the same step functions as [`crate::world`]; a step that an actor takes by itself is a timer of it.
//! The net keeps no order and repeats nothing; a message that is lost is one that is never delivered. Twin states and
//! world states are in bijection ([`world`] is the map), and a test holds the two to the same count.
//!
//! Verdicts come from the world: it is faster, its search compares states in full, and it says when it was cut short.
//! The twin does not: its net has no bound, so that the two differ where a search of the world is cut short by one.

mod actor;
mod explore;
mod words;

use std::fmt;
use std::sync::Arc;

use idempotency::invariant::Invariant;
use stateright::actor::{ActorModel, ActorModelState, LossyNetwork, Network};
use stateright::{Expectation, Model};

pub use actor::{Alarm, Part, PartState, Place, Side, Step};
pub use explore::Explorer;
pub use words::Post;

use crate::fault::{Budget, Fault};
use crate::message::Net;
use crate::scenario::Scenario;
use crate::setup::Setup;
use crate::world::World;

/// What an actor model cannot say, and why.
const UNSAYABLE: [(Fault, &str); 3] = [
    (Fault::HalfAnswer, "the delivery of an answer has one reading there"),
    (Fault::StaleRead, "the delivery of a request has one reading there"),
    // V11 compares what happens at the site with what the client said at that moment.
    (Fault::Edit, "an actor cannot see that another one was replaced"),
];

/// A setup that has no twin: it has budget for what an actor model cannot say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The faults that it has budget for.
    pub faults: Vec<Fault>,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no twin in an actor model:")?;
        for (fault, why) in UNSAYABLE.iter().filter(|(fault, _)| self.faults.contains(fault)) {
            write!(f, " {} ({why});", fault.name())?;
        }
        let names: Vec<_> = sayable_scenarios().map(|scenario| scenario.name).collect();
        write!(f, " scenarios with one: {}", names.join(", "))
    }
}

impl std::error::Error for Unsupported {}

fn sayable_scenarios() -> impl Iterator<Item = Scenario> {
    let sayable = |scenario: &Scenario| UNSAYABLE.iter().all(|(fault, _)| scenario.budget.of(*fault) == 0);
    Scenario::all().into_iter().filter(sayable)
}

impl Setup {
    /// This setup without the budgets that its twin has no words for, and which those were.
    pub fn without_what_the_twin_cannot_say(mut self) -> (Self, Vec<Fault>) {
        let unsayable = |fault: Fault| UNSAYABLE.iter().any(|(found, _)| *found == fault);
        let (dropped, kept): (Vec<_>, Vec<_>) =
            self.budget.iter().filter(|(_, times)| *times > 0).partition(|(fault, _)| unsayable(*fault));
        self.budget = Budget::new(&kept);
        (self, dropped.into_iter().map(|(fault, _)| fault).collect())
    }
}

/// A setup that can be said in actors.
#[derive(Clone, Debug)]
pub struct Twin {
    setup: Arc<Setup>,
}

impl Twin {
    /// The twin of the world of `setup`.
    ///
    /// # Errors
    ///
    /// The setup has budget for a fault that an actor model cannot say.
    pub fn new(setup: &Setup) -> Result<Self, Unsupported> {
        let (_, faults) = setup.clone().without_what_the_twin_cannot_say();
        if !faults.is_empty() {
            return Err(Unsupported { faults });
        }
        Ok(Self { setup: Arc::new(setup.clone()) })
    }

    /// The model, with one property: `invariant` holds always.
    ///
    /// One property a run: with more, a later violation overwrites the first, shortest one (stateright 0.31.0).
    pub fn model(&self, invariant: Invariant) -> ActorModel<Part, Invariant> {
        ActorModel::new(invariant, ())
            .actors(Part::all(&self.setup))
            .init_network(Network::new_unordered_nonduplicating([]))
            .lossy_network(LossyNetwork::No)
            .property(Expectation::Always, invariant.id(), holds)
    }
}

/// Whether the invariant of `model` holds in `state`.
fn holds(model: &ActorModel<Part, Invariant>, state: &ActorModelState<Part>) -> bool {
    let world = without_net(state);
    // Only an invariant that is open until the end asks whether this is the end: that costs a look at every next step.
    let open = world.broken(true).has(model.cfg) && !world.broken(false).has(model.cfg);
    let last = open && model.next_states(state).is_empty();
    !world.broken(last).has(model.cfg)
}

/// The world that a state of the twin is; `None` if more messages are under way than the world has room for.
pub fn world(state: &ActorModelState<Part>) -> Option<World> {
    let mut world = without_net(state);
    let fits = state.network.iter_all().all(|envelope| world.net.add(envelope.msg.0));
    fits.then_some(world)
}

/// The three actors of `state` side by side, with no message under way.
fn without_net(state: &ActorModelState<Part>) -> World {
    let [edge, site, supplier] = [0, 1, 2].map(|at| *state.actor_states[at]);
    let (Side::Edge(client), Side::Site(own), Side::Supplier(other)) = (edge.side, site.side, supplier.side)
    else {
        unreachable!("every actor keeps its place")
    };
    let flaws = edge.flaws | site.flaws | supplier.flaws;
    World { client, site: own, supplier: other, net: Net::default(), flaws }
}
