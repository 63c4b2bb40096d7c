//! The records, with real times, as the protocol sees them.

use std::collections::HashMap;

use idempotency::protocol::{
    Admission, CancelAnswer, Record, Recovery, Request, Rules, Stage, State, Time, Token, admit, cancel,
    expires, recover,
};
use idempotency_model::message::{Class, Delivery, Message};
use idempotency_model::server::{ServerStep, Stand};
use idempotency_model::site::WORKERS;
use idempotency_model::store::{Slot, StoreStep, Tag};
use idempotency_model::world::{Action, World};

use super::Walk;

/// The clock of the store begins here: so long before the first attempt, that a subtraction never meets its end.
const EPOCH: u64 = 1 << 50;
/// The payload, and its key's time.
const OURS: u8 = 0;

/// What is known of the times of the records.
#[derive(Default)]
pub(crate) struct Records {
    /// When each slot was written.
    written: [u64; 2],
    /// When its lease was seen to end.
    ended: [u64; 2],
    /// When its owner was gone.
    gone: [Option<u64>; 2],
    /// When each mark was stored.
    marks: HashMap<u8, u64>,
    /// When the first request came from the client under each slot's key.
    made: [Option<u64>; 2],
}

impl Walk<'_> {
    pub(super) fn walk_records(&mut self, action: Action, after: &World) {
        match action {
            Action::Deliver(Message::Request { delivery, slot }) if delivery.is_attempt() => {
                self.admitted(delivery, slot, after);
            }
            Action::Deliver(Message::Request { delivery: Delivery::CANCEL, .. }) => self.cancelled(after),
            Action::Server(_, ServerStep::Recover(slot)) => {
                if let Some(record) = self.record(slot) {
                    let recovery = recover(&record, self.now(), &Rules::of(self.contract));
                    self.taken_over(recovery, after);
                }
            }
            Action::Store(slot, step) => self.ended(usize::from(slot), step),
            _ => {}
        }
        self.note(action, after);
    }

    fn now(&self) -> Time {
        Time(EPOCH + self.at.1)
    }

    /// The record in a slot, with its real times. A heartbeat that nobody stopped keeps a lease running.
    fn record(&self, slot: u8) -> Option<Record<u8, Class>> {
        let at = usize::from(slot);
        let slot = self.before.site.slots[at];
        let times = &self.records;
        let time = |millis: u64| Time(EPOCH + millis);
        let reservation = &self.contract.reservation;
        let alive = self.before.site.works.iter().any(|work| work.is_busy() && work.token == slot.owner);
        let lease_until = match (slot.lease_ended, reservation.heartbeat.period()) {
            (true, _) => time(times.ended[at]),
            (false, Some(_)) if alive => time(self.at.1 + 1),
            (false, Some(_)) => time(times.gone[at].unwrap_or(self.at.1) + reservation.lease.millis()),
            (false, None) => time(times.written[at] + reservation.lease.millis()),
        };
        let owner = Token(slot.owner.into());
        let state = match slot.tag {
            Tag::Absent | Tag::Gone => return None,
            Tag::Reserved => State::InProgress { owner, lease_until, stage: Stage::Reserved },
            Tag::Called => {
                let at = time(times.marks.get(&slot.detail).copied().unwrap_or(0));
                let stage = Stage::Called { mark: Token(slot.detail.into()), at };
                State::InProgress { owner, lease_until, stage }
            }
            Tag::Completed => State::Completed { answer: answer(slot), at: time(times.written[at]) },
            Tag::Unknown => State::Unknown { at: time(times.written[at]) },
            Tag::Cancelled => State::Cancelled { at: time(times.written[at]) },
        };
        Some(Record { fingerprint: (slot.tag != Tag::Cancelled).then_some(OURS), state })
    }

    /// The protocol, asked with the real times, decides what the model decided.
    fn admitted(&mut self, delivery: Delivery, slot: u8, after: &World) {
        if self.setup.keyless
            || after.site.last_token == self.before.site.last_token && self.answers(delivery, after).is_none()
        {
            return;
        }
        let made =
            self.records.made[usize::from(slot)].or(self.sent[usize::from(delivery.0)].map(|sent| sent.0));
        let made_at = Some(Time(EPOCH + made.unwrap_or(0)));
        let record = self.record(slot);
        let decided = admit(
            record.as_ref(),
            &Request { fingerprint: OURS, made_at },
            self.now(),
            &Rules::of(self.contract),
        );
        let answered = self.answers(delivery, after);
        let begun = self.begun(after);
        let agrees = match decided {
            Admission::TakeOver(recovery) => return self.taken_over(recovery, after),
            Admission::Reserve => begun.is_some() || answered == Some(Class::InFlight),
            Admission::Stale => answered == Some(Class::Stale),
            Admission::Conflict => answered == Some(Class::Conflict),
            Admission::Replay(class) => answered == Some(class),
            Admission::Cancelled => answered == Some(Class::Cancelled),
            Admission::Unknown => answered == Some(Class::Unknown),
            Admission::InFlight { .. } => answered == Some(Class::InFlight),
        };
        self.check(agrees, || format!("by the clock {decided:?}, in the model {answered:?}, {begun:?}"));
    }

    fn taken_over(&mut self, recovery: Recovery, after: &World) {
        let begun = self.begun(after);
        let agrees = match recovery {
            Recovery::RunAgain => begun == Some(Stand::Reserved),
            Recovery::CallAgain { .. } => begun == Some(Stand::Marked),
            // "Not found" is judged by what was known when it was asked.
            Recovery::Ask { settled } => {
                let asks = after.site.works.iter().find(|work| work.stand == Stand::Asking);
                let known = asks.is_some_and(|work| work.settled);
                begun == Some(Stand::Asking) && (!known || settled)
            }
            Recovery::GiveUp => {
                begun.is_none() && after.site.slots.iter().any(|slot| slot.tag == Tag::Unknown)
            }
            Recovery::NotYet | Recovery::Never => false,
        };
        self.check(agrees, || format!("by the clock {recovery:?}, in the model {begun:?}"));
    }

    fn cancelled(&mut self, after: &World) {
        let Some(answered) = self.answers(Delivery::CANCEL, after) else { return };
        if self.before.site.works.iter().any(|work| work.stand == Stand::InTransaction) {
            return;
        }
        let decided = cancel(self.record(0).as_ref(), Time(EPOCH), self.now(), &Rules::of(self.contract));
        let class = match &decided {
            CancelAnswer::Cancelled(_) => Class::Cancelled,
            CancelAnswer::Done(class) => *class,
            CancelAnswer::InProgress => Class::InFlight,
            CancelAnswer::Unknown => Class::Unknown,
            CancelAnswer::TooOld => Class::TooOld,
        };
        self.check(class == answered, || format!("by the clock {decided:?}, in the model {answered:?}"));
    }

    fn ended(&mut self, slot: usize, step: StoreStep) {
        let rules = Rules::of(self.contract);
        let (now, record) = (self.now(), self.record(slot as u8));
        let was = self.before.site.slots[slot];
        let marked = self.records.marks.get(&was.detail).copied().unwrap_or(0);
        let settles = rules.supplier.settles.unwrap_or(u64::MAX);
        match step {
            StoreStep::RetentionEnds | StoreStep::AgeEnds => {
                // Without a heartbeat after the write the age of a record in progress counts from there.
                let record = record.map(|record| aged(record, self.records.written[slot], rules.lease));
                let due = record.is_some_and(|record| expires(&record, now, &rules));
                self.check(due, || "the record is not old enough".into());
            }
            StoreStep::LeaseEnds if was.asked => {
                self.within("the settle time is over", marked + settles, u64::MAX)
            }
            StoreStep::LeaseEnds => {
                self.within("the lease ends", self.records.written[slot] + rules.lease, u64::MAX);
            }
            StoreStep::WindowEnds => {
                let window = rules.supplier.call_again_for.unwrap_or(u64::MAX);
                self.within("the window is over", (marked + window).saturating_add(1), u64::MAX);
            }
            StoreStep::Settles => self.within("the settle time is over", marked + settles, u64::MAX),
            StoreStep::Failover | StoreStep::Evict => {}
        }
        if step == StoreStep::LeaseEnds {
            self.records.ended[slot] = self.at.1;
        }
    }

    fn note(&mut self, action: Action, after: &World) {
        let now = self.at.1;
        if let Action::Deliver(Message::Request { delivery, slot }) = action
            && delivery.is_attempt()
        {
            let sent = self.sent[usize::from(delivery.0)].map(|sent| sent.0);
            let made = &mut self.records.made[usize::from(slot)];
            *made = made.or(sent);
        }
        for (at, gone) in self.records.gone.iter_mut().enumerate() {
            let record = self.before.site.slots[at];
            let owns = |world: &World| {
                world.site.works.iter().any(|work| work.is_busy() && work.token == record.owner)
            };
            if record.is_in_progress() && owns(&self.before) && !owns(after) {
                *gone = Some(now);
            }
        }
        if matches!(action, Action::Store(..)) {
            return;
        }
        for at in 0..2 {
            let [was, is] = [&self.before, after].map(|world| world.site.slots[at]);
            if was != is {
                self.records.written[at] = now;
            }
            if is.tag == Tag::Called && (was.tag != Tag::Called || was.detail != is.detail) {
                self.records.marks.insert(is.detail, now);
            }
        }
    }

    /// What was answered to `delivery` in this step; nothing if an equal answer was under way before.
    fn answers(&self, delivery: Delivery, after: &World) -> Option<Class> {
        let before: Vec<_> = self.before.net.iter().collect();
        after.net.iter().filter(|message| !before.contains(message)).find_map(|message| match message {
            Message::Answer { delivery: to, class } if to == delivery => Some(class),
            _ => None,
        })
    }

    /// Where a worker stands that began in this step.
    fn begun(&self, after: &World) -> Option<Stand> {
        let changed = |at: &usize| {
            let [was, is] = [&self.before, after].map(|world| world.site.works[*at]);
            is.is_busy() && was != is
        };
        (0..WORKERS).find(changed).map(|at| after.site.works[at].stand)
    }
}

/// What the answer of a completed record says.
fn answer(slot: Slot) -> Class {
    const STORED: [Class; 6] =
        [Class::Success1, Class::Success2, Class::Success3, Class::Rejected, Class::Failed, Class::Error];
    STORED
        .into_iter()
        .find(|class| *class as u8 == slot.detail)
        .expect("a terminal record holds a terminal answer")
}

/// The record as if it had no heartbeat since it was written.
fn aged(mut record: Record<u8, Class>, written: u64, lease: u64) -> Record<u8, Class> {
    if let State::InProgress { lease_until, .. } = &mut record.state {
        *lease_until = Time(EPOCH + written + lease);
    }
    record
}
