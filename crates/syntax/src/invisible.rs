//! Characters that readers cannot see, in one table for documents, templates, messages and reports.

/// A kind of character that readers cannot see or that looks like a space.
///
/// Control characters are not included: [`char::is_control`] finds them. This is the only table of these characters:
/// documents, templates, messages and reports all use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Invisible {
    /// A space other than U+0020.
    Space,
    /// It takes no room, or it changes the direction of the text after it.
    Hidden,
    /// It joins or separates its neighbors. Hindi, Persian and emoji need it.
    Joiner,
    /// It selects the form of the character before it.
    Selector,
}

impl Invisible {
    /// The kind of a character; `None` if the character is visible, a space or a control character.
    ///
    /// ```
    /// use voxlint_syntax::Invisible;
    ///
    /// assert_eq!(Invisible::of('\u{a0}'), Some(Invisible::Space));
    /// assert_eq!(Invisible::of('\u{200b}'), Some(Invisible::Hidden));
    /// assert_eq!(Invisible::of('\u{200d}'), Some(Invisible::Joiner));
    /// assert_eq!(Invisible::of('a'), None);
    /// ```
    pub const fn of(character: char) -> Option<Self> {
        Some(match character {
            '\u{a0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200a}'
            | '\u{202f}'
            | '\u{205f}'
            | '\u{3000}' => Self::Space,
            '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{17b4}'
            | '\u{17b5}'
            | '\u{180e}'
            | '\u{200b}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e00ff}'
            | '\u{e01f0}'..='\u{e0fff}' => Self::Hidden,
            '\u{200c}' | '\u{200d}' => Self::Joiner,
            '\u{180b}'..='\u{180d}'
            | '\u{180f}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{e0100}'..='\u{e01ef}' => Self::Selector,
            _ => return None,
        })
    }
}

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
