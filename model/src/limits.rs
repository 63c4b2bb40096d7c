//! What the numbers of a contract allow: each limit is one comparison of two lengths of time.
//!
//! The world has no clock. Whatever ends (a retention, a lease, the supplier's memory) may end at any moment, and what
//! these comparisons forbid cannot happen after it. A story is then given times that keep every number of the contract
//! (see [`crate::clock`]); one that has none is not reported.

use idempotency::contract::{Contract, EffectKind, Mark, Period, PeriodOr, SupplierKey, TakeOver, Unlimited};

use crate::message::Delivery;
use crate::store::Slot;

/// What may become of an attempt that arrives after the retention of its record ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Late {
    /// None arrives so late.
    Cannot,
    /// It may arrive, and is refused as stale.
    Refused,
    /// It may arrive, and looks new.
    LooksNew,
}

/// What the numbers of a contract allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// By delivery (the first attempt, a middle one, the last one, and the click): whether it may arrive after the
    /// retention of a record that was completed at once.
    pub late: [Late; 5],
    /// The same after the age at which an unresolved record is deleted.
    pub late_aged: [Late; 5],
    /// Whether a cancel is still answered after the retention ended.
    pub cancel_outlives_record: bool,
    /// Whether the client can still be trying when its deadline passes: its attempts may end before.
    pub deadline_is_reached: bool,
    /// Whether a client that keeps sending may have an attempt left when its deadline is over.
    pub attempts_outlast_deadline: bool,
    /// Whether a worker may still be at work on a key when the retention of its record ends.
    pub work_outlives_record: bool,
    /// Whether a worker may still be at work on a key when its unresolved record reaches the age at which it is deleted.
    pub work_outlives_age: bool,
    /// Whether the lease of a living owner may end.
    pub lease_may_end_alive: bool,
    /// Whether the supplier may forget a key before the last call with it has arrived.
    pub supplier_may_forget: bool,
    /// Whether every call under one mark has arrived, or never will, when the supplier forgets the first of them.
    pub window_within_memory: bool,
    /// Whether every call has arrived, or never will, when the settle time is over.
    pub settle_covers: bool,
    /// Whether the settle time ends before the window for calling again.
    pub settles_first: bool,
}

/// The latest moments of a contract, in milliseconds after the first attempt; `None`: no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latest {
    /// When the client sends its last attempt at the latest.
    pub attempt: u64,
    /// When the client gives up on its last attempt at the latest, if no deadline stops it before.
    pub last_timeout: u64,
    /// When the click, or a resumed client, sends at the latest.
    pub click: u64,
    /// How long a delivery is under way at the most.
    pub under_way: Option<u64>,
}

impl Latest {
    /// The latest moments of `contract`.
    pub fn of(contract: &Contract) -> Self {
        let client = &contract.client;
        let rounds = u64::from(client.attempts) - 1;
        let budget = rounds.saturating_mul(client.timeout.millis() + client.backoff_to.millis());
        let attempt = match client.after_deadline {
            idempotency::contract::AfterDeadline::Stop => budget.min(client.deadline.millis()),
            idempotency::contract::AfterDeadline::KeepSending => budget,
        };
        let repeats = u64::from(contract.between.repeats) * contract.between.timeout.millis();
        Self {
            attempt,
            last_timeout: budget.saturating_add(client.timeout.millis()),
            click: client.deadline.millis().max(client.late_resend.millis()),
            under_way: millis(contract.between.longest_delay).map(|delay| delay + repeats),
        }
    }

    /// When the last delivery of the intent arrives; `None`: there is no bound.
    pub fn arrival(&self) -> Option<u64> {
        self.under_way.map(|under_way| self.attempt.max(self.click) + under_way)
    }
}

fn millis(limit: PeriodOr<Unlimited>) -> Option<u64> {
    limit.period().map(|period| period.millis())
}

impl Limits {
    /// What the numbers of `contract` allow.
    pub fn of(contract: &Contract) -> Self {
        let latest = Latest::of(contract);
        let retention = millis(contract.retention.completed);
        let skew = contract.servers.clock_skew.millis();
        let late = |sent: u64, over: Option<u64>| {
            let Some(over) = over else { return Late::Cannot };
            if latest.under_way.is_some_and(|under_way| sent + under_way <= over) {
                return Late::Cannot;
            }
            // The key's time is read on one clock and judged on another.
            match contract.horizon() {
                Some(horizon) if horizon.millis() + skew <= over => Late::Refused,
                _ => Late::LooksNew,
            }
        };
        let by_delivery = |over| {
            let click = latest.click.max(latest.attempt);
            let (first, last) = (late(0, over), late(latest.attempt, over));
            [Late::Cannot, first, last, last, late(click, over)]
        };
        let servers = &contract.servers;
        let reservation = &contract.reservation;
        let lease = reservation.lease.millis();
        let pause = servers.longest_pause.millis();
        let lease_may_end_alive = match reservation.heartbeat.period() {
            Some(heartbeat) => heartbeat.millis() + pause > lease,
            None => contract.effect.longest.millis() + pause > lease,
        };
        let call = contract.call_may_take().millis();
        let work = if contract.is_external() { call } else { contract.effect.longest.millis() + pause };
        let settles = contract.supplier.settles.period().map(|period| period.millis());
        let window = contract.call_again_for().map(|period| period.millis());
        let last_call = contract.last_call_arrives().millis();
        let by_window = if window.is_some() { last_call } else { 0 };
        let memory = millis(contract.supplier.remembers);
        Self {
            late: by_delivery(retention),
            late_aged: by_delivery(contract.retention.unresolved.period().map(|age| age.millis())),
            cancel_outlives_record: match (contract.cancel_within(), retention) {
                (Some(within), Some(retention)) => within.millis() > retention,
                (None, Some(_)) => true,
                (_, None) => false,
            },
            deadline_is_reached: latest.last_timeout >= contract.client.deadline.millis(),
            attempts_outlast_deadline: latest.attempt >= contract.client.deadline.millis(),
            work_outlives_record: retention.is_some_and(|retention| work > retention),
            work_outlives_age: contract.retention.unresolved.period().is_some_and(|age| work > age.millis()),
            lease_may_end_alive,
            supplier_may_forget: contract.effect.kind == EffectKind::External
                && contract.supplier.takes_key
                && memory.is_some_and(|memory| {
                    // A call with the same key may leave until the window closes, or, where the key is the intent's,
                    // whenever a delivery of the intent arrives.
                    let by_delivery = match contract.supplier.key {
                        SupplierKey::FromMark => Some(0),
                        SupplierKey::FromIntent => latest.arrival().map(|arrival| arrival + call),
                    };
                    // Without a stage that says "called" nobody knows when the first call was, and whoever takes over runs
                    // the handler again, however late.
                    let by_recovery = contract.reservation.recoverer
                        && contract.supplier.key == SupplierKey::FromIntent
                        && (contract.reservation.mark == Mark::Never
                            || contract.reservation.take_over == TakeOver::RunAgain);
                    by_recovery || by_delivery.is_none_or(|by_delivery| memory < by_window.max(by_delivery))
                }),
            window_within_memory: memory.is_some_and(|memory| by_window <= memory)
                && reservation.mark != Mark::Never
                && reservation.take_over != TakeOver::RunAgain,
            settle_covers: settles.is_some_and(|settles| settles >= last_call),
            settles_first: match (settles, window) {
                (Some(settles), Some(window)) => settles <= window,
                (Some(_), None) => true,
                (None, _) => false,
            },
        }
    }

    /// Whether the same may become of `delivery` as of the first attempt, whatever ended before it arrives.
    pub(crate) fn is_as_late_as_first(&self, delivery: Delivery) -> bool {
        let same =
            |late: &[Late; 5]| late.get(usize::from(delivery.0)) == late.get(usize::from(Delivery::FIRST.0));
        same(&self.late) && same(&self.late_aged)
    }

    /// What may become of `delivery` where its key lies in `slot`: what has ended there once bounds it.
    pub(crate) fn late_in(&self, slot: Slot, delivery: Delivery) -> Late {
        let at = usize::from(delivery.0);
        let bound = |ended: bool, late: &[Late; 5]| {
            if ended { late.get(at).copied().unwrap_or(Late::Cannot) } else { Late::LooksNew }
        };
        bound(slot.past, &self.late).min(bound(slot.aged, &self.late_aged))
    }
}

/// A figure at which a limit is just kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The field's path.
    pub field: &'static str,
    /// The figure.
    pub value: Period,
    /// The figure a second beyond it, on the side where the limit is not kept; `None` if there is none.
    pub beyond: Option<Period>,
}

/// For every limit the figure at which it is just kept, by one field alone.
pub fn figures(contract: &Contract) -> Vec<Figure> {
    const SECOND: u64 = 1000;
    let latest = Latest::of(contract);
    let retention = millis(contract.retention.completed);
    let skew = contract.servers.clock_skew.millis();
    let call = contract.call_may_take().millis();
    let least = |field, value: u64| Figure {
        field,
        value: Period::from_millis(value),
        beyond: value.checked_sub(SECOND).map(Period::from_millis),
    };
    let most = |field, value: u64| Figure {
        field,
        value: Period::from_millis(value),
        beyond: Some(Period::from_millis(value + SECOND)),
    };
    let mut figures = Vec::new();
    figures.extend(latest.arrival().map(|arrival| least("retention.completed", arrival)));
    figures.extend(retention.map(|retention| most("routes.cancel-within", retention)));
    figures.extend(retention.map(|retention| most("key.horizon", retention.saturating_sub(skew))));
    let memory = millis(contract.supplier.remembers);
    figures.extend(
        memory
            .and_then(|memory| memory.checked_sub(call))
            .filter(|window| *window > 0)
            .map(|window| most("supplier.call-again-for", window)),
    );
    figures.push(least("supplier.settles", contract.last_call_arrives().millis()));
    let heartbeat = contract.reservation.heartbeat.period().unwrap_or(contract.effect.longest).millis();
    figures.push(least("reservation.lease", heartbeat + contract.servers.longest_pause.millis()));
    if let Some(cover) =
        latest.under_way.zip(retention).and_then(|(way, retention)| retention.checked_sub(way))
    {
        figures.push(most("client.late-resend", cover));
    }
    figures
}
