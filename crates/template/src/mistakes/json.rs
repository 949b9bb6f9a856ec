//! JSON in double braces.

use crate::parse::scan::Bytes;

/// Whether the first field of a JSON object starts at `at`: a string and a colon, or a word with a colon and a value that
/// is not a word.
pub(super) fn begins(bytes: Bytes<'_>, mut at: usize) -> bool {
    loop {
        let key = bytes.skip_space(at);
        let quote = bytes.at(key);
        if matches!(quote, b'"' | b'\'') {
            return bytes
                .quoted_end(key, quote)
                .is_some_and(|end| bytes.at(bytes.skip_space(end)) == b':');
        }
        // A colon is a name character.
        let end = bytes.skip_name(key);
        let word = bytes.0.get(key..end).unwrap_or_default();
        let Some(colon) = memchr::memchr(b':', word).filter(|&colon| colon > 0) else {
            return false;
        };
        let value = bytes.skip_space(key + colon + 1);
        let rest = bytes.from(value);
        match bytes.at(value) {
            b'"' | b'\'' | b'[' | b'-' | b'0'..=b'9' => return true,
            b'{' => {}
            _ => {
                return [&b"true"[..], b"false", b"null"].iter().any(|word| rest.starts_with(word));
            }
        }
        let braces = rest.iter().take_while(|&&byte| byte == b'{').count();
        at = value + braces;
    }
}
