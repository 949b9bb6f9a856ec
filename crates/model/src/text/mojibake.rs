//! Mojibake: text in UTF-8 that was read as Windows-1252, such as `Ã¼` for `ü`.

use std::ops::Range;

/// Characters that were decoded wrongly, and what they were.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mojibake {
    /// Where the wrong characters are.
    pub range: Range<usize>,
    /// The character that was meant.
    pub meant: char,
}

/// The characters of Windows-1252 for the bytes from 0x80 on. It leaves five bytes out, which are read as control characters.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The mojibake in a text.
pub fn mojibake(text: &str) -> Vec<Mojibake> {
    let mut found = Vec::new();
    let mut until = 0;
    for (at, character) in text.char_indices() {
        if at < until || !matches!(character, 'Ã' | 'Â' | 'â' | 'à' | 'ï' | 'ð') {
            continue;
        }
        let rest = text.get(at..).unwrap_or_default();
        if let Some((length, meant)) = decoded(rest) {
            until = at + length;
            found.push(Mojibake { range: at..until, meant });
        }
    }
    found
}

/// The character whose bytes are spelled at the start of a text, and the length of that spelling.
fn decoded(text: &str) -> Option<(usize, char)> {
    let mut bytes = [0; 4];
    let mut characters = text.char_indices().peekable();
    let (_, first) = characters.next()?;
    bytes[0] = byte_of(first)?;
    let count = match bytes[0] {
        0xc2 | 0xc3 => 2,
        0xe0 | 0xe2 | 0xef => 3,
        _ => 4,
    };
    for byte in bytes.get_mut(1..count)? {
        *byte = characters
            .next()
            .and_then(|(_, c)| byte_of(c))
            .filter(|byte| matches!(byte, 0x80..=0xbf))?;
    }
    let (end, next) = characters.peek().copied().unwrap_or((text.len(), ' '));
    let meant = std::str::from_utf8(bytes.get(..count)?).ok()?.chars().next()?;
    let is_certain = match (bytes[0], bytes[1]) {
        // These do not occur in texts.
        _ if meant.is_control() || matches!(meant, '\u{e000}'..='\u{f8ff}') => false,
        // A capital at the end of a word, with a quote, a dash or a space after it, spells a letter by chance: `IRMÃ”`.
        (0xc2 | 0xc3, 0x80..=0x9f) => next.is_lowercase() && first == 'Ã',
        (0xc3, 0xa0) => next.is_alphabetic(),
        (0xc2, 0xab | 0xbb) => false,
        _ => true,
    };
    is_certain.then_some((end, meant))
}

/// The byte that Windows-1252 reads as a character beyond ASCII.
fn byte_of(character: char) -> Option<u8> {
    let code = u32::from(character);
    if (0xa0..=0xff).contains(&code) {
        return u8::try_from(code).ok();
    }
    let at = WINDOWS_1252.iter().position(|it| *it == character)?;
    u8::try_from(0x80 + at).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text in UTF-8, read as Windows-1252.
    fn garbled(text: &str) -> String {
        let wrong = |byte: u8| match byte {
            0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
            _ => char::from(byte),
        };
        text.bytes().map(wrong).collect()
    }

    fn meant(text: &str) -> String {
        mojibake(text).into_iter().map(|it| it.meant).collect()
    }

    #[test]
    fn garbled_characters_are_told_from_others() {
        for (text, characters) in [
            ("It’s “fine” – really…", "’“”–…"),
            ("Grüße, Öffnungszeiten", "üßÖ"),
            ("20 £, 5 °C", "£°"),
            ("café à la carte", "é"),
            ("नमस्ते", "नमस्ते"),
            ("😀", "😀"),
            ("€ 5", "€"),
            ("\u{feff}x", "\u{feff}"),
        ] {
            assert_eq!(meant(&garbled(text)), characters, "{text}");
        }
    }

    #[test]
    fn languages_with_these_letters_are_not_garbled() {
        for text in [
            "NÃO É A IRMÃ, SÃO JOÃO",
            "“MANHÃ” – A MÃE",
            "Château, pâte, naïve, à la carte, déjà",
            "ánh sáng và âm nhạc, Ăn",
            "«Â» et «À»",
            "að það er",
            "România, România Â",
            "ÂNCORA… Ã…",
            "Grüße, „Größe“",
        ] {
            assert_eq!(meant(text), "", "{text}");
        }
    }
}
