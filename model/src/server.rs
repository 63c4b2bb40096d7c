//! The workers of the server. The name of a step is the name of the point at which a real worker can be killed.

use idempotency::contract::{EffectKind, HangUp, Mark, OnError};
use idempotency::protocol::{
    AfterAsking, Finding, Kept, Lost, Outcome, Record, Recovery, Token, after_asking, finish, mark, recover,
    release, reserve, reserve_blindly, take_over,
};
use serde::Serialize;

use crate::fault::Fault;
use crate::message::{Class, Delivery, Event, Flaw, Message, Out};
use crate::moment::{self, NOW, OURS};
use crate::setup::Setup;
use crate::site::Site;
use crate::store::Slot;

/// The last token that the model can give out. A run that would need more is cut short, and says so.
const LAST_TOKEN: u8 = 7;

/// Where a worker stands: what it does next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub enum Stand {
    /// Nothing.
    #[default]
    Idle,
    /// It has read that the key is absent and will write its reservation (not atomic).
    Reserving,
    /// It holds the reservation and will run the handler.
    Reserved,
    /// Its transaction is open: reservation, effect and result commit together.
    InTransaction,
    /// It has stored the mark and will call the supplier.
    Marked,
    /// It waits for the supplier's answer to a call.
    Called,
    /// It waits for the supplier's answer to a question.
    Asking,
    /// The effect happened; it will store the result.
    Finishing,
}

/// What one worker does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Work {
    /// Where it stands.
    pub stand: Stand,
    /// The token under which it works.
    pub token: u8,
    /// The delivery that it will answer.
    pub delivery: u8,
    /// The slot of its key.
    pub slot: u8,
    /// The mark, while marked or asking; the number of the result, while finishing.
    pub detail: u8,
    /// While asking: whether "not found" will be conclusive.
    pub settled: bool,
}

impl Work {
    /// Whether it does anything.
    pub fn is_busy(self) -> bool {
        self.stand != Stand::Idle
    }
}

/// A step of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub enum ServerStep {
    /// It writes a reservation that it decided on earlier.
    Reserve,
    /// It commits the local effect and the result in one transaction.
    Commit,
    /// It commits the local effect alone.
    Effect,
    /// It stores that the call is about to leave.
    Mark,
    /// It calls the supplier.
    Call,
    /// It stores the result.
    Complete,
    /// Its check refuses.
    Reject,
    /// It ends in an ambiguous error.
    Fail,
    /// Its commit happens and the answer to it is lost.
    CommitUnseen,
    /// Its process is killed.
    Crash,
    /// Its handler is cancelled with the connection.
    HangUp,
    /// It takes up a slot whose lease ended.
    Recover(u8),
}

impl Site {
    /// The steps that worker `at` can take.
    pub(crate) fn server_steps(&self, setup: &Setup, at: usize, steps: &mut Vec<ServerStep>) {
        use ServerStep::{
            Call, Commit, CommitUnseen, Complete, Crash, Effect, Fail, HangUp, Recover, Reject, Reserve,
        };
        let work = self.works[at];
        let external = setup.is_external();
        match work.stand {
            Stand::Idle => {
                // Of two idle workers the first one goes.
                if setup.recoverer && self.works[..at].iter().all(|work| work.is_busy()) {
                    steps.extend((0..2).filter(|slot| self.is_recoverable(setup, *slot)).map(Recover));
                }
                // The crash of an idle process matters only where the records are in its memory; what a busy one holds
                // is in the memory of that one.
                let holds_all = setup.one_process || self.works.iter().all(|work| !work.is_busy());
                if holds_all
                    && !setup.durable
                    && self.left.has(Fault::Crash)
                    && self.works[..at].iter().all(|it| it.is_busy())
                {
                    steps.push(Crash);
                }
                return;
            }
            Stand::Reserving => steps.push(Reserve),
            Stand::Reserved if external && setup.rules.mark == Mark::Never => steps.push(Call),
            Stand::Reserved if external => steps.push(ServerStep::Mark),
            Stand::Reserved if setup.effect == EffectKind::TwoTransactions => steps.push(Effect),
            Stand::Reserved | Stand::InTransaction => steps.push(Commit),
            Stand::Marked => steps.push(Call),
            Stand::Called | Stand::Asking => {}
            Stand::Finishing => steps.push(Complete),
        }
        let may_reject = matches!(work.stand, Stand::Reserved | Stand::InTransaction);
        if may_reject && self.left.has(Fault::Rejection) {
            steps.push(Reject);
        }
        if self.left.has(Fault::Error) {
            let local = !external && matches!(work.stand, Stand::Reserved | Stand::InTransaction);
            if local || matches!(work.stand, Stand::Called | Stand::Finishing) {
                steps.push(Fail);
            }
            if local && setup.effect != EffectKind::TwoTransactions || work.stand == Stand::Finishing {
                steps.push(CommitUnseen);
            }
        }
        if self.left.has(Fault::Crash) {
            steps.push(Crash);
        }
        if self.left.has(Fault::HangUp) && work.delivery != 0 && work.stand != Stand::Reserving {
            steps.push(HangUp);
        }
    }

    fn is_recoverable(&self, setup: &Setup, slot: u8) -> bool {
        self.record(slot).is_some_and(|record| {
            !matches!(recover(&record, NOW, &setup.rules), Recovery::NotYet | Recovery::Never)
        })
    }

    /// Takes one of [`Site::server_steps`].
    pub(crate) fn server_step(&mut self, setup: &Setup, at: usize, step: ServerStep, out: &mut Out) {
        let work = self.works[at];
        match step {
            ServerStep::Reserve => {
                let Some(token) = self.next_token(out) else { return };
                let before = self.slots[usize::from(work.slot)];
                let record = self.record(work.slot);
                let blind = reserve_blindly(record.as_ref(), OURS, Token(token.into()), NOW, &setup.rules);
                if record.as_ref() != Some(&blind) {
                    self.write(work.slot, moment::slot(&blind, before), out);
                }
                self.works[at] = Work { stand: Stand::Reserved, token, ..work };
            }
            ServerStep::Commit | ServerStep::Complete => self.complete(setup, at, false, out),
            ServerStep::CommitUnseen => {
                let _ = self.left.take(Fault::Error);
                self.complete(setup, at, true, out);
            }
            ServerStep::Effect => {
                self.effects = (self.effects + 1).min(3);
                out.event(Event::Effect);
                self.works[at] = Work { stand: Stand::Finishing, detail: self.effects, ..work };
            }
            ServerStep::Mark => {
                let token = Token(work.token.into());
                match mark(self.record(work.slot).as_ref(), token, OURS, NOW, &setup.rules) {
                    Ok(record) => {
                        let before = self.slots[usize::from(work.slot)];
                        self.write(work.slot, moment::slot(&record, before), out);
                        self.works[at] = Work { stand: Stand::Marked, detail: work.token, ..work };
                    }
                    Err(Lost) => self.lose(at, out),
                }
            }
            ServerStep::Call => {
                let mark = if work.stand == Stand::Marked { work.detail } else { work.token };
                out.send(Message::Call { token: work.token, mark, slot: work.slot });
                self.works[at] = Work { stand: Stand::Called, detail: 0, ..work };
            }
            ServerStep::Reject => {
                let _ = self.left.take(Fault::Rejection);
                let outcome = Outcome::Rejected { answer: Class::Rejected, payload_alone: false };
                self.end(setup, at, outcome, Class::Rejected, out);
            }
            ServerStep::Fail => {
                let _ = self.left.take(Fault::Error);
                self.fail(setup, at, out);
            }
            ServerStep::Crash => {
                let _ = self.left.take(Fault::Crash);
                if setup.one_process {
                    self.works = Default::default();
                } else {
                    self.works[at] = Work::default();
                }
                if !setup.durable {
                    self.forget(0, out);
                    self.forget(1, out);
                }
            }
            ServerStep::HangUp => {
                let _ = self.left.take(Fault::HangUp);
                self.hang_up(setup, at, out);
            }
            ServerStep::Recover(slot) => {
                if let Some(record) = self.record(slot) {
                    let recovery = recover(&record, NOW, &setup.rules);
                    self.take_over(setup, slot, Delivery::NONE, recovery, out);
                }
            }
        }
    }

    /// Gives a delivery that found its key free to an idle worker; `false` if there is none.
    pub(crate) fn start_work(&mut self, setup: &Setup, delivery: Delivery, slot: u8, out: &mut Out) -> bool {
        if setup.effect == EffectKind::OneTransaction && self.row_is_locked(setup, slot) {
            self.answer(delivery, Class::InFlight, out);
            return true;
        }
        let Some(at) = self.idle() else { return false };
        let mut work = Work { delivery: delivery.0, slot, ..Work::default() };
        if setup.effect == EffectKind::None {
            self.answer(delivery, Class::Success1, out);
            return true;
        }
        work.stand = match setup.effect {
            EffectKind::OneTransaction => Stand::InTransaction,
            _ if !setup.atomic && !setup.keyless => Stand::Reserving,
            _ => Stand::Reserved,
        };
        if work.stand != Stand::Reserving {
            let Some(token) = self.next_token(out) else { return true };
            work.token = token;
        }
        if work.stand == Stand::Reserved && !setup.keyless {
            let before = self.slots[usize::from(slot)];
            let record = reserve(OURS, Token(work.token.into()), NOW, &setup.rules);
            self.write(slot, moment::slot(&record, before), out);
        }
        self.works[at] = work;
        true
    }

    /// Takes over a reservation whose lease ended; `false` if no worker is free.
    pub(crate) fn take_over(
        &mut self,
        setup: &Setup,
        slot: u8,
        delivery: Delivery,
        recovery: Recovery,
        out: &mut Out,
    ) -> bool {
        let (Some(at), Some(record)) = (self.idle(), self.record(slot)) else { return false };
        let Some(token) = self.next_token(out) else { return true };
        let before = self.slots[usize::from(slot)];
        let Ok(taken) = take_over(&record, Token(token.into()), recovery, NOW, &setup.rules) else {
            return false;
        };
        self.write(slot, moment::slot(&taken, before), out);
        out.event(Event::TakenOver);
        let work = Work { token, delivery: delivery.0, slot, ..Work::default() };
        match recovery {
            Recovery::RunAgain => self.works[at] = Work { stand: Stand::Reserved, ..work },
            Recovery::CallAgain { .. } => {
                self.works[at] = Work { stand: Stand::Marked, detail: before.detail, ..work };
            }
            Recovery::Ask { settled } => {
                out.send(Message::Lookup { token, mark: before.detail, slot, settled });
                self.works[at] = Work { stand: Stand::Asking, settled, ..work };
            }
            Recovery::GiveUp => self.answer(delivery, Class::Unknown, out),
            Recovery::NotYet | Recovery::Never => {}
        }
        true
    }

    /// Receives the supplier's answer; `false` if nobody waits for it.
    pub(crate) fn receive_reply(&mut self, setup: &Setup, token: u8, result: u8, out: &mut Out) -> bool {
        let waits = |work: &Work| work.token == token && matches!(work.stand, Stand::Called | Stand::Asking);
        let Some(at) = self.works.iter().position(waits) else { return false };
        let work = self.works[at];
        if result > 0 {
            self.works[at] = Work { stand: Stand::Finishing, detail: result, settled: false, ..work };
            return true;
        }
        let record = self.record(work.slot);
        let before = self.slots[usize::from(work.slot)];
        let token = Token(work.token.into());
        match after_asking(record.as_ref(), token, Finding::NotFound, work.settled, NOW, &setup.rules) {
            Ok(AfterAsking::RunAgain(record)) => {
                self.write(work.slot, moment::slot(&record, before), out);
                self.works[at] = Work { stand: Stand::Reserved, detail: 0, settled: false, ..work };
            }
            Ok(AfterAsking::Wait(record)) => {
                // Its lease ends with the settle time, which may be over by now.
                let slot =
                    Slot { lease_ended: false, asked: !before.settled, ..moment::slot(&record, before) };
                self.write(work.slot, slot, out);
                self.leave(at, Class::InFlight, out);
            }
            Ok(AfterAsking::GiveUp(record)) => {
                self.write(work.slot, moment::slot(&record, before), out);
                self.leave(at, Class::Unknown, out);
            }
            Ok(AfterAsking::Complete) => {}
            Err(Lost) => self.lose(at, out),
        }
        true
    }

    /// Whether an open transaction holds the row of a key.
    pub(crate) fn row_is_locked(&self, setup: &Setup, slot: u8) -> bool {
        setup.atomic && self.works.iter().any(|work| work.stand == Stand::InTransaction && work.slot == slot)
    }

    fn idle(&self) -> Option<usize> {
        self.works.iter().position(|work| !work.is_busy())
    }

    fn next_token(&mut self, out: &mut Out) -> Option<u8> {
        if self.last_token == LAST_TOKEN {
            out.overflow = true;
            return None;
        }
        self.last_token += 1;
        Some(self.last_token)
    }

    /// Commits the result, and with it the local effect, unless that was committed alone before.
    fn complete(&mut self, setup: &Setup, at: usize, unseen: bool, out: &mut Out) {
        let work = self.works[at];
        let own_effect = setup.effect != EffectKind::TwoTransactions;
        let local = (self.effects + 1).min(3);
        let result = if work.stand == Stand::Finishing { work.detail } else { local };
        let class = Class::success(result);
        if !setup.keyless {
            let record = self.record(work.slot);
            let token = Token(work.token.into());
            let held = record.as_ref().is_some_and(|found| found.is_held_by(token));
            let kept = if setup.effect == EffectKind::OneTransaction {
                self.commit_all(record, class, setup)
            } else {
                finish(record.as_ref(), token, OURS, Outcome::Completed(class), NOW, &setup.rules)
            };
            let Ok(kept) = kept else { return self.lose(at, out) };
            if !held && setup.effect != EffectKind::OneTransaction {
                out.flaw(Flaw::CompletedByAnother);
            }
            self.keep(work.slot, kept, out);
        }
        if own_effect {
            self.effects = local;
            if !setup.is_external() {
                out.event(Event::Effect);
            }
        }
        out.event(Event::Completed);
        if unseen {
            // The worker sees an error, and does what it does on an error; the record decides whether it may.
            self.fail(setup, at, out);
        } else {
            self.leave(at, class, out);
        }
    }

    /// One transaction for all: the unique key decides when it commits. Without one, it just commits.
    fn commit_all(
        &self,
        record: Option<Record<u8, Class>>,
        class: Class,
        setup: &Setup,
    ) -> Result<Kept<u8, Class>, Lost> {
        if setup.atomic && record.is_some() {
            return Err(Lost);
        }
        let owner = Token(0);
        let open = reserve(OURS, owner, NOW, &setup.rules);
        finish(Some(&open), owner, OURS, Outcome::Completed(class), NOW, &setup.rules)
    }

    fn fail(&mut self, setup: &Setup, at: usize, out: &mut Out) {
        if setup.effect == EffectKind::OneTransaction {
            // Nothing of it is in the store but what committed.
            return self.leave(at, Class::Error, out);
        }
        let told = match setup.rules.error {
            OnError::Unknown => Class::Unknown,
            OnError::Replay => Class::Failed,
            OnError::ReplayIndeterminate | OnError::Release => Class::Error,
        };
        self.end(setup, at, Outcome::Ambiguous(told), told, out);
    }

    /// Ends a handler with an outcome, and answers `told` if the outcome could be stored.
    fn end(&mut self, setup: &Setup, at: usize, outcome: Outcome<Class>, told: Class, out: &mut Out) {
        let work = self.works[at];
        if setup.keyless {
            let told = if told == Class::Rejected { told } else { Class::Error };
            return self.leave(at, told, out);
        }
        let ambiguous = matches!(outcome, Outcome::Ambiguous(_));
        let (record, token) = if setup.effect == EffectKind::OneTransaction {
            (Some(reserve(OURS, Token(work.token.into()), NOW, &setup.rules)), Token(work.token.into()))
        } else {
            (self.record(work.slot), Token(work.token.into()))
        };
        match finish(record.as_ref(), token, OURS, outcome, NOW, &setup.rules) {
            Ok(kept) => {
                if ambiguous && kept == Kept::Nothing {
                    out.flaw(Flaw::UnresolvedDeleted);
                }
                self.keep(work.slot, kept, out);
                self.leave(at, told, out);
            }
            Err(Lost) if ambiguous => self.leave(at, Class::Error, out),
            Err(Lost) => self.lose(at, out),
        }
    }

    fn keep(&mut self, at: u8, kept: Kept<u8, Class>, out: &mut Out) {
        let before = self.slots[usize::from(at)];
        match kept {
            Kept::Record(record) => self.write(at, moment::slot(&record, before), out),
            Kept::Nothing => self.free(at),
        }
    }

    /// The key is free again.
    fn free(&mut self, at: u8) {
        let slot = &mut self.slots[usize::from(at)];
        *slot = slot.emptied();
    }

    fn hang_up(&mut self, setup: &Setup, at: usize, out: &mut Out) {
        let work = self.works[at];
        self.works[at] = Work::default();
        let in_store = work.stand != Stand::InTransaction && !setup.keyless;
        if setup.hang_up == HangUp::Release && in_store {
            let token = Token(work.token.into());
            if release(self.record(work.slot).as_ref(), token).is_ok() {
                if matches!(work.stand, Stand::Called | Stand::Asking | Stand::Finishing) {
                    out.flaw(Flaw::UnresolvedDeleted);
                }
                self.free(work.slot);
            }
        }
    }

    /// The worker has lost its reservation: it changes nothing, and asks the client to come again.
    fn lose(&mut self, at: usize, out: &mut Out) {
        out.event(Event::Fenced);
        self.leave(at, Class::InFlight, out);
    }

    fn leave(&mut self, at: usize, class: Class, out: &mut Out) {
        let delivery = Delivery(self.works[at].delivery);
        self.works[at] = Work::default();
        self.answer(delivery, class, out);
    }
}
