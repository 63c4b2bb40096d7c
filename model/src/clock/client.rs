//! What the contract says of the times of the client, of its user, and of what stands between.

use idempotency::contract::{AfterDeadline, Reaction};

use super::choice::{Ends, Skips, left_out, may_be_spent, runs_out};
use super::network::Moment;
use super::plan::Plan;
use crate::client::{ClientStep, Phase};
use crate::limits::Latest;
use crate::message::{Class, Delivery, Message};
use crate::trace::{Moved, Sending, arriving};
use crate::world::Action;

const DEADLINE: &str = "client.deadline";
const TIMEOUT: &str = "client.timeout";
const DELAY: &str = "between.longest-delay";

impl Plan<'_> {
    pub(super) fn client(&mut self) {
        let trace = self.trace;
        for (index, step) in trace.steps.iter().enumerate() {
            let at = self.steps[index];
            match step.action {
                Action::Client(act) => self.client_acts(index, step, act),
                Action::Deliver(Message::Answer { delivery, .. })
                | Action::DeliverHalf(Message::Answer { delivery, .. })
                    if delivery.is_attempt() =>
                {
                    self.answered(step, delivery, at);
                }
                Action::Deliver(Message::Request { delivery, .. })
                | Action::DeliverStaleRead(Message::Request { delivery, .. }) => {
                    self.arrives(index, step, delivery);
                }
                _ => {}
            }
            if let Some(retry) = self.retries[index] {
                self.pause(index, step, at, retry);
            }
            if runs_out(self.setup, step) && self.choice.ends == Ends::OutOfTime {
                let client = &self.contract.client;
                let last = client.deadline.millis().saturating_sub(client.backoff_to.millis());
                self.network.at_least(Moment::ORIGIN, at, last, "client.attempts");
            }
        }
    }

    fn client_acts(&mut self, index: usize, step: &Moved, act: ClientStep) {
        let at = self.steps[index];
        let client = &self.contract.client;
        let deadline = client.deadline.millis();
        let timeout = client.timeout.millis();
        let before = step.before.client;
        match act {
            ClientStep::Timeout if before.phase == Phase::Waiting => {
                let sent = self.sent(before.awaits);
                self.network.exactly(sent, at, timeout, TIMEOUT);
                self.before_deadline(step, at);
            }
            // How long a question may take is not in the contract; it is not given up sooner than an attempt.
            ClientStep::Timeout => {
                let asked = self.asked(index);
                self.network.at_least(asked, at, timeout, TIMEOUT);
            }
            ClientStep::Deadline if self.choice.ends == Ends::Spent && may_be_spent(self.setup, step) => {
                self.spent(index, step);
            }
            ClientStep::Deadline => {
                self.network.exactly(Moment::ORIGIN, at, deadline, DEADLINE);
                self.still_waiting(index, step);
            }
            ClientStep::SendLate => {
                let latest = Latest::of(self.contract).attempt;
                // The deadline is over: its step comes before.
                self.network.at_most(Moment::ORIGIN, at, latest, "client.attempts");
            }
            ClientStep::Click | ClientStep::Reload => {
                let latest = Latest::of(self.contract).click;
                self.network.at_most(Moment::ORIGIN, at, latest, "client.late-resend");
            }
            ClientStep::Gateway => {
                let sent = self.sent(before.awaits);
                self.network.at_most(sent, at, self.contract.between.timeout.millis(), "between.timeout");
                self.answered(step, before.awaits, at);
            }
            ClientStep::Repeat(attempt) => {
                let sent = self.sent(Delivery(attempt));
                self.network.at_least(sent, at, 0, "a proxy repeats what was sent");
            }
            ClientStep::Ask | ClientStep::Cancel | ClientStep::Edit => {}
        }
    }

    /// When the question was sent, or the cancel, whose answer is awaited in this step.
    fn asked(&self, index: usize) -> Moment {
        let awaits = self.trace.steps[index].before.client.awaits;
        let asks = |one: &&Sending| {
            one.sent < Some(index)
                && matches!(one.message, Message::Request { delivery, .. } if delivery == awaits)
        };
        self.trace.sendings.iter().rfind(asks).map_or(Moment::ORIGIN, |one| self.left(one))
    }

    /// The client waits no longer than its timeout for the answer to an attempt.
    fn answered(&mut self, step: &Moved, delivery: Delivery, at: Moment) {
        let sent = self.sent(delivery);
        self.network.at_most(sent, at, self.contract.client.timeout.millis(), TIMEOUT);
        self.before_deadline(step, at);
    }

    fn before_deadline(&mut self, step: &Moved, at: Moment) {
        if !step.before.client.deadline_over {
            self.network.at_most(Moment::ORIGIN, at, self.contract.client.deadline.millis(), DEADLINE);
        }
    }

    /// At its deadline the client still waits: for this attempt, or for one of the contract that is not in the model.
    fn still_waiting(&mut self, index: usize, step: &Moved) {
        let at = self.steps[index];
        let client = &self.contract.client;
        let before = step.before.client;
        if before.awaits == Delivery::CLICK {
            return;
        }
        let again = [client.on_timeout, client.on_error, client.on_gateway_error, client.on_in_flight];
        let more = self.attempts_left(index);
        let more = if again.contains(&Reaction::Retry) { more } else { 0 };
        let round = client.timeout.millis() + client.backoff_to.millis();
        let most = client.timeout.millis() + more * round;
        let sent = self.sent(before.awaits);
        self.network.at_most(sent, at, most, "client.attempts");
    }

    /// The client gives up on its last attempt, and it is before its deadline.
    fn spent(&mut self, index: usize, step: &Moved) {
        let at = self.steps[index];
        const WHY: &str = "client.attempts";
        let client = &self.contract.client;
        let timeout = client.timeout.millis();
        let [least, most] = [client.backoff_from, client.backoff_to]
            .map(|pause| timeout + self.attempts_left(index) * (pause.millis() + timeout));
        let sent = self.sent(step.before.client.awaits);
        self.network.at_least(sent, at, least, WHY);
        self.network.at_most(sent, at, most, WHY);
        self.before_deadline(step, at);
    }

    /// A retry follows after a pause, in which other attempts of the contract may lie.
    fn pause(&mut self, index: usize, step: &Moved, at: Moment, retry: Moment) {
        let client = &self.contract.client;
        let (from, to) = (client.backoff_from.millis(), client.backoff_to.millis());
        let timeout = client.timeout.millis();
        let (few, many) = match self.choice.skips {
            Skips::Free => (0, left_out(self.contract, self.trace)),
            Skips::In(gap, number) if gap == index => (number, number),
            Skips::In(..) | Skips::None => (0, 0),
        };
        // An attempt that brings nothing may fail at once; one after which none is left is told as a timeout.
        let fails = if self.choice.ends == Ends::Spent { timeout } else { 0 };
        let least = (few + 1) * from + few * fails;
        let most = (many + 1) * to + many * timeout;
        self.network.at_least(at, retry, least, "client.backoff-from");
        self.network.at_most(at, retry, most, "client.backoff-to");
        if client.after_deadline == AfterDeadline::Stop {
            self.before_deadline(step, retry);
        }
    }

    /// A request arrives within the longest delay. The probe is somebody else's and may come at any time.
    fn arrives(&mut self, index: usize, step: &Moved, delivery: Delivery) {
        let at = self.steps[index];
        if delivery == Delivery::OTHER {
            return;
        }
        let sent = match step.received {
            Some(received) if !delivery.is_attempt() => self.left(&self.trace.sendings[received]),
            _ => self.sent(delivery),
        };
        if let Some(under_way) = Latest::of(self.contract).under_way {
            self.network.at_most(sent, at, under_way, DELAY);
        }
        if delivery.is_attempt() {
            self.key_age(step, at);
        }
        if delivery == Delivery::CANCEL {
            self.cancels(step, at);
        }
    }

    /// A key that carries its time is refused when it is older than the horizon; its time is read on one clock and judged
    /// on another. The model refuses
    /// one only after the retention, which is later.
    fn key_age(&mut self, step: &Moved, at: Moment) {
        let Some(horizon) = self.contract.horizon() else { return };
        let Some(Message::Request { slot, .. }) = arriving(step.action) else { return };
        if answer_of(self, step) == Some(Class::Stale) {
            return;
        }
        let with_key = |one: &&Sending| matches!(one.message, Message::Request { delivery, slot: its } if delivery.is_attempt() && its == slot);
        let made = self.trace.sendings.iter().find(with_key).map_or(Moment::ORIGIN, |one| self.left(one));
        let most = horizon.millis() + self.contract.servers.clock_skew.millis();
        self.network.at_most(made, at, most, "key.horizon");
    }

    /// Without a record a cancel is answered only so long after the first attempt. The model calls one too old only
    /// after the retention, which is later.
    fn cancels(&mut self, step: &Moved, at: Moment) {
        let Some(within) = self.contract.cancel_within() else { return };
        if answer_of(self, step) == Some(Class::Cancelled) && step.before.site.slots[0].is_empty() {
            let most = within.millis().saturating_sub(1);
            self.network.at_most(Moment::ORIGIN, at, most, "routes.cancel-within");
        }
    }
}

/// What the step answered.
pub(super) fn answer_of(plan: &Plan<'_>, step: &Moved) -> Option<Class> {
    step.sent.iter().find_map(|sent| match plan.trace.sendings[*sent].message {
        Message::Answer { class, .. } => Some(class),
        _ => None,
    })
}
