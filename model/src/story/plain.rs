//! A story as a list with times.

use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

use super::Story;

/// The narrowest column of words. In less room times and words would not stand side by side.
const NARROWEST: usize = 20;

impl Story {
    /// The story as plain text, at most `width` columns wide, if that leaves room for the times: one numbered line for
    /// each step, with its time, and what is broken at the end.
    pub fn plain(&self, width: usize) -> String {
        self.plain_from(0, width)
    }

    /// The same without the first `told` steps; with none of them left out, it begins with what there is before the
    /// first.
    pub fn plain_from(&self, told: usize, width: usize) -> String {
        let mut text = String::new();
        let place = self.steps.len().to_string().len();
        let time = self.steps.iter().map(|step| step.at.len()).max().unwrap_or(0).max("0 s".len());
        let mut line = |head: &str, words: &str| {
            let indent = " ".repeat(head.chars().count());
            let width = width.max(indent.len() + NARROWEST);
            for (at, words) in lines(words, width - indent.len()).iter().enumerate() {
                text.push_str(if at == 0 { head } else { &indent });
                text.push_str(words);
                text.push('\n');
            }
        };
        if told == 0 {
            line(&format!("{:>place$}  {:>time$}  ", "", "0 s"), &self.beginning);
        }
        for step in &self.steps[told.min(self.steps.len())..] {
            line(&format!("{:>place$}  {:>time$}  ", step.index, step.at), &step.text);
        }
        line("", "");
        line("", &self.ending);
        text
    }

    /// How many steps this story begins with that are those of `other`, told in the same words: all of one of the two,
    /// or none.
    pub fn shares(&self, other: &Self) -> usize {
        let fewer = self.steps.len().min(other.steps.len());
        let alike = self.steps.iter().zip(&other.steps);
        let same = self.beginning == other.beginning
            && alike
                .into_iter()
                .all(|(one, another)| (one.at_ms, &one.text) == (another.at_ms, &another.text));
        if same { fewer } else { 0 }
    }
}

/// Stands for a space at which no line is broken.
const GLUE: char = '\u{a0}';

/// Breaks a text into lines of at most `width` letters: between words, and in a word only where it is longer. A number
/// stays with its word, and with its unit: `request 2`, `29 min 0 s`.
pub(super) fn lines(text: &str, width: usize) -> Vec<String> {
    let options = Options::new(width)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    let glued = glued(text, width);
    textwrap::wrap(&glued, options).into_iter().map(|line| line.replace(GLUE, " ")).collect()
}

fn glued(text: &str, width: usize) -> String {
    let mut glued = String::new();
    // How long the piece is that was glued last.
    let mut length = 0;
    for word in text.split(' ') {
        let unit = ["s", "ms", "min", "h", "d"].contains(&word.trim_end_matches(|it| ",.:;)".contains(it)));
        let number = word.starts_with(|letter: char| letter.is_ascii_digit());
        let counts = word.chars().count();
        let after_number = glued.ends_with(|letter: char| letter.is_ascii_digit());
        let fits = length > 0 && length + 1 + counts <= width;
        if fits && (number || unit && after_number) {
            glued.push(GLUE);
            length += 1 + counts;
        } else {
            if !glued.is_empty() {
                glued.push(' ');
            }
            length = counts;
        }
        glued.push_str(word);
    }
    glued
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn lines_break_between_words_and_in_words_that_are_too_long() {
        assert_eq!(lines("reserves the key", 12), ["reserves the", "key"]);
        assert_eq!(lines("demonstrations", 5), ["demon", "strat", "ions"]);
        assert_eq!(lines("keep-sending all", 8), ["keep-sen", "ding all"]);
    }

    #[test]
    fn a_number_stays_with_its_word_and_its_unit() {
        assert_eq!(
            lines("sends request 2 at 29 min 0 s, with", 14),
            ["sends", "request 2", "at 29 min 0 s,", "with"]
        );
        assert_eq!(lines("request 1", 8), ["request", "1"], "where there is no room for both, they part");
    }
}
