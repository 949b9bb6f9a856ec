//! Values of documents in messages: short, on one line, and safe for terminals.

use crate::secrets;

/// The greatest number of characters of a value that a message shows.
const LIMIT: usize = 40;

/// The text between backquotes, shortened, with control and bidirectional characters escaped and secrets masked.
pub(crate) fn quote(text: &str) -> String {
    format!("`{}`", excerpt(text))
}

/// The text shortened, with control and bidirectional characters escaped and secrets masked.
pub(crate) fn excerpt(text: &str) -> String {
    voxlint_syntax::excerpt(&secrets::mask_text(text), LIMIT)
}

/// Names between backquotes, separated by commas.
pub(crate) fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut text = String::new();
    for name in names {
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.push('`');
        text.push_str(name);
        text.push('`');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::quote;

    #[test]
    fn long_values_are_shortened_and_control_characters_are_escaped() {
        assert_eq!(quote("Cascaded"), "`Cascaded`");
        assert_eq!(quote(&"a".repeat(60)), format!("`{}…`", "a".repeat(40)));
        assert_eq!(quote("\u{1b}[31m\u{202e}x"), "`\\u{1b}[31m\\u{202e}x`");
    }
}
