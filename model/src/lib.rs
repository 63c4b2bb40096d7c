//! A model of the idempotency contract: actors around the one protocol, faults with budgets, scenarios, and a search
//! of the whole space.

pub mod apart;
pub mod client;
pub mod clock;
pub mod fault;
mod keys;
pub mod limits;
pub mod message;
mod moment;
#[doc(hidden)]
pub mod peer;
mod reduce;
pub mod review;
pub mod scenario;
pub mod search;
mod seen;
pub mod server;
pub mod setup;
pub mod site;
pub mod store;
pub mod story;
pub mod supplier;
mod trace;
pub mod twin;
pub mod world;
