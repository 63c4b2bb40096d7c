//! What keeps the deliveries of one intent apart, so that they meet two records where there should be one.

use idempotency::contract::{Contract, KeyKept, KeyMade, ScopePart, StoreKind};

use crate::fault::Fault;
use crate::scenario::Scenario;

/// What keeps a later delivery apart from the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Apart {
    /// Nothing: both meet one record.
    Nothing,
    /// It has another key.
    Key,
    /// It is signed with another credential, which is part of the scope.
    Credential,
    /// It enters in another region, which is part of the scope.
    Region,
    /// It enters in another region, which has a store of its own.
    Store,
    /// It meets another process, which has a memory of its own.
    Memory,
}

impl Apart {
    /// What keeps a retry apart.
    pub(crate) fn of_retry(contract: &Contract, scenario: &Scenario) -> Self {
        let Contract { key, store, servers, operation, .. } = contract;
        let scope = |part| key.scope.contains(&part);
        let crosses = operation.regions > 1 && scenario.crosses_regions;
        match () {
            () if key.made == KeyMade::PerAttempt => Self::Key,
            () if scenario.rotates && scope(ScopePart::Credential) => Self::Credential,
            () if crosses && scope(ScopePart::Region) => Self::Region,
            () if crosses && (!store.spans_regions || store.kind == StoreKind::Sqlite) => Self::Store,
            () if store.kind == StoreKind::Memory && servers.processes > 1 => Self::Memory,
            () => Self::Nothing,
        }
    }

    /// What keeps the user's second click apart, or the first one after a reload.
    pub(crate) fn of_click(contract: &Contract, scenario: &Scenario) -> Self {
        let reload_loses = scenario.budget.of(Fault::Reload) > 0 && contract.key.kept == KeyKept::Answer;
        if reload_loses { Self::Key } else { Self::of_retry(contract, scenario) }
    }

    /// In which slot of the store the key of such a delivery lies.
    pub(crate) fn slot(self) -> u8 {
        u8::from(self != Self::Nothing)
    }

    /// Whether a key that is made of scope and key is another one as well.
    pub(crate) fn is_another_name(self) -> bool {
        matches!(self, Self::Key | Self::Credential | Self::Region)
    }
}
