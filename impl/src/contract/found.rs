//! The errors found so far.

use std::ops::Range;

use super::error::{ContractError, ContractErrors};
use super::position::Lines;

/// As many errors as are listed. More help nobody, and a broken file of a megabyte must not cost a minute.
const MOST: usize = 50;

/// The errors found so far in one file.
pub(super) struct Found<'a> {
    lines: &'a Lines<'a>,
    errors: Vec<ContractError>,
    left_out: usize,
}

impl<'a> Found<'a> {
    pub(super) fn new(lines: &'a Lines<'a>) -> Self {
        Self { lines, errors: Vec::new(), left_out: 0 }
    }

    pub(super) fn lines(&self) -> &'a Lines<'a> {
        self.lines
    }

    /// How many errors there are, those included that are not listed.
    pub(super) fn count(&self) -> usize {
        self.errors.len() + self.left_out
    }

    /// Adds an error, unless the list is full: then `error` is not even made, and only counted.
    pub(super) fn add(&mut self, span: Range<usize>, error: impl FnOnce() -> Fault) {
        if self.errors.len() == MOST {
            self.left_out += 1;
            return;
        }
        let Fault { id, path, message, help, related } = error();
        let related = related.map(|(span, label)| (self.lines.place(span), label));
        self.errors.push(ContractError {
            id,
            path,
            place: Some(self.lines.place(span)),
            message,
            help,
            related,
        });
    }

    /// The one error of a text that cannot be read at all.
    pub(super) fn only(text: &str, span: Range<usize>, fault: Fault) -> ContractErrors {
        let lines = Lines::new(text);
        let mut found = Found::new(&lines);
        found.add(span, || fault);
        found.into_errors()
    }

    /// The errors in the order of the file, if there are any.
    pub(super) fn finish(self) -> Result<(), ContractErrors> {
        if self.errors.is_empty() { Ok(()) } else { Err(self.into_errors()) }
    }

    pub(super) fn into_errors(mut self) -> ContractErrors {
        self.errors.sort_by_key(|error| error.place.as_ref().map(|place| place.span.start));
        ContractErrors { errors: self.errors, left_out: self.left_out }
    }
}

/// An error without its place.
pub(super) struct Fault {
    pub(super) id: &'static str,
    pub(super) path: String,
    pub(super) message: String,
    pub(super) help: Option<String>,
    pub(super) related: Option<(Range<usize>, String)>,
}

impl Fault {
    pub(super) fn new(id: &'static str, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { id, path: path.into(), message: message.into(), help: None, related: None }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(super) fn related(mut self, span: Range<usize>, label: impl Into<String>) -> Self {
        self.related = Some((span, label.into()));
        self
    }
}
