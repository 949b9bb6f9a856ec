use std::borrow::Cow;

use crate::{Span, SyntaxError, SyntaxErrorKind};

/// Bytes read as UTF-8.
#[derive(Debug)]
pub struct Decoded<'a> {
    /// The text. Its byte offsets are those of the file: what is no UTF-8 is replaced byte for byte.
    pub text: Cow<'a, str>,
    /// What is no UTF-8, in the order of the file.
    pub errors: Vec<SyntaxError>,
}

/// Stands for a byte that is no UTF-8. It is one byte itself, so offsets stay true.
const STAND_IN: u8 = b'?';

/// Reads bytes as UTF-8.
///
/// A file in UTF-16, or of 4 GiB or more, gives one error and no text.
///
/// ```
/// let decoded = voxlint_syntax::decode(b"caf\xe9");
/// assert_eq!(decoded.text, "caf?");
/// assert_eq!(decoded.errors.len(), 1);
/// ```
pub fn decode(bytes: &[u8]) -> Decoded<'_> {
    if u32::try_from(bytes.len()).is_err() {
        return refuse(SyntaxErrorKind::TooLarge);
    }
    if looks_like_utf16(bytes) {
        return refuse(SyntaxErrorKind::Utf16);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Decoded { text: Cow::Borrowed(text), errors: Vec::new() },
        Err(_) => mask(bytes),
    }
}

fn refuse(kind: SyntaxErrorKind) -> Decoded<'static> {
    Decoded { text: Cow::Borrowed(""), errors: vec![SyntaxError::new(kind, Span::at(0))] }
}

/// UTF-16 begins with its byte order mark, or with two ASCII characters and a zero byte beside each.
fn looks_like_utf16(bytes: &[u8]) -> bool {
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, 0, 0xfe, 0xff, ..] => true,
        [0, b, 0, d, ..] | [b, 0, d, 0, ..] if *b != 0 && *d != 0 => true,
        // UTF-32, which has three zero bytes beside each ASCII character.
        [0, 0, 0, b, ..] | [b, 0, 0, 0, ..] => *b != 0,
        _ => false,
    }
}

fn mask(bytes: &[u8]) -> Decoded<'_> {
    let mut text = String::with_capacity(bytes.len());
    let mut errors: Vec<SyntaxError> = Vec::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if chunk.invalid().is_empty() {
            continue;
        }
        let start = text.len();
        text.extend(chunk.invalid().iter().map(|_| char::from(STAND_IN)));
        let span = Span::of(start, text.len());
        let is_full = errors.len() >= crate::MAX_ERRORS;
        match errors.last_mut() {
            // Bad bytes side by side are one fault.
            Some(last) if last.span.end == span.start => last.span = last.span.cover(span),
            Some(last) if is_full => last.more += 1,
            _ => errors.push(SyntaxError::new(SyntaxErrorKind::InvalidUtf8, span)),
        }
    }
    Decoded { text: Cow::Owned(text), errors }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_bytes_side_by_side_are_one_fault_and_keep_the_offsets() {
        let decoded = decode(b"{\"a\": \"\xff\xfe\xfd\", \"b\": \"\xe2\x82\"}");
        assert_eq!(decoded.text, "{\"a\": \"???\", \"b\": \"??\"}");
        let spans: Vec<_> = decoded.errors.iter().map(|error| error.span).collect();
        assert_eq!(spans, [Span::new(7, 10), Span::new(19, 21)]);
    }

    #[test]
    fn utf16_is_one_fault() {
        for bytes in [&b"\xff\xfe{\0}\0"[..], b"\xfe\xff\0{\0}", b"{\0}\0", b"\0{\0}"] {
            let decoded = decode(bytes);
            assert_eq!(decoded.errors[0].kind, SyntaxErrorKind::Utf16);
            assert!(decoded.text.is_empty());
        }
    }
}
