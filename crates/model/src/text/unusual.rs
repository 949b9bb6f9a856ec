//! Characters that seldom occur in a text on purpose: those that readers cannot see, U+FFFD, and letters that begin mojibake.
//!
//! A search of the document searches for them, for all rules. It looks at the characters as written in the file, and may find
//! more than there is, but never less.

use voxlint_syntax::Invisible;

/// The character in place of one that could not be decoded.
pub const REPLACEMENT: char = '\u{fffd}';

/// Whether a text, or its spelling in the file, may have a control character that is not white space.
pub fn may_have_control(source: &str) -> bool {
    // Without an early exit, many bytes are compared at once.
    source.bytes().fold(false, |found, byte| found | is_control(byte))
}

const fn is_control(byte: u8) -> bool {
    byte == 0x7f || (byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r'))
}

/// Whether a rule may object to a character.
pub(crate) fn is_unusual(character: char) -> bool {
    match character {
        // The others are the first characters of mojibake: `Ã¼`, `Â£`, `â€™`, `à¤¨`, `ï»¿`, `ðŸ˜€`.
        REPLACEMENT | 'Ã' | 'Â' | 'â' | 'à' | 'ï' | 'ð' => true,
        '\t' | '\n' | '\r' => false,
        _ if character.is_control() => true,
        _ => !matches!(Invisible::of(character), None | Some(Invisible::Space)),
    }
}

/// Whether the escape at a backslash spells no unusual character, in any format.
pub(crate) fn is_usual_escape(source: &str, at: usize) -> bool {
    match source.as_bytes().get(at + 1) {
        Some(b'n' | b't' | b'r' | b'"' | b'\\' | b'/') => true,
        Some(b'u') => code_unit(source, at + 2).is_some_and(is_usual_unit),
        // Other escapes are rare, or a backslash is written as itself.
        _ => false,
    }
}

fn code_unit(source: &str, at: usize) -> Option<u32> {
    u32::from_str_radix(source.get(at..at + 4)?, 16).ok()
}

/// Whether no unusual character has this code unit in UTF-16.
fn is_usual_unit(unit: u32) -> bool {
    match char::from_u32(unit) {
        Some(character) => !is_unusual(character),
        // Halves of characters such as emoji. Those of tags and other invisible characters begin with these.
        None => !matches!(unit, 0xd82f | 0xd834 | 0xdb40..=0xdb43),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::marks::{Mark, Marks};

    fn may_have(text: &str) -> bool {
        Marks::sees(text, Mark::Unusual)
    }

    #[test]
    fn every_unusual_character_is_found_however_it_is_written() {
        for character in (0x80..0x11_0000).filter_map(char::from_u32).filter(|c| is_unusual(*c)) {
            assert!(may_have(&format!("a{character}b")), "{character:?}");
            let mut units = [0; 2];
            let units = character.encode_utf16(&mut units).iter();
            let escaped: Vec<String> = units.map(|unit| format!("\\u{unit:04x}")).collect();
            let escaped = escaped.concat();
            assert!(may_have(&escaped), "{escaped}");
        }
        for byte in (0..0x80).filter(|byte| is_control(*byte)) {
            assert!(may_have_control(&char::from(byte).to_string()), "{byte}");
            assert!(may_have(&format!("\\u{byte:04X}")), "{byte}");
        }
    }

    #[test]
    fn ordinary_texts_have_none() {
        for text in [
            "Plain text.\nIt's “quoted” – and more…",
            "Grüße aus Köln, Straße 5, 20 °C",
            "नमस्ते, आप कैसे हैं?",
            "مرحبا بكم",
            "こんにちは",
            "😀 emoji 👍🏽",
            r#"\n\t\"quoted\" \u0928\u092e \ud83d\ude00"#,
        ] {
            assert!(!may_have(text), "{text}");
            assert!(!may_have_control(text), "{text}");
        }
    }
}
