//! What is said of the workers.

use idempotency::contract::EffectKind;

use super::actor::Actor;
use super::teller::Said;
use super::words::{Words, capital};
use crate::fault::Fault;
use crate::message::{Class, Delivery, Event, Message};
use crate::server::{ServerStep, Stand};
use crate::store::Tag;
use crate::trace::Moved;

impl Words<'_> {
    pub(super) fn request_arrives(&self, step: &Moved, delivery: Delivery, slot: u8, stale: bool) -> Said {
        let copy = step.received.is_some_and(|at| self.is_copy(&self.trace.sendings[at]));
        let what = self.delivery(delivery);
        let what = if copy { format!("a copy of {what}") } else { what };
        let server = self.handler(step);
        let replica = if stale { ", on a replica that is behind," } else { "" };
        let (text, label) = self.admission(step, delivery, slot);
        let text = format!(
            "{} reaches {server}, which finds{replica} {text}.{}",
            capital(&what),
            self.answers(step)
        );
        let from = match delivery {
            Delivery::OTHER => Actor::Other,
            _ if copy => Actor::Proxy,
            _ => Actor::Client,
        };
        let name = match delivery {
            Delivery::STATUS => "deliver-question",
            Delivery::CANCEL => "deliver-cancel",
            Delivery::OTHER => "deliver-probe",
            _ if stale => "deliver-request-stale-read",
            _ => "deliver-request",
        };
        let said = Said::new(name, from, text, label);
        if stale { said.by(Fault::StaleRead) } else { said }
    }

    /// What the server makes of a request: in a sentence that goes on after "which reads", and in a few words.
    fn admission(&self, step: &Moved, delivery: Delivery, slot: u8) -> (String, String) {
        let key = self.key(slot);
        let record = step.before.site.slots[usize::from(slot)];
        let found = if self.setup.keyless {
            "no key in it".into()
        } else {
            match record.tag {
                Tag::Absent => format!("no record of {key}"),
                Tag::Gone => format!("no record of {key} any more"),
                _ => format!("{key} {}", self.slot(record)),
            }
        };
        let (then, label) = match delivery {
            Delivery::OTHER => self.probe(step),
            Delivery::CANCEL if step.after.site.slots[0] != record => {
                ("leaves a tombstone".into(), "leaves a tombstone".into())
            }
            _ => self.begins(step),
        };
        let then = if then.is_empty() { then } else { format!(" and {then}") };
        let label = if label.is_empty() { found.clone() } else { label };
        (found + &then, label)
    }

    fn probe(&self, step: &Moved) -> (String, String) {
        let (text, label) = if step.has(Event::KeptApart) {
            ("keeps it apart: it is in another scope", "kept apart")
        } else if step.has(Event::Conflict) {
            ("answers with a conflict", "conflict")
        } else if step.after.flaws != step.before.flaws {
            match self.setup.other {
                Some(crate::scenario::Other::Owner) => {
                    ("answers it with the first owner's result", "shown to another owner")
                }
                _ => ("takes it for the same command", "taken for the same"),
            }
        } else {
            ("answers it without the handler", "no handler")
        };
        (text.into(), label.into())
    }

    /// What a worker takes up in this step.
    fn begins(&self, step: &Moved) -> (String, String) {
        let works = || step.before.site.works.iter().zip(&step.after.site.works);
        let Some((_, work)) = works().find(|(was, is)| is.is_busy() && was != is) else {
            let unknown = step.has(Event::TakenOver);
            return if unknown {
                ("takes it over: nothing tells whether the call took effect, and the record becomes unknown".into(), "becomes unknown".into())
            } else {
                (String::new(), String::new())
            };
        };
        let taken = if step.has(Event::TakenOver) { "takes it over and " } else { "" };
        let key = self.key(work.slot);
        match work.stand {
            Stand::Reserving => ("is about to reserve it".into(), format!("no record of {key}")),
            Stand::InTransaction => (
                "opens one transaction for reservation, effect and result".into(),
                "opens a transaction".into(),
            ),
            Stand::Reserved if self.setup.keyless => ("runs the handler".into(), "runs the handler".into()),
            Stand::Reserved if taken.is_empty() => ("reserves it".into(), format!("reserves {key}")),
            Stand::Marked => (
                format!("{taken}will call the supplier again with the same key"),
                "takes over, will call".into(),
            ),
            Stand::Asking => {
                (format!("{taken}asks the supplier whether it knows the call"), "takes over, asks".into())
            }
            _ => (format!("{taken}runs the handler again"), "takes over, runs again".into()),
        }
    }

    pub(super) fn worker_acts(&self, step: &Moved, worker: usize, act: ServerStep) -> Said {
        let actor = Actor::server(worker);
        let server = capital(self.name(actor));
        let (name, text, label, fault) = match act {
            ServerStep::Reserve => {
                let (text, label) = self.reserves(step, &server, worker);
                ("reserve", text, label, None)
            }
            ServerStep::Commit | ServerStep::Complete => {
                let (text, label) = self.commits(step, &server, worker);
                (if act == ServerStep::Commit { "commit" } else { "complete" }, text, label, None)
            }
            ServerStep::CommitUnseen => {
                let (text, label) = self.commits(step, &server, worker);
                let text = format!("{text} The answer to its commit is lost: it takes it for an error.");
                ("commit-unseen", text, label + ", unseen", Some(Fault::Error))
            }
            ServerStep::Effect => {
                let result = self.result(step.after.site.effects);
                (
                    "effect",
                    format!("{server} commits the effect alone: {result}."),
                    format!("effect: {result}"),
                    None,
                )
            }
            ServerStep::Mark => {
                let (text, label) = self.marks(step, &server, worker);
                ("mark", text, label, None)
            }
            ServerStep::Call => (
                "call",
                format!("{server} calls the supplier{}.", self.call_loss(step)),
                "calls".into(),
                None,
            ),
            ServerStep::Reject => {
                let text = format!(
                    "The check of {server} refuses, by the state that it sees; {}.",
                    self.kept(step, worker)
                );
                (
                    "reject",
                    text.replace("of Server", "of server").replace("of Worker", "of worker"),
                    "its check refuses".into(),
                    Some(Fault::Rejection),
                )
            }
            ServerStep::Fail => {
                let text = format!(
                    "{server} ends in an error after which nobody knows whether the effect happened; {}.",
                    self.kept(step, worker)
                );
                ("fail", text, "ends in an error".into(), Some(Fault::Error))
            }
            ServerStep::Crash => {
                let stand = self.stand(step, worker);
                ("crash", format!("{server} is killed: {stand}."), "is killed".into(), Some(Fault::Crash))
            }
            ServerStep::HangUp => {
                let text = format!(
                    "The connection is cut, and the handler of {server} is cancelled: {}; {}.",
                    self.stand(step, worker),
                    self.kept(step, worker)
                );
                (
                    "hang-up",
                    text.replace("of Server", "of server").replace("of Worker", "of worker"),
                    "is cancelled".into(),
                    Some(Fault::HangUp),
                )
            }
            ServerStep::Recover(slot) => {
                let (text, label) = self.recovers(step, &server, slot);
                ("recover", text, label, None)
            }
        };
        let said = Said::new(name, actor, text + &self.answers(step), label);
        match fault {
            Some(fault) => said.by(fault),
            None => said,
        }
    }

    fn reserves(&self, step: &Moved, server: &str, worker: usize) -> (String, String) {
        let slot = step.before.site.works[worker].slot;
        let (key, record) = (self.key(slot), step.before.site.slots[usize::from(slot)]);
        let text = if record.is_empty() {
            format!("{server} reserves {key}.")
        } else if record.is_terminal() {
            format!("{server} finds {key} {}, leaves that, and goes on all the same.", self.slot(record))
        } else {
            format!("{server} reserves {key} too, over what is there: {}.", self.slot(record))
        };
        (text, format!("reserves {key}"))
    }

    fn commits(&self, step: &Moved, server: &str, worker: usize) -> (String, String) {
        if step.has(Event::Fenced) {
            let text = format!(
                "{server} has lost its reservation: its commit is refused, and nothing of it is stored."
            );
            return (text, "commit refused".into());
        }
        let work = step.before.site.works[worker];
        let alone = work.stand == Stand::Finishing && !self.setup.is_external();
        let number = if work.stand == Stand::Finishing { work.detail } else { step.after.site.effects };
        let result = self.result(number);
        let held = self.setup.keyless || self.setup.effect == EffectKind::OneTransaction || {
            let record = step.before.site.slots[usize::from(work.slot)];
            record.is_in_progress() && record.owner == work.token
        };
        let but = if held { "" } else { ", though it does not hold the reservation any more" };
        let what = match () {
            () if self.setup.keyless && !alone => "commits the effect",
            () if self.setup.is_external() => "commits its rows and the result",
            () if alone => "stores the result",
            () => "commits the effect and the result",
        };
        (format!("{server} {what}: {result}{but}."), format!("commits {result}"))
    }

    fn marks(&self, step: &Moved, server: &str, worker: usize) -> (String, String) {
        if step.has(Event::Fenced) {
            let text =
                format!("{server} has lost its reservation: its mark is refused, and it does not call.");
            return (text, "mark refused".into());
        }
        let work = step.before.site.works[worker];
        let record = step.before.site.slots[usize::from(work.slot)];
        let held = record.is_in_progress() && record.owner == work.token;
        let but = if held { "" } else { ", though it does not hold the reservation any more" };
        (format!("{server} stores the mark that its call is about to leave{but}."), "stores the mark".into())
    }

    fn recovers(&self, step: &Moved, server: &str, slot: u8) -> (String, String) {
        let (then, label) = self.begins(step);
        let record = self.slot(step.before.site.slots[usize::from(slot)]);
        let then = if then.is_empty() { "leaves it".into() } else { then };
        (format!("{server} finds {} {record} and {then}.", self.key(slot)), label)
    }

    fn call_loss(&self, step: &Moved) -> &'static str {
        let lost = step.sent.iter().any(|at| {
            let one = &self.trace.sendings[*at];
            matches!(one.message, Message::Call { .. }) && self.fate(one) == super::Fate::Lost
        });
        if lost { "; the call is lost" } else { "" }
    }

    /// What becomes of the record when a handler ends without a result.
    fn kept(&self, step: &Moved, worker: usize) -> &'static str {
        let work = step.before.site.works[worker];
        let [was, is] = [step.before, step.after].map(|world| world.site.slots[usize::from(work.slot)]);
        match is.tag {
            _ if self.setup.keyless => "nothing is kept of it",
            _ if was == is => "the record stays as it is",
            Tag::Absent | Tag::Gone => "the key is free again",
            Tag::Unknown => "the record becomes unknown",
            Tag::Completed if Class::of(is.detail) == Class::Rejected => "the rejection is stored",
            Tag::Completed => "the error is stored as the final answer",
            Tag::Reserved | Tag::Called | Tag::Cancelled => "the record stays as it is",
        }
    }

    fn stand(&self, step: &Moved, worker: usize) -> &'static str {
        match step.before.site.works[worker].stand {
            Stand::Idle => "it was idle",
            Stand::Reserving => "it had not reserved yet",
            Stand::Reserved if self.setup.keyless => "it had not committed yet",
            Stand::Reserved => "it had reserved the key and done nothing else",
            Stand::InTransaction => "its transaction is rolled back",
            Stand::Marked => "it had stored the mark, and its call had not left",
            Stand::Called => "its call had left, and it had no reply",
            Stand::Asking => "it had asked the supplier, and had no reply",
            Stand::Finishing => "the effect had happened, and the result was not stored",
        }
    }

    /// What a worker does with the supplier's reply.
    pub(super) fn reply_arrives(&self, step: &Moved, token: u8, result: u8) -> Said {
        let actor = self.worker(token);
        let server = self.name(actor);
        let (text, label) = if result > 0 {
            let result = self.result(result);
            (format!("The supplier's reply reaches {server}: {result}."), format!("learns of {result}"))
        } else {
            let then = if step.has(Event::Fenced) {
                "it has lost its reservation and changes nothing"
            } else {
                let slot = step
                    .before
                    .site
                    .works
                    .iter()
                    .find(|work| work.token == token)
                    .map_or(0, |work| work.slot);
                match step.after.site.slots[usize::from(slot)].tag {
                    Tag::Unknown => "that will never prove anything, and the record becomes unknown",
                    Tag::Reserved => "it takes that for proof, and runs the handler again",
                    _ => "that proves nothing yet, and the record waits for the settle time",
                }
            };
            (
                format!("The supplier's reply reaches {server}: not found; {then}.{}", self.answers(step)),
                "not found".into(),
            )
        };
        Said::new("deliver-reply", Actor::Supplier, text, label)
    }

    /// The worker whose record ends, if it lives.
    pub(super) fn living_owner(&self, step: &Moved, slot: u8) -> Option<&'static str> {
        let owner = step.before.site.slots[usize::from(slot)].owner;
        let lives = step.before.site.works.iter().any(|work| work.is_busy() && work.token == owner);
        lives.then(|| self.name(self.worker(owner)))
    }
}
