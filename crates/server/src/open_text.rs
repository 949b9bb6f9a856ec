//! A text with its lines, in the positions of the client.

use std::sync::{Arc, OnceLock};

use voxlint::syntax::{LineIndex, Position, PositionEncoding, Span};

const MARK: char = '\u{feff}';

/// A text with its lines.
#[derive(Clone, Debug)]
pub(crate) struct LinedText {
    text: Arc<str>,
    lines: Arc<OnceLock<LineIndex>>,
    encoding: PositionEncoding,
    /// Whether a byte order mark at the beginning is a character for the client: it is if the client sent it. Of a file, a
    /// client does not show it.
    counts_mark: bool,
}

impl LinedText {
    /// A text that the client sent.
    pub(crate) fn sent(text: impl Into<Arc<str>>, encoding: PositionEncoding) -> Self {
        let text = text.into();
        let counts_mark = text.starts_with(MARK);
        Self { text, lines: Arc::default(), encoding, counts_mark }
    }

    /// The text of a file.
    pub(crate) fn of_file(text: impl Into<Arc<str>>, encoding: PositionEncoding) -> Self {
        Self { counts_mark: false, ..Self::sent(text, encoding) }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn shared(&self) -> Arc<str> {
        Arc::clone(&self.text)
    }

    pub(crate) const fn encoding(&self) -> PositionEncoding {
        self.encoding
    }

    pub(crate) fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }

    /// The columns of a byte order mark in the first line.
    const fn mark_columns(&self) -> u32 {
        match self.encoding {
            _ if !self.counts_mark => 0,
            PositionEncoding::Utf8 => MARK.len_utf8() as u32,
            _ => 1,
        }
    }

    /// Whether an offset is inside a line break, where the protocol has no position.
    pub(crate) fn is_in_line_break(&self, offset: u32) -> bool {
        let bytes = self.text.as_bytes();
        let at = offset as usize;
        bytes.get(at) == Some(&b'\n') && at > 0 && bytes.get(at - 1) == Some(&b'\r')
    }

    /// The line and the column of an offset, both from 0.
    pub(crate) fn position(&self, offset: u32) -> (u32, u32) {
        let Position { line, column } = self.lines().position_in(&self.text, offset, self.encoding);
        let is_after_mark = line == 1 && offset as usize >= MARK.len_utf8();
        let mark = if is_after_mark { self.mark_columns() } else { 0 };
        (line.saturating_sub(1), column.saturating_sub(1) + mark)
    }

    /// The offset of a line and a column, both from 0. Past the end of a line it is that of its end, and past the last line
    /// that of the end of the text.
    pub(crate) fn offset(&self, line: u32, column: u32) -> u32 {
        let mark = if line == 0 { self.mark_columns() } else { 0 };
        if column < mark {
            return 0;
        }
        let at =
            Position { line: line.saturating_add(1), column: (column - mark).saturating_add(1) };
        let found = self.lines().offset_in(&self.text, at, self.encoding);
        let found = found.unwrap_or(self.text.len() as u32);
        // The first column is after a mark, even if the client does not count it.
        if line == 0 && self.text.starts_with(MARK) {
            found.max(MARK.len_utf8() as u32)
        } else {
            found
        }
    }

    /// The same text after a change of a part of it, or of everything.
    pub(crate) fn edited(&self, range: Option<((u32, u32), (u32, u32))>, new: &str) -> Self {
        let Some((from, to)) = range else { return Self::sent(new, self.encoding) };
        let (from, to) = (self.offset(from.0, from.1), self.offset(to.0, to.1));
        let span = Span::new(from.min(to), from.max(to));
        let before = self.text.get(..span.start as usize).unwrap_or(&self.text);
        let after = self.text.get(span.end as usize..).unwrap_or_default();
        Self::sent([before, new, after].concat(), self.encoding)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_from_zero_in_every_encoding() {
        let text = "{\r\n \"städte 🏙\": 1\r}";
        let one = text.find('1').unwrap_or_default() as u32;
        for (encoding, column) in [
            (PositionEncoding::Utf8, 17),
            (PositionEncoding::Utf16, 14),
            (PositionEncoding::Utf32, 13),
        ] {
            let lines = LinedText::sent(text, encoding);
            assert_eq!(lines.position(one), (1, column), "{encoding:?}");
            assert_eq!(lines.offset(1, column), one, "{encoding:?}");
            assert_eq!(lines.position(u32::MAX), (2, 1));
            assert_eq!(lines.offset(9, 0), text.len() as u32);
            assert_eq!(lines.offset(u32::MAX, u32::MAX), text.len() as u32);
            assert_eq!(lines.offset(0, u32::MAX), 1, "the end of the line, before its break");
        }
    }

    #[test]
    fn a_mark_that_the_client_sent_is_a_character() {
        for (encoding, column) in [(PositionEncoding::Utf8, 3), (PositionEncoding::Utf16, 1)] {
            let sent = LinedText::sent("\u{feff}{}", encoding);
            assert_eq!((sent.position(3), sent.offset(0, column)), ((0, column), 3));
            assert_eq!((sent.position(0), sent.offset(0, 0)), ((0, 0), 0));
            let read = LinedText::of_file("\u{feff}{}", encoding);
            assert_eq!((read.position(3), read.offset(0, 0)), ((0, 0), 3));
        }
    }

    #[test]
    fn changes_beyond_the_text_and_reversed_ones_change_what_is_there() {
        let text = LinedText::sent("ab\ncd", PositionEncoding::Utf16);
        let edited = |from, to, new| text.edited(Some((from, to)), new).text().to_owned();
        assert_eq!(edited((0, 1), (1, 1), "-"), "a-d");
        assert_eq!(edited((1, 1), (0, 1), "-"), "a-d");
        assert_eq!(edited((0, 99), (9, 9), "-"), "ab-");
        assert_eq!(edited((7, 7), (9, 9), "-"), "ab\ncd-");
        assert_eq!(text.edited(None, "x").text(), "x");
    }
}
