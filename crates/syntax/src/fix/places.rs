//! Places in a text, and edits of them.

use crate::Span;
use crate::edit::{TextEdit, apply};

/// The text with the edits.
pub(crate) fn edited(text: &str, edits: &[TextEdit]) -> Option<String> {
    String::from_utf8(apply(text, edits)?).ok()
}

/// Edits of a text as edits of the text after others. Both are sorted, and those that touch each other have no certain place.
pub(crate) fn moved(edits: &[TextEdit], others: &[TextEdit]) -> Vec<TextEdit> {
    // The number of bytes that the edits before each one have added and removed.
    let (mut added, mut removed) = (0, 0);
    let mut sums = vec![(0, 0)];
    for other in others {
        added += other.text.len() as u32;
        removed += other.span.len();
        sums.push((added, removed));
    }
    let place = |at: u32| {
        let before = others.partition_point(|other| other.span.end <= at);
        let (added, removed) = sums.get(before).copied().unwrap_or_default();
        (at + added).saturating_sub(removed)
    };
    let moved = edits.iter().map(|edit| {
        let span = Span::new(place(edit.span.start), place(edit.span.end));
        TextEdit { span, ..edit.clone() }
    });
    moved.collect()
}

/// Where the texts of sorted edits are in the edited text. A comma is between two entries, so the white space around it is included.
pub(crate) fn edited_spans(edited: &str, edits: &[TextEdit]) -> Vec<Span> {
    // The same place in the text before and after the edits.
    let (mut from, mut at) = (0, 0);
    let mut spans = Vec::with_capacity(edits.len());
    for edit in edits {
        let start: usize = at + (edit.span.start as usize).saturating_sub(from);
        (from, at) = (edit.span.end as usize, start + edit.text.len());
        if edit.text != "," {
            spans.push(Span::of(start, at));
            continue;
        }
        let before = edited.get(..start).unwrap_or_default().trim_ascii_end();
        let after = edited.get(at..).unwrap_or_default().trim_ascii_start();
        spans.push(Span::of(before.len(), edited.len() - after.len()));
    }
    spans
}

pub(crate) fn insert(at: usize, text: impl Into<String>) -> TextEdit {
    TextEdit::new(Span::of(at, at), text)
}

pub(crate) fn replace(span: Span, text: impl Into<String>) -> TextEdit {
    TextEdit::new(span, text)
}

/// Removes characters: with their line if nothing else is on it, and otherwise with the space before them if no other
/// character follows directly.
pub(crate) fn remove(text: &str, span: Span) -> TextEdit {
    let (start, end) = (span.start as usize, span.end as usize);
    let before = text.get(..start).unwrap_or_default();
    let after = text.get(end..).unwrap_or_default();
    let spaces_before = before.len() - trim_spaces_end(before).len();
    let spaces_after = after.len() - after.trim_start_matches(SPACES).len();
    let begins = before.len() == spaces_before
        || before.get(..start - spaces_before).is_some_and(|it| it.ends_with(['\n', '\r']));
    let rest = after.get(spaces_after..).unwrap_or_default();
    let ends = rest.is_empty() || rest.starts_with(['\n', '\r']);
    let line_break = line_break(rest);
    let span = match (begins, ends) {
        (true, true) if line_break > 0 => {
            Span::of(start - spaces_before, end + spaces_after + line_break)
        }
        // The last line has no line break, so the one before it is removed.
        (true, true) => {
            let kept = before.get(..start - spaces_before).unwrap_or_default();
            let kept = kept.strip_suffix('\n').unwrap_or(kept);
            Span::of(kept.strip_suffix('\r').unwrap_or(kept).len(), end + spaces_after)
        }
        (false, true) => Span::of(start - spaces_before, end + spaces_after),
        (false, false) if spaces_after > 0 => Span::of(start - spaces_before, end),
        // The indentation stays.
        (true, false) => Span::of(start, end + spaces_after),
        _ => span,
    };
    replace(span, "")
}

const SPACES: [char; 2] = [' ', '\t'];

fn trim_spaces_end(text: &str) -> &str {
    text.trim_end_matches(SPACES)
}

/// The length of the line break that a text begins with.
fn line_break(text: &str) -> usize {
    if text.starts_with("\r\n") { 2 } else { usize::from(text.starts_with(['\n', '\r'])) }
}

/// The line break that a text uses: its first one.
pub(crate) fn line_break_of(text: &str) -> &'static str {
    match memchr::memchr2(b'\n', b'\r', text.as_bytes()) {
        Some(at) if text.get(at..).is_some_and(|rest| rest.starts_with("\r\n")) => "\r\n",
        _ => "\n",
    }
}

/// The offset of the line that contains an offset.
pub(crate) fn line_start(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    memchr::memrchr2(b'\n', b'\r', before).map_or(0, |line_break| line_break + 1)
}

/// The end of the line that contains an offset, without its line break.
pub(crate) fn line_end(text: &str, at: usize) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    memchr::memchr2(b'\n', b'\r', rest).map_or(text.len(), |line_break| at + line_break)
}

/// The spaces and tabs that a line begins with.
pub(crate) fn indentation(text: &str, at: usize) -> &str {
    let line = text.get(line_start(text, at)..).unwrap_or_default();
    let length = line.len() - line.trim_start_matches(SPACES).len();
    line.get(..length).unwrap_or_default()
}

/// Whether only spaces and tabs are before an offset on its line.
pub(crate) fn is_first_on_line(text: &str, at: usize) -> bool {
    let before = text.get(line_start(text, at)..at).unwrap_or_default();
    before.chars().all(|character| SPACES.contains(&character))
}

/// The text from each backslash on that begins an escape, with its offset. The text begins at `start`.
pub(crate) fn backslashes(start: u32, text: &str) -> impl Iterator<Item = (u32, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let found = at + rest.find('\\')?;
        let escape = text.get(found..)?;
        at = found + escape.chars().take(2).map(char::len_utf8).sum::<usize>();
        Some((start + found as u32, escape))
    })
}

/// Sorts edits, and joins those that touch.
pub(crate) fn joined(mut edits: Vec<TextEdit>) -> Vec<TextEdit> {
    edits.sort_by_key(|edit| edit.span);
    let mut joined: Vec<TextEdit> = Vec::with_capacity(edits.len());
    for edit in edits {
        match joined.last_mut() {
            Some(last) if last.span.end == edit.span.start => {
                last.span.end = edit.span.end;
                last.text.push_str(&edit.text);
            }
            _ => joined.push(edit),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(text: &str, part: &str) -> String {
        let start = text.find(part).unwrap();
        edited(text, &[remove(text, Span::of(start, start + part.len()))]).unwrap()
    }

    #[test]
    fn removing_characters_leaves_no_traces() {
        for (text, after) in [
            ("[1, # , 2]", "[1, , 2]"),
            ("[1, # 2]", "[1, 2]"),
            ("[1# ]", "[1 ]"),
            ("[# 1]", "[ 1]"),
            ("[1,#2]", "[1,2]"),
            ("1 #\n2", "1\n2"),
            ("1 # \r\n2", "1\r\n2"),
            ("1\n  # \n2", "1\n2"),
            ("1\r\n#\r\n2", "1\r\n2"),
            ("  # 1", "  1"),
            ("1\n#", "1"),
            ("1\r\n  #", "1"),
            ("1\n#\n", "1\n"),
            ("#", ""),
        ] {
            assert_eq!(without(text, "#"), after, "{text:?}");
        }
    }

    #[test]
    fn edits_that_touch_are_joined() {
        let edits =
            vec![replace(Span::new(2, 4), "b"), insert(6, "c"), replace(Span::new(0, 2), "a")];
        assert_eq!(joined(edits), [replace(Span::new(0, 4), "ab"), insert(6, "c")]);
    }
}
