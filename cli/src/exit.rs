//! The exit codes.

use std::process::ExitCode;

use idempotency_model::review::Verdict;

/// How the command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Everything that was judged holds.
    Holds = 0,
    /// Something is broken.
    Violated = 1,
    /// The file or the command line is wrong.
    Usage = 2,
    /// A search was cut short, or no story that was found has times that the contract allows.
    Unknown = 3,
    /// Nothing was run.
    Nothing = 4,
    /// The fault is ours.
    Internal = 70,
}

impl From<Verdict> for Exit {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Holds => Self::Holds,
            Verdict::Violated => Self::Violated,
            Verdict::Unknown => Self::Unknown,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
