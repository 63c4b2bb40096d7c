//! What a review answers in words follows the contract: the five questions, the four outcomes, and what is unproven.

mod common;

use common::{DEMO, ORDERS, changed};
use idempotency::invariant::Invariant::*;
use idempotency_model::review::{Options, Review, Shown, review};
use idempotency_model::search::Bounds;

const KEYLESS: &str = "key.required = false\nkey.made = 'never'\nkey.scope = ''";

/// A review of one small scenario: the questions are answered from the contract alone.
fn reviewed(base: &str, edits: &str) -> Review {
    let mut options = Options { remedies: false, ..Options::default() };
    options.scenarios.retain(|scenario| scenario.name == "concurrent");
    review("contract.toml", &changed(base, edits), &options, &mut |_| {})
}

/// The answer to the question that begins so.
#[track_caller]
fn answer(base: &str, edits: &str, question: &str) -> String {
    let review = reviewed(base, edits);
    let found = review.questions.iter().find(|it| it.question.contains(question));
    found.expect("there is such a question").answer.clone()
}

#[track_caller]
fn says(answer: &str, parts: &[&str]) {
    for part in parts {
        assert!(answer.contains(part), "{part:?} is not in {answer:?}");
    }
}

#[test]
fn a_contract_without_keys_has_no_records_owner_or_payload() {
    let review = reviewed(DEMO, KEYLESS);
    for it in &review.questions {
        for word in
            ["reservation", "conflict", "canonical", "Idempotency-Key", "cancels", "replayed", "Records"]
        {
            assert!(!it.answer.contains(word), "{word} in {}: {}", it.question, it.answer);
        }
    }
    says(&answer(DEMO, KEYLESS, "scope"), &["None: requests have no key"]);
    says(&answer(DEMO, KEYLESS, "unknown"), &["again without a key", "keeps no record"]);
}

#[test]
fn a_key_for_every_attempt_binds_and_compares_nothing() {
    let edits = "key.made = 'per-attempt'";
    says(&answer(DEMO, edits, "scope"), &["None: ", "anew for every attempt"]);
    says(&answer(DEMO, edits, "payload"), &["not compared"]);
    says(&answer(DEMO, edits, "replay"), &["There is none"]);
    says(&answer(DEMO, edits, "unknown"), &["under another key"]);
}

#[test]
fn the_payload_names_its_fields_and_what_does_not_count() {
    let answer = answer(ORDERS, "", "payload");
    says(&answer, &["`amount`, `currency` and `items`", "path, query and headers do not count", "gets "]);
}

#[test]
fn what_is_done_when_the_outcome_is_unknown_follows_the_client() {
    let plain = answer(DEMO, "", "unknown");
    says(
        &plain,
        &["On no answer, an error of the server, a gateway's error and \"in progress\" the client sends"],
    );
    says(&plain, &["up to 3 in all within 20s", "it tells its user that the outcome is unknown"]);
    for (edits, part) in [
        ("client.on-timeout = 'fail'", "On no answer the client tells its user that it failed; on an error"),
        ("client.on-error = 'ask'", "on an error of the server it asks the status route"),
        (
            "client.on-gateway-error = 'unknown'",
            "on a gateway's error it tells its user that the outcome is unknown",
        ),
        ("client.on-in-flight = 'fail'", "on \"in progress\" it tells its user that it failed"),
        ("client.on-not-found = 'fail'", "which proves nothing, the client tells its user that it failed"),
        ("client.at-deadline = 'fail'", "When attempts or deadline end, it tells its user that it failed"),
        ("client.after-deadline = 'keep-sending'", "and goes on sending"),
        ("client.late-resend = '12h'", "Until 12h after the first attempt the same intent may be sent again"),
        ("client.on-edit = 'send'", "An edited payload is sent at once"),
        ("client.attempts = 1", "has no attempt left"),
        ("routes.status = false", "There is no status route."),
        ("routes.cancel-within = '48h'", "A cancel by key is answered within 2d of the first attempt."),
    ] {
        assert!(!plain.contains(part), "{edits} would say nothing new");
        says(&answer(DEMO, edits, "unknown"), &[part]);
    }
}

#[test]
fn who_owns_the_effect_follows_the_guards() {
    says(
        &answer(DEMO, "", "owns"),
        &["if it still holds the reservation", "without a heartbeat another takes over"],
    );
    for (base, edits, part) in [
        (DEMO, "reservation.completion = 'unfenced'", "even if it has lost the reservation"),
        (DEMO, "reservation.heartbeat = 'never'", "after 30s another takes over"),
        (DEMO, "reservation.recoverer = false", "Only a retry of the client finds such a record."),
        (ORDERS, "", "finds out what became of the call"),
        (ORDERS, "reservation.mark = 'never'", "no mark says whether it left"),
    ] {
        says(&answer(base, edits, "owns"), &[part]);
        assert!(!answer(base, edits, "owns").contains("stage"));
    }
}

#[test]
fn an_outcome_says_what_is_demanded_and_what_is_so() {
    let holds = reviewed(DEMO, "");
    assert_eq!(holds.outcomes[0].shown, Shown::Shown);
    assert_eq!(holds.outcomes[0].here, "it was seen, and it is so in every run that was searched");
    assert_eq!(holds.outcomes[3].here, "it did not occur in what was run", "no other payload came");
    let broken = reviewed(DEMO, "key.made = 'per-attempt'");
    assert_eq!(broken.outcomes[0].shown, Shown::Broken);
    assert_eq!(broken.outcomes[0].here, "V1 (at most one effect) is broken");
    assert_eq!(broken.outcomes[2].here, "V1 (at most one effect) and V2 (one result) are broken");
    assert_eq!(broken.outcomes[2].answer, "whatever a new command gets");
}

/// The outcome of a repeat with another payload does not say otherwise than the question about payloads.
#[test]
fn a_repeat_with_another_payload_is_told_as_it_is() {
    let told = |edits: &str| {
        let mut options = Options { remedies: false, ..Options::default() };
        options.scenarios.retain(|scenario| scenario.name == "payload");
        let review = review("contract.toml", &changed(DEMO, edits), &options, &mut |_| {});
        let outcome = review.outcomes[3].clone();
        (outcome.shown, outcome.here, outcome.answer, review.questions[1].answer.clone())
    };
    let (shown, _, answer, question) = told("");
    assert_eq!((shown, answer.as_str()), (Shown::Shown, "409"));
    says(&question, &["gets 409"]);

    let (shown, here, answer, question) = told("key.made = 'per-attempt'");
    assert_eq!((shown, answer.as_str()), (Shown::NotShown, "whatever a new command gets"));
    says(&here, &["no repeat of this client has the key"]);
    says(&question, &["no two of them have the same key", "happens to have the key", "gets 409"]);

    let (shown, here, answer, _) = told(KEYLESS);
    assert_eq!((shown, answer.as_str()), (Shown::NotShown, "whatever a new command gets"));
    says(&here, &["no request has a key"]);

    let bare = "fingerprint.covers = []\nfingerprint.on-mismatch = 'replay'";
    let (shown, here, answer, question) = told(bare);
    assert_eq!((shown, answer.as_str()), (Shown::Broken, "the first one's answer"));
    says(&here, &["V3"]);
    says(&question, &["no fingerprint is kept"]);
    says(&told(&format!("{bare}\nkey.made = 'per-attempt'")).3, &["Nor are others"]);
}

#[test]
fn rows_that_are_unknown_for_one_reason_are_listed_once() {
    let cut = |invariants: &[_]| {
        let bounds = Bounds { states: 10, ..Bounds::default() };
        let options =
            Options { bounds, remedies: false, invariants: invariants.to_vec(), ..Options::default() };
        let review = review("contract.toml", &changed(DEMO, ""), &options, &mut |_| {});
        let cut = review.unproven.into_iter().filter(|it| it.why.contains("the bound on states"));
        cut.map(|it| (it.what, it.why)).collect::<Vec<_>>()
    };
    let why = "the bound on states was hit".to_owned();
    assert_eq!(cut(&[V1, V4]), [("V1 and V4 in every scenario".into(), why)]);
}
