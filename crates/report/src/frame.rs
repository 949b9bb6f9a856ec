//! A few lines of a document with carets under what they are about.
//!
//! miette draws the frames. It would look for the lines itself, from the beginning of the text and for every label anew, and
//! show them whole, however long they are. So each frame is given a text of its own, which has been cut to size and holds
//! nothing that a terminal must not see, and the true line and column for its header.

use std::fmt;
use std::ops::Range;

use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents,
    SourceCode, SourceSpan, SpanContents, ThemeStyles,
};
use voxlint::Severity;
use voxlint_syntax::Span;

use crate::escape::{shown, spelt_out};
use crate::places::Places;
use crate::window::{Secrets, Window, fit_together, fits};

/// How far apart two marked lines may be and still stand in one frame: with one line between them.
const NEAR: u32 = 2;

/// A stretch of one line to be underlined.
#[derive(Debug)]
pub(crate) struct Mark {
    /// Where the span begins.
    start: usize,
    line: u32,
    /// What is underlined: the span as far as it lies on that line.
    range: Range<usize>,
    label: Option<String>,
    primary: bool,
}

impl Mark {
    pub(crate) fn new(places: &Places<'_>, span: Span, label: Option<&str>, primary: bool) -> Self {
        let span = places.range(span);
        let line = places.line_of(span.start);
        let bytes = places.line(line);
        let end = span.end.min(bytes.end);
        // A span that ends with a line break has nothing on the line after it.
        let last = places.line_of(span.end.saturating_sub(1).max(span.start));
        let mut label = label.map(|label| spelt_out(label).into_owned());
        if last > line {
            label = Some(match label {
                Some(label) => format!("{label} (to line {last})"),
                None => format!("to line {last}"),
            });
        }
        let start = span.start.min(bytes.end);
        Self { start: span.start, line, range: start..end.max(start), label, primary }
    }

    /// How many columns the label takes right of its carets, at most.
    fn overhang(&self) -> usize {
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
pub(crate) struct Frame(Vec<Mark>);

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
    fn lines(&self, places: &Places<'_>, room: usize) -> (u32, u32) {
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

/// What the frames of one document are drawn with.
pub(crate) struct Drawing<'a> {
    pub(crate) places: &'a Places<'a>,
    pub(crate) secrets: Secrets,
    /// The path as it may be shown.
    pub(crate) path: &'a str,
    pub(crate) color: bool,
    /// The columns that a line of the document may take.
    pub(crate) room: usize,
}

impl Drawing<'_> {
    /// Draws the frames of a finding under each other, and answers the width of their line numbers.
    pub(crate) fn draw(&self, out: &mut String, frames: &[Frame], severity: Severity) -> usize {
        let lines = |frame: &Frame| frame.lines(self.places, self.room);
        let last = frames.iter().map(|frame| lines(frame).1).max().unwrap_or(1);
        let numbers = digits(last);
        for frame in frames {
            self.draw_one(out, frame, lines(frame), numbers, severity);
        }
        numbers
    }

    fn draw_one(
        &self,
        out: &mut String,
        frame: &Frame,
        (first, last): (u32, u32),
        numbers: usize,
        severity: Severity,
    ) {
        let mut text = String::new();
        let mut labels = Vec::new();
        let mut rows = Vec::new();
        for line in first..=last {
            let marks = frame.0.iter().filter(|mark| mark.line == line);
            rows.push(self.add_line(line, marks, &mut text, &mut labels));
        }
        let heading = frame.0.iter().find(|mark| mark.primary).or(frame.0.first());
        let place = self.places.place(heading.map_or(0, |mark| mark.start));
        let picture = Picture {
            path: self.path.to_owned(),
            text,
            first_line: first as usize - 1,
            line: place.line as usize - 1,
            column: place.column as usize - 1,
            labels,
        };
        let mut drawn = String::new();
        let handler = self.handler(frame, severity);
        if handler.render_report(&mut drawn, &picture).is_err() {
            // Not seen in any test. The place is what matters most.
            drawn = format!("\n ╭─[{}:{}:{}]\n ╰─", self.path, place.line, place.column);
        }
        tidy(out, &drawn, &rows, numbers.saturating_sub(digits(last)));
    }

    /// Adds what is shown of a line to the frame's text, and its marks with offsets into that text.
    fn add_line<'m>(
        &self,
        line: u32,
        marks: impl Iterator<Item = &'m Mark> + Clone,
        text: &mut String,
        labels: &mut Vec<LabeledSpan>,
    ) -> Row {
        let bytes = self.places.line(line);
        let anchor = Range {
            start: marks.clone().map(|mark| mark.range.start).min().unwrap_or(bytes.start),
            end: marks.clone().map(|mark| mark.range.end).max().unwrap_or(bytes.start),
        };
        let overhang = marks.clone().map(Mark::overhang).max().unwrap_or(0);
        let window = Window::around(self.places.text, &bytes, &anchor, self.room, overhang);
        text.push_str(window.before);
        let base = text.len();
        let piece = self.places.text.get(window.range.clone()).unwrap_or_default();
        text.push_str(&shown(piece, |offset| self.secrets.cover(window.range.start + offset)));
        text.push_str(window.after);
        // Even the last line has a break, for there is where a caret at the end of the text finds its place.
        text.push('\n');

        let mut row = Row { marks: marks.clone().count(), own_rows: 0, label: None };
        for mark in marks {
            // What is shown is as long as the text, so offsets only move.
            let inside = |offset: usize| {
                base + offset.clamp(window.range.start, window.range.end) - window.range.start
            };
            let start = inside(mark.range.start);
            let span = SourceSpan::new(start.into(), inside(mark.range.end) - start);
            let mut label = mark.label.clone();
            if row.marks == 1 && !mark.primary {
                row.label = label.take();
            }
            row.own_rows += usize::from(label.is_some());
            labels.push(if mark.primary {
                LabeledSpan::new_primary_with_span(label, span)
            } else {
                LabeledSpan::new_with_span(label, span)
            });
        }
        row
    }

    fn handler(&self, frame: &Frame, severity: Severity) -> GraphicalReportHandler {
        let mut theme = GraphicalTheme::unicode_nocolor();
        if self.color {
            let ThemeStyles { error, warning, advice, linum, highlights, .. } = ThemeStyles::ansi();
            let spare = highlights.first().copied().unwrap_or(linum);
            let (primary, secondary) = match severity {
                Severity::Error => (error, advice),
                Severity::Warning => (warning, advice),
                Severity::Info => (advice, spare),
            };
            let style = |mark: &Mark| if mark.primary { primary } else { secondary };
            theme.styles.highlights = frame.0.iter().map(style).collect();
            theme.styles.linum = linum;
        }
        GraphicalReportHandler::new_themed(theme)
            .with_links(false)
            .with_wrap_lines(false)
            .without_cause_chain()
            .without_syntax_highlighting()
    }
}

fn digits(line: u32) -> usize {
    line.to_string().len()
}

/// The rows of a frame that come from one line of the document.
struct Row {
    marks: usize,
    /// How many labels have a row of their own.
    own_rows: usize,
    /// The label that goes at the end of the row of carets.
    label: Option<String>,
}

/// Takes what miette drew without the empty row for its message and the column of blanks on the left, and puts the labels
/// that go there beside their carets. `indent` is what this frame's numbers are narrower than the finding's widest.
fn tidy(out: &mut String, drawn: &str, rows: &[Row], indent: usize) {
    let mut drawn = drawn.lines().skip(1);
    let mut take = |count: usize, label: Option<&str>| {
        for row in drawn.by_ref().take(count) {
            let row = row.strip_prefix(' ').unwrap_or(row);
            out.extend(std::iter::repeat_n(' ', indent));
            out.push_str(row.trim_end());
            if let Some(label) = label {
                out.push_str("  ");
                out.push_str(label);
            }
            out.push('\n');
        }
    };
    take(1, None);
    for row in rows {
        take(1, None);
        take(usize::from(row.marks > 0), row.label.as_deref());
        take(row.own_rows, None);
    }
    take(usize::MAX, None);
}

/// One frame, as miette wants it.
#[derive(Debug)]
struct Picture {
    path: String,
    text: String,
    /// The number of the text's first line, 0-based.
    first_line: usize,
    /// The place for the header, 0-based.
    line: usize,
    column: usize,
    labels: Vec<LabeledSpan>,
}

impl fmt::Display for Picture {
    /// The message has been written already.
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl std::error::Error for Picture {}

impl miette::Diagnostic for Picture {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(self)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }
}

impl SourceCode for Picture {
    fn read_span<'a>(
        &'a self,
        _: &SourceSpan,
        lines_before: usize,
        _: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        // Asked for a span without its surroundings, miette only wants to know what to say in the header.
        let (line, column) =
            if lines_before == 0 { (self.line, self.column) } else { (self.first_line, 0) };
        Ok(Box::new(MietteSpanContents::new_named(
            self.path.clone(),
            self.text.as_bytes(),
            (0..self.text.len()).into(),
            line,
            column,
            self.text.lines().count(),
        )))
    }
}
