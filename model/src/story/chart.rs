//! A story as a sequence chart of characters.
//!
//! It is drawn here and not by a renderer of Mermaid: those that draw for a terminal take their width from the longest
//! label, and a chart of five participants does not fit into a hundred columns; and they have no column of times.

use super::plain::lines;
use super::{Actor, Arrow, Fate, Step, Story};

/// The narrowest distance of two lifelines in which a label can be read.
const NARROWEST: usize = 12;
/// The widest that is of use.
const WIDEST: usize = 26;

/// The characters of a chart.
struct Ink {
    lifeline: char,
    line: char,
    crossing: char,
    left: char,
    right: char,
    lost: char,
    under_way: char,
}

const LINES: Ink =
    Ink {
        lifeline: '│', line: '─', crossing: '┼', left: '◄', right: '►', lost: '✗', under_way: '…'
    };
const ASCII: Ink =
    Ink { lifeline: '|', line: '-', crossing: '+', left: '<', right: '>', lost: 'x', under_way: '~' };

impl Story {
    /// The story as a sequence chart, at most `width` columns wide and without a colour. Messages that are lost end in
    /// a cross before they reach anybody, and those that are under way when the story ends in dots. With `ascii` only
    /// characters of ASCII are used. Where `width` is too small for the participants, the chart is the plain list.
    pub fn chart(&self, width: usize, ascii: bool) -> String {
        self.chart_from(0, width, ascii).unwrap_or_else(|| self.plain(width))
    }

    /// The same without the first `told` steps; `None` where `width` is too small for the participants.
    pub fn chart_from(&self, told: usize, width: usize, ascii: bool) -> Option<String> {
        let ink = if ascii { ASCII } else { LINES };
        Chart::new(self, width, ink).map(|chart| chart.draw(self, told))
    }
}

/// A chart that is being drawn.
struct Chart<'a> {
    ink: Ink,
    /// How wide the numbers of the steps are, and their times.
    gutter: (usize, usize),
    gap: usize,
    /// The column of each lifeline.
    lanes: Vec<(Actor, usize)>,
    names: Vec<&'a str>,
    rows: Vec<String>,
}

impl<'a> Chart<'a> {
    fn new(story: &'a Story, width: usize, ink: Ink) -> Option<Self> {
        let number = story.steps.len().to_string().len();
        let time = story.steps.iter().map(|step| step.at.len()).max().unwrap_or(0).max("0 s".len());
        let left = number + time + 4;
        let count = story.participants.len();
        let gap = (width.checked_sub(left + 1)? / count.max(1)).min(WIDEST);
        if gap < NARROWEST {
            return None;
        }
        let lane = |at: usize| left + at * gap;
        let lanes = story.participants.iter().enumerate().map(|(at, one)| (one.actor, lane(at))).collect();
        let names = story.participants.iter().map(|one| one.name.as_str()).collect();
        Some(Self { ink, gutter: (number, time), gap, lanes, names, rows: Vec::new() })
    }

    fn draw(mut self, story: &Story, told: usize) -> String {
        self.head();
        for arrow in story.sent_first.iter().filter(|_| told == 0) {
            self.arrow("", arrow, 0);
        }
        for step in &story.steps[told.min(story.steps.len())..] {
            self.step(step);
        }
        let mut text = self.rows.join("\n");
        text.push('\n');
        text
    }

    /// The names, each over its lifeline.
    fn head(&mut self) {
        let names: Vec<_> = self.names.iter().map(|name| lines(name, self.gap - 1)).collect();
        for line in 0..names.iter().map(Vec::len).max().unwrap_or(0) {
            let mut row = Row::default();
            for ((_, column), name) in self.lanes.iter().zip(&names) {
                if let Some(word) = name.get(line) {
                    row.write(*column, word);
                }
            }
            self.rows.push(row.text());
        }
        let row = self.lifelines("").text();
        self.rows.push(row);
    }

    fn step(&mut self, step: &Step) {
        let (number, time) = self.gutter;
        let gutter = format!("{:>number$}  {:>time$}", step.index, step.at);
        // What arrives comes before what the receiver makes of it, and what is sent after.
        let (came, left): (Vec<_>, Vec<_>) = step.messages.iter().partition(|one| one.fate == Fate::Arrives);
        let mut gutter = gutter.as_str();
        for arrow in came {
            self.arrow(gutter, arrow, step.at_ms);
            gutter = "";
        }
        self.note(gutter, step.to.unwrap_or(step.actor), &step.label);
        for arrow in left {
            self.arrow("", arrow, step.at_ms);
        }
    }

    fn note(&mut self, gutter: &str, actor: Actor, label: &str) {
        let column = self.column(actor);
        for (line, words) in lines(label, self.gap - 3).into_iter().enumerate() {
            let mut row = self.lifelines(if line == 0 { gutter } else { "" });
            row.write(column + 2, &words);
            self.rows.push(row.text());
        }
    }

    fn arrow(&mut self, gutter: &str, arrow: &Arrow, now: u64) {
        let (from, to) = (self.column(arrow.from), self.column(arrow.to));
        let (low, high) = (from.min(to), from.max(to));
        let mut gutter = gutter;
        let lost = if arrow.fate == Fate::Lost { " (lost)" } else { "" };
        let label = arrow.words(now) + lost;
        for words in lines(&label, high - low - 3) {
            let mut row = self.lifelines(gutter);
            row.write(low + 2, &words);
            self.rows.push(row.text());
            gutter = "";
        }
        let mut row = self.lifelines(gutter);
        for column in low + 1..high {
            let crosses = self.lanes.iter().any(|(_, lane)| *lane == column);
            row.put(column, if crosses { self.ink.crossing } else { self.ink.line });
        }
        let right = to > from;
        // An arrow that does not arrive ends short of its lane.
        let short = if right { high - 3 } else { low + 3 };
        match arrow.fate {
            Fate::Arrives if right => row.put(high - 1, self.ink.right),
            Fate::Arrives => row.put(low + 1, self.ink.left),
            Fate::Lost | Fate::UnderWay => {
                let end = if arrow.fate == Fate::Lost { self.ink.lost } else { self.ink.under_way };
                row.put(short, end);
                let gone = if right { short + 1..high } else { low + 1..short };
                gone.for_each(|column| row.put(column, ' '));
            }
        }
        self.rows.push(row.text());
    }

    fn lifelines(&self, gutter: &str) -> Row {
        let mut row = Row::default();
        row.write(0, gutter);
        for (_, column) in &self.lanes {
            row.put(*column, self.ink.lifeline);
        }
        row
    }

    fn column(&self, actor: Actor) -> usize {
        // Every actor of a step or of a message is a participant.
        self.lanes.iter().find(|(one, _)| *one == actor).map_or(0, |(_, column)| *column)
    }
}

/// One line of a chart.
#[derive(Default)]
struct Row {
    cells: Vec<char>,
}

impl Row {
    fn put(&mut self, column: usize, letter: char) {
        if self.cells.len() <= column {
            self.cells.resize(column + 1, ' ');
        }
        self.cells[column] = letter;
    }

    fn write(&mut self, column: usize, text: &str) {
        text.chars().enumerate().for_each(|(at, letter)| self.put(column + at, letter));
    }

    fn text(&self) -> String {
        self.cells.iter().collect::<String>().trim_end().to_owned()
    }
}
