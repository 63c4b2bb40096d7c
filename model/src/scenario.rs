//! Scenarios: named sets of budgets.

use idempotency::contract::{Contract, Reaction};
use serde::Serialize;

use crate::fault::Budget;
use crate::fault::Fault::{self, *};

/// Who sends the probe that carries the same key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Other {
    /// The same owner, with another payload.
    Payload,
    /// Another owner, with the same payload.
    Owner,
}

/// The name of the scenario with the largest space.
pub const LARGEST: &str = "everything";

/// A named set of budgets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Scenario {
    /// Its stable name.
    pub name: &'static str,
    /// What happens in it.
    pub about: &'static str,
    /// How many attempts the client makes.
    pub attempts: u8,
    /// How often each fault may happen.
    pub budget: Budget,
    /// A probe with the same key.
    pub other: Option<Other>,
    /// Whether a click comes only in place of an attempt that the client does not make by itself.
    #[serde(skip)]
    pub click_in_place: bool,
    /// Whether the credential is rotated between two attempts.
    pub rotates: bool,
    /// Whether attempts enter in different regions.
    pub crosses_regions: bool,
}

impl Scenario {
    fn new(name: &'static str, about: &'static str, attempts: u8, faults: &[(Fault, u8)]) -> Self {
        let sends_again = |(fault, _): &(Fault, u8)| matches!(fault, Click | Reload);
        let click_in_place = !faults.iter().any(sends_again);
        let click: &[_] = if click_in_place { &[(Click, 1)] } else { &[] };
        Self {
            name,
            about,
            attempts,
            budget: Budget::new(&[faults, click].concat()),
            other: None,
            click_in_place,
            rotates: false,
            crosses_regions: false,
        }
    }

    fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// The same as `contract` has it: with a click in place of an attempt that its client leaves to its user, and with
    /// none where the client makes every attempt by itself.
    pub fn under(&self, contract: &Contract) -> Self {
        let client = &contract.client;
        let by_itself = client.on_timeout == Reaction::Retry && client.attempts >= u16::from(self.attempts);
        let mut scenario = self.clone();
        if self.click_in_place && (by_itself || self.attempts == 1) {
            scenario.budget.remove(Click);
        }
        scenario
    }

    /// Every scenario. In each of them answers may be lost, deliveries may be late, and clients may time out.
    pub fn all() -> Vec<Self> {
        vec![
            Self::new(
                "lost-answer",
                "an answer is lost, arrives in part, or a gateway answers in its place",
                3,
                &[(HalfAnswer, 1), (Gateway, 1), (Ask, 1)],
            ),
            Self::new(
                "concurrent",
                "two deliveries at once: a second click, or a proxy that repeats",
                2,
                &[(Click, 1), (Repeat, 1)],
            ),
            Self::new(
                "crash",
                "a process is killed at any step and restarts empty",
                2,
                &[(Crash, 2), (Ask, 1)],
            ),
            Self::new(
                "pause",
                "a process pauses for longer than its lease and wakes late",
                2,
                &[(Pause, 1), (Crash, 1)],
            ),
            Self::new(
                "error",
                "a handler ends in an ambiguous error, or is cancelled with its connection",
                2,
                &[(Error, 1), (HangUp, 1), (Ask, 1)],
            ),
            Self::new(
                "rejection",
                "a check that depends on state refuses one delivery",
                2,
                &[(Rejection, 1), (Ask, 1)],
            ),
            Self::new(
                "retention",
                "the retention of the record ends while a delivery is late",
                2,
                &[(Retention, 1), (Click, 1), (Repeat, 1), (Ask, 1)],
            ),
            Self::new(
                "cancel",
                "the user cancels after an unknown outcome",
                2,
                &[(Cancel, 1), (Retention, 1), (Ask, 1)],
            ),
            Self::new(
                "edit",
                "the user edits the payload after an unknown outcome",
                2,
                &[(Edit, 1), (Crash, 1)],
            ),
            Self::new("reload", "the page is reloaded before the answer", 2, &[(Reload, 1), (Ask, 1)]),
            Self::new("payload", "the same key comes with another payload", 2, &[(Crash, 1)])
                .with(|it| it.other = Some(Other::Payload)),
            Self::new("owner", "another owner happens to use the same key", 2, &[(Crash, 1)])
                .with(|it| it.other = Some(Other::Owner)),
            Self::new("rotation", "the credential is rotated, or a retry enters in another region", 2, &[])
                .with(|it| {
                    it.rotates = true;
                    it.crosses_regions = true;
                }),
            Self::new(
                "supplier",
                "calls to the supplier are late, its answers are lost, and it forgets",
                2,
                &[(Crash, 1), (Pause, 1), (Window, 1), (Forget, 1)],
            ),
            Self::new(
                "store",
                "the store fails over and forgets, evicts, deletes by age, or reads stale",
                2,
                &[(Failover, 1), (Eviction, 1), (Age, 1), (StaleRead, 1), (Crash, 1)],
            ),
            Self::new(
                LARGEST,
                "the main faults together",
                3,
                &[(Crash, 1), (Pause, 1), (Repeat, 1), (Retention, 1), (Error, 1), (Gateway, 1)],
            ),
        ]
    }
}
