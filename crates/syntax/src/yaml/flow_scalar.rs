//! Flow scalars: plain, in single quotes and in double quotes (YAML specification, chapter 7.3).

use super::Style;
use crate::text::{TextBuilder, code_unit};
use crate::{DecodedText, Span};

/// Decodes the text between the quotes. `start` is its offset in the file.
pub(super) fn decode(inner: &str, start: u32, style: Style) -> DecodedText<'static> {
    let mut scalar = Flow { inner, at: 0, start, text: TextBuilder::at(start) };
    while let Some(byte) = scalar.peek() {
        match byte {
            b' ' | b'\t' => scalar.spaces(),
            b'\n' | b'\r' => scalar.fold(),
            b'\'' if style == Style::Single => scalar.spelled("'", 2),
            b'\\' if style == Style::Double => scalar.escape(),
            _ => scalar.plain(style),
        }
    }
    scalar.text.finish()
}

struct Flow<'m> {
    inner: &'m str,
    at: usize,
    start: u32,
    text: TextBuilder,
}

impl Flow<'_> {
    fn peek(&self) -> Option<u8> {
        self.inner.as_bytes().get(self.at).copied()
    }

    /// Characters without a special meaning.
    fn plain(&mut self, style: Style) {
        let rest = self.inner.get(self.at..).unwrap_or_default();
        let special = |byte: u8| match byte {
            b' ' | b'\t' | b'\n' | b'\r' => true,
            b'\'' => style == Style::Single,
            b'\\' => style == Style::Double,
            _ => false,
        };
        let length = rest.bytes().position(special).unwrap_or(rest.len());
        self.text.plain(self.start + self.at as u32, rest.get(..length).unwrap_or_default());
        self.at += length.max(1);
    }

    /// Spaces and tabs are text, except before a line break.
    fn spaces(&mut self) {
        let from = self.at;
        self.skip_spaces();
        if !matches!(self.peek(), Some(b'\n' | b'\r')) {
            let spaces = self.inner.get(from..self.at).unwrap_or_default();
            self.text.plain(self.start + from as u32, spaces);
        }
    }

    /// One line break becomes a space. The first of several is dropped.
    fn fold(&mut self) {
        let first = self.line_break();
        self.skip_spaces();
        if matches!(self.peek(), Some(b'\n' | b'\r')) {
            self.empty_lines();
        } else {
            self.text.spelled(" ", first);
        }
    }

    /// Empty lines become line breaks.
    fn empty_lines(&mut self) {
        while matches!(self.peek(), Some(b'\n' | b'\r')) {
            let place = self.line_break();
            self.text.spelled("\n", place);
            self.skip_spaces();
        }
    }

    fn escape(&mut self) {
        let rest = self.inner.get(self.at..).unwrap_or_default();
        if matches!(rest.as_bytes().get(1), Some(b'\n' | b'\r')) {
            // A backslash removes the line break and the indentation after it.
            self.at += 1;
            self.line_break();
            self.skip_spaces();
            self.empty_lines();
            return;
        }
        // The library has rejected invalid escapes.
        let (character, length) = escaped(rest).unwrap_or(('\\', 1));
        self.spelled(character.encode_utf8(&mut [0; 4]), length);
    }

    /// Adds decoded text for the next `length` bytes.
    fn spelled(&mut self, text: &str, length: usize) {
        let from = self.start + self.at as u32;
        self.text.spelled(text, Span::new(from, from + length as u32));
        self.at += length;
    }

    fn skip_spaces(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// Skips one line break and returns its span.
    fn line_break(&mut self) -> Span {
        let from = self.start + self.at as u32;
        let rest = self.inner.as_bytes().get(self.at..).unwrap_or_default();
        let length = if rest.starts_with(b"\r\n") { 2 } else { 1 };
        self.at += length;
        Span::new(from, from + length as u32)
    }
}

/// The character of an escape in double quotes, and the length of the escape. `None` if it is invalid. A surrogate pair
/// is one escape.
pub(super) fn escaped(text: &str) -> Option<(char, usize)> {
    let kind = text.strip_prefix('\\')?.chars().next()?;
    let character = match kind {
        '0' => '\0',
        'a' => '\u{7}',
        'b' => '\u{8}',
        't' | '\t' => '\t',
        'n' => '\n',
        'v' => '\u{b}',
        'f' => '\u{c}',
        'r' => '\r',
        'e' => '\u{1b}',
        ' ' | '"' | '/' | '\\' => kind,
        'N' => '\u{85}',
        '_' => '\u{a0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        'x' => return hexadecimal(text, 2),
        'U' => return hexadecimal(text, 8),
        'u' => {
            let unit = code_unit(text.as_bytes())?;
            if !(0xd800..0xdc00).contains(&unit) {
                return hexadecimal(text, 4);
            }
            let low = code_unit(text.as_bytes().get(6..)?)?;
            let low = low.checked_sub(0xdc00).filter(|low| *low < 0x400)?;
            return char::from_u32(0x1_0000 + ((unit - 0xd800) << 10) + low)
                .map(|character| (character, 12));
        }
        _ => return None,
    };
    Some((character, 2))
}

fn hexadecimal(text: &str, count: usize) -> Option<(char, usize)> {
    let digits = text.get(2..2 + count)?;
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let character = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
    Some((character, 2 + count))
}
