//! What is to be shown of a finding: the places that take part, sorted into frames of a few lines.

use std::ops::Range;

use voxlint_syntax::Span;

use crate::escape::escape_terminal;
use crate::places::Places;
use crate::window::{fit_together, fits};

/// How far apart two marked lines may be and still stand in one frame: with one line between them.
const NEAR: u32 = 2;

/// A stretch of one line to be underlined.
#[derive(Debug)]
pub(crate) struct Mark {
    /// Where the span begins.
    pub(crate) start: usize,
    /// The line that this lies on.
    pub(crate) line: u32,
    /// What is underlined: the span as far as it lies on that line.
    pub(crate) range: Range<usize>,
    /// The words beside the carets, as they may be shown.
    pub(crate) label: Option<String>,
    /// Whether it is the place that the finding is about.
    pub(crate) primary: bool,
}

impl Mark {
    pub(crate) fn new(places: &Places<'_>, span: Span, label: Option<&str>, primary: bool) -> Self {
        let span = places.range(span);
        let line = places.line_of(span.start);
        let bytes = places.line(line);
        let end = span.end.min(bytes.end);
        // A span that ends with a line break has nothing on the line after it.
        let last = places.line_of(span.end.saturating_sub(1).max(span.start));
        let label = label.filter(|label| !label.is_empty());
        let mut label = label.map(|label| escape_terminal(label).into_owned());
        if last > line {
            let last = places.number(last);
            label = Some(match label {
                Some(label) => format!("{label} (to line {last})"),
                None => format!("to line {last}"),
            });
        }
        let start = span.start.min(bytes.end);
        Self { start: span.start, line, range: start..end.max(start), label, primary }
    }

    /// How many columns the label takes right of its carets, at most.
    pub(crate) fn overhang(&self) -> usize {
        // The hook `╰── ` takes four.
        self.label.as_ref().map_or(0, |label| 4 + label.chars().count())
    }

    /// Whether carets under both would collide. A caret under nothing takes a column too.
    fn collides(&self, other: &Self) -> bool {
        let carets = |mark: &Self| mark.range.start..mark.range.end.max(mark.range.start + 1);
        let (a, b) = (carets(self), carets(other));
        a.start < b.end && b.start < a.end
    }
}

/// Marks that are shown together. Never empty; in the order of the text.
#[derive(Debug)]
pub(crate) struct Frame(pub(crate) Vec<Mark>);

/// Sorts marks into frames: the one with the first mark, then the others in the order of the text.
pub(crate) fn frames(places: &Places<'_>, marks: Vec<Mark>, room: usize) -> Vec<Frame> {
    let mut frames: Vec<Frame> = Vec::new();
    for mark in marks {
        match frames.iter_mut().find(|frame| frame.has_room_for(&mark, places, room)) {
            Some(Frame(marks)) => {
                let at = marks.partition_point(|other| other.range.start < mark.range.start);
                marks.insert(at, mark);
            }
            None => frames.push(Frame(vec![mark])),
        }
    }
    if let Some((_, others)) = frames.split_first_mut() {
        others.sort_by_key(|frame| frame.0.first().map(|mark| mark.range.start));
    }
    frames
}

impl Frame {
    fn has_room_for(&self, mark: &Mark, places: &Places<'_>, room: usize) -> bool {
        let (first, last) = self.marked_lines();
        if mark.line + NEAR < first || last + NEAR < mark.line {
            return false;
        }
        let mut together = mark.range.clone();
        for other in self.0.iter().filter(|other| other.line == mark.line) {
            if other.collides(mark) {
                return false;
            }
            together.start = together.start.min(other.range.start);
            together.end = together.end.max(other.range.end);
        }
        together == mark.range
            || fit_together(places.text, &together, room)
            || fits(places.text, &places.line(mark.line), room)
    }

    fn marked_lines(&self) -> (u32, u32) {
        let line = |mark: Option<&Mark>| mark.map_or(1, |mark| mark.line);
        (line(self.0.first()), line(self.0.last()))
    }

    /// The lines to show. A single marked line stands between its neighbours where these are short; several are each other's
    /// surroundings.
    pub(crate) fn lines(&self, places: &Places<'_>, room: usize) -> (u32, u32) {
        let (first, last) = self.marked_lines();
        if first != last {
            return (first, last);
        }
        let is_worth_it = |line: u32| {
            let bytes = places.line(line);
            let is_blank = |text: &str| text.trim_ascii().is_empty();
            fits(places.text, &bytes, room) && !places.text.get(bytes).is_none_or(is_blank)
        };
        let before = first > 1 && is_worth_it(first - 1);
        let after = last < places.line_count() && is_worth_it(last + 1);
        (first - u32::from(before), last + u32::from(after))
    }
}
