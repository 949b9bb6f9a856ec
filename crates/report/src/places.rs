//! Offsets of a text as lines and columns.

use std::ops::Range;

use voxlint_syntax::{LineIndex, Span};

/// A text whose lines have been found once, for all its findings.
pub(crate) struct Places<'a> {
    pub(crate) text: &'a str,
    index: Index<'a>,
    /// What of the file stands before the text.
    bytes_before: u64,
    lines_before: u64,
}

enum Index<'a> {
    Own(LineIndex),
    Lent(&'a LineIndex),
}

impl Index<'_> {
    fn get(&self) -> &LineIndex {
        match self {
            Self::Own(index) => index,
            Self::Lent(index) => index,
        }
    }
}

/// A place for people: 1-based, columns in code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Place {
    pub(crate) line: u64,
    pub(crate) column: u32,
    /// The column in bytes of UTF-8, with those of a byte order mark.
    #[serde(skip)]
    pub(crate) byte_column: u32,
}

impl<'a> Places<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self::with(text, None)
    }

    /// A text whose lines may have been found before.
    pub(crate) fn with(text: &'a str, lines: Option<&'a LineIndex>) -> Self {
        let index = lines.map_or_else(|| Index::Own(LineIndex::new(text)), Index::Lent);
        Self { text, index, bytes_before: 0, lines_before: 0 }
    }

    /// The text is a part of a file, with that much before it.
    pub(crate) fn after(self, bytes_before: u64, lines_before: u64) -> Self {
        Self { bytes_before, lines_before, ..self }
    }

    pub(crate) fn bytes_before(&self) -> u64 {
        self.bytes_before
    }

    /// The number in the file of a line of the text.
    pub(crate) fn number(&self, line: u32) -> u64 {
        self.lines_before + u64::from(line)
    }

    /// The bytes of a span, brought inside the text and rounded outward to whole characters. What is empty stays empty.
    pub(crate) fn range(&self, span: Span) -> Range<usize> {
        let mut start = (span.start as usize).min(self.text.len());
        while !self.text.is_char_boundary(start) {
            start -= 1;
        }
        if span.end <= span.start {
            return start..start;
        }
        let mut end = (span.end as usize).min(self.text.len()).max(start);
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        start..end
    }

    /// The line that an offset of the text lies in, 1-based.
    pub(crate) fn line_of(&self, offset: usize) -> u32 {
        self.index.get().line_of(offset as u32)
    }

    pub(crate) fn line_count(&self) -> u32 {
        self.index.get().line_count()
    }

    /// The bytes of a line without its break.
    pub(crate) fn line(&self, line: u32) -> Range<usize> {
        match self.index.get().line_span(self.text, line) {
            Some(span) => self.range(span),
            None => self.text.len()..self.text.len(),
        }
    }

    /// The place of an offset that [`Self::range`] answered.
    pub(crate) fn place(&self, offset: usize) -> Place {
        let position = self.index.get().position(self.text, offset as u32);
        let start = self.line(position.line).start;
        Place {
            line: self.number(position.line),
            column: position.column,
            byte_column: offset.saturating_sub(start) as u32 + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_rounded_outward_and_brought_inside() {
        let places = Places::new("aé👩");
        assert_eq!(places.range(Span { start: 2, end: 4 }), 1..7);
        assert_eq!(places.range(Span { start: 2, end: 2 }), 1..1);
        assert_eq!(places.range(Span { start: 5, end: 4 }), 3..3);
        assert_eq!(places.range(Span { start: 90, end: 99 }), 7..7);
    }
}
