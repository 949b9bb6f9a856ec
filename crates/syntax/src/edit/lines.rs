//! Lines, indentation and line breaks.

use std::ops::Range;

use super::TextEdit;
use crate::Span;

/// Where the line of a byte begins.
pub(crate) fn start(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    let start = before.rfind(['\n', '\r']).map_or(0, |line_break| line_break + 1);
    if start == 0 && before.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { start }
}

/// Where the line of a byte ends, before its line break.
pub(crate) fn end(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.find(['\n', '\r']).unwrap_or(rest.len())
}

/// The offset after the line break at a place.
pub(crate) fn after_break(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with(['\n', '\r'])) }
}

/// The line break that a text uses: that of its first line.
///
/// ```
/// assert_eq!(voxlint_syntax::edit::line_break("a: 1\r\nb: 2\n"), "\r\n");
/// ```
pub fn line_break(text: &str) -> &'static str {
    let at = end(text, 0);
    match text.get(at..).unwrap_or_default() {
        rest if rest.starts_with("\r\n") => "\r\n",
        rest if rest.starts_with('\r') => "\r",
        _ => "\n",
    }
}

pub(crate) fn is_blank(text: &str, range: Range<usize>) -> bool {
    text.get(range).is_some_and(|text| text.bytes().all(|byte| matches!(byte, b' ' | b'\t')))
}

/// The characters before a place on its line, if they are only spaces and tabs.
pub(crate) fn indentation(text: &str, at: usize) -> Option<&str> {
    // The whole line may be a document of a megabyte.
    let before = text.get(..at)?;
    let above = before.trim_end_matches([' ', '\t']);
    let is_first = above.is_empty() || above.ends_with(['\n', '\r']) || above == "\u{feff}";
    before.get(above.len()..).filter(|_| is_first)
}

/// The indentation of the first line that has one; two spaces if there is none.
pub(crate) fn unit(text: &str) -> &str {
    let blank = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let mut lines = text.split(['\n', '\r']).filter_map(|line| line.get(..blank(line)));
    lines.find(|blank| (1..=8).contains(&blank.len())).unwrap_or("  ")
}

/// The bytes of whole lines, from the first byte of one to the line break of the other.
pub(crate) fn whole(text: &str, from: usize, to: usize) -> Range<usize> {
    start(text, from)..after_break(text, end(text, to))
}

/// The edits for a text without a final line break. If its last lines are removed, so are the line breaks before them.
pub(crate) fn without_final_break(text: &str, mut edits: Vec<TextEdit>) -> Vec<TextEdit> {
    if text.ends_with(['\n', '\r']) {
        return edits;
    }
    let mut from = text.len();
    while let Some(last) =
        edits.pop_if(|last| last.text.is_empty() && last.span.end as usize >= from)
    {
        let before = text.get(..last.span.start as usize).unwrap_or_default();
        from = before.trim_end_matches(['\n', '\r']).len();
    }
    if from < text.len() {
        edits.push(deletion(from..text.len()));
    }
    edits
}

/// The place of a comment that begins with `#` in the rest of a line, if nothing else is there: the offset of the end of the line.
#[cfg(any(feature = "yaml", feature = "toml"))]
pub(crate) fn rest_is_comment(text: &str, at: usize) -> Option<usize> {
    let end = end(text, at);
    let rest = text.get(at..end)?;
    let words = rest.trim_start_matches([' ', '\t']);
    (words.is_empty() || words.starts_with('#')).then_some(end)
}

/// The whole lines of a range, if nothing else but a comment at their end is on them.
#[cfg(any(feature = "yaml", feature = "toml"))]
pub(crate) fn of_entry(text: &str, entry: Range<usize>) -> Option<Range<usize>> {
    indentation(text, entry.start)?;
    let end = rest_is_comment(text, entry.end)?;
    Some(whole(text, entry.start, end))
}

/// Adds a line below the one on which an entry ends; `None` if anything but a comment follows the entry there.
#[cfg(any(feature = "yaml", feature = "toml"))]
pub(crate) fn below(text: &str, entry_end: usize, line: &str) -> Option<TextEdit> {
    let at = rest_is_comment(text, entry_end)?;
    Some(insertion(at, format!("{}{line}", line_break(text))))
}

pub(crate) fn deletion(range: Range<usize>) -> TextEdit {
    TextEdit::new(Span::of(range.start, range.end), "")
}

pub(crate) fn insertion(at: usize, text: impl Into<String>) -> TextEdit {
    TextEdit::new(Span::of(at, at), text)
}

/// The edits in order, with deletions that touch each other as one; `None` if others do.
pub(crate) fn joined(mut edits: Vec<TextEdit>) -> Option<Vec<TextEdit>> {
    edits.sort_by_key(|edit| edit.span);
    let mut joined: Vec<TextEdit> = Vec::with_capacity(edits.len());
    for edit in edits {
        let is_deletion = edit.text.is_empty();
        match joined.last_mut() {
            Some(last)
                if is_deletion && last.text.is_empty() && last.span.end >= edit.span.start =>
            {
                last.span = last.span.cover(edit.span);
            }
            Some(last) if last.span.end > edit.span.start => return None,
            _ => joined.push(edit),
        }
    }
    Some(joined)
}
