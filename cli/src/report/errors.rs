//! The forms of a report on a contract that could not be reviewed, for machines: a form that is asked for always comes.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use serde_json::{Value, json};

use super::sarif;
use crate::args::Format;
use crate::refusal::{Fault, Refusal};

/// The errors in the form that was asked for; empty for a form that a person reads, who reads the standard error too.
pub(crate) fn write(refusal: &Refusal, format: Format) -> Result<String, String> {
    match format {
        Format::Pretty | Format::Plain | Format::Markdown => Ok(String::new()),
        Format::Json => json(refusal),
        Format::Junit => junit(refusal),
        Format::Sarif => sarif(refusal),
    }
}

fn json(refusal: &Refusal) -> Result<String, String> {
    let log = json!({
        "version": idempotency_model::review::VERSION,
        "file": refusal.file,
        "errors": refusal.errors,
        "left_out": refusal.left_out,
    });
    serde_json::to_string_pretty(&log).map(|json| json + "\n").map_err(|error| error.to_string())
}

fn junit(refusal: &Refusal) -> Result<String, String> {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    let first = refusal.errors.first().map_or("", |error| error.message.as_str());
    status.set_type("not-reviewed").set_message(first).set_description(refusal.told());
    let mut suite = TestSuite::new("contract");
    let mut case = TestCase::new("the contract can be reviewed", status);
    case.set_classname(&refusal.file);
    suite.add_test_case(case);
    let mut report = Report::new(format!("idem review {}", refusal.file));
    report.add_test_suite(suite);
    report.to_string().map(|xml| xml + "\n").map_err(|error| error.to_string())
}

fn sarif(refusal: &Refusal) -> Result<String, String> {
    let mut ids: Vec<_> = refusal.errors.iter().map(|error| error.id).collect();
    ids.sort_unstable();
    ids.dedup();
    let rules: Vec<Value> = ids.iter().map(|id| json!({ "id": id })).collect();
    let result = |error: &Fault| {
        let help = error.help.as_ref().map_or_else(String::new, |help| format!("; {help}"));
        let region =
            json!({ "startLine": error.line.unwrap_or(1), "startColumn": error.column.unwrap_or(1) });
        json!({
            "ruleId": error.id,
            "ruleIndex": ids.iter().position(|id| *id == error.id),
            "level": "error",
            "message": { "text": format!("{}{help}", error.message) },
            "locations": [sarif::location(&refusal.file, &region)],
        })
    };
    let invocation = json!({ "executionSuccessful": false, "exitCode": refusal.exit as u8 });
    sarif::log(rules, &invocation, refusal.errors.iter().map(result).collect())
}
