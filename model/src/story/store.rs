//! What is said of the store.

use super::actor::Actor;
use super::teller::Said;
use super::words::{Words, capital};
use crate::clock::length;
use crate::fault::Fault;
use crate::store::StoreStep;
use crate::trace::Moved;

impl Words<'_> {
    pub(super) fn store_acts(&self, index: usize, step: &Moved, slot: u8, act: StoreStep) -> Said {
        let contract = self.contract;
        let key = self.key(slot);
        let record = step.before.site.slots[usize::from(slot)];
        let what = self.slot(record);
        let said = |name, text: String, label: &str| Said::new(name, Actor::Store, text, label);
        let supplier = &contract.supplier;
        match act {
            StoreStep::LeaseEnds => {
                let lease = length(contract.reservation.lease.millis());
                match self.living_owner(step, record).map(|server| (server, self.stands_still(index, record)))
                {
                    Some((server, why)) => {
                        let text = format!("{} {why}: its lease of {lease} ends.", capital(server));
                        said("lease-ends", text, "lease ends").by(Fault::Pause)
                    }
                    None if record.asked => said(
                        "lease-ends",
                        "The settle time is over, and with it the lease.".into(),
                        "settle time over",
                    ),
                    None => said(
                        "lease-ends",
                        format!("The lease of {lease} on {key} ends; its owner is gone."),
                        "lease ends",
                    ),
                }
            }
            StoreStep::RetentionEnds => {
                let kept = contract.retention.completed.period().map_or(0, |period| period.millis());
                let text = format!(
                    "The retention of {} ends: the record of {key} ({what}) is purged.",
                    length(kept)
                );
                said("retention-ends", text, "record purged").by(Fault::Retention)
            }
            StoreStep::AgeEnds => {
                let age = contract.retention.unresolved.period().map_or(0, |period| period.millis());
                let text = format!(
                    "The record of {key} ({what}) is {} old and is deleted, though it is not resolved.",
                    length(age)
                );
                said("age-ends", text, "deleted by age").by(Fault::Age)
            }
            StoreStep::WindowEnds => {
                let window = contract.call_again_for().map_or(0, |period| period.millis());
                let text = format!("The window of {} for calling the supplier again ends.", length(window));
                said("window-ends", text, "window ends").by(Fault::Window)
            }
            StoreStep::Settles => {
                let settles = supplier.settles.period().map_or(0, |period| period.millis());
                let text = format!("The settle time of {} after the mark is over.", length(settles));
                said("settles", text, "settle time over")
            }
            StoreStep::Failover => {
                let text =
                    format!("The store fails over to a standby that never saw the record of {key} ({what}).");
                said("failover", text, "fails over, forgets").by(Fault::Failover)
            }
            StoreStep::Evict => {
                let text = format!("The store evicts the record of {key} ({what}) to make room.");
                said("evict", text, "record evicted").by(Fault::Eviction)
            }
        }
    }
}
