//! The contract file: what an operation promises to a client that repeats it.
//!
//! [`Contract`] holds every field, each with a default that is the safe choice.

mod derived;
mod period;
mod sections;
mod words;

pub use period::{Never, Period, PeriodOr, Unlimited, Word};
pub use sections::{
    Answers, Between, Client, Contract, Effect, Fingerprint, Key, Operation, Reservation, Retention, Routes,
    Servers, Store, Supplier,
};
pub use words::*;
