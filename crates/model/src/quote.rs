//! Values of documents in messages: short, on one line, and safe for terminals.

use voxlint_syntax::Node;

/// The maximum number of characters of a value that a message shows.
const LIMIT: usize = 40;

/// The text between backquotes, shortened, with control and bidirectional characters escaped. Secrets are masked in the finding,
/// see `Mask`.
pub fn quote(text: &str) -> String {
    format!("`{}`", excerpt(text))
}

/// The text shortened, with control and bidirectional characters escaped.
pub fn excerpt(text: &str) -> String {
    voxlint_syntax::excerpt(text, LIMIT)
}

/// A number with its noun in the singular or plural.
///
/// ```
/// assert_eq!(voxlint::counted(1_u64, "finding"), "1 finding");
/// assert_eq!(voxlint::counted(2_u64, "finding"), "2 findings");
/// ```
pub fn counted(count: impl Into<u64>, noun: &str) -> String {
    let count = count.into();
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{s}")
}

/// Names between backquotes, separated by commas.
pub fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
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

/// Names between backquotes as a part of a sentence: `` `a`, `b` and `c` ``.
pub fn all<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.pop() {
        Some(last) if names.is_empty() => last,
        Some(last) => format!("{} and {last}", names.join(", ")),
        None => String::new(),
    }
}

/// The label of the first field in which two objects differ. `more` is the number of further ones.
pub fn label_of_difference(more: usize) -> String {
    match more {
        0 => "differs".to_owned(),
        1 => "differs, as does 1 more field".to_owned(),
        more => format!("differs, as do {more} more fields"),
    }
}

/// A value for a message: the text of a string, and any other value as written.
pub fn quoted_value(value: Node<'_>) -> String {
    match value.as_str() {
        Some(text) => quote(&text),
        None => format!("`{}`", excerpt(value.source())),
    }
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
