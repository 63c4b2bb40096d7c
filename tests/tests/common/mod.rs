//! The contracts that the suites of the model share.

#![allow(dead_code, reason = "each suite uses a part of it")]

use idempotency::contract::{Contract, Parsed};
use idempotency_model::scenario::Scenario;

/// The contract of the demo request.
pub(crate) fn demo() -> Contract {
    parsed(include_str!("../../../docs/contracts/demo-requests.toml"))
}

/// The contract of the order.
pub(crate) fn orders() -> Contract {
    parsed(include_str!("../../../docs/contracts/orders.toml"))
}

fn parsed(text: &str) -> Contract {
    Contract::parse(text).expect("a contract of the documents is valid").contract
}

/// `contract` with edits such as `key.made = "per-attempt"`, one a line.
pub(crate) fn edited(contract: &Contract, edits: &str) -> Contract {
    let edits: toml::Table = edits.parse().expect("edits are TOML");
    let fields: Vec<_> = edits
        .into_iter()
        .flat_map(|(section, fields)| {
            let toml::Value::Table(fields) = fields else { panic!("{section} is not a section") };
            fields.into_iter().map(move |(field, value)| (format!("{section}.{field}"), value))
        })
        .collect();
    contract
        .with_all(fields.iter().map(|(path, value)| (path.as_str(), value.clone())))
        .expect("an edited contract is valid")
}

/// The scenario with this name.
pub(crate) fn scenario(name: &str) -> Scenario {
    Scenario::all().into_iter().find(|found| found.name == name).expect("there is such a scenario")
}

/// The text of the demo request's contract.
pub(crate) const DEMO: &str = include_str!("../../../docs/contracts/demo-requests.toml");
/// The text of the order's contract.
pub(crate) const ORDERS: &str = include_str!("../../../docs/contracts/orders.toml");

/// An edit of the order: its supplier no longer takes our key, so nothing is said of that key.
pub(crate) const OPAQUE: &str =
    "supplier.takes-key = false\nsupplier.key = ''\nsupplier.remembers = ''\nsupplier.call-again-for = ''";

/// A contract file with edits such as `key.made = "per-attempt"`, one a line, the later ones winning; an empty
/// text takes the field out.
pub(crate) fn changed(text: &str, edits: &str) -> Parsed {
    let mut file: toml::Table = text.parse().expect("a contract of the documents is TOML");
    for edit in edits.lines().filter(|line| !line.is_empty()) {
        let edit: toml::Table = edit.parse().expect("an edit is TOML");
        let (section, fields) = edit.into_iter().next().expect("an edit has a section");
        let entry = file.entry(section).or_insert_with(|| toml::Table::new().into());
        let section = entry.as_table_mut().expect("a section is a table");
        for (field, value) in fields.as_table().expect("an edit has a field") {
            match value.as_str() {
                Some("") => section.remove(field),
                _ => section.insert(field.clone(), value.clone()),
            };
        }
    }
    Contract::parse(&file.to_string()).expect("an edited contract is valid")
}
