//! The world: every actor and the net between them, as one value, with every fault a named action. Verdicts come from
//! here.

use idempotency::invariant::{Broken, Evidence};
use serde::Serialize;
use stateright::{Model, Property};

use crate::client::{Client, ClientStep, Told};
use crate::fault::Fault;
use crate::message::{Delivery, Flaw, Message, Net, Out};
use crate::server::ServerStep;
use crate::setup::Setup;
use crate::site::{Site, WORKERS};
use crate::store::StoreStep;
use crate::supplier::Supplier;

/// One step of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Action {
    /// A message arrives.
    Deliver(Message),
    /// A request arrives, and the store is read from a replica that is behind.
    DeliverStaleRead(Message),
    /// Half an answer arrives.
    DeliverHalf(Message),
    /// The client, its user or the proxy acts.
    Client(ClientStep),
    /// A worker acts.
    Server(u8, ServerStep),
    /// Something happens to a slot of the store.
    Store(u8, StoreStep),
    /// The supplier forgets our keys.
    SupplierForgets,
}

/// The state of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct World {
    /// The client's side.
    pub client: Client,
    /// The server's side.
    pub site: Site,
    /// The supplier.
    pub supplier: Supplier,
    /// The messages under way.
    pub net: Net,
    /// The flaws so far, as bits of [`Flaw`].
    pub flaws: u8,
}

/// What a step gave beside the next world.
#[derive(Clone, Copy, Debug, Default)]
pub struct Noted {
    /// Bits of [`crate::message::Event`].
    pub events: u32,
    /// A bound of the model itself was hit: the search cannot be whole.
    pub overflow: bool,
}

impl World {
    /// The world at the start: the first attempt is under way.
    pub fn start(setup: &Setup) -> Self {
        let mut out = Out::default();
        let client = Client::start(setup, &mut out);
        let (site, supplier) = (Site::start(setup), Supplier::start(setup));
        let mut world = Self { client, site, supplier, net: Net::default(), flaws: 0 };
        let _ = world.absorb(out);
        world
    }

    fn absorb(&mut self, out: Out) -> Noted {
        let mut noted = Noted { events: out.events, overflow: out.overflow };
        self.flaws |= out.flaws;
        for message in out.sent() {
            noted.overflow |= !self.net.add(message);
        }
        noted
    }

    /// The world after `action`, or `None` if it cannot happen here.
    pub fn after(&self, setup: &Setup, action: Action) -> Option<(Self, Noted)> {
        let mut next = *self;
        let mut out = Out::default();
        let happened = match action {
            Action::Deliver(message) => {
                let there = next.net.take(message);
                there
                    && match message {
                        Message::Request { delivery, slot } => {
                            next.site.receive(setup, delivery, slot, false, &mut out)
                        }
                        Message::Answer { delivery, class } => {
                            next.client.receive(setup, delivery, class, &mut out)
                        }
                        Message::Reply { token, result } => {
                            next.site.receive_reply(setup, token, result, &mut out)
                        }
                        Message::Call { .. } | Message::Lookup { .. } => {
                            next.supplier.receive(setup, message, &mut out)
                        }
                    }
            }
            Action::DeliverStaleRead(message) => match message {
                Message::Request { delivery, slot } => {
                    next.net.take(message) && next.site.receive(setup, delivery, slot, true, &mut out)
                }
                _ => false,
            },
            Action::DeliverHalf(message) => {
                let there = next.net.take(message);
                next.client.receive_half(setup, &mut out);
                there
            }
            Action::Client(step) => {
                next.client.step(setup, step, &mut out);
                true
            }
            Action::Server(at, step) => {
                next.site.server_step(setup, usize::from(at), step, &mut out);
                true
            }
            Action::Store(at, step) => {
                next.site.store_step(setup, at, step, &mut out);
                true
            }
            Action::SupplierForgets => {
                next.supplier.forget();
                true
            }
        };
        if !happened {
            return None;
        }
        if self.client.told == Told::Replaced && next.effects() > self.effects() {
            out.flaw(Flaw::EffectAfterReplacement);
        }
        let noted = next.absorb(out);
        Some((next, noted))
    }

    /// Every action that may happen here. Some of them may turn out not to.
    pub fn candidates(&self, setup: &Setup, scratch: &mut Scratch, actions: &mut Vec<Action>) {
        let Scratch { client, server, store } = scratch;
        for message in self.net.iter() {
            actions.push(Action::Deliver(message));
            match message {
                Message::Request { delivery, .. }
                    if delivery.is_attempt() && self.site.left.has(Fault::StaleRead) =>
                {
                    actions.push(Action::DeliverStaleRead(message));
                }
                Message::Answer { delivery, .. }
                    if delivery.is_attempt()
                        && self.client.left.has(Fault::HalfAnswer)
                        && self.client.waits_for(delivery) =>
                {
                    actions.push(Action::DeliverHalf(message));
                }
                _ => {}
            }
        }
        client.clear();
        self.client.steps(setup, client);
        actions.extend(client.drain(..).map(Action::Client));
        for at in 0..WORKERS {
            server.clear();
            self.site.server_steps(setup, at, server);
            actions.extend(server.drain(..).map(|step| Action::Server(at as u8, step)));
        }
        for at in 0..2 {
            store.clear();
            self.site.store_steps(setup, at, store);
            actions.extend(store.drain(..).map(|step| Action::Store(at, step)));
        }
        if self.supplier.may_forget() {
            actions.push(Action::SupplierForgets);
        }
    }

    /// How often the intent took effect: as local rows, or at the supplier, whichever is more.
    pub fn effects(&self) -> u8 {
        self.site.effects.max(self.supplier.effects)
    }

    /// What is known of the intent here. `last` says that nothing more can happen.
    pub fn evidence(&self, last: bool) -> Evidence {
        let flaw = |flaw: Flaw| self.flaws >> flaw as u8 & 1 != 0;
        Evidence {
            effects: self.effects(),
            results_named: self.site.named.count_ones() as u8,
            other_payload_admitted: flaw(Flaw::OtherPayloadAdmitted),
            terminal_twice: flaw(Flaw::TerminalTwice),
            other_owner_shown: flaw(Flaw::OtherOwnerShown),
            completed_by_another: flaw(Flaw::CompletedByAnother),
            unresolved_deleted: flaw(Flaw::UnresolvedDeleted),
            reported_no_effect: matches!(self.client.told, Told::Rejected | Told::Failed | Told::Cancelled),
            sent_after_deadline: flaw(Flaw::SentAfterDeadline),
            stuck: last && self.site.slots.iter().any(|slot| slot.is_in_progress() || slot.holds_error()),
            effect_after_replacement: flaw(Flaw::EffectAfterReplacement),
        }
    }

    /// The invariants that are broken here.
    pub fn broken(&self, last: bool) -> Broken {
        self.evidence(last).broken()
    }

    /// Whether a request that may run the operation is under way.
    pub fn has_request(&self, wanted: Delivery) -> bool {
        self.net
            .iter()
            .any(|message| matches!(message, Message::Request { delivery, .. } if delivery == wanted))
    }
}

/// Room for the steps of single actors, so that none is allocated for every world.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    client: Vec<ClientStep>,
    server: Vec<ServerStep>,
    store: Vec<StoreStep>,
}

/// The world as a model of stateright.
#[derive(Clone, Debug)]
pub struct Worlds {
    /// The contract under its scenario.
    pub setup: Setup,
}

impl Model for Worlds {
    type State = World;
    type Action = Action;

    fn init_states(&self) -> Vec<World> {
        vec![World::start(&self.setup)]
    }

    fn actions(&self, world: &World, actions: &mut Vec<Action>) {
        world.candidates(&self.setup, &mut Scratch::default(), actions);
    }

    fn next_state(&self, world: &World, action: Action) -> Option<World> {
        world.after(&self.setup, action).map(|(next, _)| next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        use idempotency::invariant::Invariant::*;
        // One property a run: with more, a later violation overwrites the first (stateright 0.31.0).
        vec![Property::always("V1", |_, world: &World| !world.broken(false).has(V1))]
    }
}
