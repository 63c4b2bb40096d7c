//! `idem review`.

use std::io::{IsTerminal, Read};
use std::path::Path;

use idempotency::contract::{Contract, LARGEST_FILE, Parsed};
use idempotency_model::review::{Options, review};
use idempotency_model::scenario::Scenario;

use crate::args::{Format, ReviewArgs};
use crate::exit::Exit;
use crate::output::{complain, note, write};
use crate::progress::Line;
use crate::{error, report};

/// Reviews a contract and writes the report.
pub(crate) fn run(args: &ReviewArgs) -> Exit {
    let (name, source, parsed) = match read(&args.file) {
        Ok(read) => read,
        Err(exit) => return exit,
    };
    let mut options = Options { remedies: !args.no_remedies, ..Options::default() };
    if !args.invariant.is_empty() {
        options.invariants.retain(|invariant| args.invariant.contains(invariant));
    }
    options.scenarios.retain(|scenario| is_chosen(scenario, &args.scenario));
    if options.scenarios.is_empty() {
        let names: Vec<_> = Scenario::all().iter().map(|scenario| scenario.name).collect();
        return complain(
            format_args!("no scenario has this name; there are {}. Nothing was run.", names.join(", ")),
            Exit::Nothing,
        );
    }
    args.bounds.iter().for_each(|bound| bound.apply(&mut options));
    let line = Line::new();
    let review = review(&name, &parsed, &options, &mut |progress| line.tell(progress));
    line.end();
    let report = match args.format {
        Format::Pretty => report::pretty::write(&review, report::pretty::Look::of_stdout()),
        Format::Plain => report::pretty::write(&review, report::pretty::Look::PLAIN),
        Format::Json => report::json::write(&review),
        Format::Markdown => report::markdown::write(&review),
        Format::Junit => report::junit::write(&review),
        Format::Sarif => report::sarif::write(&review, &source, &parsed),
    };
    match report {
        Ok(report) => match write(&report) {
            Exit::Holds => review.verdict.into(),
            failed => failed,
        },
        Err(reason) => complain(format_args!("cannot write the report: {reason}"), Exit::Internal),
    }
}

/// Whether one of the patterns matches the scenario's name; `*` stands for anything.
fn is_chosen(scenario: &Scenario, patterns: &[String]) -> bool {
    patterns.is_empty()
        || patterns.iter().any(|pattern| wildmatch::WildMatch::new(pattern).matches(scenario.name))
}

/// Reads a contract file: its name for the report, its text, and what it says. What is wrong with it has been told by
/// the time that this fails.
pub(crate) fn read(file: &Path) -> Result<(String, String, Parsed), Exit> {
    let name = if file == Path::new("-") { "<stdin>".into() } else { file.display().to_string() };
    let mut bytes = Vec::new();
    let most = LARGEST_FILE as u64 + 1;
    let read = if file == Path::new("-") {
        std::io::stdin().lock().take(most).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(file).and_then(|open| open.take(most).read_to_end(&mut bytes))
    };
    if let Err(error) = read {
        return Err(complain(format_args!("cannot read {name}: {error}"), Exit::Usage));
    }
    let source = String::from_utf8_lossy(&bytes).into_owned();
    match Contract::parse_bytes(&bytes) {
        Ok(parsed) => Ok((name, source, parsed)),
        Err(errors) => {
            let color = std::io::stderr().is_terminal();
            Err(note(&error::render(&name, &source, &errors, color), Exit::Usage))
        }
    }
}
