//! One field of a contract, by its path: to show it, and to try another value.

use toml::{Table, Value};

use super::error::ContractErrors;
use super::parse::Parsed;
use super::{Contract, contradictions, derived, sections};

/// The values of every field of one contract.
pub(super) struct Values<'a> {
    contract: &'a Contract,
    table: Table,
}

impl Values<'_> {
    /// The value of a field as it would be written, or as it is derived where no figure is given.
    pub(super) fn get(&self, path: &str) -> Option<String> {
        match at(&self.table, path) {
            Some(value) => Some(value.to_string()),
            None => derived::words(self.contract, path),
        }
    }
}

impl Contract {
    /// The value of the field at `path`, such as `key.made`, as it would be written in the file. For a field without
    /// a figure: what is derived from the others. `None` where there is no such field.
    pub fn get(&self, path: &str) -> Option<String> {
        self.values().get(path)
    }

    /// This contract with another value at `path`, checked as a file would be.
    ///
    /// # Errors
    ///
    /// Whatever is wrong with the result; without places, since there is no file.
    pub fn with(&self, path: &str, value: impl Into<Value>) -> Result<Contract, ContractErrors> {
        self.with_all([(path, value.into())])
    }

    /// This contract with several values changed at once.
    ///
    /// # Errors
    ///
    /// As [`with`](Self::with).
    pub fn with_all<'p>(
        &self,
        changes: impl IntoIterator<Item = (&'p str, Value)>,
    ) -> Result<Contract, ContractErrors> {
        changed(self.differences(), changes)
    }

    /// A contract from a TOML table, checked as a file would be.
    ///
    /// # Errors
    ///
    /// Whatever is wrong with it; without places, since there is no file.
    pub fn from_value(table: &Table) -> Result<Contract, ContractErrors> {
        match Self::parse(&table.to_string()) {
            Ok(parsed) => Ok(parsed.contract),
            Err(errors) => Err(errors.without_places()),
        }
    }

    /// The contract as a file that is read back as this contract. Every field stands in it, but for those that would
    /// have no meaning, or would contradict another if they were written out: they are at their default.
    pub fn to_toml(&self) -> String {
        let values = self.values();
        let left_out = contradictions::better_left_out(self);
        let mut text = String::new();
        for section in sections() {
            let named = section.fields.iter().filter(|field| !left_out.contains(field.path.as_str()));
            let mut lines = named
                .filter_map(|field| Some(format!("{} = {}\n", field.name, at(&values.table, &field.path)?)))
                .collect::<String>();
            if section.is_open() {
                lines = self
                    .sources
                    .iter()
                    .map(|(path, source)| format!("{} = {}\n", string(path), string(source)))
                    .collect();
            }
            if !lines.is_empty() {
                let gap = if text.is_empty() { "" } else { "\n" };
                text.push_str(&format!("{gap}[{}]\n{lines}", section.name));
            }
        }
        text
    }

    pub(super) fn values(&self) -> Values<'_> {
        let table =
            Table::try_from(self).unwrap_or_else(|error| panic!("a contract is always a table: {error}"));
        Values { contract: self, table }
    }

    /// The fields that are not at their default: a contract that was not read from a file counts these as given.
    fn differences(&self) -> Table {
        let defaults = Contract::default();
        let defaults = defaults.values();
        let mut table = self.values().table;
        for (section, value) in &mut table {
            if let Value::Table(fields) = value {
                fields
                    .retain(|field, value| at(&defaults.table, &format!("{section}.{field}")) != Some(value));
            }
        }
        table
    }
}

impl Parsed {
    /// This contract with another value at `path`, as if its line had been changed or added in the file.
    ///
    /// # Errors
    ///
    /// Whatever is wrong with the result; without places, since there is no such file.
    pub fn with(&self, path: &str, value: impl Into<Value>) -> Result<Contract, ContractErrors> {
        self.with_all([(path, value.into())])
    }

    /// This contract with several values changed at once, as if their lines had been changed or added in the file.
    ///
    /// # Errors
    ///
    /// As [`with`](Self::with).
    pub fn with_all<'p>(
        &self,
        changes: impl IntoIterator<Item = (&'p str, Value)>,
    ) -> Result<Contract, ContractErrors> {
        let values = self.contract.values();
        let mut table = Table::new();
        for path in self.given.keys() {
            if let Some(value) = at(&values.table, path) {
                set(&mut table, path, value.clone());
            }
        }
        changed(table, changes)
    }
}

/// The contract of a file that gives `fields`, with these changes.
fn changed<'p>(
    mut fields: Table,
    changes: impl IntoIterator<Item = (&'p str, Value)>,
) -> Result<Contract, ContractErrors> {
    for (path, value) in changes {
        set(&mut fields, path, value);
    }
    Contract::from_value(&fields)
}

fn string(text: &str) -> String {
    Value::String(text.into()).to_string()
}

fn at<'t>(table: &'t Table, path: &str) -> Option<&'t Value> {
    let (section, field) = path.split_once('.')?;
    table.get(section)?.get(field)
}

fn set(table: &mut Table, path: &str, value: Value) {
    let Some((section, field)) = path.split_once('.') else {
        table.insert(path.into(), value);
        return;
    };
    let section = table.entry(section).or_insert_with(|| Value::Table(Table::new()));
    match section {
        Value::Table(fields) => drop(fields.insert(field.into(), value)),
        other => *other = Value::Table(Table::from_iter([(field.to_owned(), value)])),
    }
}
