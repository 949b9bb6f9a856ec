//! Places in a text, and edits of them.

use crate::Span;
use crate::edit::{TextEdit, apply, lines};

/// The text with the edits.
pub(crate) fn edited(text: &str, edits: &[TextEdit]) -> Option<String> {
    String::from_utf8(apply(text, edits)?).ok()
}

/// Removes characters: with their line if nothing else is on it, and otherwise with the space before them if no other
/// character follows directly.
pub(crate) fn remove(text: &str, span: Span) -> TextEdit {
    let (start, end) = (span.start as usize, span.end as usize);
    let before = text.get(..start).unwrap_or_default();
    let after = text.get(end..).unwrap_or_default();
    let spaces_before = before.len() - before.trim_end_matches([' ', '\t']).len();
    let spaces_after = after.len() - after.trim_start_matches([' ', '\t']).len();
    let begins = lines::indentation(text, start).is_some();
    let rest = after.get(spaces_after..).unwrap_or_default();
    let ends = rest.is_empty() || rest.starts_with(['\n', '\r']);
    let line_break = lines::after_break(rest, 0);
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
    TextEdit::new(span, "")
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

/// What makes escapes of those that are none: no backslash before an apostrophe, and a second one before other letters. `None` if one of
/// them may be an escape with a mistake. Also returns the number of apostrophes.
pub(crate) fn escapes(
    start: u32,
    text: &str,
    is_escape: impl Fn(&str) -> bool,
) -> Option<(Vec<TextEdit>, usize)> {
    let mut edits = Vec::new();
    let mut apostrophes = 0;
    for (at, escape) in backslashes(start, text).filter(|(_, escape)| !is_escape(escape)) {
        match escape.chars().nth(1)? {
            '\'' => {
                apostrophes += 1;
                edits.push(TextEdit::new(Span::new(at, at + 1), ""));
            }
            kind if is_never_escaped(kind) => edits.push(lines::insertion(at as usize, "\\")),
            _ => return None,
        }
    }
    Some((edits, apostrophes))
}

/// Whether no common language has an escape of this character, so that a backslash before it is one.
const fn is_never_escaped(character: char) -> bool {
    character.is_ascii_alphabetic()
        && !matches!(character, 'a' | 'c' | 'e' | 'L' | 'N' | 'P' | 'U' | 'u' | 'v' | 'x')
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
        let edits = vec![
            TextEdit::new(Span::new(2, 4), "b"),
            lines::insertion(6, "c"),
            TextEdit::new(Span::new(0, 2), "a"),
        ];
        assert_eq!(joined(edits), [TextEdit::new(Span::new(0, 4), "ab"), lines::insertion(6, "c")]);
    }
}
