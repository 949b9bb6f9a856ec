//! The classes of the bytes of keys and tokens.

/// The length of the word at an offset, in bytes.
pub(crate) fn word(source: &[u8], from: usize) -> usize {
    let rest = source.get(from..).unwrap_or_default();
    rest.iter().take_while(|byte| is_word_byte(**byte)).count()
}

pub(crate) fn is_word_byte(byte: u8) -> bool {
    has_class(byte, WORD)
}

/// Bytes of the secret part of a key, in every kind of base64.
pub(super) fn is_secret_byte(byte: u8) -> bool {
    has_class(byte, WORD | BASE64)
}

/// Bytes of keys and of the separators between their parts.
pub(crate) fn is_token_byte(byte: u8) -> bool {
    has_class(byte, WORD | BASE64 | COLON)
}

/// Letters, digits and what joins them to words.
const WORD: u8 = 1;

/// The other bytes of base64 and of the parts of web tokens.
const BASE64: u8 = 2;

/// The byte between the id of a key and its secret.
const COLON: u8 = 4;

/// Whether a byte has one of these classes.
#[expect(clippy::indexing_slicing, reason = "a byte is always inside the table")]
fn has_class(byte: u8, classes: u8) -> bool {
    // Every byte of a document may be tested, so a table pays off.
    static CLASSES: [u8; 256] = {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < table.len() {
            table[byte] = match byte as u8 {
                b'_' | b'-' => WORD,
                letter if letter.is_ascii_alphanumeric() => WORD,
                b'.' | b'+' | b'/' | b'=' => BASE64,
                b':' => COLON,
                _ => 0,
            };
            byte += 1;
        }
        table
    };
    CLASSES[usize::from(byte)] & classes != 0
}
