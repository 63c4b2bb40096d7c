//! From a byte of a file to a line and a column.

use std::ops::Range;

use super::error::Place;

/// The lines of a file, found once.
pub(super) struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let starts = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(at, _)| at + 1);
        Self { text, starts: std::iter::once(0).chain(starts).collect() }
    }

    /// The place of a span. A span that lies outside, or cuts a character, is moved to the nearest that does not.
    pub(super) fn place(&self, span: Range<usize>) -> Place {
        let start = self.text.floor_char_boundary(span.start);
        let end = self.text.ceil_char_boundary(span.end).max(start);
        let line = self.starts.partition_point(|&first| first <= start) - 1;
        // A byte order mark is no column of the first line.
        let before = self.text[self.starts[line]..start].trim_start_matches('\u{feff}');
        Place { line: line + 1, column: before.chars().count() + 1, span: start..end }
    }

    /// The first byte of the line that a byte stands in.
    pub(super) fn start_of_line(&self, at: usize) -> usize {
        self.starts[self.starts.partition_point(|&first| first <= at) - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_not_bytes() {
        let place = Lines::new("a = 1\nnaïve = é\n").place(14..16);
        assert_eq!((place.line, place.column), (2, 8));
    }

    #[test]
    fn the_end_of_a_file_is_a_place() {
        let place = Lines::new("a\n").place(2..2);
        assert_eq!((place.line, place.column), (2, 1));
        let place = Lines::new("").place(9..12);
        assert_eq!((place.line, place.column, place.span), (1, 1, 0..0));
    }

    #[test]
    fn a_byte_order_mark_is_not_a_column() {
        let place = Lines::new("\u{feff}a").place(3..4);
        assert_eq!((place.line, place.column), (1, 1));
    }
}
