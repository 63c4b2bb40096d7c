//! SARIF 2.1.0: a result for each broken invariant, at the line of the field that mends it.

use std::path::Path;

use idempotency::contract::Parsed;
use idempotency::invariant::Invariant;
use idempotency_model::review::{Remedy, Review, Verdict, good_case};
use serde_json::{Value, json};

use super::WIDTH;

/// The review as SARIF. A row that is unknown is a notification of the tool: it says nothing of the contract.
pub(crate) fn write(review: &Review, source: &str, parsed: &Parsed) -> Result<String, String> {
    let rules: Vec<Value> = Invariant::ALL
        .iter()
        .map(|invariant| {
            json!({
                "id": invariant.id(),
                "name": invariant.title(),
                "shortDescription": { "text": invariant.title() },
                "fullDescription": { "text": invariant.sentence() },
            })
        })
        .collect();
    let violated = review.with_verdict(Verdict::Violated);
    let results: Vec<Value> =
        violated.iter().map(|invariant| result(review, *invariant, source, parsed)).collect();
    let unknown = review.results.iter().filter(|row| row.verdict == Verdict::Unknown);
    let notifications = unknown.map(|row| {
        let reason = row.reason.as_deref().unwrap_or_default();
        json!({
            "level": "warning",
            "associatedRule": { "id": row.invariant.id() },
            "message": { "text": format!("{} in {} is unknown: {reason}", row.invariant, row.scenario) },
        })
    });
    let empty = Invariant::ALL.iter().filter_map(|invariant| {
        let rows = review.of(*invariant).filter(|row| row.verdict == Verdict::Holds && !row.shown);
        let scenarios: Vec<_> = rows.map(|row| row.scenario).collect();
        let what = good_case(*invariant);
        let text =
            format!("{invariant} holds emptily in {}: it was not seen that {what}", scenarios.join(", "));
        let note = json!({
            "level": "note",
            "associatedRule": { "id": invariant.id() },
            "message": { "text": text },
        });
        (!scenarios.is_empty()).then_some(note)
    });
    let notifications: Vec<Value> = notifications.chain(empty).collect();
    let invocation = json!({ "executionSuccessful": true, "toolExecutionNotifications": notifications });
    log(rules, &invocation, results)
}

/// A log of one run.
pub(super) fn log(rules: Vec<Value>, invocation: &Value, results: Vec<Value>) -> Result<String, String> {
    let log = json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "idem",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "invocations": [invocation],
            "results": results,
        }],
    });
    // The types of the standard are the judge of the form.
    let log: serde_sarif::sarif::Sarif = serde_json::from_value(log).map_err(|error| error.to_string())?;
    serde_json::to_string_pretty(&log).map(|json| json + "\n").map_err(|error| error.to_string())
}

fn result(review: &Review, invariant: Invariant, source: &str, parsed: &Parsed) -> Value {
    let remedies = || review.remedies.iter().filter(|remedy| remedy.mends.contains(&invariant));
    let told = review.shortest(invariant).and_then(|row| row.story.as_ref()).map(|story| story.plain(WIDTH));
    let advice: Vec<_> = remedies()
        .map(|remedy| format!("To change: {}; it {}.", super::remedy(remedy), super::mends(remedy)))
        .collect();
    let text = format!("{}\n\n{}\n{}", invariant.sentence(), told.unwrap_or_default(), advice.join("\n"));
    let place = remedies()
        .flat_map(|remedy: &Remedy| &remedy.changes)
        .find_map(|change| parsed.given.get(&change.field));
    let region = match place {
        Some(place) => json!({ "startLine": place.line, "startColumn": place.column }),
        // The field is not in the file: the result stands at its beginning.
        None => json!({ "startLine": 1, "startColumn": 1, "endLine": source.lines().count().max(1) }),
    };
    json!({
        "ruleId": invariant.id(),
        "ruleIndex": invariant as usize,
        "level": "error",
        "message": { "text": text },
        "locations": [location(&review.contract.file, &region)],
    })
}

/// A place in a file.
pub(super) fn location(file: &str, region: &Value) -> Value {
    json!({ "physicalLocation": { "artifactLocation": { "uri": uri(file) }, "region": region } })
}

/// A path as a relative URI reference: whatever is not plain in it is escaped.
fn uri(file: &str) -> String {
    let escape = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    };
    let escaped: String = file.bytes().map(escape).collect();
    if Path::new(file).is_absolute() { format!("file://{escaped}") } else { escaped }
}
