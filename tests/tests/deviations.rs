//! Every single change that is known to break the two contracts of the articles: the invariants that the review has to
//! name, the fault that its story has to have in it, and the change that its advice has to name. And the contracts
//! themselves, which hold.

mod common;

use common::{DEMO, ORDERS, changed};
use idempotency::invariant::Invariant::{self, *};
use idempotency_model::review::{Options, Review, Shown, Tight, Verdict, review};

/// The supplier of the order no longer takes our key, so nothing is said of that key.
const OPAQUE: &str =
    "supplier.takes-key = false\nsupplier.key = ''\nsupplier.remembers = ''\nsupplier.call-again-for = ''\n";

fn reviewed(base: &str, edits: &str) -> Review {
    review("contract.toml", &changed(base, edits), &Options::default(), &mut |_| {})
}

/// What is expected of a change: the broken invariants, no more and no fewer; then, of the first one of them, the length
/// of the shortest story and a fault in it; and a remedy that mends all of them.
struct Expected<'a> {
    broken: &'a [Invariant],
    steps: usize,
    fault: &'a str,
    remedy: &'a [(&'a str, &'a str)],
}

#[track_caller]
fn breaks(base: &str, edits: &str, expected: Expected<'_>) -> Review {
    let review = reviewed(base, edits);
    assert_eq!(review.verdict, Verdict::Violated);
    assert_eq!(review.with_verdict(Verdict::Violated), expected.broken, "the broken invariants");
    assert_eq!(review.with_verdict(Verdict::Unknown), [], "nothing is unknown");
    let row = review.shortest(expected.broken[0]).expect("a row with a story");
    let story = row.story.as_ref().expect("a story");
    assert_eq!((story.steps.len(), story.length), (expected.steps, expected.steps), "{}", story.plain(100));
    assert!(story.faults.contains(&expected.fault), "{:?}\n{}", story.faults, story.plain(100));
    let wanted: Vec<_> =
        expected.remedy.iter().map(|(field, to)| (field.to_string(), to.to_string())).collect();
    let remedy = review.remedies.iter().find(|remedy| {
        let changes = remedy.changes.iter().map(|change| (change.field.clone(), change.to.clone()));
        changes.collect::<Vec<_>>() == wanted
    });
    let remedy = remedy.unwrap_or_else(|| panic!("{wanted:?} is not in {:#?}", review.remedies));
    assert_eq!(remedy.mends, expected.broken, "what it mends");
    // What the advice says is true of the file with the change in it.
    let fields = wanted.iter().map(|(field, to)| format!("{field} = {to}\n")).collect::<String>();
    let mended = reviewed(base, &format!("{edits}\n{fields}"));
    assert_eq!(mended.verdict, Verdict::Holds, "after the change");
    review
}

#[track_caller]
fn holds(base: &str, edits: &str) -> Review {
    let review = reviewed(base, edits);
    for row in &review.results {
        assert_eq!(row.verdict, Verdict::Holds, "{} in {}", row.invariant, row.scenario);
        assert!(row.states > 0);
    }
    assert_eq!(review.verdict, Verdict::Holds);
    review
}

#[test]
fn the_demo_request_holds_and_nothing_of_it_is_empty() {
    is_shown_whole(&holds(DEMO, ""));
}

#[test]
fn the_order_holds_and_nothing_of_it_is_empty() {
    is_shown_whole(&holds(ORDERS, ""));
}

/// Every invariant's good case was seen in some scenario, and so were the four outcomes.
fn is_shown_whole(review: &Review) {
    for invariant in Invariant::ALL {
        assert!(review.of(*invariant).any(|row| row.shown), "{invariant} holds emptily");
    }
    for outcome in &review.outcomes {
        assert_eq!(outcome.shown, Shown::Shown, "{}", outcome.outcome);
    }
    assert_eq!(review.questions.len(), 5);
}

#[test]
fn a_key_for_every_attempt() {
    breaks(
        DEMO,
        "key.made = 'per-attempt'",
        Expected {
            broken: &[V1, V2, V8, V11],
            steps: 5,
            fault: "timeout",
            remedy: &[("key.made", "\"per-intent\"")],
        },
    );
}

#[test]
fn no_fingerprint() {
    breaks(
        DEMO,
        "fingerprint.covers = []",
        Expected {
            broken: &[V3],
            steps: 3,
            fault: "other-payload",
            remedy: &[("fingerprint.covers", "[\"body\"]")],
        },
    );
}

#[test]
fn a_scope_without_the_owner() {
    breaks(
        DEMO,
        "key.scope = ['operation']",
        Expected {
            broken: &[V5],
            steps: 3,
            fault: "other-owner",
            remedy: &[("key.scope", "[\"owner\", \"operation\"]")],
        },
    );
}

#[test]
fn a_retention_shorter_than_the_retry_budget() {
    let review = breaks(
        DEMO,
        "retention.completed = '1m'",
        Expected {
            broken: &[V1, V2, V8],
            steps: 6,
            fault: "retention",
            // The last attempt leaves at 20 s, and is under way for two minutes.
            remedy: &[("retention.completed", "\"2m 20s\"")],
        },
    );
    assert_eq!(review.remedies[0].tight, Some(Tight::Least), "a second less is not enough");
    holds(DEMO, "retention.completed = '2m 20s'");
    assert_eq!(reviewed(DEMO, "retention.completed = '2m 19s 999ms'").verdict, Verdict::Violated);
}

#[test]
fn messages_with_no_longest_delay() {
    breaks(
        DEMO,
        "between.longest-delay = 'unlimited'",
        Expected {
            broken: &[V1, V2, V8],
            steps: 6,
            fault: "retention",
            remedy: &[("key.time", "\"uuidv7\"")],
        },
    );
    holds(DEMO, "between.longest-delay = 'unlimited'\nkey.time = 'uuidv7'");
}

#[test]
fn a_completion_without_the_owners_token() {
    breaks(
        DEMO,
        "reservation.completion = 'unfenced'",
        Expected {
            broken: &[V1, V2, V4, V6],
            steps: 5,
            fault: "pause",
            remedy: &[("reservation.completion", "\"fenced\"")],
        },
    );
}

#[test]
fn effect_and_record_in_two_transactions() {
    breaks(
        DEMO,
        "effect.kind = 'two-transactions'",
        Expected {
            broken: &[V1],
            steps: 5,
            fault: "pause",
            remedy: &[("effect.kind", "\"fenced-transaction\"")],
        },
    );
}

#[test]
fn effect_and_record_in_two_transactions_and_nobody_takes_over() {
    breaks(
        DEMO,
        "effect.kind = 'two-transactions'\nreservation.take-over = 'never'",
        Expected {
            broken: &[V10],
            steps: 3,
            fault: "crash",
            remedy: &[("effect.kind", "\"one-transaction\"")],
        },
    );
}

#[test]
fn a_record_in_progress_deleted_by_its_age() {
    breaks(
        DEMO,
        "retention.unresolved = '10m'",
        Expected { broken: &[V7], steps: 3, fault: "age", remedy: &[("retention.unresolved", "\"never\"")] },
    );
}

#[test]
fn nobody_takes_over() {
    breaks(
        DEMO,
        "reservation.take-over = 'never'",
        Expected {
            broken: &[V10],
            steps: 3,
            fault: "crash",
            remedy: &[("reservation.take-over", "\"by-stage\"")],
        },
    );
}

#[test]
fn an_asynchronous_failover() {
    breaks(
        DEMO,
        "store.failover = 'may-forget'",
        Expected {
            broken: &[V1, V2, V4],
            steps: 6,
            fault: "failover",
            remedy: &[("store.failover", "\"keeps-acknowledged\"")],
        },
    );
}

#[test]
fn a_client_that_says_failed_on_a_timeout() {
    breaks(
        DEMO,
        "client.on-timeout = 'fail'",
        Expected { broken: &[V8], steps: 3, fault: "timeout", remedy: &[("client.on-timeout", "\"retry\"")] },
    );
}

#[test]
fn a_status_routes_not_found_shown_as_failed() {
    breaks(
        DEMO,
        "client.on-not-found = 'fail'",
        Expected { broken: &[V8], steps: 6, fault: "ask", remedy: &[("client.on-not-found", "\"unknown\"")] },
    );
}

#[test]
fn a_cancel_answered_after_retention() {
    breaks(
        DEMO,
        "routes.cancel-within = '48h'",
        Expected {
            broken: &[V8],
            steps: 7,
            fault: "retention",
            remedy: &[("routes.cancel-within", "\"24h\"")],
        },
    );
}

#[test]
fn a_rejection_that_depends_on_state_and_frees_the_key() {
    breaks(
        DEMO,
        "answers.rejection = 'release'",
        Expected {
            broken: &[V8],
            steps: 6,
            fault: "rejection",
            remedy: &[("answers.rejection", "\"replay\"")],
        },
    );
    holds(DEMO, "answers.rejection = 'release-if-payload-alone'");
}

#[test]
fn an_edited_payload_sent_while_the_first_may_still_land() {
    breaks(
        DEMO,
        "client.on-edit = 'send'",
        Expected {
            broken: &[V11],
            steps: 4,
            fault: "edit",
            remedy: &[("client.on-edit", "\"cancel-first\"")],
        },
    );
}

#[test]
fn a_local_reservation_that_is_not_atomic_is_masked_by_the_fence() {
    let review = holds(DEMO, "reservation.atomic = false");
    let [masked] = &review.masked[..] else { panic!("{:?}", review.masked) };
    assert_eq!((masked.field.as_str(), masked.value.as_str()), ("reservation.atomic", "false"));
    assert_eq!((masked.by.as_str(), masked.by_value.as_str()), ("reservation.completion", "\"fenced\""));
    assert_eq!(masked.invariant, V1);
    let both = reviewed(DEMO, "reservation.atomic = false\nreservation.completion = 'unfenced'");
    let broken = both.with_verdict(Verdict::Violated);
    assert!(broken.contains(&V1), "{broken:?}");
    // In the scenario that the report names, either of the two is enough.
    let broken_there = |review: &Review| {
        review.of(V1).any(|row| row.scenario == masked.scenario && row.verdict == Verdict::Violated)
    };
    assert!(broken_there(&both));
    assert!(!broken_there(&reviewed(DEMO, "reservation.completion = 'unfenced'")));
}

#[test]
fn an_external_reservation_that_is_not_atomic() {
    breaks(
        ORDERS,
        "reservation.atomic = false",
        Expected {
            broken: &[V1, V8],
            steps: 11,
            fault: "timeout",
            remedy: &[("reservation.atomic", "true")],
        },
    );
}

#[test]
fn a_take_over_that_calls_again_with_an_opaque_supplier() {
    breaks(
        ORDERS,
        &format!("{OPAQUE}reservation.take-over = 'run-again'"),
        Expected {
            broken: &[V1],
            steps: 9,
            fault: "pause",
            remedy: &[("reservation.take-over", "\"by-stage\"")],
        },
    );
}

#[test]
fn a_supplier_that_can_only_be_asked_and_no_settle_time() {
    let asked = format!("{OPAQUE}supplier.can-be-asked = true\n");
    breaks(
        ORDERS,
        &format!("{asked}supplier.settles = '0s'"),
        Expected {
            broken: &[V1],
            steps: 12,
            fault: "pause",
            // The handler's longest run, the longest pause and the longest call delay.
            remedy: &[("supplier.settles", "\"6m 20s\"")],
        },
    );
    holds(ORDERS, &format!("{asked}supplier.settles = '6m 20s'"));
    holds(ORDERS, &format!("{asked}supplier.settles = 'never'"));
}

#[test]
fn a_supplier_that_forgets_before_we_do() {
    breaks(
        ORDERS,
        "supplier.remembers = '30m'",
        Expected {
            broken: &[V1],
            steps: 9,
            fault: "forget",
            // What it remembers, less the same.
            remedy: &[("supplier.call-again-for", "\"23m 40s\"")],
        },
    );
}

#[test]
fn a_mark_that_is_not_fenced() {
    breaks(
        ORDERS,
        "reservation.mark = 'unfenced'",
        Expected {
            broken: &[V1, V2, V4],
            steps: 9,
            fault: "pause",
            remedy: &[("reservation.mark", "\"fenced\"")],
        },
    );
}

#[test]
fn an_ambiguous_error_stored_as_final() {
    breaks(
        ORDERS,
        "answers.error = 'replay'",
        Expected { broken: &[V8], steps: 6, fault: "error", remedy: &[("answers.error", "\"unknown\"")] },
    );
}

/// The client is not told of a failure; but nobody ever learns what happened, and the record goes with that open.
#[test]
fn an_ambiguous_error_stored_for_every_repeat() {
    breaks(
        ORDERS,
        "answers.error = 'replay-indeterminate'",
        Expected {
            broken: &[V7, V10],
            steps: 5,
            fault: "error",
            remedy: &[("answers.error", "\"unknown\"")],
        },
    );
}

#[test]
fn an_ambiguous_error_released() {
    breaks(
        ORDERS,
        "answers.error = 'release'",
        Expected {
            broken: &[V1, V7],
            steps: 10,
            fault: "error",
            remedy: &[("answers.error", "\"unknown\"")],
        },
    );
}

#[test]
fn a_handler_cancelled_with_the_connection_and_its_reservation_released() {
    breaks(
        ORDERS,
        "reservation.hang-up = 'release'",
        Expected {
            broken: &[V1, V7],
            steps: 10,
            fault: "hang-up",
            remedy: &[("reservation.hang-up", "\"finish\"")],
        },
    );
}
