//! A command that cannot do what it was asked to: why, for a person and for a machine.

use std::fmt::Write;
use std::io::ErrorKind;

use idempotency::contract::{ContractError, ContractErrors};
use serde::Serialize;

use crate::exit::Exit;

/// Why there is no contract to review, or nothing to run. What is wrong with a contract has the ids of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    NoFile,
    Folder,
    NoPermission,
    ReadFailed,
    NothingGiven,
    NoScenario,
}

impl Why {
    #[cfg(test)]
    const ALL: [Self; 6] = [
        Self::NoFile,
        Self::Folder,
        Self::NoPermission,
        Self::ReadFailed,
        Self::NothingGiven,
        Self::NoScenario,
    ];

    /// Why a file was not read.
    pub(crate) fn of(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::NotFound | ErrorKind::NotADirectory => Self::NoFile,
            ErrorKind::IsADirectory => Self::Folder,
            ErrorKind::PermissionDenied => Self::NoPermission,
            _ => Self::ReadFailed,
        }
    }

    /// A short id that never changes.
    fn id(self) -> &'static str {
        match self {
            Self::NoFile => "no-file",
            Self::Folder => "folder",
            Self::NoPermission => "no-permission",
            Self::ReadFailed => "read-failed",
            Self::NothingGiven => "nothing-given",
            Self::NoScenario => "no-scenario",
        }
    }
}

/// Why nothing was reviewed.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// The file, as it was given.
    pub(crate) file: String,
    /// What is wrong.
    pub(crate) errors: Vec<Fault>,
    /// How many further errors there are beyond those listed.
    pub(crate) left_out: usize,
    /// How the command ends.
    pub(crate) exit: Exit,
    /// The errors over the lines of the file, as a terminal shows them; without it they are told one by one.
    pub(crate) drawn: Option<String>,
}

/// One thing that is wrong.
#[derive(Debug, Serialize)]
pub(crate) struct Fault {
    /// A short id that never changes.
    pub(crate) id: &'static str,
    /// What is wrong.
    pub(crate) message: String,
    /// The line, from 1; none where it is not about a line.
    pub(crate) line: Option<usize>,
    /// The column in characters, from 1.
    pub(crate) column: Option<usize>,
    /// What to do instead.
    pub(crate) help: Option<String>,
}

impl Refusal {
    /// One thing that is about no line.
    pub(crate) fn of(file: &str, exit: Exit, why: Why, message: String, help: Option<String>) -> Self {
        let fault = Fault { id: why.id(), message, line: None, column: None, help };
        Self { file: file.into(), errors: vec![fault], left_out: 0, exit, drawn: None }
    }

    /// What is wrong with a contract, and the same as a terminal shows it.
    pub(crate) fn of_contract(file: &str, errors: &ContractErrors, drawn: String) -> Self {
        let fault = |error: &ContractError| Fault {
            id: error.id,
            message: error.message.clone(),
            line: error.place.as_ref().map(|place| place.line),
            column: error.place.as_ref().map(|place| place.column),
            help: error.help.clone(),
        };
        Self {
            file: file.into(),
            errors: errors.errors().iter().map(fault).collect(),
            left_out: errors.left_out(),
            exit: Exit::Usage,
            drawn: Some(drawn),
        }
    }

    /// The same for a person, without colours.
    pub(crate) fn told(&self) -> String {
        let mut text = String::new();
        for error in &self.errors {
            let at = error.line.map_or_else(String::new, |line| format!("line {line}: "));
            let help = error.help.as_ref().map_or_else(String::new, |help| format!("; {help}"));
            let _ = writeln!(text, "{at}{}{help}", error.message);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use idempotency::contract::reference;

    use super::*;

    #[test]
    fn every_id_has_a_line_in_the_reference() {
        let text = reference();
        let (_, section) = text.split_once("\n### Nothing to review\n").expect("the section");
        let (section, _) = section.split_once("\n### ").expect("its end");
        let rows = section.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
        assert_eq!(rows.collect::<Vec<_>>(), Why::ALL.map(Why::id));
    }

    #[test]
    fn a_file_that_is_not_read_says_why() {
        for (kind, id) in [
            (ErrorKind::NotFound, "no-file"),
            (ErrorKind::NotADirectory, "no-file"),
            (ErrorKind::IsADirectory, "folder"),
            (ErrorKind::PermissionDenied, "no-permission"),
            (ErrorKind::TimedOut, "read-failed"),
        ] {
            assert_eq!(Why::of(kind).id(), id);
        }
    }
}
