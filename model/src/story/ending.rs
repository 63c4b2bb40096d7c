//! What is broken at the end, in a sentence with its counts.

use idempotency::invariant::Invariant;

use super::actor::Actor;
use super::words::{Words, capital, times};
use crate::client::Told;
use crate::clock::length;
use crate::message::Class;
use crate::server::ServerStep;
use crate::store::Tag;
use crate::world::{Action, World};

impl Words<'_> {
    /// What is broken: `The intent took effect twice: V1, at most one effect, is broken.`
    pub(super) fn ending(&self, invariant: Invariant) -> String {
        let end = self.trace.end();
        let told = match end.client.told {
            Told::Rejected => "was rejected",
            Told::Cancelled => "was cancelled",
            _ => "failed",
        };
        let what = match invariant {
            Invariant::V1 if self.setup.is_external() && end.supplier.effects < end.site.effects => {
                let rows = times(end.site.effects);
                format!(
                    "The supplier did it {}, and the rows of the intent were committed {rows}",
                    times(end.supplier.effects)
                )
            }
            Invariant::V1 => format!("The intent took effect {}", times(end.effects())),
            Invariant::V2 => {
                let named: Vec<_> = (1..=3)
                    .filter(|one| end.site.named >> one & 1 != 0)
                    .map(|one| self.result(one))
                    .collect();
                format!(
                    "The answers of success named {} different results, {}",
                    count(named.len()),
                    named.join(" and ")
                )
            }
            Invariant::V3 => {
                "A request with another payload got past the comparison under the key of this intent".into()
            }
            Invariant::V4 => "A second terminal record was written under one key within its retention".into(),
            Invariant::V5 => {
                format!("Another owner got the answer to this one's request{}", self.shown(&end))
            }
            Invariant::V6 => {
                let worker = self.trace.steps.last().and_then(|step| match step.action {
                    Action::Server(
                        worker,
                        ServerStep::Commit | ServerStep::Complete | ServerStep::CommitUnseen,
                    ) => Some(capital(self.name(Actor::server(worker.into())))),
                    _ => None,
                });
                let worker = worker.unwrap_or_else(|| "A worker".into());
                format!("{worker} completed a reservation that it did not hold")
            }
            Invariant::V7 => "A record whose outcome is not resolved was deleted".into(),
            Invariant::V8 => {
                format!(
                    "The client told its user that the intent {told}, and it took effect {}",
                    times(end.effects())
                )
            }
            Invariant::V9 => {
                let deadline = length(self.contract.client.deadline.millis());
                format!("The client sent a request by itself after its deadline of {deadline}")
            }
            Invariant::V10 if end.site.slots.iter().any(|slot| slot.is_in_progress()) => {
                "Nothing more can happen, and the record is still in progress".into()
            }
            Invariant::V10 => {
                "Nothing more can happen, and the record holds an error that says nothing of the effect"
                    .into()
            }
            Invariant::V11 => {
                format!("The intent took effect {} after its replacement was sent", times(end.effects()))
            }
        };
        format!("{what}: {}, {}, is broken.", invariant.id(), invariant.title())
    }

    /// The result that the record of the intent holds, as an addition; empty if it holds none.
    fn shown(&self, end: &World) -> String {
        let slot = end.site.slots[0];
        let result = if slot.tag == Tag::Completed { Class::of(slot.detail).result() } else { None };
        result.map_or_else(String::new, |result| format!(", {}", self.result(result)))
    }
}

fn count(number: usize) -> &'static str {
    match number {
        2 => "two",
        3 => "three",
        _ => "several",
    }
}
