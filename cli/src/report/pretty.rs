//! For a terminal, with or without colours and charts.

mod look;
mod table;
#[cfg(test)]
mod tests;

use std::fmt::{Result as Written, Write};

use anstyle::AnsiColor;
use idempotency_model::review::{Remedy, Review, Shown, Verdict};

pub(crate) use self::look::Look;

use self::look::glue;
use super::advice::Advice;
use super::telling::{How, Telling, tellings};

/// The review as text.
pub(crate) fn write(review: &Review, look: Look) -> Result<String, String> {
    let mut out = String::new();
    text(&mut out, review, look).map_err(|error| error.to_string())?;
    Ok(out)
}

fn text(out: &mut String, review: &Review, look: Look) -> Written {
    let advice = Advice::of(review);
    summary(out, review, &advice, look)?;
    writeln!(out)?;
    table::table(out, review, look)?;
    table::invariants(out, review, look)?;
    table::scenarios(out, review, look)?;
    for telling in tellings(review) {
        broken(out, &telling, &advice, look)?;
    }
    changes(out, &advice, look)?;
    questions(out, review, look)?;
    rest(out, review, look)
}

/// What is broken and what to change, for whoever reads no further.
fn summary(out: &mut String, review: &Review, advice: &Advice<'_>, look: Look) -> Written {
    let does =
        if review.contract.does.is_empty() { String::new() } else { format!(" ({})", review.contract.does) };
    let verdict = super::verdict(review);
    let title = look.wrap("", &format!("{verdict}: {}{does}", review.contract.operation));
    // The verdict is at the beginning, and the first line is longer than it.
    writeln!(out, "{}{}", look.verdict(review.verdict, verdict), &title[verdict.len()..])?;
    writeln!(out, "{}", look.wrap("", &review.contract.file))?;
    let mut paragraph = |text: String| {
        if text.is_empty() { Ok(()) } else { writeln!(out, "\n{}", look.wrap("", &text)) }
    };
    paragraph(super::emptiness(review).into())?;
    let list = |word: &str, verdict: Verdict| match super::named(review, verdict) {
        names if names.is_empty() => String::new(),
        names => {
            let names: Vec<_> = names.iter().map(|name| glue(name)).collect();
            format!("{word}: {}.", names.join("; "))
        }
    };
    let (broken, unknown) = (list("Broken", Verdict::Violated), list("Unknown", Verdict::Unknown));
    paragraph(broken.clone())?;
    paragraph(unknown)?;
    if broken.is_empty() {
        return Ok(());
    }
    let taken = advice.taken();
    if !taken.is_empty() {
        writeln!(out, "\n{}", look.head("To mend it, change:"))?;
    }
    for (letter, remedy) in &taken {
        one(out, letter, remedy, look)?;
    }
    let indent = if taken.is_empty() { "\n" } else { "  " };
    writeln!(out, "{}", look.hang(indent, "  ", &advice.together()))
}

/// A remedy under its letter: a line for each change, and what it mends.
fn one(out: &mut String, letter: &str, remedy: &Remedy, look: Look) -> Written {
    let further = " ".repeat(letter.len() + 4);
    let changes: Vec<_> = remedy.changes.iter().map(super::change).collect();
    for (at, (to, now)) in changes.iter().enumerate() {
        let first = if at == 0 { format!("  {letter}  ") } else { further.clone() };
        let last =
            if at + 1 == changes.len() { format!("; {}", super::mends(remedy)) } else { String::new() };
        let text = format!("{} {}{last}", glue(to), glue(now));
        writeln!(out, "{}", look.hang(&first, &format!("{further}  "), &text))?;
    }
    Ok(())
}

fn broken(out: &mut String, telling: &Telling<'_>, advice: &Advice<'_>, look: Look) -> Written {
    let Telling { invariant, story, how, .. } = telling;
    let red = AnsiColor::Red.on_default().bold();
    writeln!(out, "\n{}", look.paint(red, &format!("{invariant} is broken: {}", invariant.title())))?;
    writeln!(out, "{}\n", look.wrap("  ", &telling.about()))?;
    let inner = look.width - 2;
    let told = how.told(story.length);
    if matches!(how, How::Whole | How::After(..)) {
        indented(out, &story.plain_from(told, inner))?;
        if let Some(chart) = story.chart_from(told, inner, look.ascii) {
            writeln!(out)?;
            indented(out, &chart)?;
        }
        writeln!(out)?;
    } else {
        writeln!(out, "{}\n", look.wrap("  ", &story.ending))?;
    }
    writeln!(out, "{}", look.wrap("  ", &advice.on(*invariant)))
}

fn indented(out: &mut String, text: &str) -> Written {
    text.lines().try_for_each(|line| writeln!(out, "{}", format!("  {line}").trim_end()))
}

/// The remedies that are not among those to take together.
fn changes(out: &mut String, advice: &Advice<'_>, look: Look) -> Written {
    let others = advice.others();
    if !others.is_empty() {
        writeln!(out, "\n{}", look.head("Other changes that mend some of it, each searched by itself"))?;
    }
    others.iter().try_for_each(|(letter, remedy)| one(out, letter, remedy, look))
}

fn questions(out: &mut String, review: &Review, look: Look) -> Written {
    writeln!(out, "\n{}", look.head("Five questions"))?;
    for it in &review.questions {
        writeln!(out, "  {}\n{}", it.question, look.hang("    ", "    ", &it.answer))?;
    }
    writeln!(out, "\n{}", look.head("Four outcomes for one key"))?;
    for it in &review.outcomes {
        let color = if it.shown == Shown::Shown { AnsiColor::Green } else { AnsiColor::Red };
        let shown = look.paint(color.on_default(), &format!("{:9}", super::shown(it.shown)));
        let text = format!(
            "{}. Demanded: {}; here: {}. The client gets {}.",
            it.outcome, it.demands, it.here, it.answer
        );
        let indent = " ".repeat(12);
        let text = look.hang(&indent, &indent, &text);
        writeln!(out, "  {shown} {}", &text[indent.len()..])?;
    }
    Ok(())
}

/// What was assumed, what is hidden, and what stays open.
fn rest(out: &mut String, review: &Review, look: Look) -> Written {
    if !review.masked.is_empty() {
        writeln!(out, "\n{}", look.head("Masked: weak, and harmless only because of another guard"))?;
        for it in &review.masked {
            writeln!(out, "{}", look.wrap("  ", &super::masked(it)))?;
        }
    }
    writeln!(out, "\n{}", look.head("Assumed, since the file does not say it"))?;
    for it in &review.assumed {
        writeln!(out, "{}", look.wrap("  ", &glue(&format!("{} = {}", it.field, it.value))))?;
    }
    writeln!(out, "\n{}", look.head("Unproven: automatic retry rests on it and nothing here shows it"))?;
    for it in &review.unproven {
        writeln!(out, "{}", look.wrap("  ", &format!("{}: {}", it.what, it.why)))?;
    }
    if review.verdict != Verdict::Holds {
        let advice = "Until this contract holds, leave automatic retry of this operation switched off.";
        writeln!(out, "\n{}", look.head(advice))?;
    }
    Ok(())
}
