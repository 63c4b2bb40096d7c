//! The contract that makes a retry safe, and the pure protocol that keeps it.
//!
//! - [`contract`]: the contract file, read and checked.
//! - [`protocol`]: what may happen to a record, decided by pure functions.
//! - [`invariant`]: what must be true of every intent, written once.

pub mod contract;
pub mod invariant;
pub mod protocol;
