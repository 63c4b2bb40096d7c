//! The five questions (R2) and the four outcomes (R1), answered from the contract and from the runs.

mod outcomes;
mod questions;

use serde::Serialize;

pub use self::outcomes::{Outcome, Shown};

pub(super) use self::outcomes::outcomes;
pub(super) use self::questions::questions;

/// One of the five questions, and what the contract answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// The question.
    pub question: &'static str,
    /// The answer.
    pub answer: String,
}

/// `a, b and c`.
pub(super) fn joined(parts: &[impl AsRef<str>]) -> String {
    match parts {
        [] => "nothing".into(),
        [one] => one.as_ref().into(),
        [first @ .., last] => {
            let first: Vec<_> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}
