//! The reference of the contract file, `docs/contract.md`, written from the same fields that are checked.

use std::fmt::Write as _;

use super::fields::{Field, Kind, Section, sections};
use super::{Contract, period_text, rules};

/// The words around what is generated.
const HEAD: &str = include_str!("reference/head.md");
const START: &str = include_str!("reference/start.md");
const WORDS: &str = include_str!("reference/words.md");
const MISTAKES: &str = include_str!("reference/mistakes.md");

/// The reference of the contract file, in Markdown.
pub fn reference() -> String {
    let mut text = HEAD.replace("<!-- units -->\n", &units());
    text.push_str(START);
    text.push_str(WORDS);
    for section in sections() {
        write_section(&mut text, section);
    }
    text.push_str(MISTAKES);
    for rule in rules() {
        line(&mut text, &format!("| `{}` | {} |", rule.id, rule.about));
    }
    line(&mut text, "\n## Every field at its default\n");
    line(
        &mut text,
        "What has no meaning in this contract is left out, such as a supplier where none is called.\n",
    );
    line(&mut text, &format!("```toml\n{}```", Contract::default().to_toml()));
    text
}

fn units() -> String {
    let code = |name: &&str| format!("`{name}`");
    let row = |names: &[&str]| {
        let others: Vec<_> = names[1..].iter().map(code).collect();
        format!("| {} | {} |\n", code(&names[0]), others.join(", "))
    };
    period_text::spellings().map(row).collect()
}

fn write_section(text: &mut String, section: &Section) {
    line(text, &format!("\n## [{}]\n\n{}", section.name, section.about));
    if section.is_open() {
        line(text, "\nA key is the path of a field, in quotes: `\"retention.completed\" = \"https://…\"`.");
    }
    for field in &section.fields {
        write_field(text, field);
    }
}

fn write_field(text: &mut String, field: &Field) {
    line(text, &format!("\n### `{}`\n\n{}\n", field.path, field.about));
    line(text, &format!("- takes: {}", takes(&field.kind)));
    line(
        text,
        &match &field.default {
            Some(default) => format!("- default: `{default}`"),
            None => "- default: derived from other fields, as said above".into(),
        },
    );
    if let Kind::Word(choices) = word_of(&field.kind) {
        line(text, "\n| word | meaning |\n|---|---|");
        for choice in choices {
            line(text, &format!("| `{}` | {} |", choice.word, choice.about));
        }
    }
}

/// What a field takes, or what an entry of its list does.
fn word_of(kind: &Kind) -> &Kind {
    match kind {
        Kind::List { of, .. } => of,
        other => other,
    }
}

fn takes(kind: &Kind) -> String {
    match kind {
        Kind::Flag => "`true` or `false`".into(),
        Kind::Number { min, max } => format!("a whole number from {min} to {max}"),
        Kind::Text { may_be_empty: true } => "a text".into(),
        Kind::Text { may_be_empty: false } => "a text that is not empty".into(),
        Kind::Word(_) => "one of these words".into(),
        Kind::Period { or: None } => "a length of time".into(),
        Kind::Period { or: Some(word) } => format!("a length of time, or `\"{word}\"`"),
        Kind::List { of, unique } => {
            let of = if matches!(**of, Kind::Word(_)) { "these words" } else { "texts" };
            format!("a list of {of}{}", if *unique { ", each once" } else { "" })
        }
    }
}

fn line(text: &mut String, line: &str) {
    // A String takes whatever is written to it.
    let _ = writeln!(text, "{line}");
}
