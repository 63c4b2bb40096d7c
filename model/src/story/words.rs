//! The words for requests, results, keys and answers.

use idempotency::contract::Contract;

use crate::apart::Apart;
use crate::clock::Timed;
use crate::message::{Class, Delivery, Message};
use crate::scenario::Other;
use crate::setup::Setup;
use crate::store::{Slot, Tag};
use crate::trace::Trace;

use super::actor::Actor;

/// What the sentences are made from.
pub(super) struct Words<'a> {
    pub(super) contract: &'a Contract,
    pub(super) setup: &'a Setup,
    pub(super) trace: &'a Trace,
    pub(super) times: &'a [Timed],
    /// What the operation makes: `demo-request`.
    noun: String,
    /// Which delivery is the first request, which the second, and so on.
    order: Vec<Delivery>,
}

impl<'a> Words<'a> {
    pub(super) fn new(
        contract: &'a Contract,
        setup: &'a Setup,
        trace: &'a Trace,
        times: &'a [Timed],
    ) -> Self {
        let mut order = Vec::new();
        for one in &trace.sendings {
            if let Message::Request { delivery, .. } = one.message
                && delivery.is_attempt()
                && !order.contains(&delivery)
            {
                order.push(delivery);
            }
        }
        Self { contract, setup, trace, times, noun: noun(&contract.operation.name), order }
    }

    /// Which request of the intent a delivery is, from one. Those that the path leaves out count: a client makes them.
    pub(super) fn number(&self, delivery: Delivery) -> u64 {
        let Some(at) = self.order.iter().position(|one| *one == delivery) else { return 0 };
        let left_out = |sent| self.times[..=sent].iter().map(|timed| timed.skipped).sum::<u64>();
        at as u64 + 1 + self.trace.sent_in(delivery).map_or(0, left_out)
    }

    /// The requests that the path leaves out in a step, since they bring nothing: `requests 2 to 4`.
    pub(super) fn left_out(&self, index: usize) -> Option<String> {
        let count = self.times[index].skipped;
        let made = u64::from(self.trace.steps[index].before.client.attempts);
        let made = made + self.times[..index].iter().map(|timed| timed.skipped).sum::<u64>();
        match count {
            0 => None,
            1 => Some(format!("request {}", made + 1)),
            more => Some(format!("requests {} to {}", made + 1, made + more)),
        }
    }

    /// A delivery: `request 2`, `the question`.
    pub(super) fn delivery(&self, delivery: Delivery) -> String {
        match delivery {
            Delivery::STATUS => "the question".into(),
            Delivery::CANCEL => "the cancel".into(),
            Delivery::OTHER if self.setup.other == Some(Other::Owner) => "another owner's request".into(),
            Delivery::OTHER => "a request with another payload".into(),
            _ => format!("request {}", self.number(delivery)),
        }
    }

    /// A result by its number: `demo-request 2`.
    pub(super) fn result(&self, number: u8) -> String {
        format!("{} {number}", self.noun)
    }

    /// What an answer says: `success, demo-request 1`.
    pub(super) fn class(&self, class: Class) -> String {
        let word = match class {
            Class::Success1 | Class::Success2 | Class::Success3 => {
                return format!("success, {}", self.result(class.result().unwrap_or(0)));
            }
            Class::Rejected => "rejected",
            Class::Failed => "failed",
            Class::InFlight => "in progress",
            Class::Conflict => "conflict",
            Class::Error => "error",
            Class::Unknown => "unknown",
            Class::NotFound => "not found",
            Class::Cancelled => "cancelled",
            Class::TooOld => "too old to tell",
            Class::Stale => "stale key",
        };
        word.into()
    }

    /// The key in a slot.
    pub(super) fn key(&self, slot: u8) -> &'static str {
        let apart = [self.setup.apart, self.setup.click_apart].into_iter().find(|one| *one != Apart::Nothing);
        match (apart.unwrap_or(Apart::Nothing), slot) {
            (Apart::Nothing, _) => "the key",
            (Apart::Key, 0) => "the first key",
            (Apart::Key, _) => "the second key",
            (Apart::Credential, 0) => "the key of the first credential",
            (Apart::Credential, _) => "the key of the second credential",
            (Apart::Region | Apart::Store, 0) => "the key in the first region",
            (Apart::Region | Apart::Store, _) => "the key in the second region",
            (Apart::Memory, 0) => "the key in the first memory",
            (Apart::Memory, _) => "the key in the second memory",
        }
    }

    /// The state of a slot: `reserved by server A`.
    pub(super) fn slot(&self, slot: Slot) -> String {
        let ended = if slot.lease_ended { " with its lease ended" } else { "" };
        match slot.tag {
            Tag::Absent => "no record".into(),
            Tag::Gone => "purged".into(),
            Tag::Reserved => format!("reserved by {}{ended}", self.name(self.worker(slot.owner))),
            Tag::Called => {
                let owner = self.name(self.worker(slot.owner));
                format!("marked as called and held by {owner}{ended}")
            }
            Tag::Completed => {
                let class = Class::of(slot.detail);
                match class.result() {
                    Some(result) => format!("completed with {}", self.result(result)),
                    None => format!("completed as {}", self.class(class)),
                }
            }
            Tag::Unknown => "unknown".into(),
            Tag::Cancelled => "cancelled".into(),
        }
    }

    /// The name of an actor.
    pub(super) fn name(&self, actor: Actor) -> &'static str {
        actor.name(self.setup.one_process)
    }

    /// The worker that works, or worked, under a token. A token is given out once.
    pub(super) fn worker(&self, token: u8) -> Actor {
        let mut works = self.trace.steps.iter().flat_map(|step| step.after.site.works.iter().enumerate());
        let worker = works.find(|(_, work)| work.is_busy() && work.token == token);
        Actor::server(worker.map_or(0, |(at, _)| at))
    }
}

/// `once`, `twice`, `three times`.
pub(super) fn times(count: u8) -> &'static str {
    match count {
        0 => "not at all",
        1 => "once",
        2 => "twice",
        _ => "three times or more",
    }
}

/// With its first letter large.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// What an operation makes, after the last part of its route: `POST /v1/demo-requests` makes a `demo-request`.
fn noun(operation: &str) -> String {
    let route = operation.split_whitespace().find(|word| word.contains('/'));
    let part =
        |part: &&str| part.chars().all(|letter| letter.is_ascii_alphabetic() || matches!(letter, '-' | '_'));
    let last = route.and_then(|route| route.split('/').rev().find(|one| !one.is_empty() && part(one)));
    match last {
        Some(last) => last.strip_suffix('s').filter(|rest| !rest.ends_with('s')).unwrap_or(last).into(),
        None => "result".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::noun;

    #[test]
    fn the_noun_is_the_resource_of_the_route() {
        let nouns =
            ["POST /v1/demo-requests", "POST /v1/orders/{id}/refunds", "POST /v1/access", "charge"].map(noun);
        assert_eq!(nouns, ["demo-request", "refund", "access", "result"]);
    }
}
