use crate::Span;

/// A place in a text as people name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line, counted from 1.
    pub line: u32,
    /// The column, counted from 1 in Unicode code points.
    pub column: u32,
}

/// Where the lines of a text begin.
///
/// A line ends at a line feed, at a carriage return and a line feed, or at a carriage return alone: in every format, as in
/// editors. A byte order mark takes no column.
///
/// ```
/// use voxlint_syntax::{LineIndex, Position};
///
/// let text = "{\n  \"städte\": 3\n}";
/// let index = LineIndex::new(text);
/// let three = text.find('3').unwrap() as u32;
/// assert_eq!(index.position(text, three), Position { line: 2, column: 13 });
/// ```
#[derive(Debug)]
pub struct LineIndex {
    /// The offset of the first byte of each line.
    starts: Vec<u32>,
    /// How many code points stand before each multiple of [`STRIDE`]: columns of a long line cost no walk along it.
    code_points: Vec<u32>,
    length: u32,
    has_mark: bool,
}

const STRIDE: usize = 4096;
const BYTE_ORDER_MARK: char = '\u{feff}';

impl LineIndex {
    /// Finds the lines of a text.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        if memchr::memchr(b'\r', bytes).is_none() {
            starts.extend(memchr::memchr_iter(b'\n', bytes).map(|at| at as u32 + 1));
        } else {
            // Of two bytes that are one line break, the second ends the line.
            let ends =
                |at: &usize| bytes.get(*at) == Some(&b'\n') || bytes.get(*at + 1) != Some(&b'\n');
            let breaks = memchr::memchr2_iter(b'\n', b'\r', bytes).filter(ends);
            starts.extend(breaks.map(|at| at as u32 + 1));
        }
        let mut count = 0;
        let mut code_points = vec![0];
        code_points.extend(bytes.chunks(STRIDE).map(|chunk| {
            count += count_code_points(chunk);
            count
        }));
        Self {
            starts,
            code_points,
            length: bytes.len() as u32,
            has_mark: text.starts_with(BYTE_ORDER_MARK),
        }
    }

    /// The position of the character that holds the byte at `offset`. An offset past the end is the end.
    pub fn position(&self, text: &str, offset: u32) -> Position {
        let offset = floor_boundary(text, offset.min(self.length));
        let line = self.line_of(offset);
        let start = self.start(line).unwrap_or(0);
        let mut column =
            self.code_points_before(text, offset) - self.code_points_before(text, start);
        if line == 1 && self.has_mark && column > 0 {
            column -= 1;
        }
        Position { line, column: column + 1 }
    }

    /// The number of the line, from 1, that holds the byte at `offset`.
    pub fn line_of(&self, offset: u32) -> u32 {
        self.starts.partition_point(|start| *start <= offset).max(1) as u32
    }

    /// The bytes of a line without its line break; `None` past the last line. Lines are counted from 1.
    pub fn line_span(&self, text: &str, line: u32) -> Option<Span> {
        let start = self.start(line)?;
        let end = self.start(line + 1).map_or(self.length, |next| next - 1);
        let span = Span::new(start, end);
        let trimmed = span.slice(text).trim_end_matches('\r').len() as u32;
        Some(Span::new(start, start + trimmed))
    }

    /// How many lines there are; an empty text has one.
    pub fn line_count(&self) -> u32 {
        self.starts.len() as u32
    }

    fn start(&self, line: u32) -> Option<u32> {
        self.starts.get(line.checked_sub(1)? as usize).copied()
    }

    fn code_points_before(&self, text: &str, offset: u32) -> u32 {
        let stride = offset as usize / STRIDE;
        let before = self.code_points.get(stride).copied().unwrap_or(0);
        before
            + count_code_points(
                text.as_bytes().get(stride * STRIDE..offset as usize).unwrap_or_default(),
            )
    }
}

/// How many code points begin in these bytes: all but the continuation bytes of UTF-8 do.
fn count_code_points(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|byte| (**byte & 0xc0) != 0x80).count() as u32
}

fn floor_boundary(text: &str, offset: u32) -> u32 {
    (0..=offset).rev().find(|at| text.is_char_boundary(*at as usize)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_code_points_on_long_lines_too() {
        let text = format!("x\r\n{}!", "é".repeat(10_000));
        let index = LineIndex::new(&text);
        assert_eq!(
            index.position(&text, text.len() as u32 - 1),
            Position { line: 2, column: 10_001 }
        );
        assert_eq!(index.line_span(&text, 1), Some(Span::new(0, 1)));
        assert_eq!(index.line_span(&text, 3), None);
    }

    #[test]
    fn a_carriage_return_alone_ends_a_line() {
        let text = "a\rb\r\nc\nd\r\r\ne";
        let index = LineIndex::new(text);
        let lines: Vec<&str> = (1..)
            .map_while(|line| index.line_span(text, line))
            .map(|line| line.slice(text))
            .collect();
        assert_eq!(lines, ["a", "b", "c", "d", "", "e"]);
        let place = |what: char| index.position(text, text.find(what).unwrap() as u32);
        assert_eq!(place('b'), Position { line: 2, column: 1 });
        assert_eq!(place('e'), Position { line: 6, column: 1 });
    }

    #[test]
    fn a_byte_order_mark_takes_no_column() {
        let text = "\u{feff}{}";
        assert_eq!(LineIndex::new(text).position(text, 3), Position { line: 1, column: 1 });
    }

    #[test]
    fn the_end_of_the_text_has_a_position() {
        let text = "a\n";
        assert_eq!(LineIndex::new(text).position(text, 99), Position { line: 2, column: 1 });
        assert_eq!(LineIndex::new("").position("", 0), Position { line: 1, column: 1 });
    }
}
