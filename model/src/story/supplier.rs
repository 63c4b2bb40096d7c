//! What is said of the supplier.

use idempotency::contract::SupplierKey;

use super::actor::Actor;
use super::teller::Said;
use super::words::{Words, capital};
use crate::clock::length;
use crate::fault::Fault;
use crate::message::{Event, Message};
use crate::trace::Moved;

impl Words<'_> {
    /// The key under which a call with this mark goes to the supplier.
    pub(super) fn supplier_key(&self, mark: u8, slot: u8) -> String {
        match self.setup.supplier_key {
            SupplierKey::FromMark => format!("key {mark}"),
            SupplierKey::FromIntent if self.setup.intent_has_two_names() => {
                self.key(slot).replacen("the ", "the intent's ", 1)
            }
            SupplierKey::FromIntent => "the intent's key".into(),
        }
    }

    pub(super) fn call_arrives(&self, index: usize, step: &Moved, token: u8, key: String) -> Said {
        let server = self.worker(token);
        let late = if self.is_at_work(step, token) { "" } else { "late " };
        let key = if self.setup.takes_key { format!(" with {key}") } else { String::new() };
        let replied = step.sent.iter().find_map(|at| match self.trace.sendings[*at].message {
            Message::Reply { result, .. } => Some(self.result(result)),
            _ => None,
        });
        let result = replied.unwrap_or_default();
        let (then, label) = if step.has(Event::SupplierReplay) {
            (
                format!("which knows the key and answers with the first result: {result}"),
                format!("replays {result}"),
            )
        } else if step.before.supplier.effects > 0 {
            (format!("which does it once more: {result}"), format!("does {result}"))
        } else {
            (format!("which does it: {result}"), format!("does {result}"))
        };
        let sent = self.on_its_way(step, self.times[index].at);
        let text = format!(
            "The {late}call of {}{key}{sent} reaches the supplier, {then}.{}",
            self.name(server),
            self.reply_loss(step)
        );
        Said::new("deliver-call", server, text, label)
    }

    pub(super) fn lookup_arrives(&self, index: usize, step: &Moved, token: u8) -> Said {
        let server = self.worker(token);
        let found = step.sent.iter().find_map(|at| match self.trace.sendings[*at].message {
            Message::Reply { result, .. } if result > 0 => Some(self.result(result)),
            _ => None,
        });
        let known = found.map_or_else(|| "knows nothing of it".into(), |result| format!("knows of {result}"));
        let sent = self.on_its_way(step, self.times[index].at);
        let text = format!(
            "The question of {}{sent} reaches the supplier, which {known}.{}",
            self.name(server),
            self.reply_loss(step)
        );
        Said::new("deliver-lookup", server, text, known)
    }

    pub(super) fn supplier_forgets(&self) -> Said {
        let memory = self.contract.supplier.remembers.period().map_or(0, |period| period.millis());
        let text = format!(
            "{} forgets our keys, which it remembers for {}.",
            capital("the supplier"),
            length(memory)
        );
        Said::new("supplier-forgets", Actor::Supplier, text, "forgets our keys").by(Fault::Forget)
    }

    fn reply_loss(&self, step: &Moved) -> &'static str {
        let lost = step.sent.iter().any(|at| {
            let one = &self.trace.sendings[*at];
            matches!(one.message, Message::Reply { .. }) && self.fate(one) == super::Fate::Lost
        });
        if lost { " The reply reaches nobody." } else { "" }
    }
}
