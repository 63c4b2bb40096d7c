//! A story as a list with times.

use std::fmt::Write as _;

use super::Story;

/// Where a line is broken.
const WIDTH: usize = 100;

impl Story {
    /// The story as plain text: one numbered line for each step, with its time, and what is broken at the end.
    pub fn plain(&self) -> String {
        let mut text = format!("{} {}, in scenario {}\n\n", self.invariant, self.title, self.scenario);
        let place = self.steps.len().to_string().len();
        let time = self.steps.iter().map(|step| step.at.len()).max().unwrap_or(0).max("0 s".len());
        let indent = place + time + 4;
        line(&mut text, &format!("{:>place$}  {:>time$}  ", "", "0 s"), indent, &self.beginning);
        for step in &self.steps {
            line(&mut text, &format!("{:>place$}  {:>time$}  ", step.index, step.at), indent, &step.text);
        }
        text.push('\n');
        line(&mut text, "", 0, &self.ending);
        text
    }
}

/// Adds a paragraph, broken between words.
fn line(text: &mut String, head: &str, indent: usize, words: &str) {
    let mut width = head.chars().count();
    text.push_str(head);
    let mut first = true;
    for word in words.split(' ') {
        let length = word.chars().count();
        if !first && width + 1 + length > WIDTH {
            let _ = write!(text, "\n{:indent$}", "");
            width = indent;
            first = true;
        }
        if !first {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += length;
        first = false;
    }
    text.push('\n');
}
