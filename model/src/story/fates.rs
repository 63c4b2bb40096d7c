//! Where messages go, and what becomes of them.

use serde::Serialize;

use super::actor::Actor;
use super::words::Words;
use crate::client::{ClientStep, Phase};
use crate::message::{Delivery, Message};
use crate::server::Stand;
use crate::trace::{Moved, Sending};
use crate::world::{Action, World};

/// What becomes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// It arrives.
    Arrives,
    /// It never arrives: it is lost, or nobody waits for it any more.
    Lost,
    /// The story ends while it is under way.
    UnderWay,
}

impl Words<'_> {
    /// What becomes of a message.
    pub(super) fn fate(&self, sending: &Sending) -> Fate {
        let end = self.trace.end();
        let awaited = match sending.message {
            _ if sending.arrived.is_some() => return Fate::Arrives,
            Message::Request { delivery, .. } => waits(&end, delivery),
            Message::Answer { delivery, .. } => waits(&end, delivery) && !self.is_closed(sending),
            // A call may arrive long after whoever sent it is gone.
            Message::Call { .. } | Message::Lookup { .. } => true,
            Message::Reply { token, .. } => {
                let waits = |stand| matches!(stand, Stand::Called | Stand::Asking);
                end.site.works.iter().any(|work| work.token == token && waits(work.stand))
            }
        };
        if awaited { Fate::UnderWay } else { Fate::Lost }
    }

    /// Whether the client had stopped waiting when an answer to it was sent.
    pub(super) fn is_closed(&self, sending: &Sending) -> bool {
        let (Message::Answer { delivery, .. }, Some(at)) = (sending.message, sending.sent) else {
            return false;
        };
        !waits(&self.trace.steps[at].before, delivery) || self.is_late(delivery, self.times[at].at)
    }

    /// Whether the client has given up on an attempt by now. A path need not say so, where nothing depends on it.
    pub(super) fn is_late(&self, delivery: Delivery, now: u64) -> bool {
        let first = |one: &&Sending| matches!(one.message, Message::Request { delivery: found, .. } if found == delivery);
        let sent = self.trace.sendings.iter().find(first).map_or(0, |one| self.sent_at(one));
        delivery.is_attempt() && now > sent + self.contract.client.timeout.millis()
    }

    /// Who sends a message, and to whom.
    pub(super) fn ends(&self, sending: &Sending) -> (Actor, Actor) {
        match sending.message {
            Message::Request { delivery: Delivery::OTHER, .. } => (Actor::Other, self.receiver(sending)),
            Message::Request { .. } if self.is_copy(sending) => (Actor::Proxy, self.receiver(sending)),
            Message::Request { .. } => (Actor::Client, self.receiver(sending)),
            Message::Answer { .. } => (self.sender(sending), Actor::Client),
            Message::Call { token, .. } | Message::Lookup { token, .. } => {
                (self.worker(token), Actor::Supplier)
            }
            Message::Reply { token, .. } => (Actor::Supplier, self.worker(token)),
        }
    }

    /// Whether a proxy sent this copy of a request.
    pub(super) fn is_copy(&self, sending: &Sending) -> bool {
        let by = sending.sent.map(|at| self.trace.steps[at].action);
        matches!(by, Some(Action::Client(ClientStep::Repeat(_))))
    }

    fn receiver(&self, sending: &Sending) -> Actor {
        sending.arrived.map_or(Actor::ServerA, |at| handler(&self.trace.steps[at]))
    }

    fn sender(&self, sending: &Sending) -> Actor {
        sending.sent.map_or(Actor::ServerA, |at| match self.trace.steps[at].action {
            Action::Server(worker, _) => Actor::server(worker.into()),
            // A worker that the supplier's reply let finish.
            Action::Deliver(Message::Reply { token, .. }) => self.worker(token),
            _ => handler(&self.trace.steps[at]),
        })
    }

    /// When a message was sent.
    pub(super) fn sent_at(&self, sending: &Sending) -> u64 {
        sending.sent.map_or(0, |at| {
            let timed = self.times[at];
            match sending.message {
                Message::Request { .. } => timed.retry.unwrap_or(timed.at),
                _ => timed.at,
            }
        })
    }

    /// A message in a few words.
    pub(super) fn label(&self, sending: &Sending) -> String {
        match sending.message {
            Message::Request { delivery, .. } if self.is_copy(sending) => {
                format!("{} (copy)", self.delivery(delivery))
            }
            Message::Request { delivery: Delivery::STATUS, .. } => "status?".into(),
            Message::Request { delivery: Delivery::CANCEL, .. } => "cancel".into(),
            Message::Request { delivery, .. } => self.delivery(delivery),
            Message::Answer { delivery: Delivery::STATUS | Delivery::CANCEL, class } => self.class(class),
            Message::Answer { delivery, class } => {
                format!("answer {}: {}", self.number(delivery), self.class(class))
            }
            Message::Call { mark, slot, .. } if self.setup.takes_key => {
                format!("call, {}", self.supplier_key(mark, slot))
            }
            Message::Call { .. } => "call".into(),
            Message::Lookup { .. } => "is it known?".into(),
            Message::Reply { result: 0, .. } => "not found".into(),
            Message::Reply { result, .. } => self.result(result),
        }
    }
}

/// The worker that takes a request: the one that becomes busy with it, or the first that is idle.
pub(super) fn handler(step: &Moved) -> Actor {
    let [before, after] = [step.before, step.after].map(|world| world.site.works);
    let begins = |at: &usize| before[*at] != after[*at] && after[*at].is_busy();
    let idle = |at: &usize| !before[*at].is_busy();
    let at = (0..before.len()).find(begins).or_else(|| (0..before.len()).find(idle));
    Actor::server(at.unwrap_or(0))
}

fn waits(world: &World, delivery: Delivery) -> bool {
    world.client.phase != Phase::Ended && world.client.awaits == delivery
}
