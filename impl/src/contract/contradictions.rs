//! Fields that are right by themselves and do not go together.
//!
//! A contradiction is a contract that cannot be meant, or a setting without a meaning that would mislead its reader.
//! A contract that is merely unsafe is none: that is for the model to find. Only what the file gives can be wrong, so a
//! rule that needs one field compares it with the other's default too, and says so.

mod client;
mod key;
mod reservation;
mod supplier;
mod surroundings;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::Contract;
use super::check::Given;
use super::edit::Values;
use super::found::{Fault, Found};
use super::show::listed;

/// One kind of contradiction.
pub struct Rule {
    /// Its id, which never changes.
    pub id: &'static str,
    /// What cannot be meant, and why.
    pub about: &'static str,
    check: fn(&Facts<'_>) -> Vec<Clash>,
}

/// Every contradiction that is looked for, in the order of the sections.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    [key::RULES, reservation::RULES, supplier::RULES, client::RULES, surroundings::RULES]
        .into_iter()
        .flatten()
}

/// A contract, and what its file gives.
struct Facts<'a> {
    contract: &'a Contract,
    given: BTreeSet<&'a str>,
}

impl Facts<'_> {
    fn gives(&self, path: &str) -> bool {
        self.given.contains(path)
    }

    fn gives_any(&self, paths: &[&str]) -> bool {
        paths.iter().any(|path| self.gives(path))
    }
}

/// Two fields that do not go together.
struct Clash {
    /// The field that has to change.
    at: &'static str,
    /// What is wrong with it, in view of the other.
    is: &'static str,
    /// The other; none where the field's own value is at fault.
    with: Option<&'static str>,
    /// What to do.
    help: &'static str,
    /// Whether the field has no meaning here, whatever its value.
    idle: bool,
}

/// Reports every contradiction, one for each rule: the first in the file. Where something else is wrong with the file,
/// only those between fields whose values are certain all the same.
pub(super) fn report(contract: &Contract, given: &Given, found: &mut Found<'_>) {
    let facts = Facts { contract, given: given.fields.keys().map(String::as_str).collect() };
    let values = contract.values();
    for rule in rules() {
        let mut clashes = (rule.check)(&facts);
        clashes.retain(|clash| {
            given.is_certain(clash.at) && clash.with.is_none_or(|with| given.is_certain(with))
        });
        let given = &given.fields;
        clashes.sort_by_key(|clash| given.get(clash.at).map(|span| span.start));
        let Some((clash, others)) = clashes.split_first() else { continue };
        // A rule that is broken by one given field alone may name a default first: the given one is at fault.
        let place = [Some(clash.at), clash.with].into_iter().flatten().find_map(|path| given.get(path));
        found.add(place.cloned().unwrap_or_default(), || fault(rule, clash, others, &values, given));
    }
}

fn fault(
    rule: &Rule,
    clash: &Clash,
    others: &[Clash],
    values: &Values<'_>,
    given: &BTreeMap<String, Range<usize>>,
) -> Fault {
    let say = |path: &str| {
        let default = if given.contains_key(path) { "" } else { " (the default)" };
        format!("`{path}` = {}{default}", values.get(path).unwrap_or_default())
    };
    let mut message = format!("{} {}", say(clash.at), clash.is);
    if let Some(with) = clash.with {
        message.push_str(&format!(" {}", say(with)));
    }
    let mut help = clash.help.to_owned();
    if !others.is_empty() {
        help.push_str(&format!("; the same of {}", listed(others.iter().map(|clash| clash.at))));
    }
    let fault = Fault::new(rule.id, clash.at, message).help(help);
    let other = clash.with.filter(|_| given.contains_key(clash.at)).and_then(|with| given.get(with));
    match other {
        Some(span) => fault.related(span.clone(), "does not go with this"),
        None => fault,
    }
}

/// The fields that have no meaning in this contract, whatever their values.
pub(super) fn without_meaning(contract: &Contract) -> BTreeSet<&'static str> {
    if_all_given(contract).filter(|clash| clash.idle).map(|clash| clash.at).collect()
}

/// The fields that would not go together with others if a file gave them all.
pub(super) fn better_left_out(contract: &Contract) -> BTreeSet<&'static str> {
    if_all_given(contract).map(|clash| clash.at).collect()
}

fn if_all_given(contract: &Contract) -> impl Iterator<Item = Clash> {
    let given = super::fields().map(|field| field.path.as_str()).collect();
    let facts = Facts { contract, given };
    rules().flat_map(move |rule| (rule.check)(&facts))
}

fn when(wrong: bool, clash: Clash) -> Vec<Clash> {
    wrong.then_some(clash).into_iter().collect()
}

fn clash(at: &'static str, is: &'static str, with: &'static str, help: &'static str) -> Clash {
    Clash { at, is, with: Some(with), help, idle: false }
}

fn idle(at: &'static str, with: &'static str, help: &'static str) -> Clash {
    Clash { at, is: "has no meaning with", with: Some(with), help, idle: true }
}

fn alone(at: &'static str, is: &'static str, help: &'static str) -> Clash {
    Clash { at, is, with: None, help, idle: false }
}
