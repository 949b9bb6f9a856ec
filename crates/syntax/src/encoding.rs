use std::borrow::Cow;

use crate::{Span, SyntaxError, SyntaxErrorKind};

/// Decoded bytes.
#[derive(Debug)]
#[non_exhaustive]
pub struct Decoded<'a> {
    /// The text, with the byte offsets of the file: invalid UTF-8 is replaced byte by byte.
    pub text: Cow<'a, str>,
    /// The errors about invalid UTF-8, in the order of the file.
    pub errors: Vec<SyntaxError>,
    /// The text of a file in UTF-16 or UTF-32. Its offsets are not those of the file, so it only serves to detect the
    /// kind of document.
    pub transcoded: Option<String>,
}

/// Replaces one invalid byte, so that offsets do not change.
const STAND_IN: u8 = b'?';

/// Decodes bytes as UTF-8, without a copy of them.
///
/// A file in UTF-16 or UTF-32, or of 4 GiB or more, gives one error at its first byte and no text.
///
/// ```
/// let decoded = voxlint_syntax::decode(b"caf\xe9");
/// assert_eq!(decoded.text, "caf?");
/// assert_eq!(decoded.errors.len(), 1);
/// ```
pub fn decode<'a>(bytes: impl Into<Cow<'a, [u8]>>) -> Decoded<'a> {
    let bytes = bytes.into();
    if u32::try_from(bytes.len()).is_err() {
        return rejected(SyntaxErrorKind::TooLarge);
    }
    if let Some(encoding) = Wide::of(&bytes) {
        let transcoded = Some(encoding.decode(&bytes));
        return Decoded { transcoded, ..rejected(SyntaxErrorKind::Utf16) };
    }
    let text = match bytes {
        Cow::Borrowed(bytes) => str::from_utf8(bytes).map(Cow::Borrowed).map_err(|_| mask(bytes)),
        Cow::Owned(bytes) => {
            String::from_utf8(bytes).map(Cow::Owned).map_err(|error| mask(error.as_bytes()))
        }
    };
    match text {
        Ok(text) => Decoded { text, errors: Vec::new(), transcoded: None },
        Err(masked) => masked,
    }
}

fn rejected(kind: SyntaxErrorKind) -> Decoded<'static> {
    Decoded {
        text: Cow::Borrowed(""),
        errors: vec![SyntaxError::new(kind, Span::at(0))],
        transcoded: None,
    }
}

/// UTF-16 or UTF-32.
#[derive(Clone, Copy, Debug)]
struct Wide {
    /// The number of bytes in a unit: two in UTF-16, four in UTF-32.
    width: usize,
    is_big_endian: bool,
}

impl Wide {
    /// Detects the encoding by its byte order mark, or by the zero bytes of ASCII characters.
    const fn of(bytes: &[u8]) -> Option<Self> {
        let (width, is_big_endian) = match bytes {
            [0xff, 0xfe, 0, 0, ..] => (4, false),
            [0, 0, 0xfe, 0xff, ..] => (4, true),
            [0xff, 0xfe, ..] => (2, false),
            [0xfe, 0xff, ..] => (2, true),
            [0, 0, 0, b, ..] if *b != 0 => (4, true),
            [b, 0, 0, 0, ..] if *b != 0 => (4, false),
            [0, b, 0, d, ..] if *b != 0 && *d != 0 => (2, true),
            [b, 0, d, 0, ..] if *b != 0 && *d != 0 => (2, false),
            _ => return None,
        };
        Some(Self { width, is_big_endian })
    }

    /// Decodes the text, without its byte order mark. Invalid units are replaced.
    fn decode(self, bytes: &[u8]) -> String {
        let units = bytes.chunks_exact(self.width).map(|unit| {
            let add = |sum: u32, byte: &u8| sum << 8 | u32::from(*byte);
            if self.is_big_endian {
                unit.iter().fold(0, add)
            } else {
                unit.iter().rev().fold(0, add)
            }
        });
        let text: String = if self.width == 2 {
            // Two bytes fit into `u16`.
            char::decode_utf16(units.map(|unit| unit as u16))
                .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
                .collect()
        } else {
            units.map(|unit| char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
        };
        match text.strip_prefix('\u{feff}') {
            Some(rest) => rest.to_owned(),
            None => text,
        }
    }
}

fn mask(bytes: &[u8]) -> Decoded<'static> {
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
            // Adjacent invalid bytes are one error.
            Some(last) if last.span.end == span.start => last.span = last.span.cover(span),
            Some(last) if is_full => last.more += 1,
            _ => errors.push(SyntaxError::new(SyntaxErrorKind::InvalidUtf8, span)),
        }
    }
    Decoded { text: Cow::Owned(text), errors, transcoded: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjacent_invalid_bytes_are_one_error_and_keep_the_offsets() {
        let decoded = decode(b"{\"a\": \"\xff\xfe\xfd\", \"b\": \"\xe2\x82\"}");
        assert_eq!(decoded.text, "{\"a\": \"???\", \"b\": \"??\"}");
        let spans: Vec<_> = decoded.errors.iter().map(|error| error.span).collect();
        assert_eq!(spans, [Span::new(7, 10), Span::new(19, 21)]);
    }

    #[test]
    fn utf16_is_one_error() {
        for bytes in [&b"\xff\xfe{\0}\0"[..], b"\xfe\xff\0{\0}", b"{\0}\0", b"\0{\0}"] {
            let decoded = decode(bytes);
            assert_eq!(decoded.errors[0].kind, SyntaxErrorKind::Utf16);
            assert!(decoded.text.is_empty());
            assert_eq!(decoded.errors[0].span, Span::at(0));
            assert_eq!(decoded.transcoded.as_deref(), Some("{}"));
        }
        let text = "titre: été 🚀";
        let little: Vec<u8> = "\u{feff}"
            .encode_utf16()
            .chain(text.encode_utf16())
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(decode(&little).transcoded.as_deref(), Some(text));
        let wide: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
        assert_eq!(decode(&wide).transcoded.as_deref(), Some(text));
        assert_eq!(decode(b"{}").transcoded, None);
    }
}
