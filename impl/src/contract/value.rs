//! What a field takes.

use toml::Spanned;
use toml::de::{DeInteger, DeValue};

use super::advice;
use super::fields::{Choice, Field, Kind};
use super::found::{Fault, Found};
use super::period_text;
use super::show::quoted;

/// Checks the value of a field.
pub(super) fn check(field: &Field, value: &Spanned<DeValue<'_>>, found: &mut Found<'_>) {
    check_kind(field, &field.kind, value, found);
}

fn check_kind(field: &Field, kind: &Kind, value: &Spanned<DeValue<'_>>, found: &mut Found<'_>) {
    if let Some(fault) = fault(field, kind, value.get_ref()) {
        return found.add(value.span(), || fault);
    }
    let (Kind::List { of, unique }, DeValue::Array(entries)) = (kind, value.get_ref()) else { return };
    for (index, entry) in entries.iter().enumerate() {
        let first = entries[..index].iter().find(|first| same(first, entry));
        match first.filter(|_| *unique) {
            Some(first) => found.add(entry.span(), || twice(field, entry, first)),
            None => check_kind(field, of, entry, found),
        }
    }
}

/// What is wrong with a value as a whole: the entries of a list are not looked at.
pub(super) fn fault(field: &Field, kind: &Kind, value: &DeValue<'_>) -> Option<Fault> {
    match (kind, value) {
        (Kind::Flag, DeValue::Boolean(_)) => None,
        (Kind::Number { min, max }, DeValue::Integer(number)) => out_of_range(field, *min, *max, number),
        (Kind::Text { may_be_empty: false }, DeValue::String(text)) if text.trim().is_empty() => {
            Some(empty(field))
        }
        (Kind::Text { .. }, DeValue::String(text)) => unprintable(field, text),
        (Kind::Word(choices), DeValue::String(word)) => wrong_word(field, choices, word),
        (Kind::Period { or }, DeValue::String(text)) => bad_period(field, or.as_deref(), text),
        (Kind::List { .. }, DeValue::Array(entries)) => too_many(field, entries.len()),
        (kind, other) => Some(wrong_type(field, kind, other)),
    }
}

fn too_many(field: &Field, entries: usize) -> Option<Fault> {
    (entries > MOST_ENTRIES).then(|| {
        let message = format!("`{}` has {entries} entries; at most {MOST_ENTRIES} are read", field.path);
        Fault::new("too-long", field.path.as_str(), message).help("write fewer")
    })
}

/// The longest text of a field, in characters: it stands in every row of a report.
const LONGEST_TEXT: usize = 500;
/// The most entries of a list.
const MOST_ENTRIES: usize = 500;

/// A text that a report could not show on one line: it is too long, or has characters that steer a terminal.
fn unprintable(field: &Field, text: &str) -> Option<Fault> {
    let steers = |it: char| {
        it.is_control()
            || matches!(it, '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}'..='\u{ffff}')
    };
    if text.chars().any(steers) {
        let message =
            format!("`{}` has a line break or another character that steers a terminal", field.path);
        return Some(
            Fault::new("unprintable", field.path.as_str(), message)
                .help("write it on one line, in plain text"),
        );
    }
    let length = text.chars().count();
    (length > LONGEST_TEXT).then(|| {
        let message = format!("`{}` has {length} characters; at most {LONGEST_TEXT} are read", field.path);
        Fault::new("too-long", field.path.as_str(), message).help("write it shorter")
    })
}

fn same(first: &Spanned<DeValue<'_>>, second: &Spanned<DeValue<'_>>) -> bool {
    first.get_ref().as_str().is_some_and(|first| second.get_ref().as_str() == Some(first))
}

fn twice(field: &Field, entry: &Spanned<DeValue<'_>>, first: &Spanned<DeValue<'_>>) -> Fault {
    let entry = entry.get_ref().as_str().unwrap_or_default();
    Fault::new("twice", &field.path, format!("`{}` names {} twice", field.path, quoted(entry)))
        .help("remove one of them")
        .related(first.span(), "the first")
}

fn empty(field: &Field) -> Fault {
    Fault::new("empty", &field.path, format!("`{}` is empty", field.path))
        .help("write a name, or leave the line out")
}

fn out_of_range(field: &Field, min: u64, max: u64, number: &DeInteger<'_>) -> Option<Fault> {
    let value = i128::from_str_radix(number.as_str(), number.radix()).ok();
    if value.is_some_and(|value| (i128::from(min)..=i128::from(max)).contains(&value)) {
        return None;
    }
    let fault = Fault::new("out-of-range", &field.path, format!("`{}` is out of range", field.path));
    Some(fault.help(advice::of_type(field, &field.kind, &DeValue::Integer(number.clone()))))
}

fn wrong_word(field: &Field, choices: &[Choice], word: &str) -> Option<Fault> {
    if choices.iter().any(|choice| choice.word == word) {
        return None;
    }
    let fault = Fault::new("wrong-word", &field.path, format!("`{}` cannot be {}", field.path, quoted(word)));
    Some(fault.help(advice::of_word(choices, word)))
}

fn bad_period(field: &Field, or: Option<&str>, text: &str) -> Option<Fault> {
    if or == Some(text) {
        return None;
    }
    let error = period_text::parse(text).err()?;
    let message = format!("`{}`: {} {}", field.path, quoted(text), error.why);
    Some(Fault::new("bad-period", &field.path, message).help(advice::of_period(or, text, error.help)))
}

fn wrong_type(field: &Field, kind: &Kind, value: &DeValue<'_>) -> Fault {
    let message = format!("`{}` takes {}, not {}", field.path, expected(kind), name(value));
    Fault::new("wrong-type", &field.path, message).help(advice::of_type(field, kind, value))
}

/// What a field takes, in words.
fn expected(kind: &Kind) -> String {
    match kind {
        Kind::Flag => "true or false".into(),
        Kind::Number { min, max } => format!("a whole number from {min} to {max}"),
        Kind::Text { .. } => "a text in quotes".into(),
        Kind::Word(_) => "a word in quotes".into(),
        Kind::Period { or: None } => "a length of time in quotes".into(),
        Kind::Period { or: Some(word) } => format!("a length of time in quotes, or \"{word}\""),
        Kind::List { of, .. } => match **of {
            Kind::Word(_) => "a list of words".into(),
            _ => "a list of texts".into(),
        },
    }
}

/// What a value is, in words.
pub(super) fn name(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a decimal number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
