//! What is said of the client, its user, and the proxy.

use super::actor::Actor;
use super::fates::Fate;
use super::teller::Said;
use super::words::Words;
use crate::apart::Apart;
use crate::client::{Client, ClientStep, Phase, Told};
use crate::clock::{length, moment};
use crate::fault::Fault;
use crate::message::{Class, Delivery, Message};
use crate::trace::{Moved, Sending};

impl Words<'_> {
    pub(super) fn client_acts(&self, index: usize, step: &Moved, act: ClientStep) -> Said {
        let client = &self.contract.client;
        let before = step.before.client;
        let deadline = length(client.deadline.millis());
        let next = self.reaction(index, step);
        let lost = self.request_loss(step);
        let sends = |delivery| format!("sends {}{}", self.delivery(delivery), self.which_key(step));
        let client_says = |name, text: String, label: String| Said::new(name, Actor::Client, text, label);
        let proxy_says = |name, text: String, label: String| Said::new(name, Actor::Proxy, text, label);
        match act {
            ClientStep::Timeout => {
                let what = self.awaited(before);
                let after = length(client.timeout.millis());
                let and = if self.times[index].skipped > 0 { "," } else { " and" };
                let text = format!("The client gives up on {what} after {after}{and} {next}.{lost}");
                let vain = self.in_vain(index);
                client_says("timeout", text, format!("gives up on {what}{vain}{}", self.report(step)))
            }
            ClientStep::Deadline if self.times[index].at < client.deadline.millis() => {
                let what = self.awaited(before);
                let gives_up = match self.left_out(index) {
                    None => format!("gives up on {what}, its last, and"),
                    Some(more) => format!("gives up on {what}, sends {more} in vain, and"),
                };
                let text = format!("The client {gives_up} {next}.");
                let vain = self.in_vain(index);
                client_says("timeout", text, format!("gives up on {what}{vain}{}", self.report(step)))
            }
            ClientStep::Deadline => {
                let text =
                    format!("The deadline of {deadline} passes without an answer, and the client {next}.");
                client_says("deadline", text, format!("deadline passes{}", self.report(step)))
            }
            ClientStep::SendLate => {
                let sends = sends(step.after.client.awaits);
                let text =
                    format!("The deadline of {deadline} is over, and the client {sends} all the same.{lost}");
                client_says("send-late", text, "sends after the deadline".into())
            }
            ClientStep::Click => {
                let text = format!(
                    "The user clicks a second time, and the client {}.{lost}",
                    sends(Delivery::CLICK)
                );
                client_says("click", text, "second click".into()).by(Fault::Click)
            }
            ClientStep::Reload => {
                let sends = sends(Delivery::CLICK);
                let text =
                    format!("The page is reloaded, the user sends again, and the client {sends}.{lost}");
                client_says("reload", text, "page reloaded".into()).by(Fault::Reload)
            }
            ClientStep::Ask => {
                let text = format!("The client {next}.{lost}");
                client_says("ask", text, "asks for the status".into()).by(Fault::Ask)
            }
            ClientStep::Cancel => {
                let text = format!("The user cancels, and the client {next}.{lost}");
                client_says("cancel", text, "user cancels".into()).by(Fault::Cancel)
            }
            ClientStep::Edit => {
                let text = format!("The user edits the payload, and the client {next}.{lost}");
                client_says("edit", text, "user edits the payload".into()).by(Fault::Edit)
            }
            ClientStep::Repeat(attempt) => {
                let what = self.delivery(Delivery(attempt));
                let text = format!("The proxy sends another copy of {what} by itself.{lost}");
                proxy_says("repeat", text, format!("repeats {what}")).by(Fault::Repeat)
            }
            ClientStep::Gateway => {
                let what = self.delivery(before.awaits);
                let text = format!(
                    "The gateway answers {what} with 503 or 504 while the server may run on, and the client {next}.{lost}"
                );
                proxy_says("gateway", text, self.outcome(index, step)).by(Fault::Gateway)
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
        let (what, class, next) = (self.delivery(delivery), self.class(class), self.reaction(index, step));
        let lost = self.request_loss(step);
        let sent = self.on_its_way(step, self.times[index].at);
        let text =
            format!("The answer to {what}{sent} reaches the client: {class}. The client {next}.{lost}");
        Said::new("deliver-answer", self.sender_of(step), text, self.outcome(index, step))
    }

    pub(super) fn client_gets_half(&self, index: usize, step: &Moved) -> Said {
        let (what, next) = (self.delivery(step.before.client.awaits), self.reaction(index, step));
        let lost = self.request_loss(step);
        let sent = self.on_its_way(step, self.times[index].at);
        let text = format!(
            "Half of the answer to {what}{sent} reaches the client, which takes it for none and {next}.{lost}"
        );
        Said::new("deliver-half-answer", self.sender_of(step), text, "takes it for none")
            .by(Fault::HalfAnswer)
    }

    fn sender_of(&self, step: &Moved) -> Actor {
        step.received.map_or(Actor::ServerA, |at| self.ends(&self.trace.sendings[at]).0)
    }

    fn awaited(&self, client: Client) -> String {
        self.delivery(client.awaits)
    }

    /// The requests that the path leaves out in a step, as an addition to a chart's words.
    fn in_vain(&self, index: usize) -> String {
        self.left_out(index).map_or_else(String::new, |more| format!(", sends {more} in vain"))
    }

    /// What the client does next: a predicate.
    fn reaction(&self, index: usize, step: &Moved) -> String {
        let (before, after) = (step.before.client, step.after.client);
        if after.attempts > before.attempts {
            return self.retry(index, step);
        }
        match after.phase {
            Phase::Asking => "asks the status route what became of the intent".into(),
            Phase::Cancelling => "sends a cancel by key".into(),
            Phase::Editing => "first sends a cancel by key".into(),
            Phase::Waiting => "goes on waiting".into(),
            Phase::Ended if after.told == Told::Replaced => {
                "sends the edited intent, with a key of its own".into()
            }
            Phase::Ended => format!("tells its user that {}", told(after.told)),
        }
    }

    fn retry(&self, index: usize, step: &Moved) -> String {
        let timed = self.times[index];
        let between =
            self.left_out(index).map_or_else(String::new, |more| format!("sends {more} in vain, and "));
        let at = timed.retry.map_or_else(String::new, |at| format!(" at {}", moment(at)));
        format!("{between}sends {}{at}{}", self.delivery(step.after.client.awaits), self.which_key(step))
    }

    /// Under which key the request of this step goes, where that is not a matter of course.
    fn which_key(&self, step: &Moved) -> &'static str {
        let slot = |one: &Sending| match one.message {
            Message::Request { slot, .. } => Some(slot),
            _ => None,
        };
        let new = step.sent.iter().find_map(|at| slot(&self.trace.sendings[*at])).unwrap_or(0);
        let apart = match () {
            () if self.setup.keyless => return "",
            () if new == 0 => Apart::Nothing,
            () if step.after.client.awaits == Delivery::CLICK => self.setup.click_apart,
            () => self.setup.apart,
        };
        match apart {
            Apart::Nothing => ", with the same key",
            Apart::Key => ", under another key",
            Apart::Credential => ", with the same key, under another credential",
            Apart::Region | Apart::Store => ", with the same key, into another region",
            Apart::Memory => ", with the same key, to another process",
        }
    }

    fn request_loss(&self, step: &Moved) -> &'static str {
        let lost = |at: &usize| {
            let one = &self.trace.sendings[*at];
            matches!(one.message, Message::Request { .. }) && self.fate(one) == Fate::Lost
        };
        if step.sent.iter().any(lost) { " That request is lost." } else { "" }
    }

    /// What the client does next, in a few words.
    fn outcome(&self, index: usize, step: &Moved) -> String {
        match step.after.client.phase {
            Phase::Waiting => format!("tries again{}", self.in_vain(index)),
            Phase::Asking => "asks for the status".into(),
            Phase::Cancelling | Phase::Editing => "cancels".into(),
            Phase::Ended => format!("reports {}", word(step.after.client.told)),
        }
    }

    /// The same as an addition, where the client ends.
    fn report(&self, step: &Moved) -> String {
        match step.after.client.phase {
            Phase::Ended => format!(", reports {}", word(step.after.client.told)),
            _ => String::new(),
        }
    }
}

fn told(told: Told) -> &'static str {
    match told {
        Told::Nothing => "it has no answer yet",
        Told::Done => "it is done",
        Told::Rejected => "it was rejected",
        Told::Failed => "it failed",
        Told::Unknown => "the outcome is unknown",
        Told::Cancelled => "it was cancelled",
        Told::Replaced => "it was replaced",
    }
}

/// What a user is told, in a word.
pub(super) fn word(told: Told) -> &'static str {
    match told {
        Told::Nothing => "nothing",
        Told::Done => "done",
        Told::Rejected => "rejected",
        Told::Failed => "failed",
        Told::Unknown => "unknown",
        Told::Cancelled => "cancelled",
        Told::Replaced => "replaced",
    }
}
