//! The table of verdicts, and what its rows and columns are.

use std::fmt::{Result, Write};

use anstyle::AnsiColor;
use idempotency_model::review::{Judged, Review, Verdict, good_case};

use super::look::Look;
use crate::report::{ATTEMPTS, EMPTILY, judged, scenario};

/// The table, one row for each scenario, and what its marks say.
pub(super) fn table(out: &mut String, review: &Review, look: Look) -> Result {
    let judged = judged(review);
    let wide = review.results.iter().map(|row| row.scenario.len()).max().unwrap_or(0).max("scenario".len());
    write!(out, "  {:wide$}", "scenario")?;
    for invariant in &judged {
        write!(out, " {:>3}", invariant.id())?;
    }
    writeln!(out)?;
    for scenario in &review.scenarios {
        write!(out, "  {:wide$}", scenario.name)?;
        for invariant in &judged {
            let row = review.of(*invariant).find(|row| row.scenario == scenario.name);
            write!(out, " {}", row.map_or_else(|| "   ".into(), |row| mark(row, look)))?;
        }
        writeln!(out)?;
    }
    let (holds, broken, empty) = signs(look);
    let legend = format!("{holds} holds; {empty} {EMPTILY}; {broken} broken; ? unknown.");
    writeln!(out, "{}", look.wrap("  ", &legend))
}

fn signs(look: Look) -> (&'static str, &'static str, &'static str) {
    if look.ascii { ("ok", "X", "-") } else { ("✓", "✗", "·") }
}

fn mark(row: &Judged, look: Look) -> String {
    let (holds, broken, empty) = signs(look);
    let (sign, color) = match row.verdict {
        Verdict::Holds if row.shown => (holds, AnsiColor::Green),
        Verdict::Holds => (empty, AnsiColor::Green),
        Verdict::Unknown => ("?", AnsiColor::Yellow),
        Verdict::Violated => (broken, AnsiColor::Red),
    };
    look.paint(color.on_default(), &format!("{sign:>3}"))
}

/// What the columns of the table are.
pub(super) fn invariants(out: &mut String, review: &Review, look: Look) -> Result {
    writeln!(out, "\n{}", look.head("Invariants, each with its good case: without that it holds emptily"))?;
    for invariant in judged(review) {
        let text = format!("{} (good case: {})", invariant.title(), good_case(invariant));
        let first = format!("  {:4}", invariant.id());
        writeln!(out, "{}", look.hang(&first, "        ", &text))?;
    }
    Ok(())
}

/// What its rows are.
pub(super) fn scenarios(out: &mut String, review: &Review, look: Look) -> Result {
    writeln!(out, "\n{}", look.head("Scenarios: what was searched, within these bounds and no more"))?;
    let mut states = 0;
    for it in &review.scenarios {
        writeln!(out, "{}", look.wrap("  ", &format!("{}: {}", it.name, scenario(review, it))))?;
        states += review.results.iter().find(|row| row.scenario == it.name).map_or(0, |row| row.states);
    }
    writeln!(out, "  {states} states in all.")?;
    writeln!(out, "{}", look.wrap("  ", ATTEMPTS))
}
