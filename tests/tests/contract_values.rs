//! Fields by their paths: shown, changed, written out and read back.

use std::fs;
use std::path::Path;

use idempotency::contract::{Contract, Field, Kind, fields};
use proptest::prelude::*;
use proptest::sample::select;
use toml::Value;

fn value(written: &str) -> Value {
    let table: toml::Table = format!("v = {written}").parse().unwrap();
    table["v"].clone()
}

/// Values that a field takes by itself.
fn values(field: &Field) -> Vec<Value> {
    let text = |text: &str| Value::String(text.to_owned());
    match &field.kind {
        Kind::Flag => vec![true.into(), false.into()],
        Kind::Number { min, max } => vec![(*min as i64).into(), (*max as i64).into()],
        Kind::Text { .. } => vec![text("X-Key"), text("a \"quoted\" text")],
        Kind::Word(choices) => choices.iter().map(|choice| text(&choice.word)).collect(),
        Kind::Period { or } => {
            ["0s", "1s 500ms", "20s", "2h 10m", "40d"].into_iter().chain(or.as_deref()).map(text).collect()
        }
        Kind::List { of, .. } => match &**of {
            Kind::Word(choices) => vec![
                Value::Array(choices.iter().map(|choice| text(&choice.word)).collect()),
                Value::Array(Vec::new()),
            ],
            _ => vec![Value::Array(vec![text("amount"), text("currency")]), Value::Array(Vec::new())],
        },
    }
}

#[test]
fn the_default_contract_is_written_out_and_read_back() {
    let parsed = Contract::parse(&Contract::default().to_toml()).unwrap();
    assert_eq!(parsed.contract, Contract::default());
    let left_out =
        parsed.assumed.iter().filter(|assumed| assumed.applies).map(|assumed| assumed.path.as_str());
    assert_eq!(left_out.collect::<Vec<_>>(), ["store.durable", "store.failover", "routes.cancel-within"]);
}

#[test]
fn every_field_is_shown_as_it_would_be_written() {
    let contract = Contract::default();
    for field in fields() {
        let shown = contract.get(&field.path).unwrap();
        if let Some(default) = &field.default {
            assert_eq!(shown, *default, "{}", field.path);
            // Written out, some defaults would have no meaning.
            if let Ok(same) = contract.with(&field.path, value(&shown)) {
                assert_eq!(same, contract);
            }
        }
    }
    assert_eq!(contract.get("retention.completed").as_deref(), Some("\"24h\""));
    assert_eq!(contract.get("supplier.call-again-for").as_deref(), Some("never"));
    assert_eq!(contract.get("key.horizon").as_deref(), Some("none"));
    for unknown in ["", "key", "key.", ".key", "key.colour", "sources.key.made", "a.b.c"] {
        assert_eq!(contract.get(unknown), None, "{unknown}");
    }
}

#[test]
fn every_field_can_be_changed_to_whatever_it_takes() {
    let contract = Contract::default();
    for field in fields() {
        let mut changed = 0;
        for value in values(field) {
            match contract.with(&field.path, value.clone()) {
                Ok(with) => {
                    let shown = with.get(&field.path).unwrap();
                    assert_eq!(self::value(&shown), value, "{}", field.path);
                    changed += 1;
                }
                Err(errors) => {
                    let known = |id| idempotency::contract::rules().any(|rule| rule.id == id);
                    assert!(
                        errors.errors().iter().all(|error| known(error.id)),
                        "{} = {value}: {errors}",
                        field.path
                    );
                }
            }
        }
        let idle = field.path.starts_with("supplier.")
            || ["key.horizon", "reservation.wait", "reservation.mark"].contains(&field.path.as_str());
        assert!(changed > 0 || idle, "{} cannot be changed", field.path);
    }
}

#[test]
fn a_change_that_is_wrong_says_why_and_has_no_place() {
    let contract = Contract::default();
    for (path, value, id) in [
        ("retention.complete", Value::from("1h"), "unknown-field"),
        ("retension.completed", "1h".into(), "unknown-section"),
        ("retention", "1h".into(), "wrong-type"),
        ("retention.completed", 3.into(), "wrong-type"),
        ("retention.completed", "3".into(), "bad-period"),
        ("client.attempts", 0.into(), "out-of-range"),
        ("reservation.lease", "1s".into(), "heartbeat-over-lease"),
        ("", "x".into(), "unknown-field"),
        ("sources.key.mode", "https://example.com".into(), "unknown-field"),
    ] {
        let errors = contract.with(path, value).expect_err(path);
        assert_eq!(errors.errors()[0].id, id, "{path}: {errors}");
        assert!(errors.errors()[0].place.is_none());
    }
}

#[test]
fn a_change_keeps_the_rest() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/contracts");
    let text = fs::read_to_string(folder.join("orders.toml")).unwrap();
    let parsed = Contract::parse(&text).unwrap();
    let mut expected = parsed.contract.clone();
    expected.retention.completed = "7d".parse().map(idempotency::contract::PeriodOr::of).unwrap();
    assert_eq!(parsed.contract.with("retention.completed", "7d").unwrap(), expected);
    assert_eq!(parsed.with("retention.completed", "7d").unwrap(), expected);
}

#[test]
fn a_change_of_a_file_remembers_what_the_file_gives() {
    let parsed = Contract::parse("[client]\non-edit = \"cancel-first\"\n").unwrap();
    assert!(parsed.contract.with("routes.cancel", false).is_ok(), "the contract alone does not know");
    let errors = parsed.with("routes.cancel", false).unwrap_err();
    assert_eq!(errors.errors()[0].id, "cancel-first-without-cancel-route");
}

#[test]
fn two_changes_that_need_each_other_are_made_at_once() {
    let contract = Contract::default();
    let changes = || [("effect.kind", Value::from("external")), ("supplier.takes-key", true.into())];
    assert!(contract.with("supplier.takes-key", true).is_err());
    assert!(contract.with_all(changes()).is_ok());
}

proptest! {
    #[test]
    fn a_contract_is_written_out_and_read_back(
        changes in prop::collection::vec(select(fields().collect::<Vec<_>>()).prop_flat_map(|field| (Just(field), select(values(field)))), 0..12),
    ) {
        let changes = changes.iter().map(|(field, value)| (field.path.as_str(), value.clone()));
        // What does not go together is not written out.
        if let Ok(contract) = Contract::default().with_all(changes) {
            match Contract::parse(&contract.to_toml()) {
                Ok(parsed) => prop_assert_eq!(parsed.contract, contract),
                Err(errors) => prop_assert!(false, "{}\n{}", errors, contract.to_toml()),
            }
        }
    }
}
