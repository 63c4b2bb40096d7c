//! Six stories, read in full: a change of a sentence or of an arrow is read here before it is read by anybody else.

use idempotency::contract::Contract;
use idempotency::invariant::Invariant::{self, *};
use idempotency_model::search::{Bounds, Goal, search};
use idempotency_model::setup::Setup;
use idempotency_model::story::Story;

use super::variants::orders_without_key;
use crate::common::{demo, edited, orders, scenario};

/// The story of `invariant`, as a list, as a chart, and as Mermaid.
fn told(contract: &Contract, in_scenario: &str, invariant: Invariant) -> String {
    let scenario = scenario(in_scenario);
    let setup = Setup::new(contract, &scenario);
    let found = search(&setup, Goal::all(), Bounds::default());
    let path = found.path(invariant).expect("the contract breaks it");
    let story = Story::tell(contract, &setup, &scenario, invariant, path).expect("the story has times");
    format!("{}\n{}\n{}", story.plain(100), story.chart(100, false), story.mermaid())
}

#[test]
fn a_key_for_every_attempt_makes_two_of_one() {
    let contract = edited(&demo(), "key.made = 'per-attempt'");
    insta::assert_snapshot!(told(&contract, "lost-answer", V1));
}

#[test]
fn a_short_retention_is_outlived_by_a_late_delivery() {
    let contract = edited(&demo(), "retention.completed = '1m'");
    insta::assert_snapshot!(told(&contract, "retention", V1));
}

#[test]
fn a_worker_that_wakes_late_overwrites() {
    let contract = edited(&demo(), "reservation.completion = 'unfenced'");
    insta::assert_snapshot!(told(&contract, "pause", V2));
}

#[test]
fn a_cancel_after_retention_says_cancelled_of_an_effect() {
    let contract = edited(&demo(), "routes.cancel-within = '48h'");
    insta::assert_snapshot!(told(&contract, "cancel", V8));
}

#[test]
fn a_suppliers_not_found_is_taken_for_proof() {
    let contract = edited(&orders_without_key(), "supplier = { can-be-asked = true, settles = '0s' }");
    insta::assert_snapshot!(told(&contract, "crash", V1));
}

#[test]
fn a_supplier_forgets_while_the_second_call_is_under_way() {
    let contract = edited(&orders(), "supplier.remembers = '30m'");
    insta::assert_snapshot!(told(&contract, "supplier", V1));
}
