//! Errors of TOML itself, said in the words of a contract.

use std::collections::BTreeSet;
use std::ops::Range;

use toml::de::{DeTable, DeValue, Error};

use super::fields::{Field, field};
use super::found::{Fault, Found};
use super::show::short;
use super::value;

/// How far a document can be trusted. After a broken line the parser guesses, and what it guessed is no reason to
/// blame the author.
pub(super) struct Trust {
    until: usize,
    broken: Vec<Range<usize>>,
    /// The names of sections and fields that stand twice: which of the two is meant is not known.
    twice: BTreeSet<String>,
    is_whole: bool,
}

impl Trust {
    /// Whether the bytes of a name or a value were read as they stand.
    pub(super) fn covers(&self, span: &Range<usize>) -> bool {
        span.end <= self.until
            && !self.broken.iter().any(|broken| broken.start < span.end && span.start < broken.end)
    }

    /// Whether every name was read, and stands once: a field that is not seen is left out.
    pub(super) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Whether the section or the field stands twice.
    pub(super) fn is_twice(&self, section: &str, field: &str) -> bool {
        self.twice.contains(section) || self.twice.contains(field)
    }
}

/// Reports what the TOML parser found. A name that stands twice breaks nothing, and a value without quotes breaks
/// only itself.
pub(super) fn report(text: &str, document: &DeTable<'_>, errors: &[Error], found: &mut Found<'_>) -> Trust {
    let mut trust = Trust { until: text.len(), broken: Vec::new(), twice: BTreeSet::new(), is_whole: true };
    for error in errors {
        let span = error.span().unwrap_or_default();
        if error.message() == "duplicate key" {
            trust.is_whole = false;
            trust.twice.extend(text.get(span.clone()).map(|name| name.trim_matches(['"', '\'']).to_owned()));
            found.add(span.clone(), || duplicate(text, document, span));
            continue;
        }
        let at = text.get(span.clone()).unwrap_or_default();
        match at.is_empty() || !is_bare_value(error.message()) {
            true => {
                trust.until = trust.until.min(found.lines().start_of_line(span.start));
                trust.is_whole = false;
            }
            false => trust.broken.push(span.clone()),
        }
        found.add(span.clone(), || {
            let rest = text.get(span.start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
            told_otherwise(rest, error.message())
                .unwrap_or_else(|| broken(at, error.message(), field_at(document, &span)))
        });
    }
    trust
}

fn duplicate(text: &str, document: &DeTable<'_>, span: Range<usize>) -> Fault {
    let name = text.get(span.clone()).unwrap_or_default();
    let line = text[..span.start].rsplit('\n').next().unwrap_or_default();
    if line.trim_start().starts_with('[') {
        let shown = short(name);
        let fault = Fault::new("duplicate", &shown, format!("the section [{shown}] stands twice"));
        let header = format!("[{name}]");
        let fault = fault.help("put all its fields under one header");
        return match text[..span.start].find(&header) {
            Some(at) => fault.related(at..at + header.len(), "the first"),
            None => fault,
        };
    }
    let mut firsts = document.iter().filter_map(|(section, value)| {
        let (key, _) = value.get_ref().as_table()?.get_key_value(name)?;
        (key.span().start < span.start).then(|| (format!("{}.{name}", short(section.get_ref())), key.span()))
    });
    let fault = Fault::new("duplicate", short(name), format!("`{}` stands twice", short(name)))
        .help("remove one of the two lines");
    match (firsts.next(), firsts.next()) {
        (Some((path, first)), None) => Fault { path, ..fault }.related(first, "the first"),
        _ => fault,
    }
}

/// Whether a value was read to its end, but is none.
fn is_bare_value(message: &str) -> bool {
    ["string values must be quoted", "invalid float", "invalid boolean", "invalid date", "invalid time"]
        .iter()
        .any(|start| message.starts_with(start))
}

/// The field whose value stands there.
fn field_at(document: &DeTable<'_>, span: &Range<usize>) -> Option<&'static Field> {
    document.iter().find_map(|(section, value)| {
        let (name, _) = value.get_ref().as_table()?.iter().find(|(_, value)| value.span() == *span)?;
        field(&format!("{}.{}", section.get_ref(), name.get_ref()))
    })
}

/// What other languages write and TOML does not, from what stands there to the end of the line.
fn told_otherwise(rest: &str, message: &str) -> Option<Fault> {
    if message.starts_with("key with no value") && rest.trim_start().starts_with(':') {
        let fault = Fault::new("syntax", "", "TOML writes `=` between a name and its value, not `:`");
        return Some(fault.help("write `name = value`"));
    }
    if message.starts_with("unexpected leading zero") {
        let is_part = |c: char| c.is_ascii_digit() || "._".contains(c);
        let number = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
        let number = number.trim_start_matches(['0', '_']);
        let number =
            if number.is_empty() || number.starts_with('.') { format!("0{number}") } else { number.into() };
        let fault = Fault::new("syntax", "", "a number does not begin with a zero");
        return Some(fault.help(format!("write `{}`", short(&number))));
    }
    None
}

/// What is broken, from the characters that the parser stumbled over and from what it says of them.
fn broken(at: &str, message: &str, field: Option<&Field>) -> Fault {
    let fault = |message: &str| Fault::new("syntax", "", message);
    let starts_a_word = at.starts_with(|c: char| c.is_alphanumeric());
    if at.starts_with(['“', '”', '„', '‘', '’', '«']) {
        return fault("typographic quotes do not mark a text").help("write plain quotes: \"");
    }
    if at.eq_ignore_ascii_case("true") || at.eq_ignore_ascii_case("false") {
        return fault("true and false are written small").help(format!("write `{}`", at.to_lowercase()));
    }
    if starts_a_word && is_bare_value(message) {
        // With quotes around it, it may still be wrong, and is then told at once what is right.
        let still = field.and_then(|field| value::fault(field, &field.kind, &DeValue::String(at.into())));
        let quoted = format!("write `\"{}\"`", short(at));
        return match still {
            Some(still) => Fault { id: "syntax", ..still },
            None => fault("a text stands in quotes").help(quoted),
        };
    }
    if at.is_empty() && message.starts_with("string values must be quoted") {
        return fault("the value is missing").help("write a value after `=`, or remove the line");
    }
    if message.starts_with("unclosed table") {
        return fault("the section's header is not closed").help("write `]` at its end");
    }
    if message.starts_with("key with no value") {
        return fault("a name without a value").help("write `name = value`");
    }
    if message.starts_with("invalid basic string, expected `\"`") {
        return fault("the text is not closed").help("write `\"` at its end");
    }
    fault(message)
}
