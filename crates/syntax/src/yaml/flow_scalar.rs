//! Scalars that are folded: without quotes, in single and in double quotes (chapter 7.3 of the specification of YAML).

use super::Style;
use crate::text::{TextBuilder, code_unit};
use crate::{Span, Text};

/// Decodes what stands between the quotes. `start` is its offset in the file.
pub(super) fn decode(inner: &str, start: u32, style: Style) -> Text<'static> {
    let mut scalar = Flow { inner, at: 0, start, text: TextBuilder::at(start) };
    while let Some(byte) = scalar.peek() {
        match byte {
            b' ' | b'\t' => scalar.blanks(),
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

    /// Characters that stand for themselves.
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

    /// Blanks are text, but for those before a line break.
    fn blanks(&mut self) {
        let from = self.at;
        self.skip_blanks();
        if !matches!(self.peek(), Some(b'\n' | b'\r')) {
            let blanks = self.inner.get(from..self.at).unwrap_or_default();
            self.text.plain(self.start + from as u32, blanks);
        }
    }

    /// One line break is a blank, and of several the first says nothing.
    fn fold(&mut self) {
        let first = self.line_break();
        self.skip_blanks();
        if matches!(self.peek(), Some(b'\n' | b'\r')) {
            self.empty_lines();
        } else {
            self.text.spelled(" ", first);
        }
    }

    /// Lines with nothing in them are line breaks.
    fn empty_lines(&mut self) {
        while matches!(self.peek(), Some(b'\n' | b'\r')) {
            let place = self.line_break();
            self.text.spelled("\n", place);
            self.skip_blanks();
        }
    }

    fn escape(&mut self) {
        let rest = self.inner.get(self.at..).unwrap_or_default();
        if matches!(rest.as_bytes().get(1), Some(b'\n' | b'\r')) {
            // The backslash takes the line break away, and the indentation after it.
            self.at += 1;
            self.line_break();
            self.skip_blanks();
            self.empty_lines();
            return;
        }
        // What is no escape was refused by the library.
        let (character, length) = escaped(rest).unwrap_or(('\\', 1));
        self.spelled(character.encode_utf8(&mut [0; 4]), length);
    }

    /// Text that the next `length` bytes spell.
    fn spelled(&mut self, text: &str, length: usize) {
        let from = self.start + self.at as u32;
        self.text.spelled(text, Span::new(from, from + length as u32));
        self.at += length;
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// Goes over one line break.
    fn line_break(&mut self) -> Span {
        let from = self.start + self.at as u32;
        let rest = self.inner.as_bytes().get(self.at..).unwrap_or_default();
        let length = if rest.starts_with(b"\r\n") { 2 } else { 1 };
        self.at += length;
        Span::new(from, from + length as u32)
    }
}

/// The character that an escape in double quotes stands for, and the length of the escape; `None` if it is none. Of a
/// character in two halves, both are the escape.
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
            let unit = code_unit(text)?;
            if !(0xd800..0xdc00).contains(&unit) {
                return hexadecimal(text, 4);
            }
            let low = code_unit(text.get(6..)?)?;
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
