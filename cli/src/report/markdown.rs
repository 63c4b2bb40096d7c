//! Markdown with Mermaid, for a pull request.

use std::fmt::Write;

use idempotency::invariant::Invariant;
use idempotency_model::review::{Review, Verdict};

/// The review as Markdown.
pub(crate) fn write(review: &Review) -> Result<String, String> {
    let mut out = String::new();
    text(&mut out, review).map_err(|error| error.to_string())?;
    Ok(out)
}

fn text(out: &mut String, review: &Review) -> std::fmt::Result {
    writeln!(out, "# {}: {}\n", inline(&review.contract.operation), review.verdict.word())?;
    if !review.contract.does.is_empty() {
        writeln!(out, "It is to {}.", inline(&review.contract.does))?;
    }
    writeln!(out, "Contract: {}.\n", code(&review.contract.file))?;
    table(out, review)?;
    for invariant in review.with_verdict(Verdict::Violated) {
        let Some((row, story)) = review.shortest(invariant).and_then(|row| Some((row, row.story.as_ref()?)))
        else {
            continue;
        };
        writeln!(out, "\n## {invariant} is broken: {}\n", invariant.title())?;
        writeln!(
            out,
            "{} The shortest story has {} steps, in {}.\n",
            invariant.sentence(),
            story.length,
            code(row.scenario)
        )?;
        writeln!(out, "{}\n", fenced("mermaid", &story.mermaid()))?;
        writeln!(out, "{}\n", fenced("text", &story.plain()))?;
        let mut any = false;
        for remedy in review.remedies.iter().filter(|remedy| remedy.mends.contains(&invariant)) {
            any = true;
            writeln!(
                out,
                "- To change: {}. It mends {}.",
                code(&super::remedy(remedy)),
                super::mends(remedy)
            )?;
        }
        if !any {
            writeln!(out, "- No change that was tried mends it.")?;
        }
    }
    writeln!(out, "\n## Questions\n")?;
    for answer in &review.questions {
        writeln!(out, "- **{}** {}", answer.question, inline(&answer.answer))?;
    }
    writeln!(out, "\n## Outcomes\n\n| outcome | demands | the client gets | |\n|---|---|---|---|")?;
    for it in &review.outcomes {
        writeln!(
            out,
            "| {} | {} | {} | {} |",
            it.outcome,
            it.demands,
            cell(&it.answer),
            super::shown(it.shown)
        )?;
    }
    if !review.masked.is_empty() {
        writeln!(out, "\n## Masked\n")?;
        for it in &review.masked {
            writeln!(out, "- {}", inline(&super::pretty::masked(it)))?;
        }
    }
    writeln!(out, "\n## Unproven\n")?;
    for it in &review.unproven {
        writeln!(out, "- {}: {}", inline(&it.what), inline(&it.why))?;
    }
    writeln!(
        out,
        "\n<details><summary>Assumed: {} fields that the file leaves out</summary>\n",
        review.assumed.len()
    )?;
    for it in &review.assumed {
        writeln!(out, "- {}", code(&format!("{} = {}", it.field, it.value)))?;
    }
    writeln!(out, "\n</details>")
}

fn table(out: &mut String, review: &Review) -> std::fmt::Result {
    let judged: Vec<_> =
        Invariant::ALL.iter().filter(|invariant| review.of(**invariant).next().is_some()).collect();
    let head: Vec<_> = judged.iter().map(|invariant| invariant.id()).collect();
    writeln!(out, "| scenario | states | {} |", head.join(" | "))?;
    writeln!(out, "|---|--:|{}", ":-:|".repeat(judged.len()))?;
    for rows in review.results.chunks(judged.len().max(1)) {
        let marks: Vec<_> = rows
            .iter()
            .map(|row| {
                if row.verdict == Verdict::Holds && !row.shown {
                    "holds, emptily"
                } else {
                    row.verdict.word()
                }
            })
            .collect();
        writeln!(out, "| {} | {} | {} |", rows[0].scenario, rows[0].states, marks.join(" | "))?;
    }
    Ok(())
}

/// Text of the contract's author in a line of Markdown: nothing in it is markup.
fn inline(text: &str) -> String {
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

fn cell(text: &str) -> String {
    inline(text)
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
