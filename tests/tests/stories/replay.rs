//! A second opinion on times: the path is walked with a real clock, and every number of the contract is looked up where
//! it matters. Nothing here is shared with the solver that gave the times.
//!
//! Records are rebuilt with their real times, and the protocol itself is asked, with the contract's real figures, for
//! what the model decided without a clock.

use idempotency::contract::{AfterDeadline, Contract, Reaction};
use idempotency_model::client::{ClientStep, Phase};
use idempotency_model::clock::Times;
use idempotency_model::message::{Class, Delivery, Message};
use idempotency_model::setup::Setup;
use idempotency_model::world::{Action, World};

use self::records::Records;
use self::workers::Workers;

mod records;
mod workers;

/// What is wrong with `times`.
pub(crate) fn complaints(contract: &Contract, setup: &Setup, times: &Times) -> Vec<String> {
    let mut walk = Walk::new(contract, setup);
    for (index, ((action, after), timed)) in times.path().steps.iter().zip(times.steps()).enumerate() {
        walk.at = (index + 1, timed.at);
        walk.step(*action, after, timed.retry, timed.skipped);
    }
    walk.end()
}

/// The walk so far.
pub(crate) struct Walk<'a> {
    contract: &'a Contract,
    setup: &'a Setup,
    before: World,
    /// Which step it is, and when.
    at: (usize, u64),
    /// When the client sent each delivery, by its number: the first time and the last.
    sent: [Option<(u64, u64)>; 8],
    skipped: u64,
    last: u64,
    workers: Workers,
    records: Records,
    complaints: Vec<String>,
}

impl<'a> Walk<'a> {
    fn new(contract: &'a Contract, setup: &'a Setup) -> Self {
        let mut sent = [None; 8];
        sent[1] = Some((0, 0));
        Self {
            contract,
            setup,
            before: World::start(setup),
            at: (0, 0),
            sent,
            skipped: 0,
            last: 0,
            workers: Workers::default(),
            records: Records::default(),
            complaints: Vec::new(),
        }
    }

    fn step(&mut self, action: Action, after: &World, retry: Option<u64>, skipped: u64) {
        let now = self.at.1;
        let again = self.before.after(self.setup, action).map(|(world, _)| world);
        self.check(again.as_ref() == Some(after), || "the world is not the one after this step".into());
        self.check(self.last <= now, || "time goes back".into());
        match action {
            Action::Client(step) => self.client(step, skipped),
            Action::Deliver(Message::Answer { delivery, .. })
            | Action::DeliverHalf(Message::Answer { delivery, .. }) => self.answered(delivery),
            Action::Deliver(Message::Request { delivery, .. })
            | Action::DeliverStaleRead(Message::Request { delivery, .. }) => self.arrives(delivery),
            _ => {}
        }
        self.sends(action, after, retry, skipped);
        self.walk_workers(action, after);
        self.walk_records(action, after);
        self.last = now;
        self.before = *after;
    }

    fn end(mut self) -> Vec<String> {
        let made = u64::from(self.before.client.attempts) + self.skipped;
        let allowed = u64::from(self.contract.client.attempts);
        self.check(made <= allowed, || format!("{made} attempts of {allowed} were made"));
        self.complaints
    }

    fn check(&mut self, holds: bool, wrong: impl FnOnce() -> String) {
        if !holds {
            let (index, now) = self.at;
            self.complaints.push(format!("step {index} at {now} ms: {}", wrong()));
        }
    }

    /// What is `what` happened between `from` and `to`, both included.
    fn within(&mut self, what: &str, from: u64, to: u64) {
        let now = self.at.1;
        self.check((from..=to).contains(&now), || format!("{what} not between {from} and {to}"));
    }

    fn awaited(&self) -> u64 {
        let (first, _) = self.sent[usize::from(self.before.client.awaits.0)].unwrap_or_default();
        first
    }

    fn client(&mut self, step: ClientStep, skipped: u64) {
        let client = &self.contract.client;
        let (deadline, timeout) = (client.deadline.millis(), client.timeout.millis());
        let before = self.before.client;
        let (sent, now) = (self.awaited(), self.at.1);
        match step {
            ClientStep::Timeout if before.phase == Phase::Waiting => {
                self.within("the timeout is", sent + timeout, sent + timeout);
            }
            ClientStep::Timeout => self.within("the timeout is", sent + timeout, u64::MAX),
            // Every attempt was made and brought nothing: the client's end is the same.
            ClientStep::Deadline if now < deadline => {
                let left = u64::from(client.attempts) - u64::from(before.attempts);
                let [from, to] =
                    [client.backoff_from, client.backoff_to].map(|pause| pause.millis() + timeout);
                self.check(skipped == left, || format!("{skipped} attempts are left out, not {left}"));
                self.within(
                    "the last attempt ends",
                    sent + timeout + left * from,
                    sent + timeout + left * to,
                );
                self.skipped += skipped;
            }
            ClientStep::Deadline => self.within("the deadline is", deadline, deadline),
            ClientStep::SendLate => self.within("an attempt after the deadline is", deadline, u64::MAX),
            ClientStep::Click | ClientStep::Reload => {
                self.within("the user sends again", 0, deadline.max(client.late_resend.millis()));
            }
            ClientStep::Gateway => {
                let wait = timeout.min(self.contract.between.timeout.millis());
                self.within("the gateway answers", sent, sent + wait);
            }
            ClientStep::Repeat(attempt) => {
                let (first, _) = self.sent[usize::from(attempt)].unwrap_or((u64::MAX, 0));
                self.within("the proxy repeats", first, u64::MAX);
            }
            ClientStep::Ask | ClientStep::Cancel | ClientStep::Edit => {}
        }
        let waits = before.phase == Phase::Waiting && !before.deadline_over;
        let by_itself = matches!(step, ClientStep::Timeout | ClientStep::Gateway);
        if waits && by_itself {
            self.within("the client still waits", 0, deadline);
        }
    }

    fn answered(&mut self, delivery: Delivery) {
        let client = &self.contract.client;
        let sent = self.awaited();
        if delivery.is_attempt() {
            self.within("the client waits for the answer", sent, sent + client.timeout.millis());
            if !self.before.client.deadline_over {
                self.within("the client waits for the answer", sent, client.deadline.millis());
            }
        }
    }

    fn arrives(&mut self, delivery: Delivery) {
        let between = &self.contract.between;
        let Some((first, last)) = self.sent[usize::from(delivery.0)] else {
            let probe = delivery == Delivery::OTHER;
            return self.check(probe, || format!("{delivery:?} arrives and was never sent"));
        };
        // Of two equal questions nobody can say which arrives.
        let sent = if delivery.is_attempt() { first } else { last };
        let repeats = u64::from(between.repeats) * between.timeout.millis();
        let latest = between.longest_delay.period().map_or(u64::MAX, |delay| sent + delay.millis() + repeats);
        self.within("a request is under way", first, latest);
    }

    /// Whether the client would retry here and has no attempt left in the model.
    fn runs_out(&self, action: Action, after: &World) -> bool {
        let client = &self.contract.client;
        let reaction = match action {
            Action::DeliverHalf(_) | Action::Client(ClientStep::Timeout) => client.on_timeout,
            Action::Client(ClientStep::Gateway) => client.on_gateway_error,
            Action::Deliver(Message::Answer { class: Class::InFlight, .. }) => client.on_in_flight,
            Action::Deliver(Message::Answer { class: Class::Error | Class::Unknown, .. }) => client.on_error,
            _ => return false,
        };
        let was = self.before.client;
        let first = was.phase == Phase::Waiting && was.awaits != Delivery::CLICK && !was.deadline_over;
        first && reaction == Reaction::Retry && after.client.phase == Phase::Ended
    }

    /// Notes what the client sends in this step, and checks its pause.
    fn sends(&mut self, action: Action, after: &World, retry: Option<u64>, skipped: u64) {
        let client = &self.contract.client;
        let (was, is, now) = (self.before.client, after.client, self.at.1);
        let late = action == Action::Client(ClientStep::SendLate);
        let retries = is.attempts > was.attempts && !late;
        self.check(retries == retry.is_some(), || "a retry has no time, or a time has no retry".into());
        if let Some(sent) = retry {
            let one = client.timeout.millis() + client.backoff_to.millis();
            let least = now + (skipped + 1) * client.backoff_from.millis();
            let most = now + client.backoff_to.millis() + skipped * one;
            self.check((least..=most).contains(&sent), || {
                format!("a retry at {sent}, not in {least}..={most}")
            });
            let stops = client.after_deadline == AfterDeadline::Stop && !was.deadline_over;
            self.check(!stops || sent <= client.deadline.millis(), || "a retry after the deadline".into());
            self.skipped += skipped;
        }
        if self.runs_out(action, after) {
            let made = u64::from(was.attempts) + self.skipped;
            let last = made == u64::from(client.attempts);
            let late = now + client.backoff_to.millis() >= client.deadline.millis();
            self.check(last || late, || {
                format!("the client ends after {made} attempts and has time for more")
            });
        }
        let clicks = matches!(action, Action::Client(ClientStep::Click | ClientStep::Reload));
        let asks = |phase: Phase| is.phase == phase && was.phase != phase;
        let sends = retries || late || clicks || asks(Phase::Asking);
        if sends || asks(Phase::Cancelling) || asks(Phase::Editing) {
            let sent = retry.unwrap_or(now);
            let entry = &mut self.sent[usize::from(is.awaits.0)];
            *entry = Some((entry.map_or(sent, |(first, _)| first), sent));
        }
    }
}
