//! Offsets of a text as lines and columns.

use std::cell::OnceCell;
use std::ops::Range;

use voxlint_syntax::{LineIndex, Span};

/// Every how many bytes the characters of a text are counted in advance.
const BLOCK: usize = 4096;

/// A text whose lines have been found once, for all its findings.
pub(crate) struct Places<'a> {
    pub(crate) text: &'a str,
    index: LineIndex,
    /// The characters before each block. Only a text with a long line ever needs them: there, a column would take as long to
    /// count as the line is, for every place anew.
    blocks: OnceCell<Vec<usize>>,
}

/// A place for people: 1-based, columns in code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Place {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl<'a> Places<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, index: LineIndex::new(text), blocks: OnceCell::new() }
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
        self.index.line_of(offset as u32).max(1)
    }

    pub(crate) fn line_count(&self) -> u32 {
        self.index.line_count()
    }

    /// The bytes of a line without its break.
    pub(crate) fn line(&self, line: u32) -> Range<usize> {
        match self.index.line_span(self.text, line) {
            Some(span) => self.range(span),
            None => self.text.len()..self.text.len(),
        }
    }

    /// The place of an offset that [`Self::range`] answered.
    pub(crate) fn place(&self, offset: usize) -> Place {
        let line = self.line_of(offset);
        let start = self.line(line).start;
        let column = if offset.saturating_sub(start) <= BLOCK {
            self.characters(start..offset)
        } else {
            self.characters_before(offset) - self.characters_before(start)
        };
        Place { line, column: column as u32 + 1 }
    }

    fn characters_before(&self, offset: usize) -> usize {
        let blocks = self.blocks.get_or_init(|| {
            let mut sum = 0;
            let before = |block| {
                let before = sum;
                sum += characters(block);
                before
            };
            self.text.as_bytes().chunks(BLOCK).map(before).collect()
        });
        // Where the text ends with a block, the end of the text begins none.
        let block = (offset / BLOCK).min(blocks.len().saturating_sub(1));
        blocks.get(block).map_or(0, |before| before + self.characters(block * BLOCK..offset))
    }

    fn characters(&self, range: Range<usize>) -> usize {
        self.text.as_bytes().get(range).map_or(0, characters)
    }
}

/// How many characters begin in these bytes of a text.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0b1100_0000 != 0b1000_0000).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        for text in ["{\r\n  \"é\": \"नमस्ते 👩‍🚀\",\n\n}", &"aé\n👩".repeat(3)]
        {
            let places = Places::new(text);
            let (mut line, mut column) = (1, 1);
            for (offset, c) in text.char_indices().chain([(text.len(), ' ')]) {
                assert_eq!(places.place(offset), Place { line, column }, "offset {offset}");
                (line, column) = if c == '\n' { (line + 1, 1) } else { (line, column + 1) };
            }
        }
    }

    #[test]
    fn columns_of_long_lines_count_characters() {
        // Longer than two blocks, and exactly two.
        for text in ["\né".to_owned() + &"aé👩".repeat(1_500), "x".repeat(2 * BLOCK)] {
            let places = Places::new(&text);
            let start = text.find('\n').map_or(0, |at| at + 1);
            let offsets = text.char_indices().map(|(offset, _)| offset).chain([text.len()]);
            for (column, offset) in (1..).zip(offsets.filter(|offset| *offset >= start)) {
                assert_eq!(places.place(offset).column, column, "offset {offset}");
            }
        }
    }

    #[test]
    fn spans_are_rounded_outward_and_brought_inside() {
        let places = Places::new("aé👩");
        assert_eq!(places.range(Span { start: 2, end: 4 }), 1..7);
        assert_eq!(places.range(Span { start: 2, end: 2 }), 1..1);
        assert_eq!(places.range(Span { start: 5, end: 4 }), 3..3);
        assert_eq!(places.range(Span { start: 90, end: 99 }), 7..7);
    }
}
