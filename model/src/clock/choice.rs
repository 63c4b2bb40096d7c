//! What bounds alone cannot say: a network of moments has no "or", so each way is tried by itself.

use idempotency::contract::{Contract, Reaction};

use crate::client::{ClientStep, Phase, Told};
use crate::message::{Class, Delivery, Message};
use crate::setup::Setup;
use crate::trace::{Moved, Trace};
use crate::world::Action;

/// Which steps stay in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
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

/// How many attempts of the contract lie between two of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Skips {
    /// As many as the contract allows, or none, between any two: what has no times so has none at all.
    Free,
    /// None.
    None,
    /// So many in the pause of this step. Two pauses with such attempts are not tried.
    In(usize, u64),
}

/// One way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) order: Order,
    pub(super) ends: Ends,
    pub(super) skips: Skips,
}

impl Choice {
    /// The ways for a path, the plainest first, with what the model leaves out still free.
    pub(super) fn coarse(contract: &Contract, setup: &Setup, trace: &Trace) -> Vec<Self> {
        let any = |holds: &dyn Fn(&Moved) -> bool| trace.steps.iter().any(holds);
        let ends: &[Ends] = if left_out(contract, trace) > 0 && any(&|step| runs_out(setup, step)) {
            &[Ends::Spent, Ends::OutOfTime]
        } else if any(&|step| may_be_spent(setup, step)) && !any(&sends_late) {
            &[Ends::Model, Ends::Spent]
        } else {
            &[Ends::Model]
        };
        let in_order = |order| ends.iter().map(move |ends| Self { order, ends: *ends, skips: Skips::Free });
        [Order::Path, Order::Side].into_iter().flat_map(in_order).collect()
    }

    /// The same way with every number of attempts that the model may leave out.
    pub(super) fn finer(self, contract: &Contract, setup: &Setup, trace: &Trace) -> Vec<Self> {
        let most = left_out(contract, trace);
        let gaps: Vec<_> = (0..trace.steps.len()).rev().filter(|at| retries(&trace.steps[*at])).collect();
        let with = |skips| Self { skips, ..self };
        let all_spent = self.ends == Ends::Spent && trace.steps.iter().any(|step| runs_out(setup, step));
        if most > 0 && all_spent {
            return gaps.into_iter().map(|gap| with(Skips::In(gap, most))).collect();
        }
        // Each number up to eight, then each power of two: the lengths of time that they allow overlap.
        let numbers = (1..=8).chain((4..16).map(|power| 1 << power)).filter(|number| *number < most);
        let numbers: Vec<u64> = numbers.chain([most]).filter(|number| *number > 0).collect();
        let skips = gaps.iter().flat_map(|gap| numbers.iter().map(|number| Skips::In(*gap, *number)));
        [Skips::None].into_iter().chain(skips).map(with).collect()
    }
}

/// How many attempts the contract allows beyond those of the path.
pub(super) fn left_out(contract: &Contract, trace: &Trace) -> u64 {
    let made = u64::from(trace.end().client.attempts);
    u64::from(contract.client.attempts).saturating_sub(made)
}

/// Whether the client makes another attempt after a pause because of this step.
pub(super) fn retries(step: &Moved) -> bool {
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
