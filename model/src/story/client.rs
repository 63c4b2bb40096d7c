//! What is said of the client, its user, and the proxy.

use super::actor::Actor;
use super::fates::Fate;
use super::teller::Said;
use super::words::{Words, capital};
use crate::client::{Client, ClientStep, Phase, Told};
use crate::clock::{length, moment};
use crate::fault::Fault;
use crate::message::{Class, Delivery, Message};
use crate::trace::{Moved, Sending};

impl Words<'_> {
    pub(super) fn client_acts(&self, index: usize, step: &Moved, act: ClientStep) -> Said {
        let client = &self.contract.client;
        let before = step.before.client;
        let reaction = self.reaction(index, step);
        let said = |name, text: String, label: String| Said::new(name, Actor::Client, text, label);
        match act {
            ClientStep::Timeout => {
                let after = length(client.timeout.millis());
                let what = self.awaited(before);
                said(
                    "timeout",
                    format!("The client gives up on {what} after {after}. {reaction}"),
                    format!("gives up on {what}"),
                )
            }
            ClientStep::Deadline => {
                let deadline = length(client.deadline.millis());
                said(
                    "deadline",
                    format!("The deadline of {deadline} passes without an answer. {reaction}"),
                    "deadline passes".into(),
                )
            }
            ClientStep::SendLate => said(
                "send-late",
                format!(
                    "The deadline of {} is over, and the client sends {} all the same.{}",
                    length(client.deadline.millis()),
                    self.delivery(step.after.client.awaits),
                    self.request_loss(step)
                ),
                format!("sends {} late", self.delivery(step.after.client.awaits)),
            ),
            ClientStep::Click => {
                let what = self.delivery(Delivery::CLICK);
                let text = format!(
                    "The user clicks a second time. The client sends {what}{}.",
                    self.which_key(step)
                );
                said("click", text + self.request_loss(step), format!("second click, {what}"))
                    .by(Fault::Click)
            }
            ClientStep::Reload => {
                let what = self.delivery(Delivery::CLICK);
                let text = format!(
                    "The page is reloaded, and the user sends again. The client sends {what}{}.",
                    self.which_key(step)
                );
                said("reload", text + self.request_loss(step), format!("reload, {what}")).by(Fault::Reload)
            }
            ClientStep::Ask => said(
                "ask",
                "The client asks the status route what became of the intent.".into(),
                "asks for the status".into(),
            )
            .by(Fault::Ask),
            ClientStep::Cancel => {
                said("cancel", "The user cancels. The client sends a cancel by key.".into(), "cancels".into())
                    .by(Fault::Cancel)
            }
            ClientStep::Edit => {
                let text = format!("The user edits the payload. {reaction}");
                said("edit", text, "payload edited".into()).by(Fault::Edit)
            }
            ClientStep::Repeat(attempt) => {
                let what = self.delivery(Delivery(attempt));
                let text = format!("The proxy sends another copy of {what} by itself.");
                Said::new("repeat", Actor::Proxy, text + self.request_loss(step), format!("repeats {what}"))
                    .by(Fault::Repeat)
            }
            ClientStep::Gateway => {
                let what = self.delivery(before.awaits);
                let text =
                    format!("The gateway answers {what} with 503 or 504; the server may run on. {reaction}");
                Said::new("gateway", Actor::Proxy, text, format!("503 to {what}")).by(Fault::Gateway)
            }
        }
    }

    pub(super) fn client_is_answered(
        &self,
        index: usize,
        step: &Moved,
        delivery: Delivery,
        class: Class,
    ) -> Said {
        let (what, class) = (self.delivery(delivery), self.class(class));
        let text =
            format!("The answer to {what} reaches the client: {class}. {}", self.reaction(index, step));
        Said::new("deliver-answer", self.sender_of(step), text, format!("client: {}", self.outcome(step)))
    }

    pub(super) fn client_gets_half(&self, index: usize, step: &Moved) -> Said {
        let what = self.delivery(step.before.client.awaits);
        let text = format!(
            "Half of the answer to {what} reaches the client, which is no answer. {}",
            self.reaction(index, step)
        );
        let label = format!("half an answer; {}", self.outcome(step));
        Said::new("deliver-half-answer", self.sender_of(step), text, label).by(Fault::HalfAnswer)
    }

    fn sender_of(&self, step: &Moved) -> Actor {
        step.received.map_or(Actor::ServerA, |at| self.ends(&self.trace.sendings[at]).0)
    }

    fn awaited(&self, client: Client) -> String {
        match client.phase {
            Phase::Waiting => format!("attempt {}", self.number(client.awaits)),
            _ => self.delivery(client.awaits),
        }
    }

    /// What the client does next, in a sentence.
    fn reaction(&self, index: usize, step: &Moved) -> String {
        let (before, after) = (step.before.client, step.after.client);
        if after.attempts > before.attempts {
            return self.retry(index, step);
        }
        match after.phase {
            Phase::Asking => "It asks the status route what became of the intent.".into(),
            Phase::Cancelling | Phase::Editing => "It first sends a cancel by key.".into(),
            Phase::Waiting => "It goes on waiting.".into(),
            Phase::Ended if after.told == Told::Replaced => {
                "It sends the edited intent, with a key of its own.".into()
            }
            Phase::Ended => format!("The client tells its user that {}.", self.told(step)),
        }
    }

    fn retry(&self, index: usize, step: &Moved) -> String {
        let what = self.delivery(step.after.client.awaits);
        let timed = self.times[index];
        let between = match timed.skipped {
            0 => String::new(),
            1 => "After one more attempt that brings nothing it".into(),
            more => format!("After {more} more attempts that bring nothing it"),
        };
        let it = if between.is_empty() { "It" } else { &between };
        let at = timed.retry.map_or_else(String::new, |at| format!(" at {}", moment(at)));
        format!("{it} sends {what}{at}{}.{}", self.which_key(step), self.request_loss(step))
    }

    /// Under which key the request of this step goes, where that is not a matter of course.
    fn which_key(&self, step: &Moved) -> &'static str {
        let slot = |one: &Sending| match one.message {
            Message::Request { slot, .. } => Some(slot),
            _ => None,
        };
        let new = step.sent.iter().find_map(|at| slot(&self.trace.sendings[*at])).unwrap_or(0);
        match (self.setup.keyless, new) {
            (true, _) => "",
            (false, 0) => ", with the same key",
            (false, _) => ", which comes under another key",
        }
    }

    fn request_loss(&self, step: &Moved) -> &'static str {
        let lost = step.sent.iter().any(|at| self.fate(&self.trace.sendings[*at]) == Fate::Lost);
        if lost { " It is lost." } else { "" }
    }

    fn told(&self, step: &Moved) -> &'static str {
        match step.after.client.told {
            Told::Nothing => "it has no answer yet",
            Told::Done => "it is done",
            Told::Rejected => "it was rejected",
            Told::Failed => "it failed",
            Told::Unknown => "the outcome is unknown",
            Told::Cancelled => "it was cancelled",
            Told::Replaced => "it was replaced",
        }
    }

    /// What the client does next, in a few words.
    fn outcome(&self, step: &Moved) -> String {
        match step.after.client.phase {
            Phase::Waiting => format!("next {}", self.delivery(step.after.client.awaits)),
            Phase::Asking => "asks for the status".into(),
            Phase::Cancelling | Phase::Editing => "cancels".into(),
            Phase::Ended => capital(self.told(step)).to_lowercase(),
        }
    }
}
