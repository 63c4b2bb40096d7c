//! What is wrong with a contract file, and where.

use std::fmt;
use std::ops::Range;

/// Everything that was found wrong with a contract, in the order of the file. Never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractErrors {
    pub(super) errors: Vec<ContractError>,
    pub(super) left_out: usize,
}

impl ContractErrors {
    /// The errors, in the order of the file.
    pub fn errors(&self) -> &[ContractError] {
        &self.errors
    }

    /// How many further errors there are beyond those listed.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// The same errors of a contract that stands in no file.
    pub(super) fn without_places(mut self) -> Self {
        for error in &mut self.errors {
            error.place = None;
            error.related = None;
        }
        self
    }
}

impl fmt::Display for ContractErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.errors.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            error.fmt(f)?;
        }
        match self.left_out {
            0 => Ok(()),
            more => write!(f, "\nand {more} more"),
        }
    }
}

impl std::error::Error for ContractErrors {}

/// One thing that is wrong with a contract. The fault is the contract's author's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractError {
    /// What kind of error it is: a short id that never changes.
    pub id: &'static str,
    /// The path of the field or the section; empty where it is the file itself.
    pub path: String,
    /// Where it stands; `None` for a contract that was not read from a file.
    pub place: Option<Place>,
    /// What is wrong, in a sentence.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    /// Another place that has to do with it, and what stands there.
    pub related: Option<(Place, String)>,
}

impl fmt::Display for ContractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ContractError {}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The bytes, from 0.
    pub span: Range<usize>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}
