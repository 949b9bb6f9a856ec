//! Internal to voxlint: characters that readers cannot see, in one table for documents, templates, messages and reports.

#![forbid(unsafe_code)]

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
    /// use voxlint_text::Invisible;
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
