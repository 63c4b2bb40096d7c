//! `idem review`.

use std::io::{IsTerminal, Read};
use std::path::Path;

use idempotency::contract::{Contract, LARGEST_FILE, Parsed, closest};
use idempotency_model::review::{Options, review};
use idempotency_model::scenario::Scenario;

use crate::args::{Format, ReviewArgs};
use crate::bounds::Bound;
use crate::exit::Exit;
use crate::output::{complain, note, write};
use crate::progress::Line;
use crate::refusal::{Refusal, Why};

use crate::{error, report};

/// Reviews a contract and writes the report.
pub(crate) fn run(args: &ReviewArgs) -> Exit {
    if let Some(name) = Bound::twice(&args.bounds) {
        return complain(format_args!("the bound `{name}` is given twice; give it once"), Exit::Usage);
    }
    let (read, options) = match read(&args.file).and_then(|read| Ok((options(args, &read.name)?, read))) {
        Ok((options, read)) => (read, options),
        Err(refusal) => return refuse(&refusal, args.format),
    };
    let line = Line::new();
    let review = review(&read.name, &read.parsed, &options, &mut |progress| line.tell(progress));
    line.end();
    let report = match args.format {
        Format::Pretty => report::pretty::write(&review, report::pretty::Look::of_stdout()),
        Format::Plain => report::pretty::write(&review, report::pretty::Look::plain()),
        Format::Json => report::json::write(&review),
        Format::Markdown => report::markdown::write(&review),
        Format::Junit => report::junit::write(&review),
        Format::Sarif => report::sarif::write(&review, &read.text, &read.parsed),
    };
    written(report, review.verdict.into())
}

/// Tells why nothing was reviewed: a person on the standard error, and a machine in the form that it asked for.
fn refuse(refusal: &Refusal, format: Format) -> Exit {
    tell(refusal);
    written(report::errors::write(refusal, format), refusal.exit)
}

fn written(report: Result<String, String>, exit: Exit) -> Exit {
    match report {
        Ok(report) => match write(&report) {
            Exit::Holds => exit,
            failed => failed,
        },
        Err(reason) => complain(format_args!("cannot write the report: {reason}"), Exit::Internal),
    }
}

/// Tells a person why nothing was done.
pub(crate) fn tell(refusal: &Refusal) -> Exit {
    match &refusal.drawn {
        Some(drawn) => note(drawn, refusal.exit),
        None => complain(refusal.told().trim_end(), refusal.exit),
    }
}

fn options(args: &ReviewArgs, file: &str) -> Result<Options, Refusal> {
    let mut options = Options { remedies: !args.no_remedies, ..Options::default() };
    if !args.invariant.is_empty() {
        options.invariants.retain(|invariant| args.invariant.contains(invariant));
    }
    let matches =
        |pattern: &str, scenario: &Scenario| wildmatch::WildMatch::new(pattern).matches(scenario.name);
    for pattern in &args.scenario {
        if !options.scenarios.iter().any(|scenario| matches(pattern, scenario)) {
            return Err(no_scenario(file, pattern));
        }
    }
    options.scenarios.retain(|scenario| {
        args.scenario.is_empty() || args.scenario.iter().any(|pattern| matches(pattern, scenario))
    });
    args.bounds.iter().for_each(|bound| bound.apply(&mut options));
    Ok(options)
}

/// No scenario is called so.
pub(crate) fn no_scenario(file: &str, name: &str) -> Refusal {
    let names: Vec<_> = Scenario::all().iter().map(|scenario| scenario.name).collect();
    let help = match closest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", names.join(", ")),
    };
    let name: String = name.escape_debug().collect();
    let message = format!("there is no scenario `{name}`, and nothing was run");
    Refusal::of(file, Exit::Nothing, Why::NoScenario, message, Some(help))
}

/// A contract that was read.
pub(crate) struct Source {
    /// Its name for the report.
    pub(crate) name: String,
    /// Its text.
    text: String,
    /// What it says.
    pub(crate) parsed: Parsed,
}

/// Reads a contract file.
pub(crate) fn read(file: &Path) -> Result<Source, Refusal> {
    let stdin = file == Path::new("-");
    let name = if stdin { "<stdin>".into() } else { file.display().to_string() };
    let mut bytes = Vec::new();
    let most = LARGEST_FILE as u64 + 1;
    let read = if stdin {
        std::io::stdin().lock().take(most).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(file).and_then(|open| open.take(most).read_to_end(&mut bytes))
    };
    if let Err(error) = read {
        let message = format!("cannot read {name}: {error}");
        return Err(Refusal::of(&name, Exit::Usage, Why::of(error.kind()), message, None));
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    // What was cut off may say something.
    if bytes.len() <= LARGEST_FILE && says_nothing(&text) {
        let what = if stdin { "the standard input".into() } else { format!("the file {name}") };
        let help =
            "write at least a section, such as `[operation]`: what is left out is then assumed to be safe";
        let message = format!("{what} was empty: no contract is in it");
        return Err(Refusal::of(&name, Exit::Usage, Why::NothingGiven, message, Some(help.into())));
    }
    match Contract::parse_bytes(&bytes) {
        Ok(parsed) => Ok(Source { name, text, parsed }),
        Err(errors) => {
            let color = std::io::stderr().is_terminal();
            let drawn = error::render(&name, &text, &errors, color);
            Err(Refusal::of_contract(&name, &errors, drawn))
        }
    }
}

/// Whether a text has no line that means anything. As a contract it would claim every guard that there is, which
/// nobody means who gives an empty file.
fn says_nothing(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}');
    text.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'))
}
