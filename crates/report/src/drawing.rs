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

use crate::escape::shown;
use crate::frame::{Frame, Mark};
use crate::places::Places;
use crate::window::{Secrets, Window};

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
    /// The width of the line numbers of some frames.
    pub(crate) fn numbers(&self, frames: &[Frame]) -> usize {
        let lines = frames.iter().map(|frame| frame.lines(self.places, self.room).1);
        digits(self.places.number(lines.max().unwrap_or(1)))
    }

    /// Draws the frames of a finding under each other, with line numbers of that width.
    pub(crate) fn draw(
        &self,
        out: &mut String,
        frames: &[Frame],
        severity: Severity,
        numbers: usize,
    ) {
        for frame in frames {
            self.draw_one(out, frame, frame.lines(self.places, self.room), numbers, severity);
        }
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
            first_line: self.places.number(first) as usize - 1,
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
        tidy(out, &drawn, &rows, numbers.saturating_sub(digits(self.places.number(last))));
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

fn digits(line: u64) -> usize {
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
