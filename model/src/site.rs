//! The site: the server's processes and the store that they share. A transaction between the two is one step.

use idempotency::contract::TakeOver;
use idempotency::protocol::{
    Admission, CancelAnswer, Record, Recovery, Request, StatusAnswer, admit, cancel, status,
};
use serde::Serialize;

use crate::fault::{Fault, Left, Side};
use crate::limits::Late;
use crate::message::{Class, Delivery, Event, Flaw, Out};
use crate::moment::{self, LONG_AGO, NOW, OURS};
use crate::scenario::Other;
use crate::server::Work;
use crate::setup::Setup;
use crate::store::{Slot, Tag};

/// How many workers there are. They are alike: which of two idle ones takes a delivery makes no difference.
pub const WORKERS: usize = 2;

/// The state of the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Site {
    /// What each worker does.
    pub works: [Work; WORKERS],
    /// The store.
    pub slots: [Slot; 2],
    /// The last token that was given out.
    pub last_token: u8,
    /// How often the local effect was committed; three stands for more.
    pub effects: u8,
    /// Which results were named in answers of success, as bits.
    pub named: u8,
    /// What may still happen here.
    pub left: Left,
}

impl Setup {
    /// Whether a reservation whose lease ended can be taken over by anyone.
    pub(crate) fn may_take_over(&self) -> bool {
        self.rules.take_over != TakeOver::Never
    }
}

impl Site {
    /// A site to which nothing has come.
    pub(crate) fn start(setup: &Setup) -> Self {
        Self {
            works: [Work::default(); WORKERS],
            slots: [Slot::default(); 2],
            last_token: 0,
            effects: 0,
            named: 0,
            left: Left::new(&setup.budget, Side::Site),
        }
    }

    /// Receives a request; `false` if it cannot arrive now: it is too late for it, or no worker is free.
    pub(crate) fn receive(
        &mut self,
        setup: &Setup,
        delivery: Delivery,
        slot: u8,
        stale_read: bool,
        out: &mut Out,
    ) -> bool {
        match delivery {
            Delivery::STATUS => self.answer_status(out),
            Delivery::CANCEL => self.answer_cancel(setup, out),
            Delivery::OTHER => return self.answer_probe(setup, out),
            _ if setup.keyless => return self.start_work(setup, delivery, slot, out),
            _ => return self.answer_attempt(setup, delivery, slot, stale_read, out),
        }
        true
    }

    fn answer_attempt(
        &mut self,
        setup: &Setup,
        delivery: Delivery,
        at: u8,
        stale_read: bool,
        out: &mut Out,
    ) -> bool {
        let slot = self.slots[usize::from(at)];
        let late = setup.limits.late_in(slot, delivery);
        let made_at = match late {
            Late::Cannot => return false,
            Late::Refused => Some(LONG_AGO),
            Late::LooksNew => Some(NOW),
        };
        if stale_read && (slot.is_empty() || !self.left.take(Fault::StaleRead)) {
            return false;
        }
        let seen = if stale_read { None } else { moment::record(slot) };
        match admit(seen.as_ref(), &Request { fingerprint: OURS, made_at }, NOW, &setup.rules) {
            Admission::Stale => {
                out.event(Event::StaleRefused);
                self.answer(delivery, Class::Stale, out);
            }
            Admission::Conflict => self.answer(delivery, Class::Conflict, out),
            Admission::Replay(class) => {
                out.event(Event::Replay);
                self.answer(delivery, class, out);
            }
            Admission::Cancelled => {
                out.event(Event::Tombstone);
                self.answer(delivery, Class::Cancelled, out);
            }
            Admission::Unknown => self.answer(delivery, Class::Unknown, out),
            Admission::InFlight { .. } => self.answer(delivery, Class::InFlight, out),
            Admission::TakeOver(recovery) => return self.take_over(setup, at, delivery, recovery, out),
            // What a stale read missed, an atomic reservation meets when it writes.
            Admission::Reserve if stale_read && setup.atomic => self.answer(delivery, Class::InFlight, out),
            Admission::Reserve => return self.start_work(setup, delivery, at, out),
        }
        true
    }

    fn answer_status(&mut self, out: &mut Out) {
        let class = match status(self.record(0).as_ref()) {
            StatusAnswer::Done(class) => class,
            StatusAnswer::InProgress => Class::InFlight,
            StatusAnswer::Unknown => Class::Unknown,
            StatusAnswer::Cancelled => Class::Cancelled,
            StatusAnswer::NotFound => Class::NotFound,
        };
        self.answer(Delivery::STATUS, class, out);
    }

    fn answer_cancel(&mut self, setup: &Setup, out: &mut Out) {
        // A transaction that holds the key's row makes the cancel wait; it is answered "in progress" here.
        if self.row_is_locked(setup, 0) {
            return self.answer(Delivery::CANCEL, Class::InFlight, out);
        }
        let slot = self.slots[0];
        let too_late = slot.tag == Tag::Gone && !setup.limits.cancel_outlives_record;
        let begun = if too_late { LONG_AGO } else { NOW };
        let class = match cancel(self.record(0).as_ref(), begun, NOW, &setup.rules) {
            CancelAnswer::Cancelled(tombstone) => {
                if let Some(tombstone) = tombstone {
                    self.write(0, moment::slot(&tombstone, slot), out);
                }
                Class::Cancelled
            }
            CancelAnswer::Done(class) => class,
            CancelAnswer::InProgress => Class::InFlight,
            CancelAnswer::Unknown => Class::Unknown,
            CancelAnswer::TooOld => Class::TooOld,
        };
        self.answer(Delivery::CANCEL, class, out);
    }

    /// The probe with the same key. What it would do in a scope of its own is nobody's concern here; and where the key
    /// is still free, it and the intent may change places.
    fn answer_probe(&mut self, setup: &Setup, out: &mut Out) -> bool {
        if setup.keyless || !setup.other_shares_scope {
            out.event(Event::KeptApart);
            return true;
        }
        if self.slots[0].is_empty() {
            return false;
        }
        let owner = setup.other == Some(Other::Owner);
        let fingerprint = if owner { OURS } else { OURS + 1 };
        let request = Request { fingerprint, made_at: Some(NOW) };
        match admit(self.record(0).as_ref(), &request, NOW, &setup.rules) {
            Admission::Replay(_) if owner => out.flaw(Flaw::OtherOwnerShown),
            Admission::Replay(_) => out.flaw(Flaw::OtherPayloadAdmitted),
            Admission::TakeOver(Recovery::RunAgain) if !owner => out.flaw(Flaw::OtherPayloadAdmitted),
            Admission::Conflict => out.event(Event::Conflict),
            Admission::InFlight { .. } => out.event(Event::InFlight),
            _ => {}
        }
        true
    }

    /// Answers a delivery, if there is one.
    pub(crate) fn answer(&mut self, delivery: Delivery, class: Class, out: &mut Out) {
        if delivery == Delivery::NONE {
            return;
        }
        if let Some(result) = class.result() {
            self.named |= 1 << result;
        }
        match class {
            Class::InFlight => out.event(Event::InFlight),
            Class::Conflict => out.event(Event::Conflict),
            _ => {}
        }
        out.send(crate::message::Message::Answer { delivery, class });
    }

    /// Writes a slot, and notes what no later state would show of it.
    pub(crate) fn write(&mut self, at: u8, mut slot: Slot, out: &mut Out) {
        let before = self.slots[usize::from(at)];
        slot.terminal_written = before.terminal_written;
        if slot.is_terminal() {
            if before.terminal_written {
                out.flaw(Flaw::TerminalTwice);
            }
            slot.terminal_written = true;
        }
        if slot.tag == Tag::Unknown {
            out.event(Event::Unknown);
        }
        self.slots[usize::from(at)] = slot;
    }

    /// The protocol's record in a slot.
    pub(crate) fn record(&self, at: u8) -> Option<Record<u8, Class>> {
        moment::record(self.slots[usize::from(at)])
    }
}
