//! The walk over a document: every name is known, and every value is what its field takes.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fields::{Section, field, section};
use super::found::{Fault, Found};
use super::show::short;
use super::syntax::Trust;
use super::{unknown, value};

/// Where each field that is given has its value, by path.
pub(super) type Given = BTreeMap<String, Range<usize>>;

/// Checks a document as far as it can be trusted, and says which fields it gives.
pub(super) fn document(document: &DeTable<'_>, trust: &Trust, found: &mut Found<'_>) -> Given {
    let mut given = Given::new();
    for (name, value) in document {
        match section(name.get_ref()) {
            _ if !trust.covers(&name.span()) || !trust.covers(&value.span()) => {}
            Some(section) => check_section(section, value, trust, found, &mut given),
            None => found.add(name.span(), || unknown::top(name.get_ref(), value.get_ref())),
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
        return found.add(value.span(), || {
            let name = &section.name;
            let message = format!("`{name}` is a section, not {}", value::name(value.get_ref()));
            let help = format!("write `[{name}]` on a line of its own, and its fields below it");
            Fault::new("wrong-type", name, message).help(help)
        });
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
            found.add(name.span(), || unknown::field(section, name.get_ref()));
            continue;
        }
        given.insert(path, value.span());
    }
}

/// A source names a field that exists, and says something of it.
fn check_source(name: &Spanned<Cow<'_, str>>, value: &Spanned<DeValue<'_>>, found: &mut Found<'_>) {
    let path = format!("sources.{}", short(name.get_ref()));
    let known = field(name.get_ref()).is_some();
    match value.get_ref() {
        DeValue::Table(_) => found.add(name.span(), || {
            Fault::new(
                "wrong-type",
                &path,
                format!("`{path}` is a table: the path of a field stands in quotes"),
            )
            .help("write `\"key.made\" = \"https://…\"`")
        }),
        _ if !known => found.add(name.span(), || unknown::source(name.get_ref())),
        DeValue::String(text) if text.trim().is_empty() => found.add(value.span(), || {
            Fault::new("empty", &path, format!("`{path}` is empty"))
                .help("write where the fact comes from, or `guess: ` and why")
        }),
        DeValue::String(_) => {}
        other => found.add(value.span(), || {
            Fault::new(
                "wrong-type",
                &path,
                format!("`{path}` takes a text in quotes, not {}", value::name(other)),
            )
        }),
    }
}
