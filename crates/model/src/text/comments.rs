//! The comments of templates: `{{! … }}` and `{{!-- … --}}`. They are rendered as nothing, so callers never hear them.

use std::borrow::Cow;

use memchr::memmem;

/// Where the comment that begins at `start` ends: with the text, if it is never closed. `None` if no comment begins there.
pub(crate) fn comment_end(text: &str, start: usize) -> Option<usize> {
    let tag = text.get(start..)?.strip_prefix("{{")?;
    let content = tag.strip_prefix('~').unwrap_or(tag).strip_prefix('!')?;
    // A backslash makes braces text, and a backslash before it is one itself.
    let before = text.get(..start)?;
    if before.ends_with('\\') && !before.ends_with("\\\\") {
        return None;
    }
    let at = text.len() - content.len();
    if !content.starts_with("--") {
        let close = memmem::find(content.as_bytes(), b"}}");
        return Some(close.map_or(text.len(), |close| at + close + 2));
    }
    // The dashes of the beginning may be those of the end: `{{!--}}`.
    let mut braces = memmem::find_iter(content.as_bytes(), b"}}");
    let close = braces.find(|close| {
        let inner = content.get(..*close).unwrap_or_default();
        inner.strip_suffix('~').unwrap_or(inner).ends_with("--")
    });
    Some(close.map_or(text.len(), |close| at + close + 2))
}

/// The text with spaces in place of its comments, so that what it says keeps its place.
pub(crate) fn without_comments(text: &str) -> Cow<'_, str> {
    let mut masked: Option<String> = None;
    // Few texts have many of these signs, and every comment has one.
    for sign in memchr::memchr_iter(b'!', text.as_bytes()) {
        let passed = masked.as_ref().map_or(0, String::len);
        let before = text.get(passed..sign).unwrap_or_default();
        let before = before.strip_suffix('~').unwrap_or(before);
        let braces = before.len() - before.trim_end_matches('{').len();
        // They are read in pairs.
        if braces == 0 || braces % 2 > 0 {
            continue;
        }
        let start = passed + before.len() - 2;
        let Some(end) = comment_end(text, start) else { continue };
        let masked = masked.get_or_insert_with(|| String::with_capacity(text.len()));
        masked.push_str(text.get(masked.len()..start).unwrap_or_default());
        let comment = text.get(start..end).unwrap_or_default();
        masked.extend(comment.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
    }
    match masked {
        None => Cow::Borrowed(text),
        Some(mut masked) => {
            masked.push_str(text.get(masked.len()..).unwrap_or_default());
            Cow::Owned(masked)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_become_spaces() {
        for (text, expected) in [
            ("a {{! b }} c", "a ········ c"),
            ("{{!-- é }} \n --}}x", "············\n·····x"),
            ("{{~! b ~}}{{!--~}} {{!-- -- ~}} ---~}}.", "·················· ···················."),
            ("{{name}} {{!x}}!", "{{name}} ······!"),
            ("{{!a!b}}{{{{!c}}{{{!d}}", "········{{······{{{!d}}"),
            ("\\{{!-- text --}}", "\\{{!-- text --}}"),
            ("\\\\{{! b }}", "\\\\········"),
            ("{{!-- never closed }}", "·····················"),
            ("{{name}}! No comment.", "{{name}}! No comment."),
        ] {
            assert_eq!(without_comments(text), expected.replace('·', " "), "{text}");
            assert_eq!(without_comments(text).len(), text.len(), "{text}");
        }
    }
}
