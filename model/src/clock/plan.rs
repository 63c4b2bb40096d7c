//! The network of one path: its moments, its order, and the choices that bounds alone cannot say.

use idempotency::contract::{Contract, Reaction};

use super::Timed;
use super::network::{Moment, Network};
use crate::client::{ClientStep, Phase, Told};
use crate::message::{Class, Delivery, Message};
use crate::setup::Setup;
use crate::trace::{Moved, Sending, Trace};
use crate::world::Action;

/// Which steps stay in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// All.
    Path,
    /// Those of one side, and a message's arrival after its sending.
    Side,
}

/// How a client that ends without an answer comes to its end. The model ends it at any moment, by its deadline or by
/// the end of its few attempts; what it says then is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    /// As in the model.
    Model,
    /// It has made every attempt of the contract.
    Spent,
    /// No further attempt would begin before its deadline.
    OutOfTime,
}

/// What is tried: a network has no "or".
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    order: Order,
    pub(super) ends: Ends,
    /// In which step's pause attempts may lie that are not in the model.
    pub(super) gap: Option<usize>,
}

impl Choice {
    /// The choices for a path, the plainest first.
    pub(super) fn all(contract: &Contract, setup: &Setup, trace: &Trace) -> Vec<Self> {
        let fewer = u64::from(contract.client.attempts) > u64::from(trace.end().client.attempts);
        let any = |holds: &dyn Fn(&Moved) -> bool| trace.steps.iter().any(holds);
        let ends: &[Ends] = if fewer && any(&|step| runs_out(setup, step)) {
            &[Ends::Spent, Ends::OutOfTime]
        } else if any(&|step| may_be_spent(setup, step)) && !any(&sends_late) {
            &[Ends::Model, Ends::Spent]
        } else {
            &[Ends::Model]
        };
        let mut gaps: Vec<_> =
            (0..trace.steps.len()).rev().filter(|at| retries(&trace.steps[*at])).map(Some).collect();
        if gaps.is_empty() || !fewer {
            gaps = vec![None];
        }
        let mut all = Vec::new();
        for order in [Order::Path, Order::Side] {
            for ends in ends {
                all.extend(gaps.iter().map(|gap| Self { order, ends: *ends, gap: *gap }));
            }
        }
        all
    }
}

/// The network of one path.
pub(super) struct Plan<'a> {
    pub(super) contract: &'a Contract,
    pub(super) setup: &'a Setup,
    pub(super) trace: &'a Trace,
    pub(super) choice: Choice,
    pub(super) network: Network,
    /// When each step happens.
    pub(super) steps: Vec<Moment>,
    /// When the next attempt leaves, for each step that makes the client retry.
    pub(super) retries: Vec<Option<Moment>>,
}

impl<'a> Plan<'a> {
    pub(super) fn new(contract: &'a Contract, setup: &'a Setup, trace: &'a Trace, choice: Choice) -> Self {
        let mut network = Network::new();
        let steps: Vec<_> = trace.steps.iter().map(|_| network.moment()).collect();
        let retries = trace.steps.iter().map(|step| retries(step).then(|| network.moment())).collect();
        let mut plan = Self { contract, setup, trace, choice, network, steps, retries };
        plan.order();
        plan.client();
        plan.site();
        plan.supplier();
        plan
    }

    /// The earliest times, or the reasons why there are none.
    pub(super) fn solve(&self) -> Result<Vec<Timed>, Vec<&'static str>> {
        let solution = self.network.solve()?;
        let client = &self.contract.client;
        let timed = |(at, retry): (&Moment, &Option<Moment>)| {
            let at = solution.at(*at);
            let retry = retry.map(|retry| solution.at(retry));
            (at, retry)
        };
        let one = client.timeout.millis() + client.backoff_to.millis();
        let skipped = |index: usize, at: u64, retry: Option<u64>| {
            let step = &self.trace.steps[index];
            if self.choice.ends == Ends::Spent && may_be_spent(self.setup, step) {
                return self.attempts_left(step);
            }
            if self.choice.ends == Ends::Spent && self.choice.gap == Some(index) {
                return self.not_in_model();
            }
            let pause = retry.map_or(0, |retry| retry - at);
            pause.saturating_sub(client.backoff_to.millis()).div_ceil(one.max(1))
        };
        let all = self.steps.iter().zip(&self.retries).map(timed).enumerate();
        Ok(all.map(|(index, (at, retry))| Timed { at, retry, skipped: skipped(index, at, retry) }).collect())
    }

    /// How many attempts the contract allows beyond those of the path.
    pub(super) fn not_in_model(&self) -> u64 {
        let made = u64::from(self.trace.end().client.attempts);
        u64::from(self.contract.client.attempts).saturating_sub(made)
    }

    /// How many attempts the contract allows after those that were made before a step.
    pub(super) fn attempts_left(&self, step: &Moved) -> u64 {
        let made = u64::from(step.before.client.attempts);
        u64::from(self.contract.client.attempts).saturating_sub(made)
    }

    fn order(&mut self) {
        const WHY: &str = "the order of the steps";
        let mut last: [Option<Moment>; 3] = [None; 3];
        let mut before: Option<Moment> = None;
        for (index, step) in self.trace.steps.iter().enumerate() {
            let at = self.steps[index];
            let side = side(step.action);
            // A proxy repeats an attempt while the client pauses before the next one.
            let repeat = matches!(step.action, Action::Client(ClientStep::Repeat(_)));
            if let Some(earlier) = last[side]
                && !repeat
            {
                self.network.at_least(earlier, at, 0, WHY);
            }
            if let (Some(earlier), Order::Path) = (before, self.choice.order) {
                self.network.at_least(earlier, at, 0, WHY);
            }
            if let Some(received) = step.received {
                let left = self.left(&self.trace.sendings[received]);
                self.network.at_least(left, at, 0, "a message arrives after it was sent");
            }
            before = Some(at);
            if !repeat {
                last[side] = Some(self.retries[index].unwrap_or(at));
            }
        }
    }

    /// When a message left.
    pub(super) fn left(&self, sending: &Sending) -> Moment {
        let Some(index) = sending.sent else { return Moment::ORIGIN };
        match sending.message {
            Message::Request { .. } => self.retries[index].unwrap_or(self.steps[index]),
            _ => self.steps[index],
        }
    }

    /// When the client itself sent `delivery`.
    pub(super) fn sent(&self, delivery: Delivery) -> Moment {
        let Some(index) = self.trace.sent_in(delivery) else { return Moment::ORIGIN };
        self.retries[index].unwrap_or(self.steps[index])
    }
}

fn side(action: Action) -> usize {
    match action {
        Action::Client(_) | Action::DeliverHalf(_) | Action::Deliver(Message::Answer { .. }) => 0,
        Action::SupplierForgets | Action::Deliver(Message::Call { .. } | Message::Lookup { .. }) => 2,
        _ => 1,
    }
}

/// Whether the client makes another attempt after a pause because of this step.
fn retries(step: &Moved) -> bool {
    step.after.client.attempts > step.before.client.attempts && !sends_late(step)
}

fn sends_late(step: &Moved) -> bool {
    step.action == Action::Client(ClientStep::SendLate)
}

/// Whether the client ends at its deadline here, and would say the same at the end of its attempts.
pub(super) fn may_be_spent(setup: &Setup, step: &Moved) -> bool {
    step.action == Action::Client(ClientStep::Deadline)
        && step.before.client.awaits != Delivery::CLICK
        && setup.client.on_timeout == Reaction::Retry
}

/// Whether the client would retry after this step, and has no attempt left.
pub(super) fn runs_out(setup: &Setup, step: &Moved) -> bool {
    let (before, after) = (step.before.client, step.after.client);
    let rules = &setup.client;
    let reaction = match step.action {
        Action::DeliverHalf(_) | Action::Client(ClientStep::Timeout) => rules.on_timeout,
        Action::Client(ClientStep::Gateway) => rules.on_gateway_error,
        Action::Deliver(Message::Answer { class: Class::InFlight, .. }) => rules.on_in_flight,
        Action::Deliver(Message::Answer { class: Class::Error | Class::Unknown, .. }) => rules.on_error,
        _ => return false,
    };
    before.phase == Phase::Waiting
        && before.awaits != Delivery::CLICK
        && !before.deadline_over
        && reaction == Reaction::Retry
        && after.phase == Phase::Ended
        && matches!(after.told, Told::Unknown | Told::Failed)
}
