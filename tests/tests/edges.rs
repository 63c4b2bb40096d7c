//! Numbers on both sides of a limit: a review gives a verdict on each, and where it is broken a change that mends it.

mod common;

use common::{DEMO, ORDERS, changed};
use idempotency_model::review::{Options, Review, Verdict, review};

fn reviewed(base: &str, edits: &str) -> Review {
    let review = review("contract.toml", &changed(base, edits), &Options::default(), &mut |_| {});
    assert_eq!(review.with_verdict(Verdict::Unknown), [], "{edits}");
    review
}

#[track_caller]
fn holds(base: &str, edits: &str) {
    assert_eq!(reviewed(base, edits).verdict, Verdict::Holds, "{edits}");
}

/// It is broken, and this one change mends all of it.
#[track_caller]
fn breaks(base: &str, edits: &str, remedy: (&str, &str)) {
    let review = reviewed(base, edits);
    assert_eq!(review.verdict, Verdict::Violated, "{edits}");
    let found = review.remedies.iter().any(|it| {
        let only = it.changes.iter().map(|change| (change.field.as_str(), change.to.as_str()));
        only.eq([remedy]) && it.mends == review.with_verdict(Verdict::Violated)
    });
    assert!(found, "{edits}: {remedy:?} is not in {:#?}", review.remedies);
    holds(base, &format!("{edits}\n{} = {}", remedy.0, remedy.1));
}

/// Three rounds of 10 s and a pause of 8 s at the most: the last of four attempts leaves after 54 s.
#[test]
fn a_client_that_keeps_sending_does_harm_once_an_attempt_can_outlast_its_deadline() {
    let keeps = "client.after-deadline = 'keep-sending'";
    let stop = ("client.after-deadline", "\"stop\"");
    holds(ORDERS, keeps);
    holds(ORDERS, &format!("{keeps}\nclient.deadline = '54001ms'"));
    breaks(ORDERS, &format!("{keeps}\nclient.deadline = '54s'"), stop);
    breaks(ORDERS, &format!("{keeps}\nclient.attempts = 5"), stop);
    breaks(DEMO, keeps, stop);
}

/// A call may leave 5 min 20 s after its mark, and take 1 min more.
#[test]
fn a_supplier_that_forgets_within_one_call_is_never_called_again() {
    breaks(ORDERS, "supplier.remembers = '6m 20s'", ("supplier.call-again-for", "\"never\""));
    breaks(ORDERS, "supplier.remembers = '1s'", ("supplier.call-again-for", "\"never\""));
    breaks(ORDERS, "supplier.remembers = '6m 21s'", ("supplier.call-again-for", "\"1s\""));
    // Without a figure of its own the window is what the memory leaves.
    holds(ORDERS, "supplier.remembers = '6m'\nsupplier.call-again-for = ''");
    holds(ORDERS, "supplier.remembers = '6m'\nsupplier.call-again-for = '0s'");
}

/// A supplier that remembers for 24 h, under a key made of the intent's: a delivery that comes later finds the record, and
/// what took the intent over before has called within the window.
#[test]
fn a_delivery_after_the_suppliers_memory_does_no_harm_where_a_record_meets_it() {
    let late = "supplier.key = 'from-intent'\nclient.late-resend = '25h'";
    for call_again in ["", "supplier.call-again-for = '1h'", "supplier.call-again-for = '23h 53m 40s'"] {
        holds(ORDERS, &format!("{late}\nretention.completed = '7d'\n{call_again}"));
    }
    let longer = ("retention.completed", "\"1d 1h 2m\"");
    breaks(ORDERS, late, longer);
}

/// A call may leave again until 1 min after the mark, and take 6 min 20 s: only then does "not found" prove anything.
#[test]
fn a_settle_time_covers_the_calls_that_were_made_again() {
    let asked = "supplier.can-be-asked = true\nsupplier.call-again-for = '1m'\nsupplier.settles";
    holds(ORDERS, &format!("{asked} = '7m 20s'"));
    breaks(ORDERS, &format!("{asked} = '6m 20s'"), ("supplier.settles", "\"7m 20s\""));
}

/// A lease that no living worker outlasts: the one that takes over may have been idle for as long as it likes.
#[test]
fn a_crash_between_two_transactions_runs_the_effect_twice_however_long_the_lease_is() {
    for lease in ["5m 20s", "10m"] {
        let two = format!("effect.kind = 'two-transactions'\nreservation.lease = '{lease}'");
        breaks(DEMO, &two, ("effect.kind", "\"fenced-transaction\""));
    }
}
