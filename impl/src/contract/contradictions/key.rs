//! The key, and the fingerprint of what it names.

use super::super::{KeyMade, KeyPlace, KeyTime, OnMismatch};
use super::{Rule, alone, clash, idle, when};

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "required-key-never-made",
        about: "The server refuses a request without a key, and the client makes none: nothing would ever be served.",
        check: |facts| {
            let key = &facts.contract.key;
            let never =
                key.required && key.made == KeyMade::Never && facts.gives_any(&["key.made", "key.required"]);
            let help = "let the client make a key per intent, or say that none is required";
            when(
                never,
                clash(
                    "key.made",
                    "leaves every request without a key and refused, with",
                    "key.required",
                    help,
                ),
            )
        },
    },
    Rule {
        id: "horizon-without-time",
        about: "A horizon refuses old keys. Only a key that carries its time has an age.",
        check: |facts| {
            let ageless = facts.gives("key.horizon") && facts.contract.key.time == KeyTime::None;
            let help = "write `time = \"uuidv7\"` if keys carry their time, or remove the horizon";
            when(ageless, idle("key.horizon", "key.time", help))
        },
    },
    Rule {
        id: "horizon-within-skew",
        about: "A key's age is read on two clocks. A horizon that is no longer than the two may differ refuses keys \
                that were just made.",
        check: |facts| {
            let contract = facts.contract;
            let skew = contract.servers.clock_skew.millis();
            let refuses = contract.horizon().is_some_and(|horizon| horizon.millis() <= skew);
            let clash = if contract.key.horizon.is_some() {
                let help = "write a horizon that is longer than the clock difference";
                clash("key.horizon", "may refuse a key that was just made, with", "servers.clock-skew", help)
            } else {
                let help = "keep records for longer than twice the clock difference: the horizon is what is left of it \
                            less that difference";
                let is =
                    "leaves keys that carry their time no time in which they are sure to be accepted, with";
                clash("retention.completed", is, "servers.clock-skew", help)
            };
            when(refuses, clash)
        },
    },
    Rule {
        id: "uuid-over-longest",
        about: "A UUID has 36 bytes. Where the longest key is shorter, no key is ever accepted.",
        check: |facts| {
            let key = &facts.contract.key;
            let over = key.time == KeyTime::Uuidv7 && key.longest < 36;
            when(
                over,
                clash(
                    "key.longest",
                    "refuses every UUID, which has 36 bytes, with",
                    "key.time",
                    "write at least 36",
                ),
            )
        },
    },
    Rule {
        id: "bad-header-name",
        about: "A header's name has letters, digits and a few signs, but no spaces and no colon.",
        check: |facts| {
            let contract = facts.contract;
            let help = "write letters, digits and hyphens, such as `Idempotency-Key`";
            let mut clashes = Vec::new();
            if contract.key.place == KeyPlace::Header && !is_token(&contract.key.name) {
                clashes.push(clash("key.name", "cannot be the name of a header, with", "key.place", help));
            }
            if !contract.answers.marker.is_empty() && !is_token(&contract.answers.marker) {
                clashes.push(alone("answers.marker", "cannot be the name of a header", help));
            }
            clashes
        },
    },
    Rule {
        id: "body-among-fields",
        about: "`body` covers every field. Another field beside it adds nothing.",
        check: |facts| {
            let covers = &facts.contract.fingerprint.covers;
            let among = covers.len() > 1 && covers.iter().any(|part| part == "body");
            let help = "write `[\"body\"]` for every field, or only the names of those that count";
            when(among, alone("fingerprint.covers", "names `body` and other fields", help))
        },
    },
    Rule {
        id: "conflict-without-fingerprint",
        about: "Without a fingerprint another payload cannot be told apart, and no conflict is ever seen.",
        check: |facts| {
            let fingerprint = &facts.contract.fingerprint;
            let unseen = fingerprint.covers.is_empty()
                && fingerprint.on_mismatch == OnMismatch::Conflict
                && facts.gives("fingerprint.on-mismatch");
            let help =
                "name the fields that count, or write `on-mismatch = \"replay\"`, which is what happens";
            when(unseen, clash("fingerprint.on-mismatch", "never happens with", "fingerprint.covers", help))
        },
    },
];

/// Whether a text is a token of RFC 9110, as every header's name is.
fn is_token(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}
