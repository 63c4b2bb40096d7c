//! The client, with its user, and the proxy through which it sends: one side of the network.

use idempotency::contract::{AfterDeadline, GiveUp, OnEdit, Reaction};
use serde::Serialize;

use crate::fault::{Fault, Left, Side};
use crate::message::{Class, Delivery, Event, Flaw, Message, Out};
use crate::setup::Setup;

/// What the client is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Phase {
    /// It waits for the answer to `awaits`.
    Waiting,
    /// It waits for the status route.
    Asking,
    /// It waits for the answer to a cancel.
    Cancelling,
    /// It waits for the answer to a cancel, to send a replacement then.
    Editing,
    /// It has told its user something.
    Ended,
}

/// What the user was told last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Told {
    /// Nothing yet.
    Nothing,
    /// It is done.
    Done,
    /// It was rejected.
    Rejected,
    /// It failed.
    Failed,
    /// Nobody knows.
    Unknown,
    /// It was cancelled.
    Cancelled,
    /// It was replaced by an edited one, which was sent.
    Replaced,
}

/// A step that the client, its user, or the proxy takes by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub enum ClientStep {
    /// No answer came in time.
    Timeout,
    /// The deadline of the intent passes.
    Deadline,
    /// An attempt after the deadline.
    SendLate,
    /// The user clicks a second time.
    Click,
    /// The page is reloaded, and the user clicks.
    Reload,
    /// The status route is asked.
    Ask,
    /// The user cancels.
    Cancel,
    /// The user edits the payload.
    Edit,
    /// The proxy sends another copy of this attempt.
    Repeat(u8),
    /// The gateway answers in place of the server.
    Gateway,
}

/// The state of the client's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Client {
    /// What it is doing.
    pub phase: Phase,
    /// What its user was told last.
    pub told: Told,
    /// The delivery whose answer it awaits, while it waits.
    pub awaits: Delivery,
    /// How many attempts it has made.
    pub attempts: u8,
    /// Whether the deadline is over.
    pub deadline_over: bool,
    /// What may still happen on this side.
    pub left: Left,
}

impl Client {
    /// The client that has just sent its first attempt.
    pub(crate) fn start(setup: &Setup, out: &mut Out) -> Self {
        let client = Self {
            phase: Phase::Waiting,
            told: Told::Nothing,
            awaits: Delivery::FIRST,
            attempts: 1,
            deadline_over: false,
            left: Left::new(&setup.budget, Side::Client),
        };
        client.send(setup, Delivery::FIRST, out);
        if setup.other.is_some() {
            out.send(Message::Request { delivery: Delivery::OTHER, slot: 0 });
        }
        client
    }

    /// The steps that it can take by itself.
    pub(crate) fn steps(&self, setup: &Setup, steps: &mut Vec<ClientStep>) {
        if self.phase != Phase::Ended {
            steps.push(ClientStep::Timeout);
        }
        let unanswered = self.phase == Phase::Ended && self.told == Told::Unknown;
        if self.phase == Phase::Waiting {
            let reached = setup.limits.deadline_is_reached || self.awaits == Delivery::CLICK;
            if !self.deadline_over && reached {
                steps.push(ClientStep::Deadline);
            }
            if self.left.has(Fault::Gateway) {
                steps.push(ClientStep::Gateway);
            }
        }
        if self.may_send_late(setup) {
            steps.push(ClientStep::SendLate);
        }
        if (self.phase == Phase::Waiting || unanswered)
            && self.awaits != Delivery::CLICK
            && (!self.deadline_over || setup.client.resends_late)
        {
            if self.left.has(Fault::Click) {
                steps.push(ClientStep::Click);
            }
            if self.left.has(Fault::Reload) {
                steps.push(ClientStep::Reload);
            }
        }
        if unanswered {
            if self.left.has(Fault::Ask) && setup.client.status {
                steps.push(ClientStep::Ask);
            }
            if self.left.has(Fault::Cancel) && setup.client.cancel {
                steps.push(ClientStep::Cancel);
            }
            if self.left.has(Fault::Edit) && (setup.client.on_edit == OnEdit::Send || setup.client.cancel) {
                steps.push(ClientStep::Edit);
            }
        }
        if self.left.has(Fault::Repeat) {
            steps.extend((1..=self.attempts).map(ClientStep::Repeat));
        }
    }

    /// Takes one of [`Client::steps`].
    pub(crate) fn step(&mut self, setup: &Setup, step: ClientStep, out: &mut Out) {
        match step {
            ClientStep::Timeout if self.phase == Phase::Waiting => {
                self.react(setup, setup.client.on_timeout, out)
            }
            ClientStep::Timeout => self.tell(Told::Unknown, out),
            ClientStep::Deadline => {
                self.deadline_over = true;
                out.event(Event::Deadline);
                self.give_up(setup, out);
            }
            ClientStep::SendLate => {
                out.flaw(Flaw::SentAfterDeadline);
                self.send_next(setup, out);
            }
            ClientStep::Click | ClientStep::Reload => {
                // One of the two in a run is enough: both send the same delivery.
                self.left.drop(Fault::Click);
                self.left.drop(Fault::Reload);
                self.wait_for(Delivery::CLICK);
                self.send(setup, Delivery::CLICK, out);
            }
            ClientStep::Ask => {
                let _ = self.left.take(Fault::Ask);
                self.ask(out);
            }
            ClientStep::Cancel => {
                let _ = self.left.take(Fault::Cancel);
                self.cancel(Phase::Cancelling, out);
            }
            ClientStep::Edit => {
                let _ = self.left.take(Fault::Edit);
                match setup.client.on_edit {
                    OnEdit::Send => self.replace(out),
                    OnEdit::CancelFirst => self.cancel(Phase::Editing, out),
                }
            }
            ClientStep::Repeat(attempt) => {
                let _ = self.left.take(Fault::Repeat);
                self.send(setup, Delivery(attempt), out);
            }
            ClientStep::Gateway => {
                let _ = self.left.take(Fault::Gateway);
                self.react(setup, setup.client.on_gateway_error, out);
            }
        }
    }

    /// Whether it waits for an answer to `delivery`: only that connection is still open.
    pub(crate) fn waits_for(&self, delivery: Delivery) -> bool {
        self.phase != Phase::Ended && self.awaits == delivery
    }

    /// Whether it may come to wait for an answer to `delivery`, now or later.
    pub(crate) fn may_wait_for(&self, delivery: Delivery) -> bool {
        match delivery {
            Delivery::STATUS => self.waits_for(delivery) || self.left.has(Fault::Ask),
            Delivery::CANCEL => {
                self.waits_for(delivery) || self.left.has(Fault::Cancel) || self.left.has(Fault::Edit)
            }
            _ => self.waits_for(delivery),
        }
    }

    /// Receives an answer; `false` if nobody waits for it.
    pub(crate) fn receive(&mut self, setup: &Setup, delivery: Delivery, class: Class, out: &mut Out) -> bool {
        if !self.waits_for(delivery) {
            return false;
        }
        match class {
            Class::Success1 | Class::Success2 | Class::Success3 => self.tell(Told::Done, out),
            Class::Rejected | Class::Conflict => self.tell(Told::Rejected, out),
            Class::Failed => self.tell(Told::Failed, out),
            Class::Cancelled if self.phase == Phase::Editing => self.replace(out),
            Class::Cancelled => self.tell(Told::Cancelled, out),
            Class::TooOld | Class::Stale => self.tell(Told::Unknown, out),
            _ if self.phase == Phase::Cancelling || self.phase == Phase::Editing => {
                self.tell(Told::Unknown, out)
            }
            Class::NotFound => self.react(setup, setup.client.on_not_found, out),
            _ if self.phase == Phase::Asking => self.tell(Told::Unknown, out),
            Class::InFlight => self.react(setup, setup.client.on_in_flight, out),
            Class::Error | Class::Unknown => self.react(setup, setup.client.on_error, out),
        }
        true
    }

    /// Takes half an answer as none at all.
    pub(crate) fn receive_half(&mut self, setup: &Setup, out: &mut Out) {
        let _ = self.left.take(Fault::HalfAnswer);
        self.react(setup, setup.client.on_timeout, out);
    }

    fn react(&mut self, setup: &Setup, reaction: Reaction, out: &mut Out) {
        match reaction {
            Reaction::Retry if self.may_retry(setup) => self.send_next(setup, out),
            Reaction::Retry => self.give_up(setup, out),
            Reaction::Fail => self.tell(Told::Failed, out),
            Reaction::Ask if setup.client.status && self.phase == Phase::Waiting => self.ask(out),
            Reaction::Ask | Reaction::Unknown => self.tell(Told::Unknown, out),
        }
    }

    fn may_retry(&self, setup: &Setup) -> bool {
        !self.deadline_over && self.attempts < setup.attempts && self.awaits != Delivery::CLICK
    }

    fn may_send_late(&self, setup: &Setup) -> bool {
        setup.client.after_deadline == AfterDeadline::KeepSending
            && self.deadline_over
            && self.phase == Phase::Ended
            && matches!(self.told, Told::Unknown | Told::Failed)
            && self.attempts < setup.attempts
            && self.awaits != Delivery::CLICK
    }

    fn send_next(&mut self, setup: &Setup, out: &mut Out) {
        self.attempts += 1;
        self.wait_for(Delivery(self.attempts));
        self.send(setup, self.awaits, out);
    }

    fn wait_for(&mut self, delivery: Delivery) {
        self.phase = Phase::Waiting;
        self.awaits = delivery;
    }

    fn send(&self, setup: &Setup, delivery: Delivery, out: &mut Out) {
        out.send(Message::Request { delivery, slot: setup.slots[usize::from(delivery.0)] });
    }

    fn ask(&mut self, out: &mut Out) {
        self.phase = Phase::Asking;
        self.awaits = Delivery::STATUS;
        out.send(Message::Request { delivery: Delivery::STATUS, slot: 0 });
    }

    fn cancel(&mut self, phase: Phase, out: &mut Out) {
        self.phase = phase;
        self.awaits = Delivery::CANCEL;
        out.send(Message::Request { delivery: Delivery::CANCEL, slot: 0 });
    }

    fn replace(&mut self, out: &mut Out) {
        out.event(Event::Replaced);
        self.tell(Told::Replaced, out);
    }

    fn give_up(&mut self, setup: &Setup, out: &mut Out) {
        match setup.client.at_deadline {
            GiveUp::Unknown => self.tell(Told::Unknown, out),
            GiveUp::Fail => self.tell(Told::Failed, out),
        }
    }

    fn tell(&mut self, told: Told, out: &mut Out) {
        self.phase = Phase::Ended;
        self.told = told;
        match told {
            Told::Done => out.event(Event::Success),
            Told::Rejected => out.event(Event::Rejection),
            Told::Unknown => out.event(Event::ToldUnknown),
            _ => {}
        }
    }
}
