//! A command that cannot do what it was asked to: why, for a person and for a machine.

use std::fmt::Write;

use idempotency::contract::{ContractError, ContractErrors};
use serde::Serialize;

use crate::exit::Exit;

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
    pub(crate) fn of(
        file: &str,
        exit: Exit,
        id: &'static str,
        message: String,
        help: Option<String>,
    ) -> Self {
        let fault = Fault { id, message, line: None, column: None, help };
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
