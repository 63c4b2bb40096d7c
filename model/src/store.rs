//! The store of the records, as the world sees it: two slots, each with what the protocol's record says and with no times.

use idempotency::protocol::expires;
use serde::Serialize;

use crate::fault::Fault;
use crate::message::{Class, Event, Flaw, Out};
use crate::moment;
use crate::setup::Setup;
use crate::site::Site;

/// The state of a slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub enum Tag {
    /// No record, and there never was one that ended.
    #[default]
    Absent,
    /// No record: its retention ended.
    Gone,
    /// In progress, nothing sent outside.
    Reserved,
    /// In progress, and the external call may have left.
    Called,
    /// Completed.
    Completed,
    /// Unknown.
    Unknown,
    /// A tombstone.
    Cancelled,
}

/// One key in its scope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Slot {
    /// The state.
    pub tag: Tag,
    /// The token of the owner, while in progress.
    pub owner: u8,
    /// The mark, once called; the class of the answer, once completed.
    pub detail: u8,
    /// The lease ended.
    pub lease_ended: bool,
    /// The window for calling again ended.
    pub window_over: bool,
    /// The settle time is over.
    pub settled: bool,
    /// The supplier said "not found" too early: the lease ends with the settle time.
    pub asked: bool,
    /// A terminal record was written and its retention has not ended.
    pub terminal_written: bool,
    /// The retention of a record of this key ended once. Time does not go back: what could not arrive then never will.
    pub past: bool,
    /// An unresolved record of this key was deleted by its age once; likewise.
    pub aged: bool,
}

impl Slot {
    /// The slot without its record, which was lost or freed before its retention ended.
    pub(crate) fn emptied(self) -> Self {
        Self { terminal_written: self.terminal_written, past: self.past, aged: self.aged, ..Self::default() }
    }

    /// Whether there is no record.
    pub(crate) fn is_empty(self) -> bool {
        matches!(self.tag, Tag::Absent | Tag::Gone)
    }

    /// Whether somebody holds, or held, the reservation.
    pub fn is_in_progress(self) -> bool {
        matches!(self.tag, Tag::Reserved | Tag::Called)
    }

    /// Whether a record stands here that says nothing of the effect, and that nobody resolves.
    pub(crate) fn holds_error(self) -> bool {
        self.tag == Tag::Completed && self.detail == Class::Error as u8
    }

    /// Whether the record is terminal.
    pub(crate) fn is_terminal(self) -> bool {
        matches!(self.tag, Tag::Completed | Tag::Cancelled)
    }
}

/// A step that the store takes, or that time takes in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub enum StoreStep {
    /// The lease of the reservation ends.
    LeaseEnds,
    /// The retention of the record ends, and it is purged.
    RetentionEnds,
    /// The unresolved record is deleted by its age.
    AgeEnds,
    /// The window for calling the supplier again ends.
    WindowEnds,
    /// The settle time ends.
    Settles,
    /// The store fails over to a standby that had not seen the record.
    Failover,
    /// The store evicts the record.
    Evict,
}

impl Site {
    /// The steps that the store can take in `slot`.
    pub(crate) fn store_steps(&self, setup: &Setup, at: u8, steps: &mut Vec<StoreStep>) {
        let slot = self.slots[usize::from(at)];
        if slot.is_empty() {
            return;
        }
        if slot.is_in_progress() && !slot.lease_ended && setup.may_take_over() {
            let alive = self.works.iter().any(|work| work.is_busy() && work.token == slot.owner);
            if !alive || self.left.has(Fault::Pause) {
                steps.push(StoreStep::LeaseEnds);
            }
        }
        let at_work = || self.works.iter().any(|work| work.is_busy() && work.slot == at);
        if slot.is_terminal()
            && self.left.has(Fault::Retention)
            && (setup.limits.work_outlives_record || !at_work())
        {
            steps.push(StoreStep::RetentionEnds);
        }
        if !slot.is_terminal() && self.left.has(Fault::Age) && (setup.limits.work_outlives_age || !at_work())
        {
            steps.push(StoreStep::AgeEnds);
        }
        if slot.tag == Tag::Called {
            let memory = setup.rules.supplier;
            let window_first = memory.call_again_for.is_some() && !setup.limits.settles_first;
            if !slot.window_over
                && self.left.has(Fault::Window)
                && (!setup.limits.settles_first || slot.settled || memory.settles.is_none())
            {
                steps.push(StoreStep::WindowEnds);
            }
            if !slot.settled && memory.settles.is_some() && (!window_first || slot.window_over) {
                steps.push(StoreStep::Settles);
            }
        }
        if self.left.has(Fault::Failover) {
            steps.push(StoreStep::Failover);
        }
        if self.left.has(Fault::Eviction) {
            steps.push(StoreStep::Evict);
        }
    }

    /// Takes one of [`Site::store_steps`].
    pub(crate) fn store_step(&mut self, setup: &Setup, at: u8, step: StoreStep, out: &mut Out) {
        let index = usize::from(at);
        let slot = self.slots[index];
        match step {
            StoreStep::LeaseEnds => {
                if self.works.iter().any(|work| work.is_busy() && work.token == slot.owner) {
                    let _ = self.left.take(Fault::Pause);
                }
                let slot = &mut self.slots[index];
                slot.lease_ended = true;
                if std::mem::take(&mut slot.asked) {
                    slot.settled = true;
                }
            }
            StoreStep::RetentionEnds => {
                let _ = self.left.take(Fault::Retention);
                let aged = moment::record(slot).map(|record| moment::aged(&record));
                if aged.is_some_and(|record| expires(&record, moment::NOW, &setup.rules)) {
                    if slot.holds_error() {
                        out.flaw(Flaw::UnresolvedDeleted);
                    }
                    self.slots[index] =
                        Slot { tag: Tag::Gone, past: true, aged: slot.aged, ..Slot::default() };
                    out.event(Event::Purged);
                }
            }
            StoreStep::AgeEnds => {
                let _ = self.left.take(Fault::Age);
                let aged = moment::record(slot).map(|record| moment::aged(&record));
                if aged.is_some_and(|record| expires(&record, moment::NOW, &setup.rules)) {
                    self.forget(index, out);
                    self.slots[index].aged = true;
                }
            }
            StoreStep::WindowEnds => {
                let _ = self.left.take(Fault::Window);
                self.slots[index].window_over = true;
            }
            StoreStep::Settles => self.slots[index].settled = true,
            StoreStep::Failover => {
                let _ = self.left.take(Fault::Failover);
                // The standby never saw the record; nobody deleted it.
                self.slots[index] = slot.emptied();
            }
            StoreStep::Evict => {
                let _ = self.left.take(Fault::Eviction);
                self.forget(index, out);
            }
        }
    }

    /// Deletes the record in a slot without regard to what is in it.
    pub(crate) fn forget(&mut self, index: usize, out: &mut Out) {
        let slot = self.slots[index];
        if slot.is_in_progress() || slot.tag == Tag::Unknown || slot.holds_error() {
            out.flaw(Flaw::UnresolvedDeleted);
        }
        self.slots[index] = match slot.tag {
            Tag::Absent | Tag::Gone => slot,
            _ => slot.emptied(),
        };
    }
}
