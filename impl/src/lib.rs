//! The contract that makes a retry safe, and the pure protocol that keeps it.
//!
//! - [`contract`]: the contract file, read and checked.
pub mod contract;
