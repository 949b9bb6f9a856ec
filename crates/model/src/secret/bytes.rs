//! The classes of the bytes of keys and tokens.

/// The length of the word at an offset, in bytes.
pub(crate) fn word(source: &[u8], from: usize) -> usize {
    let rest = source.get(from..).unwrap_or_default();
    rest.iter().take_while(|byte| is_word_byte(**byte)).count()
}

pub(crate) const fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Bytes of the secret part of a key, in every kind of base64 and in the parts of web tokens.
pub(super) const fn is_secret_byte(byte: u8) -> bool {
    is_word_byte(byte) || matches!(byte, b'.' | b'+' | b'/' | b'=')
}

/// Bytes of keys and of the separators between their parts.
pub(crate) const fn is_token_byte(byte: u8) -> bool {
    is_secret_byte(byte) || byte == b':'
}
