//! The fields of a contract, section by section. `docs/contract.md` and the JSON Schema are made from these
//! comments and defaults: a field's first paragraph says what it is, the second what follows from it.

mod promise;
mod surroundings;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use promise::{Answers, Effect, Fingerprint, Key, Reservation, Retention};
pub use surroundings::{Between, Client, Routes, Servers, Store, Supplier};

/// A contract that makes a retry of one operation safe, or does not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Contract {
    /// What the operation is.
    pub operation: Operation,
    /// The idempotency key, which names one intent.
    pub key: Key,
    /// Which payload is the same one.
    pub fingerprint: Fingerprint,
    /// Who may run the effect, and for how long.
    pub reservation: Reservation,
    /// What is kept of each class of outcome, for a replay.
    pub answers: Answers,
    /// How long records are kept.
    pub retention: Retention,
    /// The effect: what must happen at most once.
    pub effect: Effect,
    /// The supplier of an external effect.
    pub supplier: Supplier,
    /// The client.
    pub client: Client,
    /// What stands between client and server.
    pub between: Between,
    /// The server's processes.
    pub servers: Servers,
    /// The store of the records.
    pub store: Store,
    /// Routes beside the operation itself.
    pub routes: Routes,
    /// Where each fact comes from: a field's path, and its public source, or `guess: ` and the reason.
    pub sources: BTreeMap<String, String>,
}

/// What the operation is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Operation {
    /// The operation's name in the report, such as a method and a route.
    #[schemars(length(min = 1))]
    pub name: String,
    /// The domain action in words. A method's name alone proves nothing about it.
    pub does: String,
    /// In how many regions the operation is admitted.
    ///
    /// With more than one, the store and the scope must span them all: a retry may enter elsewhere.
    #[schemars(range(min = 1, max = 100))]
    pub regions: u8,
}

impl Default for Operation {
    fn default() -> Self {
        Self { name: "the operation".into(), does: String::new(), regions: 1 }
    }
}
