//! Characters outside strings that look like white space and are not white space in JSON.

use voxlint_text::Invisible;

/// Whether a character outside strings looks like white space and is not white space in JSON.
pub(crate) fn is_foreign_space(character: char) -> bool {
    name(character).is_some()
}

/// The name and the code point of the first character of a text, if it looks like white space and is not white space in
/// JSON.
pub(crate) fn foreign_space_name(text: &str) -> Option<String> {
    let character = text.chars().next()?;
    let name = name(character)?;
    Some(format!("{name} (U+{:04X})", u32::from(character)))
}

/// The name of the first character of a text, if it is a space that is visible but not white space in JSON.
pub(crate) fn space_name(text: &str) -> Option<&'static str> {
    name(text.chars().next()?).filter(|name| name.ends_with("space"))
}

const fn name(character: char) -> Option<&'static str> {
    match (character, Invisible::of(character)) {
        ('\u{a0}', _) => Some("a no-break space"),
        ('\u{ad}', _) => Some("a soft hyphen"),
        ('\u{feff}', _) => Some("a byte order mark"),
        ('\u{b}' | '\u{c}' | '\u{85}', _) | (_, Some(Invisible::Space)) => {
            Some("another kind of space")
        }
        (_, Some(Invisible::Hidden | Invisible::Joiner)) => Some("an invisible character"),
        (_, Some(Invisible::Selector) | None) => None,
    }
}
