//! Characters that look like a space or like nothing, and are not white space in JSON.

/// The name and the code point of the first character of a text, if it is invisible.
pub(crate) fn invisible_name(text: &str) -> Option<String> {
    let character = text.chars().next()?;
    let kind = kind(character)?;
    Some(format!("{kind} (U+{:04X})", u32::from(character)))
}

/// Whether a character looks like a space or like nothing, and is not white space in JSON.
pub(crate) fn is_invisible(character: char) -> bool {
    kind(character).is_some()
}

fn kind(character: char) -> Option<&'static str> {
    Some(match character {
        '\u{a0}' => "a no-break space",
        '\u{ad}' => "a soft hyphen",
        '\u{b}'
        | '\u{c}'
        | '\u{85}'
        | '\u{1680}'
        | '\u{2000}'..='\u{200a}'
        | '\u{202f}'
        | '\u{205f}'
        | '\u{3000}' => "another kind of space",
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{61c}' => {
            "an invisible character"
        }
        '\u{feff}' => "a byte order mark",
        _ => return None,
    })
}
