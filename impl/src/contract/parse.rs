//! A contract file, read.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;
use toml::de::DeTable;

use super::error::{ContractErrors, Place};
use super::fields::fields;
use super::found::{Fault, Found};
use super::position::Lines;
use super::{Contract, check, contradictions, syntax};

/// The largest contract file that is read, in bytes: whole MiB, as its error counts them.
pub const LARGEST_FILE: usize = 1024 * 1024;

/// A contract, and which of its fields the file gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The contract.
    pub contract: Contract,
    /// Every field that the file left out, in the order of the declaration.
    pub assumed: Vec<Assumed>,
    /// Every field that the file gave, by its path, and where its value stands.
    pub given: BTreeMap<String, Place>,
}

/// A field that a file left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumed {
    /// Its path, such as `key.made`.
    pub path: String,
    /// The value it has, as it would be written.
    pub value: String,
    /// Whether it has a meaning in this contract: what is said of a supplier has none where none is called.
    pub applies: bool,
}

impl Contract {
    /// Reads a contract file.
    ///
    /// # Errors
    ///
    /// Whatever is wrong with the file, each with its place: as much as can be found in one pass.
    pub fn parse(text: &str) -> Result<Parsed, ContractErrors> {
        if text.len() > LARGEST_FILE {
            return Err(Found::only("", 0..0, too_large()));
        }
        let lines = Lines::new(text);
        let mut found = Found::new(&lines);
        let (document, faults) = DeTable::parse_recoverable(text);
        let trust = syntax::report(text, document.get_ref(), &faults, &mut found);
        let given = check::document(document.get_ref(), &trust, &mut found);
        let sound = Spanned::new(document.span(), check::sound(document.into_inner(), &given));
        let contract = match Contract::deserialize(toml::de::Deserializer::from(sound)) {
            Ok(contract) => contract,
            Err(error) => {
                // The walk leaves only what is sound, so that serde has nothing to refuse; if it does, say so.
                found.add(error.span().unwrap_or_default(), || Fault::new("unreadable", "", error.message()));
                return Err(found.into_errors());
            }
        };
        contradictions::report(&contract, &given, &mut found);
        found.finish()?;
        let given = given.fields.into_iter().map(|(path, span)| (path, lines.place(span))).collect();
        Ok(Parsed { assumed: assumed(&contract, &given), contract, given })
    }

    /// Reads a contract file whose encoding is not known yet.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse), and for bytes that are no UTF-8.
    pub fn parse_bytes(bytes: &[u8]) -> Result<Parsed, ContractErrors> {
        let error = match std::str::from_utf8(bytes) {
            Ok(text) => return Self::parse(text),
            Err(_) if bytes.len() > LARGEST_FILE => return Err(Found::only("", 0..0, too_large())),
            Err(error) => error,
        };
        let at = error.valid_up_to();
        let message = format!("the byte 0x{:02x} is not UTF-8", bytes[at]);
        let fault = Fault::new("not-utf8", "", message).help("save the file as UTF-8");
        Err(Found::only(&String::from_utf8_lossy(bytes), at..at + 1, fault))
    }
}

/// Says no size: whoever reads a file stops soon after the limit, and does not know how much more there is.
fn too_large() -> Fault {
    Fault::new("too-large", "", format!("the file has more than {} MiB", LARGEST_FILE >> 20))
        .help("write a smaller one: a contract that gives every field has a few kilobytes")
}

fn assumed(contract: &Contract, given: &BTreeMap<String, Place>) -> Vec<Assumed> {
    let values = contract.values();
    let idle = contradictions::without_meaning(contract);
    fields()
        .filter(|field| !given.contains_key(&field.path))
        .map(|field| Assumed {
            path: field.path.clone(),
            value: values.get(&field.path).unwrap_or_default(),
            applies: !idle.contains(field.path.as_str()),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_file_is_the_default_and_assumes_every_field() {
        let parsed = Contract::parse("").unwrap();
        assert_eq!(parsed.contract, Contract::default());
        assert_eq!(parsed.assumed.len(), fields().count());
    }
}
