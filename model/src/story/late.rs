//! Why something comes as late as it does: which length of time of the contract lets it.
//!
//! The times of a story are the earliest that there are, so whatever is late had to be. What is said is no more than
//! the clock knows: a worker that took no longer than the longest run may have run all the time; one that took longer
//! has paused as well.

use super::words::Words;
use crate::clock::{length, moment};
use crate::message::Message;
use crate::server::{Stand, Work};
use crate::store::{Slot, StoreStep};
use crate::trace::{Moved, Sending};
use crate::world::Action;

/// What a worker has done by a step.
struct Shift {
    /// When it took up its work.
    since: u64,
    /// Whether that was the supplier's reply, which let it go on.
    replied: bool,
    /// Its last step.
    last: u64,
    /// When its lease ended while it stood still, if it did.
    lost: Option<u64>,
}

impl Words<'_> {
    /// What stands before the sentence on a step that a worker takes later than its last one: `After its pause, `. Empty
    /// where it takes it at once.
    pub(super) fn delayed(&self, index: usize, worker: usize) -> String {
        let now = self.times[index].at;
        let step = &self.trace.steps[index];
        let work = step.before.site.works[worker];
        let Some(shift) = self.shift(index, worker).filter(|shift| shift.last < now) else {
            return String::new();
        };
        let (run, pause) =
            (self.contract.effect.longest.millis(), self.contract.servers.longest_pause.millis());
        if matches!(work.stand, Stand::Called | Stand::Asking) {
            return format!("After {} without the supplier's reply, ", length(now - shift.last));
        }
        let passed = now - shift.since;
        match shift.lost {
            Some(lost) if shift.last <= lost => "After its pause, ".into(),
            None if passed > run => {
                format!("After a pause (up to {}: `servers.longest-pause`), ", length(pause))
            }
            None if shift.replied => format!(
                "After {} of its run since the supplier's reply (up to {}: `effect.longest`), ",
                length(passed),
                length(run)
            ),
            None => {
                format!("After {} of its run (up to {}: `effect.longest`), ", length(passed), length(run))
            }
            // Nothing tells whether it is one long pause or a run after it.
            Some(_) => format!(
                "After another {} (run and pause take up to {} together), ",
                length(now - shift.last),
                length(run + pause)
            ),
        }
    }

    fn shift(&self, index: usize, worker: usize) -> Option<Shift> {
        let mut shift: Option<Shift> = None;
        for (step, timed) in self.trace.steps[..index].iter().zip(self.times) {
            let [was, is] = [step.before, step.after].map(|world| world.site.works[worker]);
            let at = timed.at;
            let begins =
                is.is_busy() && (!was.is_busy() || was.token != is.token && was.stand != Stand::Reserving);
            let replied = matches!(was.stand, Stand::Called | Stand::Asking) && was.stand != is.stand;
            if !is.is_busy() {
                shift = None;
            } else if begins || replied {
                shift = Some(Shift { since: at, replied: replied && !begins, last: at, lost: None });
            } else if let Some(shift) = &mut shift {
                let record = step.before.site.slots[usize::from(is.slot)];
                let ends = step.action == Action::Store(is.slot, StoreStep::LeaseEnds);
                if was != is {
                    shift.last = at;
                } else if ends && holds(is, record) && self.has_paused(shift, is, at) {
                    shift.lost = Some(at);
                }
            }
        }
        shift
    }

    /// Whether a worker whose lease ends now must have paused. A heartbeat would have kept the lease; without one it may
    /// still be at work.
    fn has_paused(&self, shift: &Shift, work: Work, now: u64) -> bool {
        let waits = matches!(work.stand, Stand::Called | Stand::Asking);
        self.beats() || !waits && now - shift.since > self.contract.effect.longest.millis()
    }

    fn beats(&self) -> bool {
        self.contract.reservation.heartbeat.period().is_some()
    }

    /// Why the lease of a living owner ends, as the end of a sentence of which it is the subject.
    pub(super) fn stands_still(&self, index: usize, record: Slot) -> String {
        let now = self.times[index].at;
        let works = self.trace.steps[index].before.site.works;
        let owner = works.iter().position(|work| holds(*work, record)).unwrap_or(0);
        let shift = self.shift(index, owner);
        if shift.is_some_and(|shift| self.has_paused(&shift, works[owner], now)) {
            let pause = length(self.contract.servers.longest_pause.millis());
            // With heartbeats the pause is not over; without them it may be.
            let does = if self.beats() { "stands still" } else { "has paused" };
            format!("{does} (up to {pause}: `servers.longest-pause`) and sends no heartbeats")
        } else {
            "is still at work and sends no heartbeats".into()
        }
    }

    /// When a message that arrives at `now` was sent, if that was earlier, and what lets it be so late: `, under way
    /// since 3.0 s (up to 2 min: `between.longest-delay`),`.
    pub(super) fn on_its_way(&self, step: &Moved, now: u64) -> String {
        let Some(sending) = step.received.map(|at| &self.trace.sendings[at]) else { return String::new() };
        let sent = self.sent_at(sending);
        if sent < now {
            format!(", under way since {}{},", moment(sent), self.longest_way(sending))
        } else {
            String::new()
        }
    }

    /// How long a message may be under way, where the contract says it.
    fn longest_way(&self, sending: &Sending) -> String {
        let between = &self.contract.between;
        match sending.message {
            Message::Request { .. } => match between.longest_delay.period() {
                None => " (`between.longest-delay` is unlimited)".into(),
                Some(delay) if between.repeats == 0 => {
                    format!(" (up to {}: `between.longest-delay`)", length(delay.millis()))
                }
                Some(delay) => {
                    let repeats = u64::from(between.repeats) * between.timeout.millis();
                    let most = length(delay.millis() + repeats);
                    format!(" (up to {most}: `between.longest-delay` and `between.repeats`)")
                }
            },
            Message::Call { .. } => {
                let delay = self.contract.supplier.longest_delay;
                format!(" (up to {}: `supplier.longest-delay`)", length(delay.millis()))
            }
            Message::Answer { .. } | Message::Lookup { .. } | Message::Reply { .. } => String::new(),
        }
    }
}

fn holds(work: Work, record: Slot) -> bool {
    work.is_busy() && record.is_in_progress() && record.owner == work.token
}

/// The sentence with words before it.
pub(super) fn after(words: &str, sentence: &str) -> String {
    if words.is_empty() {
        return sentence.into();
    }
    let mut letters = sentence.chars();
    let first = letters.next().map(char::to_lowercase);
    words.chars().chain(first.into_iter().flatten()).chain(letters).collect()
}
