//! Places in a text, and edits of them.

use crate::Span;
use crate::edit::{TextEdit, apply};

/// The text with the edits.
pub(crate) fn edited(text: &str, edits: &[TextEdit]) -> Option<String> {
    String::from_utf8(apply(text, edits)?).ok()
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
