//! Every contradiction: found where it is, said with both fields, and silent where nothing is wrong.

use std::collections::BTreeSet;

use idempotency::contract::{Contract, ContractError, fields, rules};

/// A contradiction by its id, the line of a file that has it, the text that is at fault there, and the same file
/// without it.
struct Case {
    id: &'static str,
    wrong: &'static str,
    at: (usize, &'static str),
    right: &'static str,
}

const CASES: &[Case] = &[
    Case {
        id: "required-key-never-made",
        wrong: "[key]\nmade = \"never\"\n",
        at: (2, "\"never\""),
        right: "[key]\nmade = \"never\"\nrequired = false\n",
    },
    Case {
        id: "horizon-without-time",
        wrong: "[key]\nhorizon = \"1h\"\n",
        at: (2, "\"1h\""),
        right: "[key]\nhorizon = \"1h\"\ntime = \"uuidv7\"\n",
    },
    Case {
        id: "horizon-within-skew",
        wrong: "[key]\ntime = \"uuidv7\"\nhorizon = \"5s\"\n",
        at: (3, "\"5s\""),
        right: "[key]\ntime = \"uuidv7\"\nhorizon = \"6s\"\n",
    },
    Case {
        id: "horizon-within-skew",
        wrong: "[key]\ntime = \"uuidv7\"\n[retention]\ncompleted = \"20m\"\n[servers]\nclock-skew = \"10m\"\n",
        at: (4, "\"20m\""),
        right: "[key]\ntime = \"uuidv7\"\n[retention]\ncompleted = \"21m\"\n[servers]\nclock-skew = \"10m\"\n",
    },
    Case {
        id: "horizon-within-skew",
        wrong: "[key]\ntime = \"uuidv7\"\n[servers]\nclock-skew = \"12h\"\n",
        at: (4, "\"12h\""),
        right: "[key]\ntime = \"uuidv7\"\n[servers]\nclock-skew = \"1h\"\n",
    },
    Case {
        id: "uuid-over-longest",
        wrong: "[key]\ntime = \"uuidv7\"\nlongest = 35\n",
        at: (3, "35"),
        right: "[key]\ntime = \"uuidv7\"\nlongest = 36\n",
    },
    Case {
        id: "bad-header-name",
        wrong: "[key]\nname = \"Idempotency Key\"\n",
        at: (2, "\"Idempotency Key\""),
        right: "[key]\nname = \"idempotency key\"\nplace = \"body\"\n[answers]\nmarker = \"\"\n",
    },
    Case {
        id: "bad-header-name",
        wrong: "[answers]\nmarker = \"Replayed: true\"\n",
        at: (2, "\"Replayed: true\""),
        right: "[answers]\nmarker = \"X-Hit\"\n",
    },
    Case {
        id: "body-among-fields",
        wrong: "[fingerprint]\ncovers = [\"amount\", \"body\"]\n",
        at: (2, "[\"amount\", \"body\"]"),
        right: "[fingerprint]\ncovers = [\"body\"]\n",
    },
    Case {
        id: "conflict-without-fingerprint",
        wrong: "[fingerprint]\ncovers = []\non-mismatch = \"conflict\"\n",
        at: (3, "\"conflict\""),
        right: "[fingerprint]\ncovers = []\nstatus = 409\n",
    },
    Case {
        id: "wait-without-waiting",
        wrong: "[reservation]\nwait = \"5s\"\n",
        at: (2, "\"5s\""),
        right: "[reservation]\nwait = \"5s\"\nin-flight = \"wait\"\n",
    },
    Case {
        id: "heartbeat-over-lease",
        wrong: "[reservation]\nheartbeat = \"30s\"\nlease = \"30s\"\n",
        at: (2, "\"30s\""),
        right: "[reservation]\nheartbeat = \"never\"\nlease = \"1s\"\n",
    },
    Case {
        id: "heartbeat-over-lease",
        wrong: "[reservation]\nlease = \"5s\"\n",
        at: (2, "\"5s\""),
        right: "[reservation]\nlease = \"5s\"\nheartbeat = \"4s\"\n",
    },
    Case {
        id: "mark-without-external",
        wrong: "[reservation]\nmark = \"fenced\"\n",
        at: (2, "\"fenced\""),
        right: "[reservation]\nmark = \"fenced\"\n[effect]\nkind = \"external\"\n",
    },
    Case {
        id: "recoverer-without-take-over",
        wrong: "[reservation]\ntake-over = \"never\"\nrecoverer = true\n",
        at: (3, "true"),
        right: "[reservation]\ntake-over = \"never\"\n",
    },
    Case {
        id: "supplier-without-external",
        wrong: "[supplier]\ncan-be-asked = false\ntakes-key = false\n",
        at: (2, "false"),
        right: "[supplier]\ncan-be-asked = false\ntakes-key = false\n[effect]\nkind = \"external\"\n",
    },
    Case {
        id: "supplier-key-not-taken",
        wrong: "[effect]\nkind = \"external\"\n[supplier]\ncall-again-for = \"1h\"\n",
        at: (4, "\"1h\""),
        right: "[effect]\nkind = \"external\"\n[supplier]\ncall-again-for = \"1h\"\ntakes-key = true\n",
    },
    Case {
        id: "settles-without-asking",
        wrong: "[effect]\nkind = \"external\"\n[supplier]\nsettles = \"1h\"\n",
        at: (4, "\"1h\""),
        right: "[effect]\nkind = \"external\"\n[supplier]\nsettles = \"never\"\n",
    },
    Case {
        id: "timeout-over-deadline",
        wrong: "[client]\ntimeout = \"61s\"\n",
        at: (2, "\"61s\""),
        right: "[client]\ndeadline = \"5s\"\n",
    },
    Case {
        id: "backoff-order",
        wrong: "[client]\nbackoff-from = \"9s\"\n",
        at: (2, "\"9s\""),
        right: "[client]\nbackoff-from = \"9s\"\nbackoff-to = \"9s\"\n",
    },
    Case {
        id: "backoff-order",
        wrong: "[client]\nbackoff-to = \"500ms\"\n",
        at: (2, "\"500ms\""),
        right: "[client]\nbackoff-to = \"1s\"\n",
    },
    Case {
        id: "late-resend-inside-deadline",
        wrong: "[client]\nlate-resend = \"30s\"\n",
        at: (2, "\"30s\""),
        right: "[client]\nlate-resend = \"1h\"\n",
    },
    Case {
        id: "ask-without-status-route",
        wrong: "[routes]\nstatus = false\n[client]\non-timeout = \"ask\"\n",
        at: (4, "\"ask\""),
        right: "[routes]\nstatus = false\n",
    },
    Case {
        id: "cancel-first-without-cancel-route",
        wrong: "[routes]\ncancel = false\n[client]\non-edit = \"cancel-first\"\n",
        at: (4, "\"cancel-first\""),
        right: "[routes]\ncancel = false\n",
    },
    Case {
        id: "cancel-within-without-cancel-route",
        wrong: "[routes]\ncancel = false\ncancel-within = \"1h\"\n",
        at: (3, "\"1h\""),
        right: "[routes]\ncancel-within = \"1h\"\n",
    },
    Case {
        id: "fewer-processes-than-regions",
        wrong: "[operation]\nregions = 3\n[servers]\nprocesses = 2\n",
        at: (4, "2"),
        right: "[operation]\nregions = 3\n",
    },
    Case {
        id: "durable-memory",
        wrong: "[store]\nkind = \"memory\"\ndurable = true\n",
        at: (3, "true"),
        right: "[store]\nkind = \"other\"\ndurable = true\n",
    },
    Case { id: "no-time-at-all", wrong: "[client]\ntimeout = \"0s\"\n", at: (2, "\"0s\""), right: "" },
];

fn only_error(text: &str) -> ContractError {
    match Contract::parse(text) {
        Ok(_) => panic!("nothing was found wrong with\n{text}"),
        Err(errors) => {
            assert_eq!(errors.errors().len(), 1, "{errors}\n{text}");
            errors.errors()[0].clone()
        }
    }
}

#[test]
fn every_contradiction_is_found_where_it_stands_and_nowhere_else() {
    for case in CASES {
        let error = only_error(case.wrong);
        let place = error.place.clone().unwrap();
        assert_eq!(error.id, case.id);
        assert_eq!((place.line, &case.wrong[place.span]), case.at, "{}", case.id);
        if let Err(errors) = Contract::parse(case.right) {
            panic!("{} is found where it is not:\n{errors}", case.id);
        }
    }
}

#[test]
fn every_contradiction_has_a_case_an_id_of_its_own_and_a_reason() {
    let tested: BTreeSet<_> = CASES.iter().map(|case| case.id).collect();
    let ids: BTreeSet<_> = rules().map(|rule| rule.id).collect();
    assert_eq!(tested, ids);
    assert_eq!(rules().count(), ids.len(), "two contradictions share an id");
    assert!(rules().all(|rule| rule.about.ends_with('.')));
}

#[test]
fn a_contradiction_names_both_fields_their_values_and_what_to_do() {
    let error = only_error("[reservation]\nheartbeat = \"15s\"\nlease = \"10s\"\n");
    assert_eq!(
        error.message,
        "`reservation.heartbeat` = \"15s\" is not shorter than `reservation.lease` = \"10s\""
    );
    assert_eq!(error.related.unwrap().0.line, 3);
    assert!(error.help.is_some());
}

#[test]
fn a_default_in_a_contradiction_is_said_to_be_one() {
    let error = only_error("[supplier]\ntakes-key = true\n");
    assert!(
        error.message.ends_with("`effect.kind` = \"fenced-transaction\" (the default)"),
        "{}",
        error.message
    );
}

#[test]
fn one_contradiction_over_many_lines_is_told_once() {
    let error = only_error("[supplier]\nremembers = \"24h\"\ntakes-key = true\nkey = \"from-mark\"\n");
    assert_eq!(error.place.unwrap().line, 2);
    assert!(error.help.unwrap().ends_with("the same of `supplier.takes-key`, `supplier.key`"));
}

/// The ids of the errors of a file, in its order.
fn ids(text: &str) -> Vec<&'static str> {
    Contract::parse(text)
        .map_or_else(|errors| errors.errors().iter().map(|error| error.id).collect(), |_| Vec::new())
}

/// A file with a value at `path` that no field takes.
fn with_a_wrong_value(text: &str, path: &str) -> String {
    let mut file: toml::Table = text.parse().unwrap();
    let (section, field) = path.split_once('.').unwrap();
    let section = file.entry(section).or_insert_with(|| toml::Table::new().into());
    section
        .as_table_mut()
        .unwrap()
        .insert(field.into(), toml::Value::Array(vec![Vec::<toml::Value>::new().into()]));
    file.to_string()
}

#[test]
fn a_contradiction_between_sound_fields_is_told_together_with_what_else_is_wrong() {
    for case in CASES {
        let message = only_error(case.wrong).message;
        for field in fields() {
            let text = with_a_wrong_value(case.wrong, &field.path);
            let found = ids(&text);
            assert!(found.contains(&"wrong-type"), "{text}");
            let told = found.contains(&case.id);
            // These say whether there is a supplier, or a key with an age, of which anything could be said.
            let names = ["effect.kind", "key.time"].contains(&field.path.as_str());
            let is_read = message.contains(&format!("`{}`", field.path)) || names;
            assert!(told || is_read, "{} is hidden by an error of `{}`", case.id, field.path);
        }
    }
}

#[test]
fn a_field_that_is_not_sound_is_in_no_contradiction() {
    for case in CASES {
        for field in fields() {
            let text = with_a_wrong_value(case.right, &field.path);
            assert_eq!(ids(&text), ["wrong-type"], "{text}");
        }
        let error = only_error(case.wrong);
        let text = with_a_wrong_value(case.wrong, &error.path);
        let Err(errors) = Contract::parse(&text) else { panic!("a wrong value is read:\n{text}") };
        let blamed = |other: &ContractError| other.id == case.id && other.path == error.path;
        assert!(!errors.errors().iter().any(blamed), "{errors}\n{text}");
    }
}

#[test]
fn a_default_is_in_no_contradiction_while_a_name_is_not_understood() {
    let over = "[reservation]\nheartbeat = \"35s\"\n";
    assert_eq!(ids(over), ["heartbeat-over-lease"]);
    for (line, id) in [
        ("leese = \"40s\"\n", "unknown-field"),
        ("[x]\n", "unknown-section"),
        ("x = 1\n", "unknown-field"),
        ("[client\n", "syntax"),
        ("status = 409\nstatus = 410\n", "duplicate"),
    ] {
        assert_eq!(ids(&format!("{over}{line}")), [id]);
        let both = format!("{over}lease = \"20s\"\n{line}");
        assert_eq!(ids(&both), ["heartbeat-over-lease", id], "both fields are given:\n{both}");
    }
    let twice = format!("{over}lease = \"20s\"\nlease = \"40s\"\n");
    assert_eq!(ids(&twice), ["duplicate"], "which of the two leases is meant is not known");
    let bare = format!("{over}lease = 40s\n");
    assert_eq!(ids(&bare), ["syntax"]);
}

#[test]
fn a_contract_that_is_merely_unsafe_is_no_error() {
    let text = "\
[operation]
regions = 1

[key]
required = false
made = \"per-attempt\"
kept = \"answer\"
scope = [\"region\"]
time = \"uuidv7\"
horizon = \"30d\"

[fingerprint]
covers = []
on-mismatch = \"replay\"

[reservation]
atomic = false
in-flight = \"wait\"
wait = \"1s\"
completion = \"unfenced\"
mark = \"never\"
take-over = \"run-again\"
hang-up = \"release\"

[answers]
success = \"release\"
rejection = \"release\"
error = \"release\"

[retention]
completed = \"1s\"
unresolved = \"1s\"

[effect]
kind = \"external\"

[supplier]
takes-key = true
remembers = \"1s\"
call-again-for = \"1h\"
can-be-asked = true
settles = \"0s\"

[client]
on-timeout = \"fail\"
at-deadline = \"fail\"
after-deadline = \"keep-sending\"
late-resend = \"30d\"
on-edit = \"send\"

[between]
repeats = 3
longest-delay = \"unlimited\"

[store]
kind = \"redis\"
failover = \"may-forget\"
reads = \"may-be-stale\"
evicts = true
spans-regions = false

[routes]
status = false
cancel = false
";
    if let Err(errors) = Contract::parse(text) {
        panic!("{errors}");
    }
}

#[test]
fn a_field_without_a_meaning_is_assumed_with_a_note() {
    let parsed = Contract::parse("").unwrap();
    let applies = |path: &str| parsed.assumed.iter().find(|assumed| assumed.path == path).unwrap().applies;
    assert!(!applies("supplier.takes-key") && !applies("reservation.wait") && !applies("key.horizon"));
    assert!(applies("reservation.lease") && applies("routes.cancel-within"));
    let external = Contract::parse("[effect]\nkind = \"external\"\n").unwrap();
    let assumed = external.assumed.iter().find(|assumed| assumed.path == "supplier.takes-key").unwrap();
    assert!(assumed.applies);
}
