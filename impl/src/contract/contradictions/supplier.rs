//! The supplier of an external effect.

use super::{Rule, clash, idle, when};

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "supplier-without-external",
        about: "The supplier is the one that an external effect calls. No other kind of effect has one.",
        check: |facts| {
            if facts.contract.is_external() {
                return Vec::new();
            }
            let help = "write `kind = \"external\"` if a supplier is called, or remove the section";
            SUPPLIER
                .into_iter()
                .filter(|path| facts.gives(path))
                .map(|path| idle(path, "effect.kind", help))
                .collect()
        },
    },
    Rule {
        id: "supplier-key-not-taken",
        about: "What is said of the supplier's key has no meaning where it takes none.",
        check: |facts| {
            if !facts.contract.is_external() || facts.contract.supplier.takes_key {
                return Vec::new();
            }
            let help = "write `takes-key = true` if it takes a key of ours, or remove the line";
            let of_the_key = ["supplier.key", "supplier.remembers", "supplier.call-again-for"];
            of_the_key
                .into_iter()
                .filter(|path| facts.gives(path))
                .map(|path| idle(path, "supplier.takes-key", help))
                .collect()
        },
    },
    Rule {
        id: "settles-without-asking",
        about: "The settle time gives a \"not found\" its meaning. Who cannot be asked never says it.",
        check: |facts| {
            let supplier = &facts.contract.supplier;
            let unasked =
                facts.contract.is_external() && supplier.settles.period().is_some() && !supplier.can_be_asked;
            let help = "write `can-be-asked = true` if it can be asked by our business id, or remove the settle time";
            when(unasked, clash("supplier.settles", "has no meaning with", "supplier.can-be-asked", help))
        },
    },
];

const SUPPLIER: [&str; 7] = [
    "supplier.takes-key",
    "supplier.key",
    "supplier.remembers",
    "supplier.call-again-for",
    "supplier.can-be-asked",
    "supplier.settles",
    "supplier.longest-delay",
];
