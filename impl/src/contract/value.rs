//! What a field takes, and what to write where a value is something else.

use toml::Spanned;
use toml::de::{DeInteger, DeValue};

use super::fields::{Choice, Field, Kind};
use super::found::{Fault, Found};
use super::period_text;
use super::show::{listed, quoted};
use super::suggest::closest;

/// Checks the value of a field.
pub(super) fn check(field: &Field, value: &Spanned<DeValue<'_>>, found: &mut Found<'_>) {
    check_kind(field, &field.kind, value, found);
}

fn check_kind(field: &Field, kind: &Kind, value: &Spanned<DeValue<'_>>, found: &mut Found<'_>) {
    let fault = match (kind, value.get_ref()) {
        (Kind::Flag, DeValue::Boolean(_)) => None,
        (Kind::Number { min, max }, DeValue::Integer(number)) => out_of_range(field, *min, *max, number),
        (Kind::Text { may_be_empty }, DeValue::String(text)) => {
            if !may_be_empty && text.trim().is_empty() {
                Some(empty(field))
            } else {
                unprintable(field, text)
            }
        }
        (Kind::Word(choices), DeValue::String(word)) => wrong_word(field, choices, word),
        (Kind::Period { or }, DeValue::String(text)) => bad_period(field, or.as_deref(), text),
        (Kind::List { .. }, DeValue::Array(entries)) if entries.len() > MOST_ENTRIES => {
            let message =
                format!("`{}` has {} entries; at most {MOST_ENTRIES} are read", field.path, entries.len());
            Some(Fault::new("too-long", field.path.as_str(), message).help("write fewer"))
        }
        (Kind::List { of, unique }, DeValue::Array(entries)) => {
            for (index, entry) in entries.iter().enumerate() {
                let first = entries[..index].iter().find(|first| same(first, entry));
                match first.filter(|_| *unique) {
                    Some(first) => found.add(entry.span(), || twice(field, entry, first)),
                    None => check_kind(field, of, entry, found),
                }
            }
            None
        }
        (kind, other) => Some(wrong_type(field, kind, other)),
    };
    if let Some(fault) = fault {
        found.add(value.span(), || fault);
    }
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
    let Field { path, name, .. } = field;
    let fault = Fault::new("out-of-range", path, format!("`{path}` is out of range"));
    Some(
        fault
            .help(format!("write a whole number from {min} to {max}, such as `{name} = {}`", example(field))),
    )
}

fn wrong_word(field: &Field, choices: &[Choice], word: &str) -> Option<Fault> {
    let words = || choices.iter().map(|choice| choice.word.as_str());
    if words().any(|choice| choice == word) {
        return None;
    }
    let fault = Fault::new("wrong-word", &field.path, format!("`{}` cannot be {}", field.path, quoted(word)));
    Some(fault.help(match closest(word, words()) {
        Some(meant) => format!("did you mean `{meant}`? The words are {}", listed(words())),
        None => format!("write one of {}", listed(words())),
    }))
}

fn bad_period(field: &Field, or: Option<&str>, text: &str) -> Option<Fault> {
    if or == Some(text) {
        return None;
    }
    let error = period_text::parse(text).err()?;
    let fault =
        Fault::new("bad-period", &field.path, format!("`{}`: {} {}", field.path, quoted(text), error.why));
    Some(fault.help(match or {
        Some(word) if closest(text, [word]).is_some() => format!("did you mean `\"{word}\"`?"),
        Some(word) => format!("{}, or write `\"{word}\"`", error.help),
        None => error.help.into(),
    }))
}

fn wrong_type(field: &Field, kind: &Kind, value: &DeValue<'_>) -> Fault {
    let message = format!("`{}` takes {}, not {}", field.path, expected(kind), name(value));
    let fault = Fault::new("wrong-type", &field.path, message);
    let is_entry = *kind != field.kind;
    let meant = meant(kind, value).map(|meant| if is_entry { format!("[{meant}]") } else { meant });
    let example = meant.unwrap_or_else(|| example(field));
    let words = match kind {
        Kind::Word(choices) => {
            format!("; the words are {}", listed(choices.iter().map(|choice| choice.word.as_str())))
        }
        _ => String::new(),
    };
    fault.help(format!("write `{} = {example}`{words}", field.name))
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

/// The value that was most likely meant, as it should be written.
fn meant(kind: &Kind, value: &DeValue<'_>) -> Option<String> {
    match (kind, value) {
        (Kind::Flag, DeValue::String(text)) => {
            text.trim().to_lowercase().parse::<bool>().ok().map(|flag| flag.to_string())
        }
        (Kind::Number { min, max }, DeValue::String(text)) => text
            .split_whitespace()
            .next()?
            .parse::<u64>()
            .ok()
            .filter(|number| (min..=max).contains(&number))
            .map(|number| number.to_string()),
        (Kind::Period { .. }, DeValue::Integer(number)) => {
            let text = format!("{number}s");
            period_text::parse(&text).is_ok().then(|| quoted(&text))
        }
        (Kind::List { of, .. }, DeValue::String(text)) => match &**of {
            Kind::Word(choices) if !choices.iter().any(|choice| choice.word == **text) => None,
            _ => Some(format!("[{}]", quoted(text))),
        },
        (Kind::Text { .. }, DeValue::Integer(number)) => Some(quoted(&number.to_string())),
        (Kind::Text { .. }, DeValue::Boolean(flag)) => Some(quoted(&flag.to_string())),
        _ => None,
    }
}

/// A value that the field takes, as it should be written.
fn example(field: &Field) -> String {
    match (&field.default, &field.kind) {
        (Some(default), _) => default.clone(),
        (None, Kind::Flag) => "true".into(),
        (None, Kind::Number { min, .. }) => min.to_string(),
        (None, Kind::Text { .. }) => "\"…\"".into(),
        (None, Kind::Word(choices)) => {
            choices.first().map_or_else(String::new, |choice| quoted(&choice.word))
        }
        (None, Kind::Period { .. }) => "\"24h\"".into(),
        (None, Kind::List { .. }) => "[]".into(),
    }
}
