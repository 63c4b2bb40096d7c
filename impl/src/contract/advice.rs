//! What to write where a value is wrong: it follows from what was written, where that says what was meant.

use toml::de::DeValue;

use super::fields::{Choice, Field, Kind};
use super::period_text;
use super::show::{listed, quoted};
use super::suggest::closest;

/// What to write in place of a value of another type, or of a number out of range.
pub(super) fn of_type(field: &Field, kind: &Kind, value: &DeValue<'_>) -> String {
    let line = |value: &str| match *kind == field.kind {
        true => format!("`{} = {value}`", field.name),
        false => format!("`{value}` as an entry of the list"),
    };
    let meant = meant(kind, value);
    let such_as = || line(&meant.clone().unwrap_or_else(|| example(field, kind)));
    match (kind, &meant) {
        (Kind::Flag, None) => format!("write {} or {}", line("true"), line("false")),
        (Kind::Number { min, max }, _) => {
            format!("write a whole number from {min} to {max}, such as {}", such_as())
        }
        (Kind::Word(choices), None) => format!("write one of {}, in quotes", listed(words(choices))),
        (Kind::Word(choices), Some(meant)) => {
            format!("write {}; the words are {}", line(meant), listed(words(choices)))
        }
        (Kind::Period { .. }, Some(meant)) if matches!(value, DeValue::Integer(_) | DeValue::Float(_)) => {
            format!("write its unit too, in quotes: {}, if it is in seconds", line(meant))
        }
        (_, Some(meant)) => format!("write {}", line(meant)),
        (_, None) => format!("write it such as {}", such_as()),
    }
}

/// What to write in place of a word that is none of the field's.
pub(super) fn of_word(choices: &[Choice], word: &str) -> String {
    match closest(word, words(choices)) {
        Some(meant) => format!("did you mean `{meant}`? The words are {}", listed(words(choices))),
        None => format!("write one of {}", listed(words(choices))),
    }
}

/// What to write in place of a text that is no length of time.
pub(super) fn of_period(or: Option<&str>, text: &str, usual: &str) -> String {
    if let Some(word) = or.filter(|word| closest(text, [*word]).is_some()) {
        return format!("did you mean `\"{word}\"`?");
    }
    let help = match period_text::meant(text) {
        Some(meant) => {
            format!("did you mean `{}`? The units are {}", quoted(&meant), listed(period_text::units()))
        }
        None => usual.to_owned(),
    };
    match or {
        Some(word) => format!("{help}; or write `\"{word}\"`"),
        None => help,
    }
}

fn words(choices: &[Choice]) -> impl Iterator<Item = &str> {
    choices.iter().map(|choice| choice.word.as_str())
}

/// The value that was most likely meant, as it should be written.
fn meant(kind: &Kind, value: &DeValue<'_>) -> Option<String> {
    match (kind, value) {
        // A list of one where one is wanted.
        (kind, DeValue::Array(entries)) if !matches!(kind, Kind::List { .. }) => match &entries[..] {
            [only] => right(kind, only.get_ref()),
            _ => None,
        },
        (Kind::Flag, value) => flag(value).map(|flag| flag.to_string()),
        (Kind::Number { min, max }, value) => number(value, *min, *max).map(|number| number.to_string()),
        (Kind::Text { .. }, DeValue::Integer(number)) => Some(quoted(&number.to_string())),
        (Kind::Text { .. }, DeValue::Float(number)) => Some(quoted(number.as_str())),
        (Kind::Text { .. }, DeValue::Boolean(flag)) => Some(quoted(&flag.to_string())),
        (Kind::Text { .. }, DeValue::Datetime(date)) => Some(quoted(&date.to_string())),
        (Kind::Word(choices), DeValue::Boolean(false)) => {
            words(choices).find(|word| ["never", "none"].contains(word)).map(quoted)
        }
        (Kind::Period { or: Some(word) }, DeValue::Boolean(false)) if word == "never" => Some(quoted(word)),
        (Kind::Period { .. }, DeValue::Integer(number)) => period(&format!("{number}s")),
        (Kind::Period { .. }, DeValue::Float(number)) => period(&format!("{}s", number.as_str())),
        (Kind::List { of, .. }, DeValue::String(text)) => list(of, text),
        (Kind::List { of, .. }, DeValue::Boolean(false)) if matches!(**of, Kind::Text { .. }) => {
            Some("[]".into())
        }
        _ => None,
    }
}

/// The value itself if it is of this kind, or what it was meant to be.
fn right(kind: &Kind, value: &DeValue<'_>) -> Option<String> {
    match (kind, value) {
        (Kind::Flag, DeValue::Boolean(flag)) => Some(flag.to_string()),
        (Kind::Text { .. }, DeValue::String(text)) if !text.trim().is_empty() => Some(quoted(text)),
        (Kind::Word(choices), DeValue::String(text)) => closest(text, words(choices)).map(quoted),
        (Kind::Period { or: Some(word) }, DeValue::String(text)) if word == text => Some(quoted(word)),
        (Kind::Period { .. }, DeValue::String(text)) => period(text),
        (_, DeValue::Array(_)) => None,
        (kind, value) => meant(kind, value),
    }
}

fn flag(value: &DeValue<'_>) -> Option<bool> {
    let text = match value {
        DeValue::String(text) => text.trim().to_lowercase(),
        DeValue::Integer(number) => number.to_string(),
        _ => return None,
    };
    match text.as_str() {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" | "never" | "none" => Some(false),
        _ => None,
    }
}

/// The number that is nearest to what was written. A status is a code: none is near another.
fn number(value: &DeValue<'_>, min: u64, max: u64) -> Option<u64> {
    const FIRST_STATUS: u64 = 400;
    let number: f64 = match value {
        DeValue::Integer(number) => i128::from_str_radix(number.as_str(), number.radix()).map_or_else(
            |_| if number.as_str().starts_with('-') { f64::MIN } else { f64::MAX },
            |number| number as f64,
        ),
        DeValue::Float(number) => number.as_str().replace('_', "").parse().ok()?,
        DeValue::String(text) => {
            let number = text.trim().split(|c: char| !c.is_ascii_digit() && !"+-._".contains(c)).next()?;
            number.replace('_', "").parse().ok()?
        }
        _ => return None,
    };
    let is_inside = number.round() >= min as f64 && number.round() <= max as f64;
    // A cast from a float stops at the ends of the integer.
    (!number.is_nan() && (is_inside || min < FIRST_STATUS)).then(|| (number.round() as u64).clamp(min, max))
}

fn period(text: &str) -> Option<String> {
    period_text::parse(text).is_ok().then(|| quoted(text))
}

/// A list that was written as one text: its parts stand between commas, and those of words between other signs too.
fn list(of: &Kind, text: &str) -> Option<String> {
    let parts = text.split(|c: char| match of {
        Kind::Word(_) => !c.is_alphanumeric() && c != '-' && c != '_',
        _ => c == ',',
    });
    let mut entries = Vec::new();
    for part in parts.map(str::trim).filter(|part| !part.is_empty()) {
        let entry = match of {
            Kind::Word(choices) => quoted(closest(part, words(choices))?),
            _ => quoted(part),
        };
        if !entries.contains(&entry) {
            entries.push(entry);
        }
    }
    Some(format!("[{}]", entries.join(", ")))
}

/// A value that the field, or an entry of its list, takes, as it should be written.
fn example(field: &Field, kind: &Kind) -> String {
    match (kind, &field.default) {
        (Kind::Text { .. }, Some(default)) if default != "\"\"" && *kind == field.kind => default.clone(),
        (Kind::Text { .. }, _) => "\"…\"".into(),
        (_, Some(default)) => default.clone(),
        (Kind::Flag, None) => "true".into(),
        (Kind::Number { min, .. }, None) => min.to_string(),
        (Kind::Word(choices), None) => words(choices).next().map_or_else(String::new, quoted),
        (Kind::Period { .. }, None) => "\"24h\"".into(),
        (Kind::List { .. }, None) => "[]".into(),
    }
}
