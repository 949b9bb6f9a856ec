//! Positions of the protocol, read independently of the server.

use serde_json::{Value, json};

/// The offsets of the lines of a text and of their ends, before the line breaks.
fn lines(text: &str) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    let (mut start, mut at) = (0, 0);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        let length = match bytes[at] {
            b'\r' if bytes.get(at + 1) == Some(&b'\n') => 2,
            b'\r' | b'\n' => 1,
            _ => 0,
        };
        if length > 0 {
            all.push((start, at));
            start = at + length;
        }
        at += length.max(1);
    }
    all.push((start, text.len()));
    all
}

/// The offset of a position in UTF-16; `None` if the text has no such position.
pub(crate) fn offset(text: &str, position: &Value) -> Option<usize> {
    let line = usize::try_from(position["line"].as_u64()?).ok()?;
    let (start, end) = *lines(text).get(line)?;
    let mut units = position["character"].as_u64()?;
    let mut at = start;
    for character in text[start..end].chars() {
        if units == 0 {
            break;
        }
        units = units.checked_sub(character.len_utf16() as u64)?;
        at += character.len_utf8();
    }
    (units == 0).then_some(at)
}

/// The position of an offset in UTF-16.
pub(crate) fn position(text: &str, offset: usize) -> Value {
    let lines = lines(text);
    let line = lines.iter().rposition(|(start, _)| *start <= offset).unwrap();
    let (start, end) = lines[line];
    let character = text[start..offset.min(end)].encode_utf16().count();
    json!({ "line": line, "character": character })
}

/// The characters of a range.
pub(crate) fn slice<'t>(text: &'t str, range: &Value) -> &'t str {
    let at = |end: &Value| offset(text, end).unwrap_or_else(|| panic!("{end} in {text:?}"));
    &text[at(&range["start"])..at(&range["end"])]
}

/// Applies edits, which must not overlap.
pub(crate) fn apply(text: &str, edits: &[Value]) -> String {
    let mut all: Vec<(usize, usize, &str)> = edits
        .iter()
        .map(|edit| {
            let range = &edit["range"];
            let at = |end: &Value| offset(text, end).expect("a position");
            (at(&range["start"]), at(&range["end"]), edit["newText"].as_str().unwrap())
        })
        .collect();
    all.sort_by_key(|(start, end, _)| (*start, *end));
    assert!(all.windows(2).all(|pair| pair[0].1 <= pair[1].0), "{all:?}");
    let mut text = text.to_owned();
    for (start, end, new) in all.into_iter().rev() {
        text.replace_range(start..end, new);
    }
    text
}

/// The edits of one text in an edit of the workspace.
pub(crate) fn edits_of(edit: &Value, uri: &str) -> Vec<Value> {
    if let Some(edits) = edit["changes"][uri].as_array() {
        return edits.clone();
    }
    let files = edit["documentChanges"].as_array().cloned().unwrap_or_default();
    let own = files.iter().filter(|file| file["textDocument"]["uri"] == uri);
    own.flat_map(|file| file["edits"].as_array().unwrap().clone()).collect()
}

#[test]
fn positions_come_back() {
    let text = "a\r\nü🏙b\rc\n";
    for at in [0, 1, 3, 5, 9, 10, 11, 12, 13] {
        assert_eq!(offset(text, &position(text, at)), Some(at), "{at}");
    }
    assert_eq!(offset(text, &json!({ "line": 1, "character": 2 })), None, "inside a character");
    assert_eq!(offset(text, &json!({ "line": 1, "character": 5 })), None, "past the line");
}
