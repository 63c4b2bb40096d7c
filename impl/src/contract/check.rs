//! The walk over a document: every name is known, and every value is what its field takes.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fields::{Section, field, section};
use super::found::{Fault, Found};
use super::show::short;
use super::syntax::Trust;
use super::{unknown, value};

/// What a file gives, as far as it is right by itself.
#[derive(Default)]
pub(super) struct Given {
    /// Where each sound field has its value, by path.
    pub(super) fields: BTreeMap<String, Range<usize>>,
    /// The paths of the others: what they were meant to say is not known.
    unsound: BTreeSet<String>,
    /// Whether a name was not understood: any field that seems to be left out may be the one that was meant.
    has_strangers: bool,
}

impl Given {
    /// Whether the field has the value that its author means, be it the default.
    pub(super) fn is_certain(&self, path: &str) -> bool {
        self.fields.contains_key(path) || !self.has_strangers && !self.unsound.contains(path)
    }
}

/// Checks a document as far as it can be trusted, and says which fields it gives.
pub(super) fn document(document: &DeTable<'_>, trust: &Trust, found: &mut Found<'_>) -> Given {
    let mut given = Given { has_strangers: !trust.is_whole(), ..Given::default() };
    for (name, value) in document {
        match section(name.get_ref()) {
            _ if !trust.covers(&name.span()) || !trust.covers(&value.span()) => given.has_strangers = true,
            Some(section) => check_section(section, value, trust, found, &mut given),
            None => {
                found.add(name.span(), || unknown::top(name.get_ref(), value.get_ref()));
                given.has_strangers = true;
            }
        }
    }
    given
}

/// What is left of a document without whatever is wrong with it.
pub(super) fn sound<'d>(document: DeTable<'d>, given: &Given) -> DeTable<'d> {
    let sections = document.into_iter().filter_map(|(section, value)| {
        let span = value.span();
        let DeValue::Table(fields) = value.into_inner() else { return None };
        let is_sound = |name: &str| given.fields.contains_key(&format!("{}.{name}", section.get_ref()));
        let fields: DeTable<'_> = fields.into_iter().filter(|(name, _)| is_sound(name.get_ref())).collect();
        (!fields.is_empty()).then(|| (section, Spanned::new(span, DeValue::Table(fields))))
    });
    sections.collect()
}

fn check_section(
    section: &Section,
    value: &Spanned<DeValue<'_>>,
    trust: &Trust,
    found: &mut Found<'_>,
    given: &mut Given,
) {
    let DeValue::Table(table) = value.get_ref() else {
        given.has_strangers = true;
        return found.add(value.span(), || {
            let name = &section.name;
            let message = format!("`{name}` is a section, not {}", value::name(value.get_ref()));
            let help = format!("write `[{name}]` on a line of its own, and its fields below it");
            Fault::new("wrong-type", name, message).help(help)
        });
    };
    for (name, value) in table {
        let path = format!("{}.{}", section.name, name.get_ref());
        let before = found.count();
        if !trust.covers(&name.span()) || !trust.covers(&value.span()) {
            given.unsound.insert(path);
            continue;
        } else if section.is_open() {
            check_source(name, value, found);
        } else if let Some(field) = section.field(name.get_ref()) {
            value::check(field, value, found);
        } else {
            found.add(name.span(), || unknown::field(section, name.get_ref()));
            given.has_strangers = true;
            continue;
        }
        if found.count() == before && !trust.is_twice(&section.name, name.get_ref()) {
            given.fields.insert(path, value.span());
        } else {
            given.unsound.insert(path);
        }
    }
}

/// A source names a field that exists, and says something of it.
fn check_source(name: &Spanned<Cow<'_, str>>, value: &Spanned<DeValue<'_>>, found: &mut Found<'_>) {
    let path = format!("sources.{}", short(name.get_ref()));
    let known = field(name.get_ref()).is_some();
    match value.get_ref() {
        DeValue::Table(fields) => found.add(name.span(), || {
            let message = format!("`{path}` is a table: the path of a field stands in quotes");
            let below = fields.keys().next().map(|field| field.get_ref().as_ref());
            Fault::new("wrong-type", &path, message).help(unknown::unquoted_source(name.get_ref(), below))
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
            .help("write where the fact comes from, in quotes, or `\"guess: …\"` and why")
        }),
    }
}
