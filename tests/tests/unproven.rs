//! What a review lists as unproven: only what something rests on in this contract, and all that was not searched.

mod common;

use common::{DEMO, OPAQUE, ORDERS, changed};
use idempotency_model::fault::Fault;
use idempotency_model::review::{Options, Review, Verdict, review};
use idempotency_model::scenario::LARGEST;

const KEYLESS: &str = "key.required = false\nkey.made = 'never'\nkey.scope = ''";

/// Every scenario but the largest.
fn small() -> Options {
    let mut options = Options { remedies: false, ..Options::default() };
    options.scenarios.retain(|scenario| scenario.name != LARGEST);
    options
}

fn reviewed(base: &str, edits: &str, options: &Options) -> Review {
    review("contract.toml", &changed(base, edits), options, &mut |_| {})
}

fn lists(review: &Review, field: &str) -> bool {
    review.unproven.iter().any(|it| it.what.starts_with(&format!("`{field} = ")) && it.why.contains("trust"))
}

/// Numbers of the world, and the worst that each of them can be.
const WORST: &[(&str, &str)] = &[
    ("between.longest-delay", "'unlimited'"),
    ("effect.longest", "'36500d'"),
    ("servers.longest-pause", "'36500d'"),
    ("servers.clock-skew", "'36500d'"),
    ("supplier.remembers", "'0s'"),
    ("supplier.longest-delay", "'36500d'"),
];

const CASES: &[(&str, &str)] = &[
    (DEMO, ""),
    (DEMO, "retention.completed = 'unlimited'"),
    (DEMO, "effect.kind = 'one-transaction'"),
    (DEMO, "reservation.heartbeat = 'never'"),
    (DEMO, "retention.completed = 'unlimited'\nreservation.heartbeat = 'never'\nreservation.lease = '10m'"),
    (DEMO, "routes.cancel = false\nclient.on-edit = ''"),
    (ORDERS, ""),
    (ORDERS, OPAQUE),
    (ORDERS, "retention.completed = 'unlimited'"),
];

#[test]
fn what_is_not_listed_may_be_as_bad_as_can_be() {
    let mut unlisted = 0;
    for (base, edits) in CASES {
        let now = reviewed(base, edits, &small());
        if now.verdict != Verdict::Holds {
            continue;
        }
        for (field, worst) in WORST.iter().filter(|(field, _)| !lists(&now, field)) {
            let section_is_idle = field.starts_with("supplier.") && *base == DEMO;
            let key_is_idle = *field == "supplier.remembers" && *edits == OPAQUE;
            // A derived horizon follows the clocks; where keys carry no time, there is none.
            if section_is_idle || key_is_idle {
                continue;
            }
            unlisted += 1;
            let then = reviewed(base, &format!("{edits}\n{field} = {worst}"), &small());
            assert_eq!(then.verdict, Verdict::Holds, "{edits}: {field} is not listed, and it rests on it");
        }
    }
    assert!(unlisted > 10, "{unlisted}");
}

#[test]
fn a_number_is_listed_only_where_something_rests_on_it() {
    let none = |base, edits: &str, fields: &[&str]| {
        let review = reviewed(base, edits, &small());
        fields.iter().for_each(|field| assert!(!lists(&review, field), "{edits}: {field}"));
    };
    let all = |base, edits: &str, fields: &[&str]| {
        let review = reviewed(base, edits, &small());
        fields.iter().for_each(|field| assert!(lists(&review, field), "{edits}: {field}"));
    };
    let supplier = ["supplier.remembers", "supplier.longest-delay"];
    none(DEMO, "", &["servers.clock-skew", supplier[0], supplier[1]]);
    all(DEMO, "", &["between.longest-delay", "store.failover"]);
    all(DEMO, "key.time = 'uuidv7'", &["servers.clock-skew"]);
    none(DEMO, "key.time = 'uuidv7'\nretention.completed = 'unlimited'", &["servers.clock-skew"]);
    none(DEMO, "retention.completed = 'unlimited'", &["between.longest-delay"]);
    none(DEMO, "between.longest-delay = 'unlimited'", &["between.longest-delay"]);
    all(ORDERS, "", &supplier);
    none(ORDERS, OPAQUE, &["supplier.remembers"]);
    none(DEMO, "store.kind = 'redis'", &["store.failover"]);
    none(DEMO, "store.kind = 'memory'", &["store.failover"]);
    let keyless = ["between.longest-delay", "effect.longest", "servers.longest-pause", "store.failover"];
    none(DEMO, KEYLESS, &keyless);
}

#[test]
fn one_status_for_two_answers_is_listed_only_where_both_are_told() {
    let lists = |edits: &str| {
        let edits = format!("reservation.status = 422\nfingerprint.status = 422\n{edits}");
        let review = reviewed(DEMO, &edits, &small());
        review.unproven.iter().any(|it| it.what.starts_with("the status 422"))
    };
    assert!(lists(""));
    for edits in ["fingerprint.on-mismatch = 'replay'", "key.made = 'per-attempt'", KEYLESS] {
        assert!(!lists(edits), "{edits}");
    }
}

#[test]
fn what_a_contract_allows_beyond_the_search_is_listed() {
    let why = |edits: &str, options: &Options, what: &str| {
        let review = reviewed(DEMO, edits, options);
        review.unproven.into_iter().find(|it| it.what.starts_with(what)).map(|it| it.why)
    };
    let whole = Options { remedies: false, ..Options::default() };
    assert_eq!(
        why("client.attempts = 1000", &whole, "`client.attempts = 1000`").as_deref(),
        Some("no more were searched than 3 in `lost-answer` and `everything`, and 2 elsewhere")
    );
    assert_eq!(why("client.attempts = 2", &whole, "`client.attempts"), None);
    for (edits, what) in [
        ("servers.processes = 50", "`servers.processes = 50`"),
        ("operation.regions = 3\nservers.processes = 3", "`operation.regions = 3`"),
        ("between.repeats = 2", "`between.repeats = 2`"),
    ] {
        assert!(why(edits, &small(), what).is_some(), "{edits}");
        let field = &what[..what.find('=').expect("a value")];
        assert_eq!(why("servers.processes = 2", &small(), field), None, "{edits}");
    }
    let mut lowered = whole;
    lowered.scenarios.retain(|scenario| scenario.name == "crash");
    lowered.scenarios[0].budget.limit(Fault::Crash, 0);
    lowered.scenarios[0].attempts = 1;
    assert_eq!(
        why("", &lowered, "`crash`").as_deref(),
        Some("it was searched with attempts=1, not 2 and crash=0, not 2")
    );
    assert_eq!(why("", &lowered, "`lost-answer`").as_deref(), Some("not run"));
}
