//! `docs/report.md` names every key of the report in JSON, and no other.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::{env, fs};

use serde_json::Value;

/// A contract with a weakness that another guard hides.
const MASKED: &str = "[reservation]\natomic = false\n";
/// Two that a figure mends: a least one, and a greatest.
const LEAST: &str =
    "[retention]\ncompleted = \"1m\"\n[client]\ndeadline = \"20s\"\nattempts = 3\ntimeout = \"2s\"\n";
const MOST: &str = "[routes]\ncancel-within = \"2d\"\n";
/// One with errors.
const WRONG: &str = "[key]\nmade = \"sometimes\"\n";

fn docs() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

fn reviewed(text: &str) -> Value {
    let mut child = Command::new(env!("CARGO_BIN_EXE_idem"))
        .args(["review", "-", "--format", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command starts");
    child.stdin.take().expect("an input").write_all(text.as_bytes()).expect("it reads");
    serde_json::from_slice(&child.wait_with_output().expect("it ends").stdout).expect("JSON")
}

/// Every key of `value` by its path. A list has no part in it.
fn keys(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                keys(value, &path, found);
                found.insert(path);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| keys(item, path, found)),
        _ => {}
    }
}

#[test]
fn the_page_of_the_report_names_every_key_and_no_other() {
    let folder = fs::read_dir(docs().join("contracts")).expect("the contracts");
    let files = folder.map(|entry| entry.expect("a file").path());
    let files = files.filter(|path| path.extension().is_some_and(|it| it == "toml"));
    let texts = files.map(|path| fs::read_to_string(path).expect("a contract"));
    let own = [MASKED, LEAST, MOST, WRONG].map(str::to_owned);
    let mut found = BTreeSet::new();
    let mut sides = BTreeSet::new();
    for text in texts.chain(own) {
        let review = reviewed(&text);
        keys(&review, "", &mut found);
        for remedy in review["remedies"].as_array().into_iter().flatten() {
            sides.extend(remedy["tight"].as_str().map(str::to_owned));
        }
    }
    assert_eq!(sides, BTreeSet::from(["least".to_owned(), "most".into()]));
    // The page says that these are messages like those of a step.
    found.retain(|key| !key.starts_with("results.story.sent_first."));
    let page = fs::read_to_string(docs().join("report.md")).expect("docs/report.md");
    let row = |line: &str| Some(line.strip_prefix("| `")?.split_once('`')?.0.to_owned());
    let named: BTreeSet<_> = page.lines().filter_map(row).collect();
    let missing: Vec<_> = found.difference(&named).collect();
    let unknown: Vec<_> = named.difference(&found).collect();
    assert!(
        missing.is_empty() && unknown.is_empty(),
        "not on the page: {missing:?}; not in JSON: {unknown:?}"
    );
    assert!(page.contains(&format!("`version` is {}.", idempotency_model::review::VERSION)));
}

#[test]
fn what_was_assumed_has_its_type() {
    let review = reviewed("[operation]\nname = \"POST /v1/letters\"\n");
    let value = |field: &str| {
        let assumed = review["assumed"].as_array().expect("a list");
        assumed.iter().find(|it| it["field"] == field).expect("it is assumed")["value"].clone()
    };
    assert_eq!(value("operation.regions"), 1);
    assert_eq!(value("reservation.atomic"), true);
    assert_eq!(value("reservation.lease"), "30s");
    assert_eq!(value("fingerprint.covers"), serde_json::json!(["body"]));
}
