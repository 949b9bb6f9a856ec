//! The labels of a finding, sorted into blocks of a few lines.

use std::ops::Range;

use voxlint_syntax::Span;

use crate::escape::escape_terminal;
use crate::source_map::SourceText;

use super::window::{VisibleRange, fit_together, fits};

/// Labels of one block have at most one line between them.
const MAX_GAP: u32 = 2;

/// Characters of one line with carets below them, and a text for these.
#[derive(Debug)]
pub(super) struct Label {
    /// The start of the span.
    pub(super) start: usize,
    /// The line of the start.
    pub(super) line: u32,
    /// The part of the span on that line.
    pub(super) range: Range<usize>,
    /// The text, without characters that steer a terminal.
    pub(super) text: Option<String>,
    /// Whether the finding is about this place, and not just related to it.
    pub(super) is_primary: bool,
}

impl Label {
    pub(super) fn new(
        source: &SourceText<'_>,
        span: Span,
        text: Option<&str>,
        is_primary: bool,
    ) -> Self {
        let span = source.range(span);
        let line = source.line_of(span.start);
        let bytes = source.line(line);
        let end = span.end.min(bytes.end);
        // A span that ends with a line break covers nothing on the next line.
        let last = source.line_of(span.end.saturating_sub(1).max(span.start));
        let text = text.filter(|text| !text.is_empty());
        let mut text = text.map(|text| escape_terminal(text).into_owned());
        if last > line {
            let last = source.file_line(last);
            text = Some(match text {
                Some(text) => format!("{text} (to line {last})"),
                None => format!("to line {last}"),
            });
        }
        let start = span.start.min(bytes.end);
        Self { start: span.start, line, range: start..end.max(start), text, is_primary }
    }

    /// The columns that the text takes right of the middle of its carets, at most.
    fn overhang(&self) -> usize {
        // The hook `╰── ` takes four. Beside few carets, the text takes less.
        let lead = 4.min(self.range.len().max(1).div_ceil(2) + 1);
        self.text.as_ref().map_or(0, |text| lead + text.chars().count())
    }

    /// Whether the carets of both overlap. The caret of an empty range takes a column as well.
    fn collides(&self, other: &Self) -> bool {
        let carets = |label: &Self| label.range.start..label.range.end.max(label.range.start + 1);
        let (a, b) = (carets(self), carets(other));
        a.start < b.end && b.start < a.end
    }
}

/// Labels that are drawn together: at least one, in the order of the text.
#[derive(Debug)]
pub(super) struct Block(pub(super) Vec<Label>);

/// Sorts labels into blocks: the one with the first label, then the others in the order of the text.
pub(super) fn blocks(source: &SourceText<'_>, labels: Vec<Label>, width: usize) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for label in labels {
        match blocks.iter_mut().find(|block| block.has_room_for(&label, source, width)) {
            Some(Block(labels)) => {
                let at = labels.partition_point(|other| other.range.start < label.range.start);
                labels.insert(at, label);
            }
            None => blocks.push(Block(vec![label])),
        }
    }
    if let Some((_, others)) = blocks.split_first_mut() {
        others.sort_by_key(|block| block.0.first().map(|label| label.range.start));
    }
    blocks
}

impl Block {
    fn has_room_for(&self, label: &Label, source: &SourceText<'_>, width: usize) -> bool {
        let (first, last) = self.labeled_lines();
        if label.line + MAX_GAP < first || last + MAX_GAP < label.line {
            return false;
        }
        let mut together = label.range.clone();
        for other in self.0.iter().filter(|other| other.line == label.line) {
            if other.collides(label) {
                return false;
            }
            together.start = together.start.min(other.range.start);
            together.end = together.end.max(other.range.end);
        }
        together == label.range
            || fit_together(source.text, &together, width)
            || fits(source.text, &source.line(label.line), width)
    }

    fn labeled_lines(&self) -> (u32, u32) {
        let line = |label: Option<&Label>| label.map_or(1, |label| label.line);
        (line(self.0.first()), line(self.0.last()))
    }

    /// The first and last line to draw. The neighbors of a single labeled line are drawn if something is missing there, or
    /// if it has no words of its own.
    pub(super) fn lines(&self, source: &SourceText<'_>, width: usize) -> (u32, u32) {
        let (first, last) = self.labeled_lines();
        let has_words = |line: Range<usize>| {
            source.text.get(line).is_some_and(|it| it.contains(char::is_alphanumeric))
        };
        let is_gap = self.0.iter().any(|label| label.range.is_empty());
        if first != last || has_words(source.line(first)) && !is_gap {
            return (first, last);
        }
        let is_useful = |line: u32| {
            let bytes = source.line(line);
            fits(source.text, &bytes, width) && has_words(bytes)
        };
        let before = first > 1 && is_useful(first - 1);
        let after = last < source.line_count() && is_useful(last + 1);
        (first - u32::from(before), last + u32::from(after))
    }
}

/// The part of a line that shows its labels in at most `width` columns.
pub(super) fn visible_range(
    source: &SourceText<'_>,
    line: u32,
    labels: &[&Label],
    width: usize,
) -> VisibleRange {
    let bytes = source.line(line);
    let start = labels.iter().map(|label| label.range.start).min().unwrap_or(bytes.start);
    let end = labels.iter().map(|label| label.range.end).max().unwrap_or(bytes.start);
    let overhang = labels.iter().map(|label| label.overhang()).max().unwrap_or(0);
    VisibleRange::around(source.text, &bytes, &(start..end), width, overhang)
}
