//! Values of documents inside messages: short, on one line, and harmless to a terminal.

use crate::secrets;

/// The most characters of a value that a message shows.
const LIMIT: usize = 40;

/// The text between backquotes, cut short, with control and bidirectional characters spelled out.
pub(crate) fn quote(text: &str) -> String {
    format!("`{}`", excerpt(text))
}

/// The text cut short, with control and bidirectional characters spelled out and secrets covered.
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
    fn a_long_value_is_cut_and_a_hostile_one_is_spelled_out() {
        assert_eq!(quote("Cascaded"), "`Cascaded`");
        assert_eq!(quote(&"a".repeat(60)), format!("`{}…`", "a".repeat(40)));
        assert_eq!(quote("\u{1b}[31m\u{202e}x"), "`\\u{1b}[31m\\u{202e}x`");
    }
}
