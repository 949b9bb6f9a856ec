//! The change of a fix as a few lines below the snippet of its finding.

use std::fmt::Write as _;
use std::ops::Range;

use voxlint::{Diagnostic, Safety};
use voxlint_syntax::TextEdit;

use crate::escape::{by_code, is_visible, mask};
use crate::options::RenderOptions;
use crate::source_map::SourceText;

use super::shown::{ShownFile, without_tabs};
use super::window::{self, VisibleRange};

/// More lines than this are not shown.
const MAX_ROWS: usize = 8;

/// The most bytes of a line that are shown before and after an edit. A document may be one line of megabytes.
const SIDE: usize = 8 << 10;

/// A fix as it is shown.
#[derive(Debug)]
pub(crate) struct FixPreview {
    pub(crate) title: String,
    pub(crate) safety: Safety,
    /// The lines before and after the fix; empty if they look the same.
    pub(crate) lines: String,
}

impl FixPreview {
    /// The word before the title.
    pub(crate) const fn word(&self) -> &'static str {
        match self.safety {
            Safety::Safe => "fix",
            Safety::Unsafe => "unsafe fix",
        }
    }
}

/// Shows the fix of a finding that would be applied first: a safe one before an unsafe one.
pub(super) fn preview(
    files: &[ShownFile<'_>],
    options: &RenderOptions,
    diagnostic: &Diagnostic,
    number_width: usize,
) -> Option<FixPreview> {
    let fix = diagnostic.fix(Safety::Unsafe)?;
    let file = files.iter().find(|file| file.source.origin == fix.origin)?;
    let mut rows = Vec::new();
    for cluster in clusters(&file.source.text, &fix.edits) {
        cluster.add_rows(file, &mut rows);
    }
    let drawn = Drawing { number_width, width: file.width, options };
    let lines = drawn.lines(&rows);
    Some(FixPreview { title: fix.title.clone(), safety: fix.safety, lines })
}

/// Edits of the same lines, and what these lines become.
struct Cluster<'e> {
    /// The bytes of the lines, as far as they are shown.
    bytes: Range<usize>,
    edits: Vec<&'e TextEdit>,
}

fn clusters<'e>(text: &SourceText<'_>, edits: &'e [TextEdit]) -> Vec<Cluster<'e>> {
    let mut clusters: Vec<Cluster<'e>> = Vec::new();
    for edit in edits {
        let range = text.range(edit.span);
        let first = text.line(text.line_of(range.start)).start;
        let last = text.line(text.line_of(range.end)).end;
        let near = |offset: usize, is_end: bool| {
            let mut offset = offset.min(text.text.len());
            while !text.text.is_char_boundary(offset) {
                offset = if is_end { offset + 1 } else { offset - 1 };
            }
            offset
        };
        let start = first.max(near(range.start.saturating_sub(SIDE), false));
        let end = last.min(near(range.end + SIDE, true)).max(range.end);
        match clusters.last_mut() {
            Some(cluster) if start <= cluster.bytes.end => {
                cluster.bytes.end = cluster.bytes.end.max(end);
                cluster.edits.push(edit);
            }
            _ => clusters.push(Cluster { bytes: start..end, edits: vec![edit] }),
        }
    }
    clusters
}

/// A line that a fix removes or adds.
struct FixRow {
    number: u64,
    is_added: bool,
    /// The line with its secrets masked.
    text: String,
    /// The line as it is, with as many bytes.
    raw: String,
    /// The part that changes.
    changed: Range<usize>,
}

impl Cluster<'_> {
    fn add_rows(&self, file: &ShownFile<'_>, rows: &mut Vec<FixRow>) {
        let text = &file.source.text;
        let number = text.file_line(text.line_of(self.bytes.start));
        let old = text.text.get(self.bytes.clone()).unwrap_or_default();
        let is_secret = |offset: usize| file.secrets.contains(offset);
        let old_shown = mask_lines(old, |offset| is_secret(self.bytes.start + offset));
        let (mut new, mut secrets) = (String::new(), Vec::new());
        let (mut old_changes, mut new_changes) = (Vec::new(), Vec::new());
        let mut from = self.bytes.start;
        let mut keep = |new: &mut String, range: Range<usize>| {
            let start = new.len();
            let kept = text.text.get(range.clone()).unwrap_or_default();
            new.push_str(kept);
            secrets.extend(
                kept.char_indices()
                    .filter(|(at, _)| is_secret(range.start + at))
                    .map(|(at, _)| start + at),
            );
        };
        for edit in &self.edits {
            let range = text.range(edit.span);
            keep(&mut new, from..range.start);
            old_changes.push(range.start - self.bytes.start..range.end - self.bytes.start);
            new_changes.push(new.len()..new.len() + edit.text.len());
            new.push_str(&edit.text);
            from = range.end;
        }
        keep(&mut new, from..self.bytes.end);
        let new_shown = mask_lines(&new, |offset| secrets.binary_search(&offset).is_ok());
        let old = split(&old_shown, old, &old_changes);
        let new = split(&new_shown, &new, &new_changes);
        // Whole lines that stay, such as the one after a line that is removed.
        let start = old.iter().zip(&new).take_while(|(old, new)| old.0 == new.0).count();
        let (old, new) =
            (old.get(start..).unwrap_or_default(), new.get(start..).unwrap_or_default());
        let end = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old.0 == new.0);
        let end = end.count();
        for (lines, is_added) in [(old, false), (new, true)] {
            let lines = lines.get(..lines.len() - end).unwrap_or_default();
            for ((text, raw, changed), index) in lines.iter().zip(start as u64..) {
                let (text, raw, changed) = (text.clone(), (*raw).to_owned(), changed.clone());
                rows.push(FixRow { number: number + index, is_added, text, raw, changed });
            }
        }
    }
}

/// As [`mask`], with the line breaks of the text.
fn mask_lines(text: &str, is_secret: impl Fn(usize) -> bool) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\r', '\n']);
        shown.push_str(&mask(content, |offset| is_secret(start + offset)));
        shown.push_str(line.get(content.len()..).unwrap_or_default());
        start += line.len();
    }
    shown
}

/// The lines of a masked text without their line breaks, each as it is and with the part of it that changes.
fn split<'t>(
    text: &str,
    raw: &'t str,
    changes: &[Range<usize>],
) -> Vec<(String, &'t str, Range<usize>)> {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        let content = line.trim_end_matches('\r');
        let end = start + content.len();
        let here = changes.iter().filter(|change| change.start <= end && change.end >= start);
        let here = here.fold(None, |all: Option<Range<usize>>, change| {
            let all = all.unwrap_or_else(|| change.clone());
            Some(all.start.min(change.start)..all.end.max(change.end))
        });
        let here = here.unwrap_or(start..start);
        let offset = |at: usize| at.clamp(start, end) - start;
        let raw = raw.get(start..end).unwrap_or_default();
        lines.push((content.to_owned(), raw, offset(here.start)..offset(here.end)));
        start += line.len() + 1;
    }
    lines
}

/// The visible part of a row. White space that makes the only difference between the two lines is marked, and a character that
/// cannot be seen is named where it changes.
fn marked(row: &FixRow, rows: &[FixRow], visible: &Range<usize>) -> String {
    let words = |row: &FixRow| row.text.split_whitespace().collect::<String>();
    let is_pair = |other: &FixRow| other.number == row.number && other.is_added != row.is_added;
    let is_space = rows.iter().any(|other| is_pair(other) && words(other) == words(row));
    let piece = row.text.get(visible.clone()).unwrap_or_default();
    let mut out = String::with_capacity(piece.len());
    for (at, c) in piece.char_indices() {
        let at = visible.start + at;
        let as_is = || row.raw.get(at..).and_then(|rest| rest.chars().next());
        match c {
            _ if !row.changed.contains(&at) => out.push(c),
            '?' | '¿' | '\u{fffd}' => match as_is() {
                Some(hidden) if !is_visible(hidden) => out.push_str(&by_code(hidden)),
                Some(_) => out.push(c),
                // The second half of a placeholder.
                None => {}
            },
            _ if !is_space => out.push(c),
            ' ' => out.push('·'),
            '\t' => out.push('→'),
            _ if c.is_whitespace() => out.push_str(&by_code(c)),
            _ => out.push(c),
        }
    }
    out
}

/// How the lines of a fix are drawn.
struct Drawing<'o> {
    number_width: usize,
    width: usize,
    options: &'o RenderOptions,
}

impl Drawing<'_> {
    fn lines(&self, rows: &[FixRow]) -> String {
        let mut out = String::new();
        for row in rows.iter().take(MAX_ROWS) {
            let visible = self.visible(row, rows);
            let piece = marked(row, rows, &visible.bytes);
            let shown = format!("{}{piece}{}", visible.before, visible.after);
            let (sign, color) = if row.is_added { ('+', "32") } else { ('-', "31") };
            let number = format!("{:>1$}", row.number, self.number_width);
            let text = format!("{sign} {}", without_tabs(&shown));
            out.push_str(&self.options.paint("2", &number));
            out.push(' ');
            out.push_str(&self.options.paint(color, text.trim_end()));
            out.push('\n');
        }
        if let Some(more @ 1..) = rows.len().checked_sub(MAX_ROWS) {
            let lines = voxlint::counted(more as u64, "more line");
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{:1$} … {lines}", "", self.number_width);
        }
        out
    }

    /// The visible part of a row. A line before and after a fix begins with the same column.
    fn visible(&self, row: &FixRow, rows: &[FixRow]) -> VisibleRange {
        let own = self.around_change(row);
        let is_other =
            |other: &&FixRow| other.number == row.number && other.is_added != row.is_added;
        let Some(other) = rows.iter().find(is_other) else { return own };
        let starts = (own.bytes.start, self.around_change(other).bytes.start);
        let same = row.text.bytes().zip(other.text.bytes()).take_while(|(a, b)| a == b).count();
        // As much as possible of what is before the change, if the change is then visible, or much of it.
        let least = starts.0.min(starts.1);
        let shows_change = |row: &FixRow| {
            let width = self.width.saturating_sub(window::ELLIPSES);
            let same = (0..=same).rev().find(|at| row.text.is_char_boundary(*at)).unwrap_or(0);
            row.text.is_char_boundary(least)
                && (window::fits(&row.text, &(least..row.changed.end), width)
                    || window::fits(&row.text, &(least..same), width - width / 4))
        };
        let is_enough = shows_change(row) && shows_change(other);
        let start = if is_enough { least } else { starts.0.max(starts.1) };
        if start == own.bytes.start || start > same || !row.text.is_char_boundary(start) {
            return own;
        }
        VisibleRange::from(&row.text, &(0..row.text.len()), start, self.width)
    }

    fn around_change(&self, row: &FixRow) -> VisibleRange {
        let line = 0..row.text.len();
        let changed = if row.text.is_char_boundary(row.changed.start)
            && row.text.is_char_boundary(row.changed.end)
        {
            row.changed.clone()
        } else {
            0..0
        };
        VisibleRange::around(&row.text, &line, &changed, self.width, 0)
    }
}
