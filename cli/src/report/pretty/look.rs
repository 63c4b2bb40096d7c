//! How a report looks in a terminal.

use std::io::IsTerminal;

use anstyle::{AnsiColor, Style};
use idempotency_model::review::Verdict;
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

use crate::report::WIDTH;

/// The widths in which a report can be read, in columns. The table alone takes the least.
const WIDTHS: (usize, usize) = (60, WIDTH);
/// A value that is longer than this may be broken: it would not fit into a line.
const UNBROKEN: usize = 40;
/// Stands for a space at which no line is broken.
const GLUE: char = '\u{a0}';

/// How a report looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    /// Whether it has colours. The output takes them out again where they are not wanted.
    pub(super) color: bool,
    /// Whether its charts and marks are ASCII.
    pub(super) ascii: bool,
    /// How wide it may be.
    pub(super) width: usize,
}

impl Look {
    /// Without colours, in ASCII.
    pub(crate) fn plain() -> Self {
        Self { color: false, ascii: true, width: width() }
    }

    /// What the standard output can show.
    pub(crate) fn of_stdout() -> Self {
        Self { color: std::io::stdout().is_terminal(), ascii: false, width: width() }
    }

    /// Paints a text, each line of it by itself.
    pub(super) fn paint(self, style: impl Into<Style>, text: &str) -> String {
        let style = style.into();
        let paint = |line: &str| format!("{style}{line}{style:#}");
        if self.color { text.split('\n').map(paint).collect::<Vec<_>>().join("\n") } else { text.into() }
    }

    /// Paints a verdict's word as the verdict is.
    pub(super) fn verdict(self, verdict: Verdict, word: &str) -> String {
        let color = match verdict {
            Verdict::Holds => AnsiColor::Green,
            Verdict::Unknown => AnsiColor::Yellow,
            Verdict::Violated => AnsiColor::Red,
        };
        self.paint(color.on_default().bold(), word)
    }

    /// The head of a part.
    pub(super) fn head(self, text: &str) -> String {
        self.paint(Style::new().bold(), &self.wrap("", text))
    }

    /// Wraps a paragraph; its later lines stand further in.
    pub(super) fn wrap(self, indent: &str, text: &str) -> String {
        self.hang(indent, &format!("{}  ", " ".repeat(indent.chars().count())), text)
    }

    /// Wraps a paragraph whose later lines begin with `further`. Never in a value that stands in backquotes, unless
    /// it is longer than a line.
    pub(super) fn hang(self, first: &str, further: &str, text: &str) -> String {
        let options = Options::new(self.width)
            .initial_indent(first)
            .subsequent_indent(further)
            .word_separator(WordSeparator::AsciiSpace)
            .word_splitter(WordSplitter::NoHyphenation)
            .wrap_algorithm(WrapAlgorithm::FirstFit);
        let parts = text.split('`').enumerate();
        let glued = parts.map(|(at, part)| if at % 2 == 1 { glue(part) } else { part.into() });
        let glued = glued.collect::<Vec<_>>().join("`");
        let lines = textwrap::wrap(&glued, options);
        let lines: Vec<_> = lines.iter().map(|line| line.trim_end().replace(GLUE, " ")).collect();
        lines.join("\n")
    }
}

/// The text in one piece, at whose spaces no line is broken.
pub(super) fn glue(text: &str) -> String {
    if text.chars().count() > UNBROKEN { text.into() } else { text.replace(' ', &GLUE.to_string()) }
}

/// How wide the reader's lines are: as COLUMNS says, or the terminal.
fn width() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let seen = || if std::io::stdout().is_terminal() { textwrap::termwidth() } else { WIDTH };
    said.unwrap_or_else(seen).clamp(WIDTHS.0, WIDTHS.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_broken_in_a_value() {
        let look = Look { color: false, ascii: true, width: 30 };
        let text = look.wrap("", "set it to `\"23h 53m 40s\"` and to keep-acknowledged, which is enough");
        assert_eq!(text, "set it to `\"23h 53m 40s\"` and\n  to keep-acknowledged, which\n  is enough");
    }

    #[test]
    fn colours_are_closed_on_every_line() {
        let look = Look { color: true, ascii: true, width: 10 };
        let text = look.head("five words in two lines");
        assert!(
            text.lines().all(|line| line.starts_with('\u{1b}') && line.ends_with("\u{1b}[0m")),
            "{text:?}"
        );
    }
}
