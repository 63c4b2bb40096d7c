//! What is said of a request that arrives, and of what a worker takes up.

use super::actor::Actor;
use super::teller::Said;
use super::words::{Words, capital};
use crate::fault::Fault;
use crate::message::{Delivery, Event};
use crate::scenario::Other;
use crate::server::Stand;
use crate::store::Tag;
use crate::trace::Moved;

/// The rest of a sentence, and the same in a few words.
type Phrase = (String, String);

impl Words<'_> {
    pub(super) fn request_arrives(
        &self,
        index: usize,
        step: &Moved,
        delivery: Delivery,
        slot: u8,
        stale: bool,
    ) -> Said {
        let copy = step.received.is_some_and(|at| self.is_copy(&self.trace.sendings[at]));
        let what = self.delivery(delivery);
        let what = if copy { format!("a copy of {what}") } else { what };
        let sent = self.on_its_way(step, self.times[index].at);
        // A probe is sent when it comes: nobody knows when else.
        let sent = if delivery == Delivery::OTHER { String::new() } else { sent };
        let replica = if stale { ", on a replica that is behind," } else { "" };
        let (finds, label) = self.admission(step, delivery, slot, stale);
        let text = format!(
            "{}{sent} reaches {}, which finds{replica} {finds}.{}",
            capital(&what),
            self.handler(step),
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

    /// What the server finds, and what it makes of the request.
    fn admission(&self, step: &Moved, delivery: Delivery, slot: u8, stale: bool) -> Phrase {
        let key = self.key(slot);
        let record = step.before.site.slots[usize::from(slot)];
        let none = record.is_empty() || stale || self.setup.keyless;
        let found = match record.tag {
            _ if self.setup.keyless => "no key in it".into(),
            Tag::Gone => format!("no record of {key} any more"),
            _ if none => format!("no record of {key}"),
            _ => format!("{key} {}", self.slot(record)),
        };
        let tombstone = delivery == Delivery::CANCEL && step.after.site.slots[0] != record;
        let (then, label) = match delivery {
            Delivery::OTHER => self.probe(step),
            _ if tombstone => ("leaves a tombstone".into(), "leaves a tombstone".into()),
            _ => self.takes_up(step),
        };
        if then.is_empty() {
            return (found.clone(), found);
        }
        let and = match () {
            () if none => " and",
            () if step.has(Event::TakenOver) => ",",
            () => ", and",
        };
        (format!("{found}{and} {then}"), label)
    }

    fn probe(&self, step: &Moved) -> Phrase {
        let shown = step.after.flaws != step.before.flaws;
        let (text, label) = match self.setup.other {
            _ if step.has(Event::KeptApart) => ("keeps it apart: it is in another scope", "kept apart"),
            _ if step.has(Event::Conflict) => ("answers with a conflict", "conflict"),
            Some(Other::Owner) if shown => ("gives it the first owner's answer", "shows another's answer"),
            _ if shown => ("takes it for the same command", "taken for the same"),
            _ => ("answers it without the handler", "no handler"),
        };
        (text.into(), label.into())
    }

    /// What a worker takes up in this step; empty if it takes up nothing.
    pub(super) fn takes_up(&self, step: &Moved) -> Phrase {
        let mut works = step.before.site.works.iter().zip(&step.after.site.works);
        let phrase = |text: &str, label: &str| (text.to_owned(), label.to_owned());
        let Some((_, work)) = works.find(|(was, is)| is.is_busy() && was != is) else {
            return if step.has(Event::TakenOver) {
                let text = "takes it over, and as nothing tells whether the call took effect, the record becomes unknown";
                phrase(text, "becomes unknown")
            } else {
                phrase("", "")
            };
        };
        let key = self.key(work.slot);
        match (work.stand, step.has(Event::TakenOver)) {
            (Stand::Reserving, _) => phrase("is about to reserve it", &format!("no record of {key}")),
            (Stand::InTransaction, _) if self.setup.keyless => {
                phrase("opens one transaction for effect and result", "opens a transaction")
            }
            (Stand::InTransaction, _) => {
                phrase("opens one transaction for reservation, effect and result", "opens a transaction")
            }
            (Stand::Reserved, false) if self.setup.keyless => phrase("runs the handler", "runs the handler"),
            (Stand::Reserved, false) => phrase("reserves it", &format!("reserves {key}")),
            (Stand::Marked, _) => phrase(
                "takes it over and will call the supplier again with the same key",
                "takes over, will call",
            ),
            (Stand::Asking, _) => {
                phrase("takes it over and asks the supplier whether it knows the call", "takes over, asks")
            }
            _ => phrase("takes it over and runs the handler again", "takes over, runs again"),
        }
    }
}
