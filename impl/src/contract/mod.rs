//! The contract file: what an operation promises to a client that repeats it.
//!
//! [`Contract`] holds every field, each with a default that is the safe choice. [`Contract::parse`] reads a file:
//!
//! ```text
//! text ─► syntax ─► check, value ─► contradictions ─► Parsed
//!         (TOML)    (every field    (sound fields that
//!                    by itself)      do not go together)
//! ```
//!
//! Each step reports what it finds with its place, and all that can be found is reported at once.

mod advice;
mod check;
mod contradictions;
mod derived;
mod edit;
mod error;
mod fields;
mod found;
mod parse;
mod period;
mod period_text;
mod position;
mod reference;
mod schema;
mod sections;
mod show;
mod suggest;
mod syntax;
mod unknown;
mod value;
mod words;

pub use contradictions::{Rule, rules};
pub use error::{ContractError, ContractErrors, Place};
pub use fields::{Choice, Field, Kind, Section, field, fields, sections};
pub use parse::{Assumed, LARGEST_FILE, Parsed};
pub use period::{Never, Period, PeriodOr, Unlimited, Word};
pub use reference::reference;
pub use sections::{
    Answers, Between, Client, Contract, Effect, Fingerprint, Key, Operation, Reservation, Retention, Routes,
    Servers, Store, Supplier,
};
pub use suggest::closest;
pub use words::*;
