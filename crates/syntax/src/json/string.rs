//! Strings. Eight bytes are scanned at once, and strings are decoded only on demand.

use super::Reader;
use super::scan::plain_end;
use crate::description::CURLY;
use crate::text::code_unit;
use crate::tree::{ESCAPED, FAULTY, Tag, UNCLOSED};
use crate::{Span, SyntaxError, SyntaxErrorKind as ErrorKind};

impl Reader<'_> {
    /// Parses the string that begins here.
    pub(super) fn string(&mut self, tag: Tag) {
        let start = self.at;
        let mut at = start + 1;
        let mut flags = 0;
        // The fast path for most strings. At the first unusual byte, the whole string takes the slow path.
        loop {
            at = plain_end(self.bytes, at);
            match self.bytes.get(at) {
                Some(b'"') => {
                    self.push(tag, start, at + 1, flags);
                    self.at = at + 1;
                    return;
                }
                Some(b'\\') => match self.bytes.get(at + 1) {
                    Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                        flags = ESCAPED;
                        at += 2;
                    }
                    Some(b'u') if self.is_plain_unit(at) => {
                        flags = ESCAPED;
                        at += 6;
                    }
                    _ => break,
                },
                _ => break,
            }
        }
        self.quoted(tag, b'"');
    }

    /// Whether a `\u` escape is not a surrogate.
    fn is_plain_unit(&self, at: usize) -> bool {
        let unit = self.bytes.get(at..).and_then(code_unit);
        unit.is_some_and(|unit| !(0xd800..0xe000).contains(&unit))
    }

    /// Parses a string in single or double quotes and reports its errors.
    #[cold]
    #[inline(never)]
    pub(super) fn quoted(&mut self, tag: Tag, quote: u8) {
        let start = self.at;
        let mut at = start + 1;
        let mut flags = 0;
        let mut errors = StringErrors::default();
        // Line breaks before this offset do not end the string.
        let mut checked_until = start;
        loop {
            at = if quote == b'"' { plain_end(self.bytes, at) } else { at };
            match self.bytes.get(at) {
                Some(byte) if *byte == quote => {
                    at += 1;
                    break;
                }
                Some(b'\\') => {
                    flags |= ESCAPED;
                    at = self.escape(at, &mut errors);
                }
                Some(b'\n' | b'\r') if at >= checked_until => {
                    let rest = self.bytes.get(at..).unwrap_or_default();
                    checked_until = self.bytes.len() - rest.trim_ascii_start().len();
                    // Keys never continue on the next line.
                    if tag == Tag::Key
                        || self.string_ends_with_line(start, at, checked_until, quote)
                    {
                        at = self.end_of_open_string(tag, start, at);
                        errors.unclosed = true;
                        break;
                    }
                }
                Some(byte) if *byte < 0x20 => {
                    fold(&mut errors.control, ErrorKind::ControlCharacter, at, at + 1);
                    // A line break of two bytes is one error.
                    let is_crlf = *byte == b'\r' && self.bytes.get(at + 1) == Some(&b'\n');
                    at += if is_crlf { 2 } else { 1 };
                }
                Some(_) => at += 1,
                None => {
                    errors.unclosed = true;
                    break;
                }
            }
        }
        self.at = at;
        let is_open = errors.unclosed;
        if errors.unclosed {
            flags |= UNCLOSED;
        }
        if errors.any() {
            flags |= FAULTY;
            self.string_errors(errors, start, at);
        }
        let text = self.text.get(start..at).unwrap_or_default();
        // A curly quote in place of the closing quote is not part of the text.
        let is_curly = is_open && quote == b'"' && text.len() > 1;
        let inner = if is_curly { text.strip_suffix(CURLY).unwrap_or(text) } else { text };
        self.push(tag, start, start + inner.len(), flags);
    }

    fn string_errors(&mut self, mut errors: StringErrors, start: usize, end: usize) {
        let reaches_end =
            |escape: &mut SyntaxError| escape.span.end as usize == end && escape.more == 0;
        let takes_quote = self.bytes.get(start..end).is_some_and(|text| text.ends_with(b"\\\""));
        if let Some(escape) = errors.escape.as_mut().filter(|_| errors.unclosed && takes_quote) {
            // No backslash of the string is escaped, and neither is the one before the quote.
            escape.more += 1;
        } else if errors.unclosed {
            // An escape that is cut off with the string is not reported.
            errors.escape.take_if(reaches_end);
            self.report(SyntaxError::new(ErrorKind::UnclosedString, Span::of(start, end)));
        }
        for error in [errors.control, errors.escape].into_iter().flatten() {
            self.report(error);
        }
    }

    /// Checks the escape at an offset and returns its end.
    fn escape(&mut self, at: usize, errors: &mut StringErrors) -> usize {
        match self.bytes.get(at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => at + 2,
            Some(b'u') => {
                let text = self.text.get(at..).unwrap_or_default();
                let Some(unit) = code_unit(text.as_bytes()) else {
                    let digits =
                        text.bytes().skip(2).take(4).take_while(u8::is_ascii_hexdigit).count();
                    fold(&mut errors.escape, ErrorKind::InvalidEscape, at, at + 2 + digits);
                    return at + 2;
                };
                if !(0xd800..0xe000).contains(&unit) {
                    return at + 6;
                }
                let low = text.as_bytes().get(6..).and_then(code_unit);
                if unit < 0xdc00 && low.is_some_and(|low| (0xdc00..0xe000).contains(&low)) {
                    return at + 12;
                }
                self.error(ErrorKind::LoneSurrogate, at, at + 6);
                at + 6
            }
            // The line break is checked separately.
            Some(b'\n' | b'\r') | None => {
                fold(&mut errors.escape, ErrorKind::InvalidEscape, at, at + 1);
                at + 1
            }
            Some(_) => {
                let character = self.text.get(at + 1..).and_then(|rest| rest.chars().next());
                let end = at + 1 + character.map_or(1, char::len_utf8);
                fold(&mut errors.escape, ErrorKind::InvalidEscape, at, end);
                end
            }
        }
    }

    /// Whether a string that reaches the end of its line was meant to end there, because the next line, at `next`,
    /// begins with a key or closes the container. Otherwise it was meant as a text of several lines.
    fn string_ends_with_line(&self, start: usize, at: usize, next: usize, quote: u8) -> bool {
        match self.bytes.get(next) {
            None => true,
            Some(b'}' | b']') => self.is_last_of_entry(next + 1),
            Some(first) if *first == quote => {
                let line = self.bytes.get(start..at).unwrap_or_default();
                let is_element = !self.in_object() && line.trim_ascii_end().ends_with(b",");
                is_element || self.is_name(next, quote)
            }
            Some(_) => false,
        }
    }

    /// The probable end of an unclosed string: for a key, before its colon; for a value, before the comma at the end of
    /// its line.
    fn end_of_open_string(&self, tag: Tag, start: usize, line_end: usize) -> usize {
        let line = self.bytes.get(start + 1..line_end).unwrap_or_default();
        let colon = memchr::memchr(b':', line).filter(|_| tag == Tag::Key);
        let text = line.get(..colon.unwrap_or(line.len())).unwrap_or_default().trim_ascii_end();
        start + 1 + text.strip_suffix(b",").unwrap_or(text).trim_ascii_end().len()
    }
}

/// The errors in one string: the first of each kind, with the number of the others.
#[derive(Default)]
struct StringErrors {
    control: Option<SyntaxError>,
    escape: Option<SyntaxError>,
    unclosed: bool,
}

impl StringErrors {
    fn any(&self) -> bool {
        self.unclosed || self.control.is_some() || self.escape.is_some()
    }
}

fn fold(slot: &mut Option<SyntaxError>, kind: ErrorKind, start: usize, end: usize) {
    match slot {
        Some(first) => first.more += 1,
        None => *slot = Some(SyntaxError::new(kind, Span::of(start, end))),
    }
}
