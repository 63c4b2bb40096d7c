//! The workers and the supplier, on a real clock.

use std::collections::HashMap;

use idempotency_model::message::Message;
use idempotency_model::server::{ServerStep, Stand};
use idempotency_model::site::WORKERS;
use idempotency_model::store::StoreStep;
use idempotency_model::world::{Action, World};

use super::Walk;

/// What is known of the workers and of their calls.
#[derive(Default)]
pub(crate) struct Workers {
    /// Since when each works without waiting for anybody.
    since: [u64; WORKERS],
    /// The last step of each.
    last: [u64; WORKERS],
    /// When each call left, by token.
    called: HashMap<u8, u64>,
    /// When the supplier first got each mark.
    first: HashMap<u8, u64>,
    /// When it forgot.
    forgot: Option<u64>,
}

impl Walk<'_> {
    pub(super) fn walk_workers(&mut self, action: Action, after: &World) {
        let now = self.at.1;
        let pause = self.contract.servers.longest_pause.millis();
        if let Action::Server(at, step) = action {
            let at = usize::from(at);
            let stand = self.before.site.works[at].stand;
            let waits = matches!(stand, Stand::Idle | Stand::Called | Stand::Asking);
            if !waits {
                let most = self.workers.since[at] + self.contract.effect.longest.millis() + pause;
                self.within("a worker works", 0, most);
            }
            if step == ServerStep::Call {
                let token = self.before.site.works[at].token;
                self.workers.called.insert(token, now);
            }
        }
        self.silent(action);
        self.paused(action);
        self.supplier(action, after);
        for at in 0..WORKERS {
            let [was, is] = [&self.before, after].map(|world| world.site.works[at]);
            if was != is {
                self.workers.last[at] = now;
                let waited = matches!(was.stand, Stand::Idle | Stand::Called | Stand::Asking);
                if waited || was.token != is.token && was.stand != Stand::Reserving {
                    self.workers.since[at] = now;
                }
            }
        }
    }

    /// A record is found in the hands of a worker only as long as that worker can be at work.
    fn silent(&mut self, action: Action) {
        let slot = match action {
            Action::Store(slot, _) | Action::Server(_, ServerStep::Recover(slot)) => slot,
            Action::Deliver(Message::Request { slot, .. }) => slot,
            _ => return,
        };
        let record = self.before.site.slots[usize::from(slot)];
        for at in 0..WORKERS {
            let work = self.before.site.works[at];
            let works = work.is_busy() && !matches!(work.stand, Stand::Called | Stand::Asking);
            if works && record.is_in_progress() && record.owner == work.token && work.slot == slot {
                let run =
                    self.contract.effect.longest.millis() + self.contract.servers.longest_pause.millis();
                let most = self.workers.since[at] + run;
                self.within("a record is held by a silent worker", 0, most);
            }
        }
    }

    /// The lease of a worker that lives ends only in a pause.
    fn paused(&mut self, action: Action) {
        let Action::Store(slot, StoreStep::LeaseEnds) = action else { return };
        let record = self.before.site.slots[usize::from(slot)];
        let owns = |at: &usize| {
            let work = self.before.site.works[*at];
            work.is_busy() && work.token == record.owner
        };
        let Some(owner) = (0..WORKERS).find(owns) else { return };
        let reservation = &self.contract.reservation;
        if let Some(heartbeat) = reservation.heartbeat.period() {
            let unheard = reservation.lease.millis() - heartbeat.millis();
            self.within("a pause outlasts the lease", self.workers.last[owner] + unheard, u64::MAX);
            let pause = self.contract.servers.longest_pause.millis();
            self.check(unheard <= pause, || format!("no pause is as long as {unheard}"));
        }
    }

    fn supplier(&mut self, action: Action, after: &World) {
        let supplier = &self.contract.supplier;
        match action {
            Action::Deliver(Message::Call { token, mark, .. }) => {
                let left = self.workers.called.get(&token).copied().unwrap_or(u64::MAX);
                let most = left.saturating_add(supplier.longest_delay.millis());
                self.within("a call is under way", left, most);
                let known = self.before.supplier.effects == after.supplier.effects;
                let now = self.at.1;
                // By intent or by mark: a variant of these tests makes its keys by mark.
                let first = *self.workers.first.entry(mark).or_insert(now);
                if let (false, Some(forgot), Some(memory)) =
                    (known || first == now, self.workers.forgot, supplier.remembers.period())
                {
                    self.check(forgot >= first + memory.millis(), || "the supplier forgot too early".into());
                }
            }
            Action::SupplierForgets => self.workers.forgot = Some(self.at.1),
            _ => {}
        }
    }
}
