//! The walk over a document: every name is known, and every value is what its field takes.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fields::{Section, field, fields, section, sections};
use super::found::{Fault, Found};
use super::suggest::{closest, distance};
use super::syntax::Trust;
use super::value;

/// Where each field that is given has its value, by path.
pub(super) type Given = BTreeMap<String, Range<usize>>;

/// Checks a document as far as it can be trusted, and says which fields it gives.
pub(super) fn document(document: &DeTable<'_>, trust: &Trust, found: &mut Found<'_>) -> Given {
    let mut given = Given::new();
    for (name, value) in document {
        match section(name.get_ref()) {
            _ if !trust.covers(&name.span()) => {}
            Some(section) => check_section(section, value, trust, found, &mut given),
            None => found.add(name.span(), || unknown_section(name.get_ref(), value.get_ref())),
        }
    }
    given
}

fn check_section(
    section: &Section,
    value: &Spanned<DeValue<'_>>,
    trust: &Trust,
    found: &mut Found<'_>,
    given: &mut Given,
) {
    let DeValue::Table(table) = value.get_ref() else {
        return found.add(value.span(), || not_a_section(&section.name, value.get_ref()));
    };
    for (name, value) in table {
        if !trust.covers(&name.span()) || !trust.covers(&value.span()) {
            continue;
        }
        let path = format!("{}.{}", section.name, name.get_ref());
        if section.is_open() {
            check_source(name, value, found);
        } else if let Some(field) = section.field(name.get_ref()) {
            value::check(field, value, found);
        } else {
            found.add(name.span(), || unknown_field(section, name.get_ref()));
            continue;
        }
        given.insert(path, value.span());
    }
}

/// A source names a field that exists, and says something of it.
fn check_source(
    name: &Spanned<std::borrow::Cow<'_, str>>,
    value: &Spanned<DeValue<'_>>,
    found: &mut Found<'_>,
) {
    let path = format!("sources.{}", name.get_ref());
    match value.get_ref() {
        DeValue::Table(_) => found.add(name.span(), || {
            let message = format!("`{path}` is a table: the path of the field has to stand in quotes");
            Fault::new("wrong-type", path, message).help("write `\"key.made\" = \"https://…\"`")
        }),
        DeValue::String(text) if text.trim().is_empty() => found.add(value.span(), || {
            Fault::new("empty", path, "the source is empty")
                .help("write where the fact comes from, or `guess: ` and why")
        }),
        DeValue::String(_) => {}
        other => found.add(value.span(), || {
            let message = format!("`{path}` is a text in quotes, not {}", value::name(other));
            Fault::new("wrong-type", path, message)
        }),
    }
    let named = name.get_ref();
    if !matches!(value.get_ref(), DeValue::Table(_)) && field(named).is_none() {
        found.add(name.span(), || {
            let fault = Fault::new(
                "unknown-field",
                format!("sources.{named}"),
                format!("there is no field `{named}`"),
            );
            match closest(named, fields().map(|field| field.path.as_str())) {
                Some(meant) => fault.help(format!("did you mean `{meant}`?")),
                None => fault.help("write the path of a field, such as `\"retention.completed\"`"),
            }
        });
    }
}

fn not_a_section(name: &str, value: &DeValue<'_>) -> Fault {
    let message = format!("`{name}` is a section, not {}", value::name(value));
    Fault::new("wrong-type", name, message)
        .help(format!("write `[{name}]` on a line of its own, and its fields below it"))
}

fn unknown_section(name: &str, value: &DeValue<'_>) -> Fault {
    let what = if matches!(value, DeValue::Table(_)) { "section" } else { "field" };
    let fault = Fault::new(
        if what == "section" { "unknown-section" } else { "unknown-field" },
        name,
        format!("unknown {what} `{name}`"),
    );
    let names = || sections().iter().map(|section| section.name.as_str());
    if what == "section" {
        return match closest(name, names()) {
            Some(meant) => fault.help(format!("did you mean `{meant}`?")),
            None => fault.help(format!("the sections are {}", listed(names()))),
        };
    }
    fault.help(elsewhere(name).unwrap_or_else(|| format!("a field stands in a section: {}", listed(names()))))
}

fn unknown_field(section: &Section, name: &str) -> Fault {
    let path = format!("{}.{name}", section.name);
    let fault = Fault::new("unknown-field", path, format!("unknown field `{name}` in [{}]", section.name));
    let siblings = || section.fields.iter().map(|field| field.name.as_str());
    let sibling = closest(name, siblings());
    let near = sibling.filter(|sibling| distance(name, sibling) <= 1);
    if let Some(meant) = near.or_else(|| sibling.filter(|_| !fields().any(|field| field.name == name))) {
        return fault.help(format!("did you mean `{meant}`?"));
    }
    fault.help(
        elsewhere(name)
            .unwrap_or_else(|| format!("[{}] has the fields {}", section.name, listed(siblings()))),
    )
}

/// A field of this name, or nearly, in any section.
fn elsewhere(name: &str) -> Option<String> {
    let meant = closest(name, fields().map(|field| field.name.as_str()))?;
    let homes = fields().filter(|field| field.name == meant).filter_map(|field| field.path.split_once('.'));
    let homes = homes.map(|(section, _)| format!("[{section}]")).collect::<Vec<_>>().join(" or ");
    Some(match meant == name {
        true => format!("`{name}` belongs to {homes}"),
        false => format!("did you mean `{meant}`, which belongs to {homes}?"),
    })
}

/// Names in backticks, with commas between.
pub(super) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
