//! What the contract says of the times of the workers and of the records.

use idempotency::contract::TakeOver;

use super::client::answer_of;
use super::network::Moment;
use super::plan::Plan;
use crate::message::{Class, Event, Message};
use crate::server::{ServerStep, Stand, Work};
use crate::site::WORKERS;
use crate::store::{Slot, StoreStep, Tag};
use crate::trace::{Moved, arriving};
use crate::world::Action;

const LONGEST: &str = "effect.longest and servers.longest-pause";
const PAUSE: &str = "servers.longest-pause";
const LEASE: &str = "reservation.lease";

/// What one worker has done so far.
#[derive(Clone, Copy, Default)]
struct Shift {
    /// When it began, or when the supplier's answer let it go on.
    since: Option<Moment>,
    /// Its last step.
    last: Option<Moment>,
}

/// What is known of a record's times.
#[derive(Clone, Copy, Default)]
struct Kept {
    /// When it was written last.
    written: Option<Moment>,
    /// When its owner was last seen alive, if it is gone.
    died: Option<Moment>,
}

/// The moments that the rules refer back to.
#[derive(Default)]
struct Before {
    shifts: [Shift; WORKERS],
    kept: [Kept; 2],
    /// When each mark was stored, by its token.
    marks: [Option<Moment>; 8],
}

impl Plan<'_> {
    pub(super) fn site(&mut self) {
        let trace = self.trace;
        let mut before = Before::default();
        for (index, step) in trace.steps.iter().enumerate() {
            let at = self.steps[index];
            self.holders(step, at, &before);
            match step.action {
                Action::Server(worker, _) => self.worker_acts(step, usize::from(worker), at, &before),
                Action::Store(slot, act) => self.record_ends(step, usize::from(slot), act, at, &before),
                _ => {}
            }
            self.takes_over(index, step, at, &before);
            if let Action::Deliver(Message::Request { delivery, slot }) = step.action
                && delivery.is_attempt()
                && answer_of(self, step) == Some(Class::InFlight)
            {
                self.lease_runs(step, usize::from(slot), at, &before);
            }
            note(step, at, &mut before);
        }
    }

    /// How long a worker works from one moment: its longest run, and one pause.
    fn run(&self) -> u64 {
        self.contract.effect.longest.millis() + self.contract.servers.longest_pause.millis()
    }

    fn worker_acts(&mut self, step: &Moved, worker: usize, at: Moment, before: &Before) {
        // How long the supplier takes to answer is not in the contract, nor when an idle worker finds something to do.
        let waits =
            matches!(step.before.site.works[worker].stand, Stand::Idle | Stand::Called | Stand::Asking);
        if let (false, Some(since)) = (waits, before.shifts[worker].since) {
            self.network.at_most(since, at, self.run(), LONGEST);
        }
    }

    /// A worker that holds a record and is not heard of again has still not come to its next step when another step
    /// finds the record in its hands.
    fn holders(&mut self, step: &Moved, at: Moment, before: &Before) {
        for (worker, work) in step.before.site.works.iter().enumerate() {
            let waits = matches!(work.stand, Stand::Called | Stand::Asking);
            let slot = usize::from(work.slot);
            let own = matches!(step.action, Action::Server(by, _) if usize::from(by) == worker);
            if own || waits || !holds(*work, step.before.site.slots[slot]) || touched(step) != Some(slot) {
                continue;
            }
            if let Some(since) = before.shifts[worker].since {
                self.network.at_most(since, at, self.run(), LONGEST);
            }
        }
    }

    fn record_ends(&mut self, step: &Moved, at: usize, act: StoreStep, now: Moment, before: &Before) {
        let slot = step.before.site.slots[at];
        let written = before.kept[at].written.unwrap_or(Moment::ORIGIN);
        let marked = before.marks[usize::from(slot.detail) & 7].unwrap_or(Moment::ORIGIN);
        let Self { contract, network, .. } = self;
        let settles = contract.supplier.settles.period().map_or(0, |period| period.millis());
        match act {
            StoreStep::LeaseEnds if slot.asked => {
                network.at_least(marked, now, settles, "supplier.settles");
            }
            StoreStep::LeaseEnds => {
                network.at_least(written, now, contract.reservation.lease.millis(), LEASE);
                self.pauses(step, slot, now, before);
            }
            StoreStep::RetentionEnds => {
                if let Some(retention) = contract.retention.completed.period() {
                    network.at_least(written, now, retention.millis(), "retention.completed");
                }
            }
            StoreStep::AgeEnds => {
                if let Some(age) = contract.retention.unresolved.period() {
                    network.at_least(written, now, age.millis(), "retention.unresolved");
                }
            }
            StoreStep::WindowEnds => {
                if let Some(window) = contract.call_again_for() {
                    network.at_least(marked, now, window.millis() + 1, "supplier.call-again-for");
                }
            }
            StoreStep::Settles => network.at_least(marked, now, settles, "supplier.settles"),
            StoreStep::Failover | StoreStep::Evict => {}
        }
    }

    /// The lease of a living owner ends only while it pauses: its last heartbeat is at most one interval before the pause,
    /// and when it wakes it renews the lease.
    fn pauses(&mut self, step: &Moved, slot: Slot, now: Moment, before: &Before) {
        let reservation = &self.contract.reservation;
        let Some(heartbeat) = reservation.heartbeat.period() else { return };
        let lease = reservation.lease.millis();
        let owner = step.before.site.works.iter().position(|work| holds(*work, slot));
        let Some(owner) = owner else { return };
        let paused = self.network.moment();
        if let Some(last) = before.shifts[owner].last {
            self.network.at_least(last, paused, 0, PAUSE);
        }
        self.network.at_least(paused, now, lease.saturating_sub(heartbeat.millis()), LEASE);
        self.network.at_most(paused, now, self.contract.servers.longest_pause.millis(), PAUSE);
    }

    /// What a take-over does is decided by the age of the mark.
    fn takes_over(&mut self, index: usize, step: &Moved, at: Moment, before: &Before) {
        if !step.has(Event::TakenOver) {
            return;
        }
        let Some(worker) = (0..WORKERS).find(|worker| begins(step, *worker)) else { return };
        let work = step.after.site.works[worker];
        match work.stand {
            Stand::Marked => {
                let marked = before.marks[usize::from(work.detail) & 7];
                if let (Some(marked), Some(window)) = (marked, self.contract.call_again_for()) {
                    self.network.at_most(marked, at, window.millis(), "supplier.call-again-for");
                }
            }
            Stand::Asking if !work.settled => self.asks(index, step, at, work, before),
            _ => {}
        }
    }

    /// "Not found" that proved nothing was asked for before the settle time was over.
    fn asks(&mut self, index: usize, step: &Moved, at: Moment, work: Work, before: &Before) {
        let answered =
            |later: &Moved| arriving(later.action) == Some(Message::Reply { token: work.token, result: 0 });
        if !self.trace.steps[index..].iter().any(answered) {
            return;
        }
        let mark = usize::from(step.after.site.slots[usize::from(work.slot)].detail) & 7;
        if let (Some(marked), Some(settles)) = (before.marks[mark], self.contract.supplier.settles.period()) {
            let most = settles.millis().saturating_sub(1);
            self.network.at_most(marked, at, most, "supplier.settles");
        }
    }

    /// An attempt is told "in progress" only while the lease runs: so long after the last sign of its owner.
    fn lease_runs(&mut self, step: &Moved, slot: usize, at: Moment, before: &Before) {
        let record = step.before.site.slots[slot];
        let reservation = &self.contract.reservation;
        let runs = record.is_in_progress() && !record.lease_ended && !record.asked;
        if !runs || reservation.take_over == TakeOver::Never {
            return;
        }
        let kept = before.kept[slot];
        // A heartbeat keeps the lease of a living owner running.
        let seen = match reservation.heartbeat.period() {
            Some(_) if step.before.site.works.iter().any(|work| holds(*work, record)) => None,
            Some(_) => kept.died,
            None => kept.written,
        };
        if let Some(seen) = seen {
            let most = reservation.lease.millis().saturating_sub(1);
            self.network.at_most(seen, at, most, LEASE);
        }
    }
}

/// Whether a worker holds the record in a slot.
fn holds(work: Work, slot: Slot) -> bool {
    work.is_busy() && slot.is_in_progress() && slot.owner == work.token
}

/// Whether a worker took something up in this step.
fn begins(step: &Moved, worker: usize) -> bool {
    let [before, after] = [step.before, step.after].map(|world| world.site.works[worker]);
    after.is_busy() && (!before.is_busy() || before.token != after.token && before.stand != Stand::Reserving)
}

/// The slot that a step reads or writes, where it does not belong to the worker that acts.
fn touched(step: &Moved) -> Option<usize> {
    match step.action {
        Action::Store(slot, _) | Action::Server(_, ServerStep::Recover(slot)) => Some(slot.into()),
        Action::Deliver(Message::Request { slot, .. })
        | Action::DeliverStaleRead(Message::Request { slot, .. }) => Some(slot.into()),
        _ => None,
    }
}

/// Remembers what later bounds refer back to.
fn note(step: &Moved, at: Moment, before: &mut Before) {
    for worker in 0..WORKERS {
        let [was, is] = [step.before, step.after].map(|world| world.site.works[worker]);
        let shift = &mut before.shifts[worker];
        let replied = matches!(was.stand, Stand::Called | Stand::Asking) && was.stand != is.stand;
        if begins(step, worker) {
            *shift = Shift { since: Some(at), ..Shift::default() };
        }
        if replied {
            shift.since = Some(at);
        }
        if was != is {
            shift.last = Some(at);
        }
        for (index, slot) in step.before.site.slots.iter().enumerate() {
            if holds(was, *slot) && !is.is_busy() {
                before.kept[index].died = Some(at);
            }
        }
    }
    if matches!(step.action, Action::Store(..)) {
        return;
    }
    for index in 0..2 {
        let [was, is] = [step.before, step.after].map(|world| world.site.slots[index]);
        if was != is || step.has(Event::Completed) && !is.is_empty() {
            before.kept[index].written = Some(at);
        }
        if is.tag == Tag::Called && (was.tag != Tag::Called || was.detail != is.detail) {
            before.marks[usize::from(is.detail) & 7] = Some(at);
        }
    }
}
