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
    // The story of a second less needs a third worker: what is missing is not known to do no harm.
    let less = changed(ORDERS, &format!("{asked} = '7m 19s'"));
    let less = review("contract.toml", &less, &Options::default(), &mut |_| {});
    assert_eq!(less.verdict, Verdict::Unknown);
}

/// A lease that no living worker outlasts: the one that takes over may have been idle for as long as it likes.
#[test]
fn a_crash_between_two_transactions_runs_the_effect_twice_however_long_the_lease_is() {
    for lease in ["5m 20s", "10m"] {
        let two = format!("effect.kind = 'two-transactions'\nreservation.lease = '{lease}'");
        breaks(DEMO, &two, ("effect.kind", "\"fenced-transaction\""));
    }
}

/// Records are kept for 24 h, and two clocks differ by 5 s: a key whose time was read on one is judged on another.
#[test]
fn a_key_is_refused_while_its_record_is_kept_however_the_clocks_differ() {
    let aged = "key.time = 'uuidv7'\nbetween.longest-delay = 'unlimited'";
    holds(DEMO, aged);
    holds(DEMO, &format!("{aged}\nkey.horizon = '23h 59m 55s'"));
    let over = changed(DEMO, &format!("{aged}\nkey.horizon = '23h 59m 56s'"));
    let over = review("contract.toml", &over, &Options::default(), &mut |_| {});
    assert_eq!(over.verdict, Verdict::Violated);
    let mut figures = over.remedies.iter().flat_map(|it| &it.changes);
    assert!(figures.any(|it| (it.field.as_str(), it.to.as_str()) == ("key.horizon", "\"23h 59m 55s\"")));
}

/// Whoever takes over without a mark to go by runs the handler whenever it comes to that: no window is looked at.
#[test]
fn a_window_for_calling_again_bounds_nothing_that_does_not_look_at_it() {
    let window = "supplier.key = 'from-intent'\nsupplier.call-again-for";
    for length in ["'never'", "'1h'", "''"] {
        let unmarked = format!("{window} = {length}\nreservation.mark = 'never'");
        breaks(ORDERS, &unmarked, ("reservation.mark", "\"fenced\""));
        let again = format!("{window} = {length}\nreservation.take-over = 'run-again'");
        breaks(ORDERS, &again, ("reservation.take-over", "\"by-stage\""));
    }
}

/// A client that sends once, or never again by itself after a timeout, has a user who does.
#[test]
fn where_the_client_makes_one_attempt_its_user_makes_the_next() {
    for once in ["client.attempts = 1", "client.on-timeout = 'unknown'"] {
        let regions = format!("operation.regions = 2\nstore.spans-regions = false\n{once}");
        breaks(DEMO, &regions, ("store.spans-regions", "true"));
        let scope = format!("key.scope = ['owner', 'credential', 'operation']\n{once}");
        breaks(DEMO, &scope, ("key.scope", "[\"owner\", \"operation\"]"));
        let rejection = format!("answers.rejection = 'release'\n{once}");
        breaks(DEMO, &rejection, ("answers.rejection", "\"replay\""));
        let hang_up = format!("reservation.hang-up = 'release'\n{once}");
        breaks(ORDERS, &hang_up, ("reservation.hang-up", "\"finish\""));
    }
}

/// Whoever has no key can neither ask by it nor cancel by it.
#[test]
fn without_a_key_the_routes_make_no_difference() {
    let rows = |routes: &str| {
        let without = changed(DEMO, &format!("key.made = 'never'\nkey.required = false\n{routes}"));
        let found = review("contract.toml", &without, &Options::default(), &mut |_| {});
        let rows = found.results.iter().map(|row| (row.invariant, row.scenario, row.verdict, row.states));
        rows.collect::<Vec<_>>()
    };
    let [both, none] = [
        "routes.status = true\nroutes.cancel = true",
        "routes.status = false\nroutes.cancel = false\nclient.on-edit = 'send'",
    ]
    .map(rows);
    let but_the_edit = |rows: &[_]| {
        rows.iter().filter(|row: &&(_, &str, _, _)| row.1 != "edit").copied().collect::<Vec<_>>()
    };
    assert_eq!(but_the_edit(&both), but_the_edit(&none));
}
