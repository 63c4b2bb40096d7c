//! The contracts that the suites of the model share.

use idempotency::contract::Contract;
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
