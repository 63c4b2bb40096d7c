//! The three actors of the twin: each calls the step functions of the world, and nothing else.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Serialize;
use stateright::actor::{self, Actor, Id, model_timeout};

use super::words::Post;
use crate::client::{Client, ClientStep};
use crate::message::{Message, Out};
use crate::server::ServerStep;
use crate::setup::Setup;
use crate::site::{Site, WORKERS};
use crate::store::StoreStep;
use crate::supplier::Supplier;

/// Where an actor stands. A hop inside one of these takes no time in the world, so each of them is one actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Place {
    /// The client with its user and its proxy.
    Edge,
    /// The workers with their store.
    Site,
    /// The supplier.
    Supplier,
}

impl Place {
    /// Every place, in the order of the actors' ids.
    pub const ALL: [Self; 3] = [Self::Edge, Self::Site, Self::Supplier];

    /// The id of its actor.
    pub fn id(self) -> Id {
        Id::from(self as usize)
    }

    /// Where a message goes.
    pub fn to(message: Message) -> Self {
        match message {
            Message::Request { .. } | Message::Reply { .. } => Self::Site,
            Message::Answer { .. } => Self::Edge,
            Message::Call { .. } | Message::Lookup { .. } => Self::Supplier,
        }
    }
}

/// A step that an actor takes by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Step {
    /// The client, its user or the proxy acts.
    Client(ClientStep),
    /// A worker acts.
    Server(u8, ServerStep),
    /// Something happens to a slot of the store.
    Store(u8, StoreStep),
    /// The supplier forgets our keys.
    SupplierForgets,
}

/// The timer of a step. It names its actor: stateright 0.31.0 cannot tell two states apart in which equal timers are set
/// on different actors.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Alarm {
    /// The actor on which it is set.
    pub at: Place,
    /// What it does.
    pub step: Step,
}

/// What an actor is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub enum Side {
    /// The state of the edge.
    Edge(Client),
    /// The state of the site.
    Site(Site),
    /// The state of the supplier.
    Supplier(Supplier),
}

impl Side {
    fn steps(&self, setup: &Setup) -> Vec<Step> {
        let mut steps = Vec::new();
        match self {
            Self::Edge(client) => {
                let mut own = Vec::new();
                client.steps(setup, &mut own);
                steps.extend(own.into_iter().map(Step::Client));
            }
            Self::Site(site) => {
                for at in 0..WORKERS {
                    let mut own = Vec::new();
                    site.server_steps(setup, at, &mut own);
                    steps.extend(own.into_iter().map(|step| Step::Server(at as u8, step)));
                }
                for at in 0..site.slots.len() as u8 {
                    let mut own = Vec::new();
                    site.store_steps(setup, at, &mut own);
                    steps.extend(own.into_iter().map(|step| Step::Store(at, step)));
                }
            }
            Self::Supplier(supplier) if supplier.may_forget() => steps.push(Step::SupplierForgets),
            Self::Supplier(_) => {}
        }
        steps
    }

    /// Takes a step; `false` if it is none of this actor's.
    fn step(&mut self, setup: &Setup, step: Step, out: &mut Out) -> bool {
        match (self, step) {
            (Self::Edge(client), Step::Client(step)) => client.step(setup, step, out),
            (Self::Site(site), Step::Server(at, step)) => site.server_step(setup, at.into(), step, out),
            (Self::Site(site), Step::Store(at, step)) => site.store_step(setup, at, step, out),
            (Self::Supplier(supplier), Step::SupplierForgets) => supplier.forget(),
            _ => return false,
        }
        true
    }

    /// Receives a message; `false` if it cannot arrive here now.
    fn receive(&mut self, setup: &Setup, message: Message, out: &mut Out) -> bool {
        match (self, message) {
            (Self::Edge(client), Message::Answer { delivery, class }) => {
                client.receive(setup, delivery, class, out)
            }
            (Self::Site(site), Message::Request { delivery, slot }) => {
                site.receive(setup, delivery, slot, false, out)
            }
            (Self::Site(site), Message::Reply { token, result }) => {
                site.receive_reply(setup, token, result, out)
            }
            (Self::Supplier(supplier), message) => supplier.receive(setup, message, out),
            _ => false,
        }
    }
}

/// The state of an actor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct PartState {
    /// What it is.
    pub side: Side,
    /// The flaws that its own steps noted, as bits of [`crate::message::Flaw`]. No flaw is noted by two actors, so
    /// that these sets say as much as the world's one.
    pub flaws: u8,
}

/// One of the three actors.
#[derive(Clone, Debug)]
pub struct Part {
    place: Place,
    setup: Arc<Setup>,
}

impl Part {
    /// The actors of `setup`, in the order of their ids.
    pub(super) fn all(setup: &Arc<Setup>) -> [Self; 3] {
        Place::ALL.map(|place| Self { place, setup: Arc::clone(setup) })
    }

    fn alarms(&self, state: &PartState) -> Vec<Alarm> {
        state.side.steps(&self.setup).into_iter().map(|step| Alarm { at: self.place, step }).collect()
    }

    /// Makes `next` the state of this actor, sends what it sent, and leaves exactly the timers set whose steps can be
    /// taken now. `fired` is gone already.
    fn become_next(
        &self,
        state: &mut Cow<'_, PartState>,
        mut next: PartState,
        given: Out,
        fired: Option<Alarm>,
        out: &mut actor::Out<Self>,
    ) {
        next.flaws |= given.flaws;
        send(given, out);
        let (mut before, after) = (self.alarms(state), self.alarms(&next));
        before.retain(|alarm| Some(*alarm) != fired);
        for alarm in before.iter().filter(|alarm| !after.contains(alarm)) {
            out.cancel_timer(*alarm);
        }
        for alarm in after.iter().filter(|alarm| !before.contains(alarm)) {
            out.set_timer(*alarm, model_timeout());
        }
        // Owned even if it is equal: a message that changes nothing has arrived all the same, and stateright would
        // leave it under way.
        *state.to_mut() = next;
    }
}

fn send(given: Out, out: &mut actor::Out<Part>) {
    for message in given.sent() {
        out.send(Place::to(message).id(), Post(message));
    }
}

impl Actor for Part {
    type Msg = Post;
    type Timer = Alarm;
    type State = PartState;
    type Storage = ();
    type Random = ();

    fn on_start(&self, id: Id, _storage: &Option<()>, out: &mut actor::Out<Self>) -> PartState {
        debug_assert_eq!(id, self.place.id());
        let mut given = Out::default();
        let side = match self.place {
            Place::Edge => Side::Edge(Client::start(&self.setup, &mut given)),
            Place::Site => Side::Site(Site::start(&self.setup)),
            Place::Supplier => Side::Supplier(Supplier::start(&self.setup)),
        };
        let state = PartState { side, flaws: given.flaws };
        send(given, out);
        for alarm in self.alarms(&state) {
            out.set_timer(alarm, model_timeout());
        }
        state
    }

    fn on_msg(
        &self,
        _id: Id,
        state: &mut Cow<'_, PartState>,
        _src: Id,
        Post(message): Post,
        out: &mut actor::Out<Self>,
    ) {
        let (mut next, mut given) = (**state, Out::default());
        if next.side.receive(&self.setup, message, &mut given) {
            self.become_next(state, next, given, None, out);
        }
    }

    fn on_timeout(&self, _id: Id, state: &mut Cow<'_, PartState>, alarm: &Alarm, out: &mut actor::Out<Self>) {
        let (mut next, mut given) = (**state, Out::default());
        if next.side.step(&self.setup, alarm.step, &mut given) {
            self.become_next(state, next, given, Some(*alarm), out);
        }
    }

    fn name(&self) -> String {
        self.place.to_string()
    }
}
