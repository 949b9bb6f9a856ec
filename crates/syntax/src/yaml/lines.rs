//! Lines and their indentation.

use crate::Span;

/// The length of the line break at an offset in bytes, or 0.
pub(super) fn line_break(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at..) {
        Some([b'\r', b'\n', ..]) => 2,
        Some([b'\n' | b'\r', ..]) => 1,
        _ => 0,
    }
}

/// Whether a text begins with a space or a tab.
pub(super) fn is_blank(text: &str) -> bool {
    text.starts_with([' ', '\t'])
}

/// The offsets of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) start: usize,
    /// The end without the line break.
    pub(super) end: usize,
    /// The offset of the next line.
    pub(super) next: usize,
    /// The number of spaces it begins with.
    pub(super) indent: usize,
}

/// The line at an offset.
pub(super) fn line_at(text: &str, at: usize) -> Line {
    let bytes = text.as_bytes();
    let at = at.min(bytes.len());
    let before = bytes.get(..at).unwrap_or_default();
    let start = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |found| found + 1);
    let rest = bytes.get(at..).unwrap_or_default();
    let end = memchr::memchr2(b'\n', b'\r', rest).map_or(bytes.len(), |found| at + found);
    let indent = bytes.get(start..end).unwrap_or_default();
    let indent = indent.iter().take_while(|byte| **byte == b' ').count();
    Line { start, end, next: end + line_break(bytes, end), indent }
}

impl Line {
    pub(super) fn text(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or_default()
    }

    /// Whether a tab is part of its indentation.
    pub(super) fn is_indented_by_tabs(self, text: &str) -> bool {
        self.text(text).trim_start_matches(' ').starts_with('\t')
    }

    /// The start of its text, after the marker of a document.
    pub(super) fn body(self, text: &str) -> usize {
        let is_mark = self.text(text).starts_with("--- ");
        self.start + if is_mark { 3 } else { self.indent }
    }

    /// The end of the line and of those after it that are empty or indented by more than `indent`.
    pub(super) fn block_end(self, text: &str, indent: usize) -> usize {
        let mut last = self;
        while last.next > last.end && last.next < text.len() {
            let next = line_at(text, last.next);
            let is_empty = next.text(text).trim().is_empty();
            if !is_empty && next.indent <= indent {
                break;
            }
            last = next;
        }
        last.end
    }

    /// The value at an offset of the line: the column of its key or dash, and the offset of the value.
    pub(super) fn value(self, text: &str, at: usize) -> Option<(usize, usize)> {
        let bytes = text.as_bytes();
        let mut from = self.body(text);
        while matches!(bytes.get(from), Some(b' ' | b'\t')) {
            from += 1;
        }
        let mut dash = None;
        while matches!(bytes.get(from..), Some([b'-' | b'?', b' ' | b'\t', ..])) {
            dash = Some(from - self.start);
            from += 1;
            while matches!(bytes.get(from), Some(b' ' | b'\t')) {
                from += 1;
            }
        }
        let column = from - self.start;
        let colon = colon(text.get(from..self.end)?).map(|colon| from + colon + 1);
        if let Some(colon) = colon.filter(|colon| *colon <= at) {
            return Some((column, colon));
        }
        dash.filter(|_| from <= at).map(|dash| (dash, from))
    }
}

/// The lines from one on that tabs indent, and these tabs.
pub(super) fn tabbed_lines(text: &str, mut line: Line) -> (Vec<Span>, Vec<Span>) {
    let (mut lines, mut tabs) = (Vec::new(), Vec::new());
    while line.is_indented_by_tabs(text) {
        let body = line.text(text);
        let space = body.len() - body.trim_start_matches([' ', '\t']).len();
        let found = body.get(..space).unwrap_or_default().match_indices('\t');
        tabs.extend(found.map(|(tab, _)| Span::of(line.start + tab, line.start + tab + 1)));
        lines.push(Span::of(line.start, line.end));
        if line.next >= text.len() {
            break;
        }
        line = line_at(text, line.next);
    }
    (lines, tabs)
}

/// The offset of the colon after a key. Text that begins with a bracket is not a key.
pub(super) fn colon(text: &str) -> Option<usize> {
    if text.starts_with(['{', '[']) {
        return None;
    }
    let quote = text.chars().next().filter(|first| matches!(first, '"' | '\''));
    let from =
        quote.map_or(0, |quote| 1 + text.get(1..).and_then(|text| text.find(quote)).unwrap_or(0));
    let is_end = |at: usize| text.as_bytes().get(at + 1).is_none_or(u8::is_ascii_whitespace);
    memchr::memchr_iter(b':', text.as_bytes()).find(|at| *at >= from && is_end(*at))
}

/// Whether a line begins like a member or an item of a block.
pub(super) fn looks_like_entry(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("- ") || line == "---" || colon(line).is_some_and(|at| at < 40)
}

/// The span between two offsets, without surrounding white space.
pub(super) fn trimmed(text: &str, start: usize, end: usize) -> Span {
    let inner = text.get(start..end.max(start)).unwrap_or_default();
    let start = start + inner.len() - inner.trim_start().len();
    Span::of(start, start + inner.trim().len())
}
