//! The texts that findings point into, with offsets as lines and columns.

use std::ops::Range;

use voxlint::{DocumentPosition, Origin};
use voxlint_syntax::{LineIndex, Span};

use crate::document::CheckedDocument;

/// The texts that the findings of one document point into, as far as they are known.
pub(crate) struct SourceMap<'a>(Vec<SourceFile<'a>>);

/// One of these texts.
pub(crate) struct SourceFile<'a> {
    pub(crate) origin: Origin,
    pub(crate) path: &'a str,
    pub(crate) text: SourceText<'a>,
}

impl<'a> SourceMap<'a> {
    /// Finds the lines of the document, and of every related file that a finding points into.
    pub(crate) fn new(checked: &CheckedDocument<'a>) -> Self {
        let report = checked.report;
        let suppressed = report.suppressed.iter().map(|suppressed| &suppressed.diagnostic);
        let is_used = |origin| {
            report.diagnostics.iter().chain(suppressed.clone()).any(|finding| {
                finding.origin == origin
                    || finding.related.iter().any(|place| place.origin == origin)
                    || finding.fixes.iter().any(|fix| fix.origin == origin)
            })
        };
        if report.diagnostics.is_empty() && report.suppressed.is_empty() {
            return Self(Vec::new());
        }
        Self::with_related(checked, is_used)
    }

    /// Finds the lines of the document and of all related files.
    pub(crate) fn of_all(checked: &CheckedDocument<'a>) -> Self {
        Self::with_related(checked, |_| true)
    }

    fn with_related(checked: &CheckedDocument<'a>, is_used: impl Fn(Origin) -> bool) -> Self {
        let mut files = Vec::new();
        let DocumentPosition { bytes_before, lines_before, .. } =
            checked.position.unwrap_or_default();
        files.push(SourceFile {
            origin: Origin::Document,
            path: checked.path,
            text: SourceText {
                bytes_before,
                lines_before,
                ..SourceText::new(checked.text, checked.lines)
            },
        });
        let related = checked.related_files.iter().filter(|(origin, _)| is_used(*origin));
        files.extend(related.map(|(origin, file)| SourceFile {
            origin: *origin,
            path: file.path,
            text: SourceText::new(file.text, None),
        }));
        Self(files)
    }

    pub(crate) fn get(&self, origin: Origin) -> Option<&SourceFile<'a>> {
        self.0.iter().find(|file| file.origin == origin)
    }

    pub(crate) fn files(&self) -> impl Iterator<Item = &SourceFile<'a>> {
        self.0.iter()
    }
}

/// The name of an input for people; `None` for the document itself.
pub(crate) const fn input_name(origin: Origin) -> Option<&'static str> {
    match origin {
        Origin::Document => None,
        Origin::Stored => Some("the stored configuration"),
        Origin::Facts => Some("the workspace facts"),
        Origin::Text(_) => Some("a text file of the document"),
    }
}

/// A text with its lines, which are found once for all its findings.
pub(crate) struct SourceText<'a> {
    pub(crate) text: &'a str,
    lines: Lines<'a>,
    /// The bytes and lines of the file before the text.
    bytes_before: u64,
    lines_before: u64,
}

enum Lines<'a> {
    Owned(LineIndex),
    Borrowed(&'a LineIndex),
}

/// A position in a file: 1-based, columns in code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct FilePosition {
    pub(crate) line: u64,
    pub(crate) column: u32,
    /// The column in bytes of UTF-8, including those of a byte order mark.
    #[serde(skip)]
    pub(crate) byte_column: u32,
}

impl<'a> SourceText<'a> {
    /// A whole file. Its lines may be known already.
    pub(crate) fn new(text: &'a str, lines: Option<&'a LineIndex>) -> Self {
        let lines = lines.map_or_else(|| Lines::Owned(LineIndex::new(text)), Lines::Borrowed);
        Self { text, lines, bytes_before: 0, lines_before: 0 }
    }

    fn index(&self) -> &LineIndex {
        match &self.lines {
            Lines::Owned(index) => index,
            Lines::Borrowed(index) => index,
        }
    }

    /// The offset in the file of an offset in the text.
    pub(crate) fn file_offset(&self, offset: u32) -> u64 {
        self.bytes_before + u64::from(offset)
    }

    /// The line number in the file of a line of the text.
    pub(crate) fn file_line(&self, line: u32) -> u64 {
        self.lines_before + u64::from(line)
    }

    /// The bytes of a span, clamped to the text and extended to whole characters. An empty span stays empty.
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

    /// The 1-based line of the text at an offset.
    pub(crate) fn line_of(&self, offset: usize) -> u32 {
        self.index().line_of(offset as u32)
    }

    pub(crate) fn line_count(&self) -> u32 {
        self.index().line_count()
    }

    /// The bytes of a line without its line break.
    pub(crate) fn line(&self, line: u32) -> Range<usize> {
        match self.index().line_span(self.text, line) {
            Some(span) => self.range(span),
            None => self.text.len()..self.text.len(),
        }
    }

    /// The positions of both ends of a span.
    pub(crate) fn ends(&self, span: Span) -> (FilePosition, FilePosition) {
        let range = self.range(span);
        let from = self.position(range.start);
        let text = self.text.as_bytes().get(range.clone()).unwrap_or_default();
        // A byte order mark at the start of the text takes no column.
        let is_on_one_line =
            range.start > 0 && text.iter().all(|byte| !matches!(byte, b'\n' | b'\r'));
        let to = if is_on_one_line {
            let characters = self.text.get(range.clone()).map_or(0, |text| text.chars().count());
            FilePosition {
                column: from.column + characters as u32,
                byte_column: from.byte_column + range.len() as u32,
                ..from
            }
        } else {
            self.position(range.end)
        };
        (from, to)
    }

    /// The position of an offset on a character boundary.
    pub(crate) fn position(&self, offset: usize) -> FilePosition {
        let position = self.index().position(self.text, offset as u32);
        let start = self.line(position.line).start;
        FilePosition {
            line: self.file_line(position.line),
            column: position.column,
            byte_column: offset.saturating_sub(start) as u32 + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_clamped_and_extended_to_whole_characters() {
        let text = SourceText::new("aé👩", None);
        assert_eq!(text.range(Span { start: 2, end: 4 }), 1..7);
        assert_eq!(text.range(Span { start: 2, end: 2 }), 1..1);
        assert_eq!(text.range(Span { start: 5, end: 4 }), 3..3);
        assert_eq!(text.range(Span { start: 90, end: 99 }), 7..7);
    }

    #[test]
    fn both_ends_of_a_span_have_the_positions_of_their_offsets() {
        let text = "\u{feff}aé\r\n\rb👩\nc";
        let source = SourceText::new(text, None);
        let ends = || (0..=text.len()).filter(|at| text.is_char_boundary(*at));
        for start in ends() {
            for end in ends().filter(|end| *end >= start) {
                let span = Span { start: start as u32, end: end as u32 };
                let expected = (source.position(start), source.position(end));
                assert_eq!(source.ends(span), expected, "{start}..{end}");
            }
        }
    }
}
