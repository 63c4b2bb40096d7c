//! Times: a story has some exactly if the contract's numbers let it happen.

use idempotency::contract::Contract;
use idempotency::invariant::Invariant::{self, *};
use idempotency_model::clock::{Infeasible, Times};
use idempotency_model::message::{Delivery, Message};
use idempotency_model::scenario::Scenario;
use idempotency_model::search::{Bounds, Goal, Path, search};
use idempotency_model::server::ServerStep;
use idempotency_model::setup::Setup;
use idempotency_model::store::StoreStep;
use idempotency_model::world::{Action, World};

use super::variants::{orders_without_key, published};
use super::{CASES, Case, replay};
use crate::common::{demo, edited, orders, scenario};

#[test]
fn every_story_has_times() {
    let without = |case: &&Case| case.story.is_err();
    let without: Vec<_> =
        CASES.iter().filter(without).map(|case| format!("{}: {:?}", case.name(), case.story)).collect();
    assert!(without.is_empty(), "{}", without.join("\n"));
}

#[test]
fn the_times_keep_every_number_of_the_contract() {
    let mut wrong = Vec::new();
    for case in CASES.iter() {
        let Ok(times) = Times::of(&case.contract, &case.setup, &case.path) else { continue };
        let complaints = replay::complaints(&case.contract, &case.setup, &times);
        wrong.extend(complaints.into_iter().map(|complaint| format!("{}: {complaint}", case.name())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the published contracts break, they break in time.
#[test]
fn the_stories_of_the_published_contracts_keep_their_numbers() {
    let mut wrong = Vec::new();
    let mut told = 0;
    for (name, contract) in published() {
        for scenario in Scenario::all() {
            let setup = Setup::new(&contract, &scenario);
            let bounds = Bounds { states: 20_000, time: None };
            for (invariant, path) in search(&setup, Goal::all(), bounds).broken {
                let Ok(times) = Times::of(&contract, &setup, &path) else { continue };
                told += 1;
                let complaints = replay::complaints(&contract, &setup, &times);
                let name = || format!("{name}, {} {invariant}", scenario.name);
                wrong.extend(complaints.into_iter().map(|complaint| format!("{}: {complaint}", name())));
            }
        }
    }
    assert!(told > 100, "only {told} stories");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The story of `contract` is told under `other`, whose numbers forbid it. Gives what contradicts what.
fn forbidden(
    contract: &Contract,
    other: &Contract,
    in_scenario: &str,
    invariant: Invariant,
) -> Vec<&'static str> {
    let scenario = scenario(in_scenario);
    let setup = Setup::new(contract, &scenario);
    let found = search(&setup, Goal::all(), Bounds::default());
    let path = found.path(invariant).expect("the variant breaks it");
    Times::of(contract, &setup, path).expect("the variant's own numbers allow it");
    Times::of(other, &setup, path).expect_err("these numbers forbid it").because
}

#[test]
fn a_record_kept_for_a_day_is_not_outlived_by_a_delivery_of_two_minutes() {
    let short = edited(&demo(), "retention.completed = '1m'");
    let because = forbidden(&short, &demo(), "retention", V1);
    assert!(because.contains(&"retention.completed"), "{because:?}");
    assert!(because.contains(&"between.longest-delay"), "{because:?}");
}

#[test]
fn an_unlimited_delay_is_what_lets_a_delivery_outlive_the_record() {
    let unlimited = edited(&demo(), "between.longest-delay = 'unlimited'");
    let because = forbidden(&unlimited, &demo(), "retention", V1);
    assert!(because.contains(&"between.longest-delay"), "{because:?}");
}

#[test]
fn a_cancel_is_not_answered_after_its_time() {
    let late = edited(&demo(), "routes.cancel-within = '48h'");
    let because = forbidden(&late, &demo(), "cancel", V8);
    assert!(because.contains(&"routes.cancel-within"), "{because:?}");
}

#[test]
fn a_supplier_that_remembers_for_a_day_does_not_forget_in_the_window() {
    let short = edited(&orders(), "supplier.remembers = '30m'");
    let because = forbidden(&short, &orders(), "supplier", V1);
    assert!(because.contains(&"supplier.remembers"), "{because:?}");
}

#[test]
fn a_settle_time_that_covers_run_pause_and_delay_leaves_no_late_call() {
    let edits = |settles| format!("supplier = {{ can-be-asked = true, settles = '{settles}' }}");
    let [none, enough] = ["0s", "6m 21s"].map(|settles| edited(&orders_without_key(), &edits(settles)));
    let because = forbidden(&none, &enough, "crash", V1);
    assert!(because.contains(&"supplier.settles"), "{because:?}");
}

#[test]
fn a_living_owner_keeps_its_lease_through_a_pause_that_is_shorter() {
    let unfenced = edited(&demo(), "reservation.completion = 'unfenced'");
    let short = edited(&unfenced, "servers.longest-pause = '15s'");
    let because = forbidden(&unfenced, &short, "pause", V6);
    assert!(because.contains(&"servers.longest-pause"), "{because:?}");
}

#[test]
fn nothing_is_sent_after_the_deadline_if_the_attempts_end_before() {
    let keeps = edited(&demo(), "client.after-deadline = 'keep-sending'");
    // The last of three attempts is sent after 20 s at the latest, and awaited until 22 s.
    let early = edited(&keeps, "client.deadline = '21s'");
    let because = forbidden(&keeps, &early, "lost-answer", V9);
    assert!(because.contains(&"client.attempts"), "{because:?}");
}

#[test]
fn a_client_that_does_not_retry_does_not_wait_for_its_deadline() {
    let edits = |timeout: &str| {
        let once = "attempts = 1, on-timeout = 'unknown', at-deadline = 'fail'";
        edited(&demo(), &format!("client = {{ {once}, timeout = '{timeout}' }}"))
    };
    let because = forbidden(&edits("20s"), &edits("2s"), "lost-answer", V8);
    assert!(because.contains(&"client.attempts"), "{because:?}");
}

#[test]
fn a_user_does_not_send_again_after_the_late_resend() {
    let days = edited(&demo(), "client.late-resend = '48h'");
    let hours = edited(&demo(), "client.late-resend = '12h'");
    let because = forbidden(&days, &hours, "retention", V1);
    assert!(because.contains(&"client.late-resend"), "{because:?}");
}

#[test]
fn a_key_older_than_its_horizon_does_not_look_new() {
    let edits = |horizon: &str| {
        let key = format!("key = {{ time = 'uuidv7', horizon = '{horizon}' }}");
        edited(&demo(), &format!("{key}\nbetween.longest-delay = 'unlimited'"))
    };
    let because = forbidden(&edits("48h"), &edits("12h"), "retention", V1);
    assert!(because.contains(&"key.horizon"), "{because:?}");
}

/// A worker is killed after its call, another asks the supplier too early, and the record waits for the settle time.
fn asked_too_early(settles: &str) -> Result<Times, Infeasible> {
    let edits = format!("supplier = {{ can-be-asked = true, settles = '{settles}' }}");
    let contract = edited(&orders_without_key(), &edits);
    let setup = Setup::new(&contract, &scenario("crash"));
    let actions = [
        Action::Deliver(Message::Request { delivery: Delivery::FIRST, slot: 0 }),
        Action::Server(0, ServerStep::Mark),
        Action::Server(0, ServerStep::Call),
        Action::Server(0, ServerStep::Crash),
        Action::Store(0, StoreStep::LeaseEnds),
        Action::Server(0, ServerStep::Recover(0)),
        Action::Deliver(Message::Lookup { token: 2, mark: 1, slot: 0, settled: false }),
        Action::Deliver(Message::Reply { token: 2, result: 0 }),
        Action::Store(0, StoreStep::LeaseEnds),
    ];
    let mut world = World::start(&setup);
    let step = |action| {
        (world, _) = world.after(&setup, action).expect("it can happen");
        (action, world)
    };
    let path = Path { steps: actions.into_iter().map(step).collect() };
    let times = Times::of(&contract, &setup, &path)?;
    assert_eq!(replay::complaints(&contract, &setup, &times), [""; 0]);
    Ok(times)
}

#[test]
fn a_record_that_was_asked_about_too_early_waits_for_the_settle_time() {
    let times = asked_too_early("10m").expect("it takes ten minutes");
    let at: Vec<_> = times.steps().iter().map(|step| step.at).collect();
    assert_eq!(at, [0, 0, 0, 0, 30_000, 30_000, 30_000, 30_000, 600_000]);
}

#[test]
fn nothing_is_asked_too_early_after_the_settle_time() {
    let because = asked_too_early("10s").expect_err("the lease alone is longer").because;
    assert!(because.contains(&"supplier.settles") && because.contains(&"reservation.lease"), "{because:?}");
}
