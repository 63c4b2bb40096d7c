//! The network of one path: its moments and their order.

use idempotency::contract::Contract;

use super::Timed;
use super::choice::{Choice, Ends, Order, Skips, may_be_spent, retries};
use super::network::{Moment, Network};
use crate::client::ClientStep;
use crate::message::{Delivery, Message};
use crate::setup::Setup;
use crate::trace::{Sending, Trace};
use crate::world::Action;

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
        let timed = |index: usize| Timed {
            at: solution.at(self.steps[index]),
            retry: self.retries[index].map(|retry| solution.at(retry)),
            skipped: self.skipped(index),
        };
        Ok((0..self.steps.len()).map(timed).collect())
    }

    /// How many attempts that are not in the model lie in the pause of a step, or before the client's end.
    fn skipped(&self, index: usize) -> u64 {
        let spent = self.choice.ends == Ends::Spent && may_be_spent(self.setup, &self.trace.steps[index]);
        match self.choice.skips {
            _ if spent => self.attempts_left(index),
            Skips::In(gap, number) if gap == index => number,
            _ => 0,
        }
    }

    /// How many attempts the contract allows after those that were made before a step.
    pub(super) fn attempts_left(&self, index: usize) -> u64 {
        let skipped = match self.choice.skips {
            Skips::In(gap, number) if gap < index => number,
            _ => 0,
        };
        let made = u64::from(self.trace.steps[index].before.client.attempts) + skipped;
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
