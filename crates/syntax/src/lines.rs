use std::sync::OnceLock;

use crate::Span;

/// A line and a column in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Position {
    /// The line, counted from 1.
    pub line: u32,
    /// The column, counted from 1: in Unicode code points, unless another [`PositionEncoding`] is asked for.
    pub column: u32,
}

/// The units in which columns are counted. The names are those of the Language Server Protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PositionEncoding {
    /// Bytes of UTF-8.
    Utf8,
    /// Units of UTF-16: two for a character beyond U+FFFF. Editors count so by default.
    Utf16,
    /// Unicode code points.
    #[default]
    Utf32,
}

impl PositionEncoding {
    /// How many units the text has.
    fn count(self, text: &[u8]) -> u32 {
        // All bytes begin a code point but the continuation bytes of UTF-8.
        let code_points = || count_bytes(text, |byte| byte & 0xc0 != 0x80);
        match self {
            Self::Utf8 => text.len() as u32,
            Self::Utf16 => code_points() + count_bytes(text, |byte| byte >= 0xf0),
            Self::Utf32 => code_points(),
        }
    }

    const fn of_character(self, character: char) -> u32 {
        let units = match self {
            Self::Utf8 => character.len_utf8(),
            Self::Utf16 => character.len_utf16(),
            Self::Utf32 => 1,
        };
        units as u32
    }
}

/// How many bytes are of a kind.
#[inline]
fn count_bytes(bytes: &[u8], is_counted: impl Fn(u8) -> bool) -> u32 {
    // Within a chunk the count fits into a byte, so that sixteen bytes are counted at once.
    let count = |chunk: &[u8]| chunk.iter().map(|byte| u8::from(is_counted(*byte))).sum::<u8>();
    bytes.chunks(u8::MAX as usize).map(|chunk| u32::from(count(chunk))).sum()
}

/// The start of each line of a text.
///
/// A line ends at a line feed, at a carriage return and a line feed, or at a carriage return alone: in every format, as in
/// editors. A byte order mark takes no column. Every method takes the text that the index was made of.
///
/// ```
/// use voxlint_syntax::{LineIndex, Position, PositionEncoding};
///
/// let text = "{\n  \"städte\": 3\n}";
/// let index = LineIndex::new(text);
/// let three = text.find('3').unwrap() as u32;
/// assert_eq!(index.position(text, three), Position { line: 2, column: 13 });
///
/// let in_bytes = index.position_in(text, three, PositionEncoding::Utf8);
/// assert_eq!(in_bytes, Position { line: 2, column: 14 });
/// assert_eq!(index.offset_in(text, in_bytes, PositionEncoding::Utf8), Some(three));
/// ```
#[derive(Clone, Debug)]
pub struct LineIndex {
    /// The offset of the first byte of each line.
    starts: Vec<u32>,
    /// The number of code points and of UTF-16 units before each multiple of [`STRIDE`], so that a column in a long line is
    /// found without reading the whole line. Texts without long lines need none.
    counts: OnceLock<Vec<(u32, u32)>>,
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
        let has_mark = text.starts_with(BYTE_ORDER_MARK);
        Self { starts, counts: OnceLock::new(), length: bytes.len() as u32, has_mark }
    }

    /// The position of the character that contains the byte at `offset`, its column in code points. An offset past the end
    /// is the end.
    pub fn position(&self, text: &str, offset: u32) -> Position {
        self.position_in(text, offset, PositionEncoding::Utf32)
    }

    /// The position of the character that contains the byte at `offset`, its column in these units. An offset past the end
    /// is the end.
    pub fn position_in(&self, text: &str, offset: u32, encoding: PositionEncoding) -> Position {
        let offset = floor_boundary(text, offset.min(self.length) as usize) as u32;
        let line = self.line_of(offset);
        let start = self.first(line).unwrap_or(0);
        let column = match Span::new(start, offset).slice(text) {
            short if short.len() <= STRIDE => encoding.count(short.as_bytes()),
            _ => self
                .units_before(text, offset, encoding)
                .saturating_sub(self.units_before(text, start, encoding)),
        };
        Position { line, column: column + 1 }
    }

    /// The offset of the character at a position with its column in code points; `None` past the last line, or for a line or
    /// a column of 0. A column past the end of its line is the end of the line.
    ///
    /// ```
    /// use voxlint_syntax::{LineIndex, Position};
    ///
    /// let text = "é = 1\nü = 2\n";
    /// let index = LineIndex::new(text);
    /// assert_eq!(index.offset(text, Position { line: 2, column: 5 }), text.find('2').map(|at| at as u32));
    /// assert_eq!(index.offset(text, Position { line: 1, column: 99 }), Some(6));
    /// assert_eq!(index.offset(text, Position { line: 4, column: 1 }), None);
    /// ```
    pub fn offset(&self, text: &str, position: Position) -> Option<u32> {
        self.offset_in(text, position, PositionEncoding::Utf32)
    }

    /// The offset of the character at a position with its column in these units, as [`Self::offset`]. A column inside a
    /// character is that of the character.
    pub fn offset_in(
        &self,
        text: &str,
        position: Position,
        encoding: PositionEncoding,
    ) -> Option<u32> {
        let end = self.line_span(text, position.line)?.end;
        let start = self.first(position.line)?;
        let wanted = self
            .units_before(text, start, encoding)
            .saturating_add(position.column.checked_sub(1)?);
        if self.units_before(text, end, encoding) <= wanted {
            return Some(end);
        }
        // The last stride that starts before the unit, unless the line starts after it.
        let stride = self.counts(text).partition_point(|count| of(*count, encoding) <= wanted);
        let stride = match encoding {
            PositionEncoding::Utf8 => wanted as usize / STRIDE,
            _ => stride.saturating_sub(1),
        };
        let from = floor_boundary(text, (stride * STRIDE).max(start as usize));
        let mut units = self.units_before(text, from as u32, encoding);
        let mut at = from;
        for character in text.get(from..end as usize)?.chars() {
            units += encoding.of_character(character);
            if units > wanted {
                break;
            }
            at += character.len_utf8();
        }
        Some(at as u32)
    }

    /// The number of the line, from 1, that contains the byte at `offset`.
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

    /// The offset of column 1 of a line: after a byte order mark.
    fn first(&self, line: u32) -> Option<u32> {
        let mark = if line == 1 && self.has_mark { BYTE_ORDER_MARK.len_utf8() as u32 } else { 0 };
        self.start(line).map(|start| start + mark)
    }

    fn counts(&self, text: &str) -> &[(u32, u32)] {
        self.counts.get_or_init(|| {
            let mut sums = (0, 0);
            let mut counts = vec![sums];
            counts.extend(text.as_bytes().chunks_exact(STRIDE).map(|chunk| {
                sums.0 += PositionEncoding::Utf32.count(chunk);
                sums.1 += PositionEncoding::Utf16.count(chunk);
                sums
            }));
            counts
        })
    }

    fn units_before(&self, text: &str, offset: u32, encoding: PositionEncoding) -> u32 {
        if encoding == PositionEncoding::Utf8 {
            return offset;
        }
        let stride = offset as usize / STRIDE;
        let before = self.counts(text).get(stride).map_or(0, |count| of(*count, encoding));
        let rest = text.as_bytes().get(stride * STRIDE..offset as usize);
        before + encoding.count(rest.unwrap_or_default())
    }
}

/// The beginning of the character that contains this byte.
fn floor_boundary(text: &str, offset: usize) -> usize {
    (0..=offset).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The count of a stride in the units of an encoding.
const fn of((code_points, utf16): (u32, u32), encoding: PositionEncoding) -> u32 {
    match encoding {
        PositionEncoding::Utf16 => utf16,
        PositionEncoding::Utf8 | PositionEncoding::Utf32 => code_points,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_code_points_on_long_lines() {
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
    fn positions_lead_back_to_their_offsets() {
        let long = "aé€😀".repeat(STRIDE);
        for text in ["", "a\r\nb\rc\n", "\u{feff}{}\n😀é", &long, &format!("x\n{long}\n{long}é")]
        {
            let index = LineIndex::new(text);
            for encoding in
                [PositionEncoding::Utf8, PositionEncoding::Utf16, PositionEncoding::Utf32]
            {
                let step = text.len() / 500 + 1;
                let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
                for at in
                    ends.enumerate().filter(|(number, _)| number % step == 0).map(|(_, at)| at)
                {
                    let position = index.position_in(text, at as u32, encoding);
                    let line = index.line_span(text, position.line).unwrap();
                    // Within a line break, and on a byte order mark, the position is the nearest one.
                    let first = index.first(position.line).unwrap();
                    let expected = (at as u32).clamp(first, line.end);
                    let found = index.offset_in(text, position, encoding);
                    assert_eq!(found, Some(expected), "{at} {encoding:?} {position:?}");
                    let before = Span::new(first, expected).slice(text);
                    let units = match encoding {
                        PositionEncoding::Utf8 => before.len(),
                        PositionEncoding::Utf16 => before.encode_utf16().count(),
                        PositionEncoding::Utf32 => before.chars().count(),
                    };
                    if expected == at as u32 {
                        assert_eq!(position.column as usize, units + 1, "{at} {encoding:?}");
                    }
                }
            }
        }
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
