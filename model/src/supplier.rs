//! The supplier of an external effect.

use serde::Serialize;

use crate::fault::{Fault, Left, Side};
use crate::message::{Event, Message, Out};
use crate::setup::Setup;

/// The state of the supplier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Supplier {
    /// How often the effect happened here; three stands for more.
    pub effects: u8,
    /// The keys that it remembers, as bits.
    pub remembered: u8,
    /// By the intent's key: the mark under which it first came, where no call under it comes after the memory.
    pub first: [u8; 2],
    /// The calls that can no longer arrive, as bits by mark: a settled question was answered with "not found".
    pub closed: u8,
    /// The result filed under each business id, two bits each.
    pub results: u16,
    /// What may still happen here.
    pub left: Left,
}

impl Supplier {
    /// A supplier to whom nothing has been said.
    pub(crate) fn start(setup: &Setup) -> Self {
        let left = Left::new(&setup.budget, Side::Supplier);
        Self { effects: 0, remembered: 0, first: [0; 2], closed: 0, results: 0, left }
    }

    fn result(&self, id: u8) -> u8 {
        (self.results >> (2 * id) & 3) as u8
    }

    /// Whether it can forget.
    pub(crate) fn may_forget(&self) -> bool {
        self.remembered != 0 && self.left.has(Fault::Forget)
    }

    /// Forgets every key. The business records stay.
    pub(crate) fn forget(&mut self) {
        let _ = self.left.take(Fault::Forget);
        self.remembered = 0;
    }

    /// Whether it must still remember the key of this call, since the call comes under the key's first mark.
    fn cannot_have_forgotten(&self, setup: &Setup, mark: u8, id: u8) -> bool {
        setup.first_mark_counts() && self.first[usize::from(id)] == mark
    }

    /// It has not forgotten yet.
    fn unforget(&mut self) {
        self.left.give_back(Fault::Forget);
        self.remembered = self.first.iter().rev().fold(0, |bits, mark| bits << 1 | u8::from(*mark != 0));
    }

    /// Receives a call or a question; `false` if it cannot arrive any more.
    pub(crate) fn receive(&mut self, setup: &Setup, message: Message, out: &mut Out) -> bool {
        match message {
            Message::Call { token, mark, slot } => {
                if self.closed >> mark & 1 != 0 {
                    return false;
                }
                let id = setup.supplier_id(mark, slot);
                if self.remembered >> id & 1 == 0 && self.cannot_have_forgotten(setup, mark, id) {
                    self.unforget();
                }
                if setup.takes_key && self.remembered >> id & 1 != 0 {
                    out.event(Event::SupplierReplay);
                    out.send(Message::Reply { token, result: self.result(id) });
                    return true;
                }
                self.effects = (self.effects + 1).min(3);
                out.event(Event::Effect);
                if setup.takes_key {
                    self.remembered |= 1 << id;
                    if setup.first_mark_counts() {
                        self.first[usize::from(id)] = mark;
                    }
                }
                if self.result(id) == 0 {
                    self.results |= u16::from(self.effects) << (2 * id);
                }
                out.send(Message::Reply { token, result: self.effects });
                true
            }
            Message::Lookup { token, mark, slot, settled } => {
                let result = self.result(setup.supplier_id(mark, slot));
                if result == 0 && settled && setup.limits.settle_covers {
                    self.closed |= 1 << mark;
                }
                out.send(Message::Reply { token, result });
                true
            }
            _ => false,
        }
    }
}
