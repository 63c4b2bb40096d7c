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
fn a_file_that_cannot_be_read_has_an_id_of_its_own() {
    for (file, id) in [("there-is-no-such-file.toml", "no-file"), (env!("CARGO_MANIFEST_DIR"), "folder")] {
        let output = idem(&["review", file, "--format", "json"]).output().expect("it runs");
        let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(json["errors"][0]["id"], id, "{json:#}");
    }
}

#[test]
fn a_large_file_of_comments_is_too_large_and_not_empty() {
    let output = review(&"#".repeat(1_100_000), &["--format", "json"]);
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["errors"][0]["id"], "too-large", "{}", err(&output));
}

#[test]
fn a_bound_that_is_given_twice_is_wrong_usage() {
    for args in [&["--bounds", "attempts=2, attempts=3"][..], &["--bounds", "crash=1", "--bounds", "crash=1"]]
    {
        let output = review(HOLDS, args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(err(&output).contains("is given twice"), "{}", err(&output));
    }
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
    for bounds in ["states=10", "time=1ms"] {
        let output = review(HOLDS, &["--bounds", bounds, "--format", "json"]);
        assert_eq!(output.status.code(), Some(3), "{bounds}");
        let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(json["verdict"], "unknown");
        let rows = json["results"].as_array().expect("rows");
        let is_small = |row: &Value| row["states"].as_u64() <= Some(10);
        assert!(bounds != "states=10" || rows.iter().all(|row| row["verdict"] != "holds" || is_small(row)));
        assert!(rows.iter().any(|row| row["verdict"] == "unknown" && row["reason"].is_string()));
    }
}

#[test]
fn it_exits_with_4_where_nothing_was_run() {
    let output = review(HOLDS, &["--scenario", "nothing-like-this"]);
    assert_eq!(output.status.code(), Some(4));
    assert!(err(&output).contains("lost-answer"), "it says what there is: {}", err(&output));
    let output = review(HOLDS, &["--scenario", "crash", "--scenario", "puase"]);
    assert_eq!(output.status.code(), Some(4), "one wrong name among right ones");
    assert!(
        err(&output).contains("`puase`") && err(&output).contains("did you mean `pause`?"),
        "{}",
        err(&output)
    );
    assert_eq!(out(&output), "");
}

#[test]
fn an_empty_input_is_no_contract() {
    for empty in ["", " \n\n", "# only a comment\n", "\u{feff}"] {
        let output = review(empty, &[]);
        assert_eq!(output.status.code(), Some(2), "{empty:?}");
        assert!(err(&output).contains("the standard input was empty"), "{}", err(&output));
    }
    let file = tempfile::NamedTempFile::new().expect("a file");
    let output = idem(&["review"]).arg(file.path()).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("was empty"), "{}", err(&output));
    assert_eq!(review("[operation]\n", &["--scenario", "crash", "--no-remedies"]).status.code(), Some(0));
}

#[test]
fn the_errors_of_a_file_come_in_the_form_that_was_asked_for() {
    let wrong = "[key]\nmade = \"sometimes\"\nlongest = 0\n";
    let json: Value = serde_json::from_slice(&review(wrong, &["--format", "json"]).stdout).expect("JSON");
    let errors = json["errors"].as_array().expect("errors");
    let at = |error: &Value| {
        (error["id"].as_str().map(str::to_owned), error["line"].as_u64(), error["column"].as_u64())
    };
    let found: Vec<_> = errors.iter().map(at).collect();
    assert_eq!(found[0], (Some("wrong-word".into()), Some(2), Some(8)), "{json:#}");
    assert_eq!(found[1].0.as_deref(), Some("out-of-range"), "{json:#}");
    assert!(
        errors.iter().all(|error| error["message"].is_string()) && errors[0]["help"].is_string(),
        "{json:#}"
    );
    let sarif: Value = serde_json::from_slice(&review(wrong, &["--format", "sarif"]).stdout).expect("JSON");
    let run = &sarif["runs"][0];
    assert_eq!(run["results"][0]["ruleId"], "wrong-word");
    assert_eq!(run["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
    assert_eq!(run["results"].as_array().map(Vec::len), Some(2));
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    let junit = out(&review(wrong, &["--format", "junit"]));
    assert!(
        junit.contains("tests=\"1\"") && junit.contains("<error ") && junit.contains("line 2: "),
        "{junit}"
    );
    for format in ["json", "sarif", "junit"] {
        let output = review(wrong, &["--format", format]);
        assert_eq!(output.status.code(), Some(2), "{format}");
        assert!(err(&output).contains("2 errors"), "a person is told too: {}", err(&output));
        let nothing = review(HOLDS, &["--format", format, "--scenario", "puase"]);
        assert_eq!(nothing.status.code(), Some(4), "{format}");
        assert!(
            out(&nothing).contains("no-scenario") || out(&nothing).contains("puase"),
            "{}",
            out(&nothing)
        );
    }
}

#[test]
fn a_report_that_nobody_can_store_is_no_verdict() {
    let full = std::fs::File::options().write(true).open("/dev/full").expect("a device that is always full");
    let output = idem(&["review", "--format", "json"])
        .arg(contract("demo-requests.toml"))
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(70));
    assert!(err(&output).contains("cannot write the report"), "{}", err(&output));
}

#[test]
fn a_review_in_which_nothing_happened_says_so() {
    let args = ["--invariant", "V5", "--scenario", "crash", "--format"];
    let shown = |format: &str| review(HOLDS, &[&args[..], &[format]].concat());
    assert_eq!(shown("plain").status.code(), Some(0));
    for (format, words) in [
        ("plain", &["holds, emptily: POST /v1/letters", "Nothing was shown"][..]),
        ("markdown", &["# POST /v1/letters: holds, emptily", "Nothing was shown"]),
        ("junit", &["<system-out>It holds emptily: in this scenario it was not seen that another owner"]),
        ("sarif", &["V5 holds emptily in crash: it was not seen that another owner"]),
        ("json", &["\"good_case\": false"]),
    ] {
        let text = out(&shown(format));
        for part in words {
            assert!(text.contains(part), "{format}: {part} is not in\n{text}");
        }
    }
    let output = review(HOLDS, &["--invariant", "V5", "--scenario", "owner", "--format", "plain"]);
    assert!(out(&output).starts_with("holds: "), "{}", out(&output));
    assert!(
        !out(&review(HOLDS, &["--scenario", "crash", "--format", "plain"])).contains("Nothing was shown")
    );
}

#[test]
fn a_report_is_as_wide_as_its_window() {
    for width in [60, 80] {
        let output = idem(&["review", "--format", "plain"])
            .arg(contract("plain-post-with-retry.toml"))
            .env("COLUMNS", width.to_string())
            .output()
            .expect("it runs");
        let widest = out(&output).lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(width) && widest > Some(width - 5), "{widest:?} of {width}");
    }
}

#[test]
fn the_help_says_how_a_wrong_name_ends() {
    let text = out(&idem(&["review", "--help"]).output().expect("it runs"));
    for part in [
        "ends the command with 4",
        "ends the command with 2",
        "nothing was run",
        "none has times that the contract allows",
    ] {
        assert!(text.split_whitespace().collect::<Vec<_>>().join(" ").contains(part), "{part}: {text}");
    }
}

#[test]
fn without_remedies_nothing_is_said_of_what_mends() {
    let text = out(&review(BROKEN, &["--no-remedies", "--format", "plain"]));
    assert!(
        text.contains("Changes that mend it were not looked for.") && !text.contains("Mended by"),
        "{text}"
    );
    assert!(!text.contains("No change that was tried"), "{text}");
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
    assert_eq!(states("crash=1, attempts=2"), states("crash=1,attempts=2"));
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
        "  A  key.made = \"per-intent\" (now \"per-attempt\"); mends V1, V2, V8, V11",
        "With it the contract holds",
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
fn a_report_says_what_its_bound_on_attempts_counts_and_what_an_empty_row_is() {
    for format in ["plain", "pretty", "markdown"] {
        let text = out(&review(HOLDS, &["--scenario", "crash", "--format", format]));
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in ["`attempts` counts the requests", "emptily: all was searched and nothing broke it"] {
            assert!(text.contains(part), "{format}: {part}: {text}");
        }
    }
}

/// What is unknown is not hidden behind what is broken.
#[test]
fn an_outcome_names_what_is_unknown_beside_what_is_broken() {
    let output = idem(&["review", "--format", "json"]).arg(contract("brandur-postgres.toml")).output();
    let json: Value = serde_json::from_slice(&output.expect("it runs").stdout).expect("JSON");
    let here = json["outcomes"][2]["here"].as_str().expect("a text");
    assert_eq!(here, "V1 (at most one effect) is broken; V2 (one result) is unknown");
}

#[test]
fn the_markdown_has_a_diagram_for_every_broken_invariant() {
    let text = out(&review(BROKEN, &["--format", "markdown"]));
    let pointed = text.matches("The shortest story is").count();
    let diagrams = text.matches("```mermaid\nsequenceDiagram").count();
    assert_eq!(diagrams + pointed, text.matches(" is broken: ").count());
    assert!(diagrams > 1, "{text}");
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
