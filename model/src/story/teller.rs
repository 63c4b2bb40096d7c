//! From a path with its times to the story.

use idempotency::contract::Contract;
use idempotency::invariant::Invariant;

use super::actor::{Actor, Participant};
use super::fates::{Fate, handler};
use super::words::Words;
use super::{Arrow, Step, Story};
use crate::client::{ClientStep, Phase};
use crate::clock::{Times, moment};
use crate::fault::Fault;
use crate::message::{Delivery, Message};
use crate::scenario::{Other, Scenario};
use crate::setup::Setup;
use crate::trace::{Moved, Sending, Trace, arriving};
use crate::world::Action;

/// What is said of a step.
pub(super) struct Said {
    pub(super) name: &'static str,
    pub(super) actor: Actor,
    pub(super) text: String,
    pub(super) label: String,
    pub(super) fault: Option<&'static str>,
}

impl Said {
    pub(super) fn new(
        name: &'static str,
        actor: Actor,
        text: impl Into<String>,
        label: impl Into<String>,
    ) -> Self {
        Self { name, actor, text: text.into(), label: label.into(), fault: None }
    }

    pub(super) fn by(mut self, fault: Fault) -> Self {
        self.fault = Some(fault.name());
        self
    }
}

pub(super) fn tell(
    contract: &Contract,
    setup: &Setup,
    scenario: &Scenario,
    invariant: Invariant,
    times: &Times,
) -> Story {
    let actions = times.path().steps.iter().map(|(action, _)| *action);
    // The times were made from this very path, so that it can be taken.
    let Some(trace) = Trace::new(setup, actions) else { unreachable!("a path with times cannot be taken") };
    let words = Words::new(contract, setup, &trace, times.steps());
    let mut faults = Vec::new();
    let mut steps = Vec::new();
    for (index, step) in trace.steps.iter().enumerate() {
        let said = words.say(index, step);
        faults.extend(said.fault);
        faults.extend(words.unbudgeted(index, step, said.name));
        steps.push(words.step(index, step, said));
    }
    let order: Vec<_> = std::mem::take(&mut faults);
    order.into_iter().for_each(|fault| {
        if !faults.contains(&fault) {
            faults.push(fault)
        }
    });
    let sent_first: Vec<_> = trace
        .sendings
        .iter()
        .filter(|one| one.sent.is_none() && words.is_shown(one))
        .filter(|one| words.fate(one) != Fate::Arrives)
        .map(|one| words.arrow(one))
        .collect();
    let mut story = Story {
        invariant: invariant.id(),
        title: invariant.title(),
        scenario: scenario.name,
        operation: contract.operation.name.clone(),
        does: contract.operation.does.clone(),
        length: steps.len(),
        faults,
        participants: Vec::new(),
        beginning: words.beginning(),
        sent_first,
        steps,
        ending: words.ending(invariant),
        worlds: std::iter::once(trace.start).chain(trace.steps.iter().map(|step| step.after)).collect(),
    };
    story.participants = participants(&story, &words);
    story
}

fn participants(story: &Story, words: &Words<'_>) -> Vec<Participant> {
    let arrows = story.sent_first.iter().chain(story.steps.iter().flat_map(|step| &step.messages));
    let ends = arrows.flat_map(|arrow| [arrow.from, arrow.to]);
    let mut all: Vec<_> =
        story.steps.iter().map(|step| step.actor).chain(ends).chain([Actor::Client]).collect();
    all.sort_unstable();
    all.dedup();
    all.into_iter()
        .map(|actor| Participant { actor, name: words.name(actor).trim_start_matches("the ").into() })
        .collect()
}

impl Words<'_> {
    fn beginning(&self) -> String {
        let key = if self.setup.keyless { "without a key" } else { "with its key" };
        let Contract { operation, .. } = self.contract;
        let does = if operation.does.is_empty() { String::new() } else { format!(" ({})", operation.does) };
        let lost = self
            .trace
            .sendings
            .iter()
            .any(|one| one.sent.is_none() && self.is_shown(one) && self.fate(one) == Fate::Lost);
        let lost = if lost { " That request is lost." } else { "" };
        format!("The client sends request 1, {}{does}, {key}.{lost}", operation.name)
    }

    fn say(&self, index: usize, step: &Moved) -> Said {
        match step.action {
            Action::Client(act) => self.client_acts(index, step, act),
            Action::Deliver(Message::Answer { delivery, class }) => {
                self.client_is_answered(index, step, delivery, class)
            }
            Action::DeliverHalf(_) => self.client_gets_half(index, step),
            Action::Deliver(Message::Request { delivery, slot }) => {
                self.request_arrives(index, step, delivery, slot, false)
            }
            Action::DeliverStaleRead(message) => match message {
                Message::Request { delivery, slot } => {
                    self.request_arrives(index, step, delivery, slot, true)
                }
                _ => unreachable!("only a request reads from a replica"),
            },
            Action::Deliver(Message::Call { token, mark, slot }) => {
                self.call_arrives(index, step, token, self.supplier_key(mark, slot))
            }
            Action::Deliver(Message::Lookup { token, .. }) => self.lookup_arrives(index, step, token),
            Action::Deliver(Message::Reply { token, result }) => {
                self.reply_arrives(index, step, token, result)
            }
            Action::Server(worker, act) => self.worker_acts(index, step, usize::from(worker), act),
            Action::Store(slot, act) => self.store_acts(index, step, slot, act),
            Action::SupplierForgets => self.supplier_forgets(),
        }
    }

    /// The names of what needs no budget: what was late or lost, and what the clock brings.
    fn unbudgeted(&self, index: usize, step: &Moved, said: &'static str) -> Vec<&'static str> {
        let mut names = Vec::new();
        match step.action {
            Action::Client(ClientStep::Timeout | ClientStep::Deadline) => names.push(said),
            Action::Deliver(Message::Request { delivery: Delivery::OTHER, .. }) => {
                let owner = self.setup.other == Some(Other::Owner);
                names.push(if owner { "other-owner" } else { "other-payload" });
            }
            Action::Deliver(Message::Request { delivery, .. }) => {
                let client = step.before.client;
                let gone = client.phase == Phase::Ended || client.awaits != delivery;
                if gone || self.is_late(delivery, self.times[index].at) {
                    names.push("late-delivery");
                }
            }
            Action::Deliver(Message::Call { token, .. }) if !self.is_at_work(step, token) => {
                names.push("late-call");
            }
            _ => {}
        }
        let first: Vec<_> = (0..self.trace.sendings.len())
            .filter(|at| index == 0 && self.trace.sendings[*at].sent.is_none())
            .collect();
        for one in first.iter().chain(&step.sent).map(|at| &self.trace.sendings[*at]) {
            if self.fate(one) != Fate::Lost || !self.is_shown(one) {
                continue;
            }
            match one.message {
                Message::Request { .. } => names.push("lost-request"),
                Message::Answer { .. } => names.push("lost-answer"),
                _ => {}
            }
        }
        names
    }

    /// Whether the worker with this token is still at work.
    pub(super) fn is_at_work(&self, step: &Moved, token: u8) -> bool {
        step.before.site.works.iter().any(|work| work.is_busy() && work.token == token)
    }

    fn step(&self, index: usize, step: &Moved, said: Said) -> Step {
        let received = step.received.map(|at| &self.trace.sendings[at]);
        let unseen = |one: &&Sending| self.fate(one) != Fate::Arrives && self.is_shown(one);
        let left = step.sent.iter().map(|at| &self.trace.sendings[*at]).filter(unseen);
        let at = self.times[index].at;
        let gateway = self.gateway(step, at);
        Step {
            index: index + 1,
            at_ms: at,
            at: moment(at),
            name: said.name,
            actor: said.actor,
            to: received.map(|one| self.ends(one).1).or(gateway.as_ref().map(|one| one.to)),
            text: said.text,
            label: said.label,
            changes: self.changes(step),
            effects: step.after.effects(),
            messages: gateway
                .into_iter()
                .chain(received.into_iter().chain(left).map(|one| self.arrow(one)))
                .collect(),
        }
    }

    /// The answer of a gateway, which is no message of the net: it is made and received in one step.
    fn gateway(&self, step: &Moved, at: u64) -> Option<Arrow> {
        (step.action == Action::Client(ClientStep::Gateway)).then(|| Arrow {
            from: Actor::Proxy,
            to: Actor::Client,
            label: format!("answer {}: 503 or 504", self.number(step.before.client.awaits)),
            fate: Fate::Arrives,
            sent_ms: at,
        })
    }

    fn arrow(&self, sending: &Sending) -> Arrow {
        let (from, to) = self.ends(sending);
        let (label, fate, sent_ms) = (self.label(sending), self.fate(sending), self.sent_at(sending));
        let half =
            sending.arrived.is_some_and(|at| matches!(self.trace.steps[at].action, Action::DeliverHalf(_)));
        let label = if half { format!("half of {label}") } else { label };
        Arrow { from, to, label, fate, sent_ms }
    }

    /// A probe that never comes is no part of the story.
    fn is_shown(&self, sending: &Sending) -> bool {
        let probe = matches!(sending.message, Message::Request { delivery: Delivery::OTHER, .. });
        !probe || sending.arrived.is_some()
    }

    /// What a step answers, and what becomes of the answer: ` It answers request 1: in progress. The answer is lost.`
    pub(super) fn answers(&self, step: &Moved) -> String {
        let mut text = String::new();
        for sending in step.sent.iter().map(|at| &self.trace.sendings[*at]) {
            let Message::Answer { delivery, class } = sending.message else { continue };
            let what = self.delivery(delivery);
            text += &format!(" It answers {what}: {}.", self.class(class));
            text += self.loss(sending);
        }
        text
    }

    /// What becomes of an answer that does not arrive.
    pub(super) fn loss(&self, sending: &Sending) -> &'static str {
        match self.fate(sending) {
            Fate::Lost if self.is_closed(sending) => " Nobody waits for the answer any more.",
            Fate::Lost => " The answer is lost.",
            Fate::Arrives | Fate::UnderWay => "",
        }
    }

    /// Who takes the request that arrives in this step, by name.
    pub(super) fn handler(&self, step: &Moved) -> &'static str {
        debug_assert!(arriving(step.action).is_some());
        self.name(handler(step))
    }
}
