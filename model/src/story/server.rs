//! What is said of the workers.

use idempotency::contract::EffectKind;

use super::actor::Actor;
use super::late::after;
use super::teller::Said;
use super::words::{Words, capital};
use crate::fault::Fault;
use crate::message::{Class, Event};
use crate::server::{ServerStep, Stand};
use crate::store::{Slot, Tag};
use crate::trace::Moved;
use crate::world::Action;

const LOST: &str = ", though it does not hold the reservation any more";

impl Words<'_> {
    pub(super) fn worker_acts(&self, index: usize, step: &Moved, worker: usize, act: ServerStep) -> Said {
        let actor = Actor::server(worker);
        let name = self.name(actor);
        let server = capital(name);
        let says = |name, text: String, label: &str| Said::new(name, actor, text, label);
        let mut said = match act {
            ServerStep::Reserve => self.reserves(step, worker, &server),
            ServerStep::Commit => self.commits(step, worker, &server, "commit"),
            ServerStep::Complete => self.commits(step, worker, &server, "complete"),
            ServerStep::CommitUnseen => {
                let mut said = self.commits(step, worker, &server, "commit-unseen");
                if !step.has(Event::Fenced) {
                    said.text += " The answer to its commit is lost, and it takes that for an error.";
                }
                said.by(Fault::Error)
            }
            ServerStep::Effect => {
                let result = self.result(step.after.site.effects);
                let text = format!("{server} commits the effect alone: {result}.");
                says("effect", text, &format!("effect alone: {result}"))
            }
            ServerStep::Mark => self.marks(step, worker, &server),
            ServerStep::Call => says("call", format!("{server} calls the supplier."), "calls the supplier"),
            ServerStep::Reject => {
                let kept = self.kept(step, worker);
                let text = format!("The check of {name} refuses, by the state that it sees; {kept}.");
                says("reject", text, "its check refuses").by(Fault::Rejection)
            }
            ServerStep::Fail => {
                let kept = self.kept(step, worker);
                let text = format!(
                    "{server} ends in an error that does not say whether the effect happened; {kept}."
                );
                says("fail", text, "ends in an error").by(Fault::Error)
            }
            ServerStep::Crash => {
                let gone = step.before.site.slots != step.after.site.slots;
                let gone = if gone { ", and the records in its memory are gone" } else { "" };
                let text = format!("{server} is killed: {}{gone}.", self.stand(step, worker));
                says("crash", text, "is killed").by(Fault::Crash)
            }
            ServerStep::HangUp => {
                let (stand, kept) = (self.stand(step, worker), self.kept(step, worker));
                let text = format!(
                    "The connection is cut, and the handler of {name} is cancelled: {stand}; {kept}."
                );
                says("hang-up", text, "handler cancelled").by(Fault::HangUp)
            }
            ServerStep::Recover(slot) => {
                let (then, label) = self.takes_up(step);
                let restarted = if self.was_killed(index, worker) { ", restarted," } else { "" };
                let record = self.slot(step.before.site.slots[usize::from(slot)]);
                let text = format!("{server}{restarted} finds {} {record}, {then}.", self.key(slot));
                says("recover", text, &label)
            }
        };
        said.text = after(&self.delayed(index, worker), &said.text) + &self.answers(step);
        said
    }

    fn reserves(&self, step: &Moved, worker: usize, server: &str) -> Said {
        let slot = step.before.site.works[worker].slot;
        let (key, record) = (self.key(slot), step.before.site.slots[usize::from(slot)]);
        let text = if record.is_empty() {
            format!("{server} reserves {key}.")
        } else if record.is_terminal() {
            format!("{server} finds {key} {}, leaves that, and goes on all the same.", self.slot(record))
        } else {
            format!("{server} reserves {key} too, over what is there: {}.", self.slot(record))
        };
        Said::new("reserve", Actor::server(worker), text, format!("reserves {key}"))
    }

    fn commits(&self, step: &Moved, worker: usize, server: &str, name: &'static str) -> Said {
        let actor = Actor::server(worker);
        let one = self.setup.effect == EffectKind::OneTransaction;
        if step.has(Event::Fenced) {
            let text = if one {
                format!("The commit of {} is refused: the key has a record by now.", self.name(actor))
            } else {
                format!(
                    "{server} has lost its reservation: its commit is refused, and nothing of it is stored."
                )
            };
            return Said::new(name, actor, text, "commit refused");
        }
        let work = step.before.site.works[worker];
        let finishing = work.stand == Stand::Finishing;
        let result = self.result(if finishing { work.detail } else { step.after.site.effects });
        let but = if one || self.setup.keyless || self.holds(step, worker) { "" } else { LOST };
        let what = match (finishing, self.setup.is_external()) {
            (true, true) => "commits its rows and the result",
            (true, false) => "stores the result",
            (false, _) if self.setup.keyless => "commits the effect",
            (false, _) => "commits the effect and the result",
        };
        Said::new(name, actor, format!("{server} {what}: {result}{but}."), format!("commits {result}"))
    }

    fn marks(&self, step: &Moved, worker: usize, server: &str) -> Said {
        let actor = Actor::server(worker);
        if step.has(Event::Fenced) {
            let text =
                format!("{server} has lost its reservation: its mark is refused, and it does not call.");
            return Said::new("mark", actor, text, "mark refused");
        }
        let but = if self.holds(step, worker) { "" } else { LOST };
        let text = format!("{server} stores the mark that its call is about to leave{but}.");
        Said::new("mark", actor, text, "stores the mark")
    }

    /// What a worker does with the supplier's reply.
    pub(super) fn reply_arrives(&self, index: usize, step: &Moved, token: u8, result: u8) -> Said {
        let server = self.name(self.worker(token));
        let sent = self.on_its_way(step, self.times[index].at);
        if result > 0 {
            let result = self.result(result);
            let text = format!("The supplier's reply{sent} reaches {server}: {result}.");
            return Said::new("deliver-reply", Actor::Supplier, text, format!("learns of {result}"));
        }
        let worker = step.before.site.works.iter().find(|work| work.is_busy() && work.token == token);
        let slot = worker.map_or(0, |work| usize::from(work.slot));
        let (then, label) = match step.after.site.slots[slot].tag {
            _ if step.has(Event::Fenced) => {
                ("it has lost its reservation and changes nothing", "reservation lost")
            }
            Tag::Unknown => ("that never proves anything, and the record becomes unknown", "becomes unknown"),
            Tag::Reserved => ("it takes that for proof and runs the handler again", "runs again"),
            _ => ("that proves nothing yet, and the record waits for the settle time", "waits"),
        };
        let text =
            format!("The supplier's reply{sent} reaches {server}: not found; {then}.{}", self.answers(step));
        Said::new("deliver-reply", Actor::Supplier, text, label)
    }

    /// The worker that holds a record, if it lives, by name.
    pub(super) fn living_owner(&self, step: &Moved, record: Slot) -> Option<&'static str> {
        let lives = step.before.site.works.iter().any(|work| work.is_busy() && work.token == record.owner);
        lives.then(|| self.name(self.worker(record.owner)))
    }

    fn holds(&self, step: &Moved, worker: usize) -> bool {
        let work = step.before.site.works[worker];
        let record = step.before.site.slots[usize::from(work.slot)];
        record.is_in_progress() && record.owner == work.token
    }

    fn was_killed(&self, index: usize, worker: usize) -> bool {
        let killed = |action| match action {
            Action::Server(at, ServerStep::Crash) => usize::from(at) == worker || self.setup.one_process,
            _ => false,
        };
        self.trace.steps[..index].iter().any(|step| killed(step.action))
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
            Tag::Completed if Class::of(is.detail) == Class::Error => "the error is stored, for every repeat",
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
}
