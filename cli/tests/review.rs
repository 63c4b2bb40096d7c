//! `idem review`, from outside: exit codes, forms, and what it does with bad input.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn contract(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/contracts").join(name)
}

fn idem(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_idem"));
    command.args(args);
    command
}

/// Reviews `text`, which comes by the standard input.
fn review(text: &str, args: &[&str]) -> Output {
    let mut child = idem(&["review", "-"])
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    // A wrong command line ends the command before it reads.
    let _ = child.stdin.take().expect("an input").write_all(text.as_bytes());
    child.wait_with_output().expect("it ends")
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

const HOLDS: &str = "[operation]\nname = \"POST /v1/letters\"\n";
const BROKEN: &str = "[key]\nmade = \"per-attempt\"\n";

#[test]
fn it_exits_with_0_where_everything_holds() {
    for name in ["demo-requests.toml", "orders.toml"] {
        let output = idem(&["review"]).arg(contract(name)).output().expect("it runs");
        assert_eq!(output.status.code(), Some(0), "{name}");
        assert!(out(&output).contains("holds"));
        assert!(!out(&output).contains("is broken"));
    }
}

#[test]
fn it_exits_with_1_where_something_is_broken() {
    assert_eq!(review(BROKEN, &[]).status.code(), Some(1));
}

#[test]
fn it_exits_with_2_on_a_wrong_file_and_says_where() {
    let output = review("[retension]\ncompleted = \"1h\"\n", &[]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(out(&output), "");
    assert!(err(&output).contains("<stdin>:1:2"), "{}", err(&output));
    assert!(err(&output).contains("did you mean `retention`?"), "{}", err(&output));
    let missing = idem(&["review", "there-is-no-such-file.toml"]).output().expect("it runs");
    assert_eq!(missing.status.code(), Some(2));
    assert!(err(&missing).contains("there-is-no-such-file.toml"));
    let folder = idem(&["review", env!("CARGO_MANIFEST_DIR")]).output().expect("it runs");
    assert_eq!(folder.status.code(), Some(2));
}

#[test]
fn it_exits_with_2_on_wrong_usage() {
    for args in [
        &["--format", "xml"][..],
        &["--invariant", "V12"],
        &["--bounds", "crash=9"],
        &["--bounds", "nothing"],
    ] {
        let output = review(HOLDS, args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(!err(&output).is_empty());
    }
}

#[test]
fn it_exits_with_3_where_a_search_is_cut_short() {
    for bounds in ["states=10", "time=0s"] {
        let output = review(HOLDS, &["--bounds", bounds, "--format", "json"]);
        assert_eq!(output.status.code(), Some(3), "{bounds}");
        let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(json["verdict"], "unknown");
        let rows = json["results"].as_array().expect("rows");
        assert!(rows.iter().all(|row| row["verdict"] != "holds" || row["states"].as_u64() <= Some(10)));
        assert!(rows.iter().any(|row| row["verdict"] == "unknown" && row["reason"].is_string()));
    }
}

#[test]
fn it_exits_with_4_where_nothing_was_run() {
    let output = review(HOLDS, &["--scenario", "nothing-like-this"]);
    assert_eq!(output.status.code(), Some(4));
    assert!(err(&output).contains("lost-answer"), "it says what there is: {}", err(&output));
}

#[test]
fn it_exits_quietly_when_its_reader_goes_away() {
    let mut child = idem(&["review"])
        .arg(contract("stripe-v1.toml"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("an output")).read_line(&mut line).expect("a line");
    assert!(line.contains("violated"), "{line}");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(err(&output), "");
    assert_eq!(output.status.code(), Some(1), "the verdict, not a panic");
}

#[test]
fn scenarios_and_invariants_can_be_chosen() {
    let output =
        review(HOLDS, &["--scenario", "re*", "--invariant", "v1", "--invariant", "V8", "--format", "json"]);
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let rows = json["results"].as_array().expect("rows");
    let named = |key: &str| {
        let mut names: Vec<_> = rows.iter().map(|row| row[key].as_str().expect("a name")).collect();
        names.sort_unstable();
        names.dedup();
        names.join(" ")
    };
    assert_eq!(named("scenario"), "rejection reload retention");
    assert_eq!(named("invariant"), "V1 V8");
}

#[test]
fn more_faults_are_more_states() {
    let states = |bounds: &str| {
        let args = ["--scenario", "crash", "--invariant", "V1", "--format", "json", "--bounds", bounds];
        let json: Value = serde_json::from_slice(&review(HOLDS, &args).stdout).expect("JSON");
        json["results"][0]["states"].as_u64().expect("a count")
    };
    assert!(states("crash=0") < states("crash=1"));
    assert!(states("crash=1,attempts=1") < states("crash=1"));
}

#[test]
fn the_json_has_its_fields() {
    let output = review(BROKEN, &["--format", "json"]);
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["version"], 1);
    assert_eq!(json["verdict"], "violated");
    for field in ["contract", "results", "remedies", "assumed", "unproven", "questions", "outcomes", "masked"]
    {
        assert!(!json[field].is_null(), "{field}");
    }
    for row in json["results"].as_array().expect("rows") {
        let violated = row["verdict"] == "violated";
        assert_eq!(row["story"].is_object(), violated, "{row}");
        assert!(row["invariant"].is_string() && row["scenario"].is_string() && row["states"].is_u64());
    }
    let remedy = &json["remedies"][0];
    assert_eq!(remedy["changes"][0]["field"], "key.made");
    assert_eq!(remedy["changes"][0]["to"], "\"per-intent\"");
}

#[test]
fn the_plain_report_is_ascii_and_says_what_was_assumed_and_what_is_unproven() {
    let text = out(&review(BROKEN, &["--format", "plain"]));
    assert!(text.is_ascii());
    for part in [
        "V1 is broken",
        "To change: key.made = \"per-intent\"",
        "Five questions",
        "Four outcomes",
        "Assumed",
        "  reservation.lease = \"30s\"",
        "Unproven",
        "leave automatic retry of this operation switched off",
    ] {
        assert!(text.contains(part), "{part}");
    }
    assert!(!text.contains("key.made = \"per-attempt\"\n"), "what is given is not assumed");
}

#[test]
fn the_markdown_has_a_diagram_for_every_broken_invariant() {
    let text = out(&review(BROKEN, &["--format", "markdown"]));
    assert_eq!(text.matches("```mermaid\nsequenceDiagram").count(), text.matches(" is broken: ").count());
    assert!(text.contains("## V1 is broken"));
}

#[test]
fn what_a_contract_says_is_no_markup() {
    let name = "[operation]\nname = \"<b>*x*</b> | y\"\ndoes = \"`z`\"\n[key]\nmade = \"per-attempt\"\n";
    let text = out(&review(name, &["--format", "markdown"]));
    let mut is_text = false;
    for line in text.lines() {
        is_text = (is_text || line == "```text") && line != "```";
        assert!(is_text || !line.contains("<b>"), "{line}");
    }
    for format in ["junit", "sarif", "pretty", "plain", "json"] {
        assert_eq!(review(name, &["--format", format]).status.code(), Some(1), "{format}");
    }
}

#[test]
fn the_junit_report_has_a_case_for_every_row() {
    let output = review(BROKEN, &["--format", "junit"]);
    let text = out(&output);
    let cases = text.matches("<testcase ").count();
    assert!(text.contains(&format!("tests=\"{cases}\"")), "{cases}");
    assert_eq!(cases, 16 * 11);
    assert!(text.contains("<failure "));
    let unknown = out(&review(HOLDS, &["--format", "junit", "--bounds", "states=10"]));
    assert!(unknown.contains("<error "), "unknown is no pass");
}

#[test]
fn the_sarif_report_points_at_the_line_that_mends() {
    let output = review(BROKEN, &["--format", "sarif"]);
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["version"], "2.1.0");
    let results = json["runs"][0]["results"].as_array().expect("results");
    let first = &results[0];
    assert_eq!(first["ruleId"], "V1");
    assert_eq!(first["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
    assert_eq!(json["runs"][0]["tool"]["driver"]["rules"].as_array().map(Vec::len), Some(11));
}

#[test]
fn the_schema_is_the_committed_one() {
    let output = idem(&["schema"]).output().expect("it runs");
    let committed = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/contract.schema.json");
    assert_eq!(out(&output), std::fs::read_to_string(committed).expect("the schema"));
}

#[test]
fn a_name_that_would_steer_a_terminal_is_refused() {
    for name in ["a\\nb", "a\\u001b[31m", "a\\u202e", "a\\uffff", &"a".repeat(501)] {
        let output = review(&format!("[operation]\nname = \"{name}\"\n"), &["--format", "junit"]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(err(&output).contains(":2:"), "{}", err(&output));
    }
}
