//! Markdown with Mermaid, for a pull request.

use std::fmt::{Result as Written, Write};

use idempotency::invariant::Invariant;
use idempotency_model::review::{Change, Judged, Remedy, Review, Verdict, good_case};

use super::advice::Advice;
use super::telling::{How, Telling, tellings};

/// The review as Markdown.
pub(crate) fn write(review: &Review) -> Result<String, String> {
    let mut out = String::new();
    text(&mut out, review).map_err(|error| error.to_string())?;
    Ok(out)
}

fn text(out: &mut String, review: &Review) -> Written {
    let advice = Advice::of(review);
    summary(out, review, &advice)?;
    table(out, review)?;
    for telling in tellings(review) {
        broken(out, &telling, &advice)?;
    }
    let others = advice.others();
    if !others.is_empty() {
        writeln!(out, "\n## Other changes that mend some of it, each searched by itself\n")?;
        changes(out, &others)?;
    }
    rest(out, review)
}

/// What is broken and what to change, for whoever reads no further.
fn summary(out: &mut String, review: &Review, advice: &Advice<'_>) -> Written {
    writeln!(out, "# {}: {}\n", inline(&review.contract.operation), super::verdict(review))?;
    if !review.contract.does.is_empty() {
        writeln!(out, "What it does: {}.  ", inline(&review.contract.does))?;
    }
    writeln!(out, "Contract: {}.\n", code(&review.contract.file))?;
    let emptiness = super::emptiness(review);
    if !emptiness.is_empty() {
        writeln!(out, "**{emptiness}**\n")?;
    }
    for (word, verdict) in [("Broken", Verdict::Violated), ("Unknown", Verdict::Unknown)] {
        let names = super::named(review, verdict);
        if !names.is_empty() {
            writeln!(out, "**{word}:** {}.\n", names.join("; "))?;
        }
    }
    if review.with_verdict(Verdict::Violated).is_empty() {
        return Ok(());
    }
    let taken = advice.taken();
    if !taken.is_empty() {
        writeln!(out, "**To mend it, change:**\n")?;
        changes(out, &taken)?;
        writeln!(out)?;
    }
    writeln!(out, "{}\n", advice.together())
}

fn changes(out: &mut String, remedies: &[(String, &Remedy)]) -> Written {
    for (letter, remedy) in remedies {
        let change = |it: &Change| {
            let (to, _) = super::change(it);
            format!("{} (now {})", code(&to), code(&it.from))
        };
        let changes: Vec<_> = remedy.changes.iter().map(change).collect();
        writeln!(out, "- **{letter}** {}; {}", changes.join(" and "), super::mends(remedy))?;
    }
    Ok(())
}

fn broken(out: &mut String, telling: &Telling<'_>, advice: &Advice<'_>) -> Written {
    let Telling { invariant, story, how, .. } = telling;
    writeln!(out, "\n## {invariant} is broken: {}\n", invariant.title())?;
    writeln!(out, "{}\n", inline(&telling.about()))?;
    if matches!(how, How::Whole | How::After(..)) {
        writeln!(out, "{}\n", fenced("mermaid", &story.mermaid()))?;
        let told = how.told(story.length);
        writeln!(out, "{}\n", fenced("text", &story.plain_from(told, super::WIDTH)))?;
    } else {
        writeln!(out, "{}\n", inline(&story.ending))?;
    }
    writeln!(out, "{}", advice.on(*invariant))
}

fn rest(out: &mut String, review: &Review) -> Written {
    writeln!(out, "\n## Questions\n")?;
    for answer in &review.questions {
        writeln!(out, "- **{}** {}", answer.question, inline(&answer.answer))?;
    }
    writeln!(
        out,
        "\n## Outcomes\n\n| | outcome | demanded | here | the client gets |\n|---|---|---|---|---|"
    )?;
    for it in &review.outcomes {
        let cells = [super::shown(it.shown), it.outcome, it.demands, &it.here, &it.answer].map(inline);
        writeln!(out, "| {} |", cells.join(" | "))?;
    }
    if !review.masked.is_empty() {
        writeln!(out, "\n## Masked: weak, and harmless only because of another guard\n")?;
        for it in &review.masked {
            writeln!(out, "- {}", inline(&super::masked(it)))?;
        }
    }
    writeln!(out, "\n## Unproven: automatic retry rests on it and nothing here shows it\n")?;
    for it in &review.unproven {
        writeln!(out, "- {}: {}", inline(&it.what), inline(&it.why))?;
    }
    let head = format!("Assumed: {} fields that the file leaves out", review.assumed.len());
    details(out, &head, review.assumed.iter().map(|it| code(&format!("{} = {}", it.field, it.value))))
}

fn details(out: &mut String, head: &str, lines: impl Iterator<Item = String>) -> Written {
    writeln!(out, "\n<details><summary>{head}</summary>\n")?;
    for line in lines {
        writeln!(out, "- {line}")?;
    }
    writeln!(out, "\n</details>")
}

fn table(out: &mut String, review: &Review) -> Written {
    let judged = super::judged(review);
    let head: Vec<_> = judged.iter().map(|invariant| invariant.id()).collect();
    writeln!(out, "| scenario | states | {} |", head.join(" | "))?;
    writeln!(out, "|---|--:|{}", ":-:|".repeat(judged.len()))?;
    for scenario in &review.scenarios {
        let row = |invariant: &Invariant| review.of(*invariant).find(|row| row.scenario == scenario.name);
        let mark = |row: &Judged| match row.verdict {
            Verdict::Holds if !row.shown => "holds, emptily",
            verdict => verdict.word(),
        };
        let marks: Vec<_> = judged.iter().map(|it| row(it).map_or("", mark)).collect();
        let states = judged.first().and_then(row).map_or(0, |row| row.states);
        writeln!(out, "| {} | {states} | {} |", scenario.name, marks.join(" | "))?;
    }
    let named = judged.iter().map(|it| format!("**{it}** {} (good case: {})", it.title(), good_case(*it)));
    writeln!(out, "\nWhat {}.", super::EMPTILY)?;
    details(out, "Invariants, each with its good case: without that it holds emptily", named)?;
    let named =
        review.scenarios.iter().map(|it| format!("{}: {}", code(it.name), super::scenario(review, it)));
    details(out, "Scenarios: what was searched, within these bounds and no more", named)?;
    writeln!(out, "\n{}", inline(super::ATTEMPTS))
}

/// A line of text in Markdown: nothing in it is markup but what stands in backquotes, which is code.
fn inline(text: &str) -> String {
    let parts: Vec<_> = text.split('`').collect();
    let mut safe = String::new();
    for (at, part) in parts.iter().enumerate() {
        match at % 2 {
            0 => safe += &escaped(part),
            _ if at + 1 < parts.len() && !part.is_empty() => safe += &code(part),
            // A backquote that nothing closes, or two with nothing between.
            _ if at + 1 < parts.len() => safe += "\\`\\`",
            _ => safe += &format!("\\`{}", escaped(part)),
        }
    }
    safe
}

fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for character in text.chars() {
        match character {
            '\n' | '\r' => safe.push(' '),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '*' | '_' | '[' | ']' | '|' | '\\' | '#' | '!' | '~' => {
                safe.push('\\');
                safe.push(character);
            }
            other => safe.push(other),
        }
    }
    safe
}

/// Text as a block of code: with more backticks around it than any line of it begins with.
fn fenced(kind: &str, text: &str) -> String {
    let run = |line: &str| line.trim_start().chars().take_while(|character| *character == '`').count();
    let fence = "`".repeat(text.lines().map(run).max().unwrap_or(0).max(2) + 1);
    format!("{fence}{kind}\n{}\n{fence}", text.trim_end())
}

/// Text as code: with more backticks around it than it has in it.
fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    let run = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(run + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

#[cfg(test)]
mod tests {
    use super::inline;

    #[test]
    fn only_what_stands_in_backquotes_is_markup() {
        assert_eq!(
            inline("*a* `key.scope = [\"owner\"]` <b>"),
            "\\*a\\* `key.scope = [\"owner\"]` &lt;b&gt;"
        );
        assert_eq!(inline("one ` <b>"), "one \\` &lt;b&gt;");
        assert_eq!(inline("none `` here"), "none \\`\\` here");
    }
}
