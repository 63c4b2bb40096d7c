//! The whole protocol as one table: every state of a record against every event, under the safe rules, and what another
//! word of the contract changes in it. A change of any answer is seen in the diff of the snapshot.

use idempotency::contract::{
    Contract, Fence, Mark, OnError, OnMismatch, OnRejection, OnSuccess, Period, TakeOver,
};
use idempotency::protocol::{
    Admission, CancelAnswer, Finding, Kept, Outcome, Record, Request, Resolution, Rules, Stage, State, Time,
    Token, admit, after_asking, cancel, expires, finish, heartbeat, mark, recover, release, reserve,
    reserve_blindly, resolve, status, take_over,
};

type Rec = Record<&'static str, &'static str>;

const NOW: Time = Time(1_000_000_000);
const OWNER: Token = Token(1);
const OTHER: Token = Token(2);
const OURS: &str = "same payload";
const THEIRS: &str = "other payload";

/// Safe rules with a supplier that can do everything, so that every branch has a state that reaches it.
fn rules() -> Rules {
    let contract = Contract::parse(
        "[key]\ntime = \"uuidv7\"\n\
         [effect]\nkind = \"external\"\n\
         [supplier]\ntakes-key = true\ncall-again-for = \"1h\"\ncan-be-asked = true\nsettles = \"2h\"\n",
    );
    Rules::of(&contract.expect("a contract").contract)
}

fn hours(hours: u64) -> u64 {
    Period::secs(hours * 3600).millis()
}

/// Every state, by name.
fn states() -> Vec<(&'static str, Option<Rec>)> {
    let record = |state| Some(Record { fingerprint: Some(OURS), state });
    let reserved =
        |lease_until| record(State::InProgress { owner: OWNER, lease_until, stage: Stage::Reserved });
    let called = |lease_until, age| {
        let stage = Stage::Called { mark: OWNER, at: Time(NOW.0 - age) };
        record(State::InProgress { owner: OWNER, lease_until, stage })
    };
    vec![
        ("absent", None),
        ("reserved, lease runs", reserved(NOW.plus(1))),
        ("reserved, lease ended", reserved(NOW)),
        ("called, lease runs", called(NOW.plus(1), 0)),
        ("called, lease ended", called(NOW, hours(1))),
        ("called, too late to call again", called(NOW, hours(1) + 1)),
        ("called, settled", called(NOW, hours(2))),
        ("completed", record(State::Completed { answer: "201", at: NOW })),
        (
            "completed, retention over",
            record(State::Completed { answer: "201", at: Time(NOW.0 - hours(24)) }),
        ),
        ("unknown", record(State::Unknown { at: NOW })),
        ("unknown, a year old", record(State::Unknown { at: Time(NOW.0.saturating_sub(hours(24 * 365))) })),
        ("cancelled", Some(Record { fingerprint: None, state: State::Cancelled { at: NOW } })),
    ]
}

/// Every event, by name, with what it gives.
fn events(rules: &Rules, record: Option<&Rec>) -> Vec<(&'static str, String)> {
    let request = |fingerprint, age| Request { fingerprint, made_at: Some(Time(NOW.0 - age)) };
    let admitted = |request: Request<&'static str>| match admit(record, &request, NOW, rules) {
        Admission::InFlight { .. } => "in flight".into(),
        Admission::Replay(answer) => format!("replay {answer}"),
        other => format!("{other:?}"),
    };
    let finished = |token, outcome| match finish(record, token, OURS, outcome, NOW, rules) {
        Ok(Kept::Record(record)) => told(&record),
        Ok(Kept::Nothing) => "key is free".into(),
        Err(lost) => refused(lost),
    };
    let marked = |token| mark(record, token, OURS, NOW, rules).map_or_else(refused, |record| told(&record));
    let beaten = |token| heartbeat(record, token, NOW, rules).map_or_else(refused, |record| told(&record));
    let freed = |token| release(record, token).map_or_else(refused, |()| "key is free".into());
    let asked = |settled| {
        after_asking(record, OWNER, Finding::NotFound, settled, NOW, rules).map_or_else(refused, |after| {
            format!("{after:?}").split(['(', ' ']).next().unwrap_or_default().to_owned()
        })
    };
    let rejected = |payload_alone| Outcome::Rejected { answer: "422", payload_alone };
    vec![
        ("delivery", admitted(request(OURS, 0))),
        ("delivery, other payload", admitted(request(THEIRS, 0))),
        ("delivery, stale key", admitted(request(OURS, hours(24)))),
        ("mark by owner", marked(OWNER)),
        ("mark by another", marked(OTHER)),
        ("heartbeat by owner", beaten(OWNER)),
        ("heartbeat by another", beaten(OTHER)),
        ("complete by owner", finished(OWNER, Outcome::Completed("201"))),
        ("complete by another", finished(OTHER, Outcome::Completed("201"))),
        ("reject by owner, by state", finished(OWNER, rejected(false))),
        ("reject by owner, by payload", finished(OWNER, rejected(true))),
        ("ambiguous error of owner", finished(OWNER, Outcome::Ambiguous("500"))),
        ("release by owner", freed(OWNER)),
        ("release by another", freed(OTHER)),
        ("recover", record.map_or("-".into(), |record| format!("{:?}", recover(record, NOW, rules)))),
        (
            "take over",
            record.map_or("-".into(), |record| {
                let recovery = recover(record, NOW, rules);
                take_over(record, OTHER, recovery, NOW, rules).map_or_else(refused, |record| told(&record))
            }),
        ),
        ("supplier: not found", asked(false)),
        ("supplier: not found, settled", asked(true)),
        ("status", format!("{:?}", status(record))),
        ("cancel", cancelled(cancel(record, NOW, NOW, rules))),
        ("cancel, too old", cancelled(cancel(record, Time(NOW.0 - hours(24)), NOW, rules))),
        ("may be deleted", record.map_or("-".into(), |record| expires(record, NOW, rules).to_string())),
        ("person: it happened", resolved(record, Resolution::Happened("201"))),
        ("person: it did not", resolved(record, Resolution::DidNotHappen)),
    ]
}

fn refused(lost: idempotency::protocol::Lost) -> String {
    let _ = lost;
    "refused".into()
}

fn resolved(record: Option<&Rec>, resolution: Resolution<&'static str>) -> String {
    record.map_or("-".into(), |record| {
        resolve(record, resolution, NOW).map_or_else(refused, |record| told(&record))
    })
}

fn cancelled(answer: CancelAnswer<&'static str, &'static str>) -> String {
    match answer {
        CancelAnswer::Cancelled(Some(record)) => told(&record),
        CancelAnswer::Cancelled(None) => "cancelled already".into(),
        other => format!("{other:?}"),
    }
}

/// A record in a few words.
fn told(record: &Rec) -> String {
    match record.state {
        State::InProgress { owner: Token(owner), lease_until, stage } => {
            let lease = if lease_until > NOW { "" } else { ", lease ended" };
            match stage {
                Stage::Reserved => format!("reserved by {owner}{lease}"),
                Stage::Called { mark: Token(mark), .. } => {
                    format!("called by {owner} with mark {mark}{lease}")
                }
            }
        }
        State::Completed { answer, .. } => format!("completed with {answer}"),
        State::Unknown { .. } => "unknown".into(),
        State::Cancelled { .. } => "tombstone".into(),
    }
}

fn table(rules: &Rules) -> String {
    let mut text = String::new();
    for (name, record) in states() {
        text += &format!("{name}\n");
        for (event, answer) in events(rules, record.as_ref()) {
            text += &format!("  {event:30} {answer}\n");
        }
    }
    text
}

#[test]
fn every_state_against_every_event() {
    insta::assert_snapshot!(table(&rules()));
}

/// A word of a contract, and what it does to the rules.
type Weaker = (&'static str, fn(&mut Rules));

/// What one word of a contract changes: only the lines that differ from the safe table.
#[test]
fn what_each_weaker_word_changes() {
    let safe = table(&rules());
    let mut text = String::new();
    let weaker: [Weaker; 13] = [
        ("no fingerprint", |rules| rules.compares = false),
        ("on-mismatch = replay", |rules| rules.on_mismatch = OnMismatch::Replay),
        ("no key time", |rules| rules.horizon = None),
        ("completion = unfenced", |rules| rules.completion = Fence::Unfenced),
        ("mark = unfenced", |rules| rules.mark = Mark::Unfenced),
        ("take-over = never", |rules| rules.take_over = TakeOver::Never),
        ("take-over = run-again", |rules| rules.take_over = TakeOver::RunAgain),
        ("success = release", |rules| rules.success = OnSuccess::Release),
        ("rejection = release-if-payload-alone", |rules| {
            rules.rejection = OnRejection::ReleaseIfPayloadAlone
        }),
        ("error = replay", |rules| rules.error = OnError::Replay),
        ("error = release", |rules| rules.error = OnError::Release),
        ("unresolved = 1h", |rules| rules.unresolved = Some(hours(1))),
        ("opaque supplier", |rules| {
            rules.supplier.call_again_for = None;
            rules.supplier.can_be_asked = false;
            rules.supplier.settles = None;
        }),
    ];
    for (name, weaken) in weaker {
        let mut rules = rules();
        weaken(&mut rules);
        let weak = table(&rules);
        assert_ne!(weak, safe, "{name} changes nothing");
        text += &format!("{name}\n");
        let mut state = "";
        for (weak, safe) in weak.lines().zip(safe.lines()) {
            if !weak.starts_with(' ') {
                state = weak;
            } else if weak != safe {
                text += &format!("  {state}: {}\n", weak.split_whitespace().collect::<Vec<_>>().join(" "));
            }
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
fn a_reservation_that_is_not_atomic_leaves_a_terminal_record_and_overwrites_any_other() {
    for (name, record) in states() {
        let written: Rec = reserve_blindly(record.as_ref(), OURS, OTHER, NOW, &rules());
        match &record {
            Some(found) if found.is_terminal() => assert_eq!(&written, found, "{name}"),
            _ => assert_eq!(written, reserve(OURS, OTHER, NOW, &rules()), "{name}"),
        }
    }
}

#[test]
fn a_call_that_is_marked_again_keeps_its_first_mark_and_time() {
    let stage = Stage::Called { mark: OWNER, at: Time(NOW.0 - hours(1)) };
    let taken = State::InProgress { owner: OTHER, lease_until: NOW.plus(1), stage };
    let record: Rec = Record { fingerprint: Some(OURS), state: taken };
    let marked = mark(Some(&record), OTHER, OURS, NOW, &rules()).expect("its owner may mark it");
    let State::InProgress { stage: kept, .. } = marked.state else { panic!("{marked:?}") };
    assert_eq!(kept, stage);
}
