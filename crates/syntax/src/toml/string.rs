//! Decodes the four forms of strings, with the positions of their characters.

use toml_parser::decoder::Encoding;

use super::grammar_errors::is_control;
use crate::description::CURLY;
use crate::text::TextBuilder;
use crate::tree::{FAULTY, UNCLOSED};
use crate::{DecodedText, Span, SyntaxError, SyntaxErrorKind as ErrorKind};

/// A decoded string.
#[derive(Debug, Default)]
pub(super) struct DecodedString {
    /// The decoded text, if it differs from the text between the quotes.
    pub(super) decoded: Option<Box<DecodedText<'static>>>,
    /// The flags of its node.
    pub(super) flags: u8,
    /// The end of the string.
    pub(super) end: u32,
    /// The first escape that needs TOML 1.1, and the number of others.
    pub(super) toml_1_1: Option<(Span, u32)>,
}

/// Decodes the string in a span.
pub(super) fn decode(
    text: &str,
    span: Span,
    form: Encoding,
    errors: &mut Vec<SyntaxError>,
) -> DecodedString {
    let (delimiter, is_basic) = match form {
        Encoding::LiteralString => ("'", false),
        Encoding::BasicString => ("\"", true),
        Encoding::MlLiteralString => ("'''", false),
        Encoding::MlBasicString => ("\"\"\"", true),
    };
    let is_multi_line = delimiter.len() == 3;
    let source = span.slice(text);
    let opened = source.strip_prefix(delimiter).unwrap_or_default();
    let closed = opened.strip_suffix(delimiter).filter(|body| {
        let backslashes = body.len() - body.trim_end_matches('\\').len();
        // The last quote may be escaped.
        !is_basic || backslashes.is_multiple_of(2)
    });
    let known = errors.len();
    // An unclosed string ends before a line break of two bytes.
    let body = closed.unwrap_or(if is_multi_line {
        opened
    } else {
        opened.strip_suffix('\r').unwrap_or(opened)
    });
    let start = span.start + delimiter.len() as u32;
    let shown = start + body.len() as u32;
    // A curly quote in place of the closing quote is not part of the text.
    let is_open = closed.is_none() && !is_multi_line;
    let body = if is_open { body.strip_suffix(CURLY).unwrap_or(body) } else { body };
    let end = start + body.len() as u32;
    let end = if closed.is_some() { end + delimiter.len() as u32 } else { end };
    let mut flags = 0;
    if closed.is_none() {
        flags |= UNCLOSED;
        let shown = if is_multi_line { span.start + 3 } else { shown };
        errors.push(SyntaxError::new(ErrorKind::UnclosedString, Span::new(span.start, shown)));
    }

    let is_plain = !is_multi_line && first_special(body, is_basic).is_none();
    let mut toml_1_1 = None;
    let decoded = if is_plain {
        None
    } else {
        let trimmed = ["\n", "\r\n"].iter().find_map(|line_break| body.strip_prefix(line_break));
        let rest = trimmed.filter(|_| is_multi_line).unwrap_or(body);
        let start = start + (body.len() - rest.len()) as u32;
        let out = TextBuilder::at(start);
        let mut body = Body { rest, at: start, out, is_multi_line, is_basic, toml_1_1: None };
        body.decode(errors);
        toml_1_1 = body.toml_1_1;
        Some(Box::new(body.out.finish()))
    };
    if errors.len() > known {
        flags |= FAULTY;
    }
    DecodedString { decoded, flags, end, toml_1_1 }
}

/// The rest of the text between the quotes.
struct Body<'t> {
    rest: &'t str,
    /// The offset of the rest in the file.
    at: u32,
    out: TextBuilder,
    is_multi_line: bool,
    is_basic: bool,
    toml_1_1: Option<(Span, u32)>,
}

impl<'t> Body<'t> {
    fn decode(&mut self, errors: &mut Vec<SyntaxError>) {
        let mut control = None;
        let mut escape = None;
        loop {
            let plain = first_special(self.rest, self.is_basic).unwrap_or(self.rest.len());
            let plain = self.take(plain);
            self.out.plain(self.at - plain.len() as u32, plain);
            let Some(special) = self.rest.bytes().next() else {
                break;
            };
            let start = self.at;
            match special {
                b'\\' if self.is_multi_line && self.pass_continuation() => {}
                b'\\' => {
                    let is_newer = self.rest.starts_with("\\e") || self.rest.starts_with("\\x");
                    if !self.escape() {
                        fold(&mut escape, ErrorKind::TomlEscape, Span::new(start, self.at));
                    } else if is_newer {
                        let (first, more) = self.toml_1_1.unwrap_or((Span::new(start, self.at), 0));
                        self.toml_1_1 = Some((first, more + u32::from(first.start < start)));
                    }
                }
                b'\r' if self.is_multi_line && self.rest.starts_with("\r\n") => {
                    self.take(2);
                    self.out.spelled("\n", Span::new(start, self.at));
                }
                _ => {
                    let character = self.take(1);
                    self.out.plain(start, character);
                    let place = Span::new(start, self.at);
                    fold(&mut control, ErrorKind::ControlCharacter, place);
                }
            }
        }
        errors.extend([control, escape].into_iter().flatten());
    }

    /// Skips a number of bytes and returns them.
    fn take(&mut self, length: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.rest = rest;
        self.at += taken.len() as u32;
        taken
    }

    /// Skips a backslash at the end of a line, and all white space up to the next character.
    fn pass_continuation(&mut self) -> bool {
        let blank = self.rest.get(1..).unwrap_or_default();
        let line_end = blank.trim_start_matches([' ', '\t']);
        if !line_end.starts_with('\n') && !line_end.starts_with("\r\n") {
            return false;
        }
        let mut rest = line_end;
        while let Some(next) =
            rest.strip_prefix([' ', '\t', '\n']).or_else(|| rest.strip_prefix("\r\n"))
        {
            rest = next;
        }
        self.take(self.rest.len() - rest.len());
        true
    }

    /// Decodes an escape. An invalid one is kept as text.
    fn escape(&mut self) -> bool {
        let start = self.at;
        let mut characters = self.rest.chars();
        characters.next();
        let kind = characters.next();
        let character = match kind {
            Some('"') => '"',
            Some('\\') => '\\',
            Some('b') => '\u{8}',
            Some('e') => '\u{1b}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            // Invalid, but it means the same in every language that has it.
            Some('\'') => {
                self.take(2);
                self.out.spelled("'", Span::new(start, self.at));
                return false;
            }
            Some('x') => return self.unicode(2),
            Some('u') => return self.unicode(4),
            Some('U') => return self.unicode(8),
            // A control character is checked separately.
            _ => {
                let width = kind.filter(|kind| !kind.is_control()).map_or(0, char::len_utf8);
                let wrong = self.take(1 + width);
                self.out.plain(start, wrong);
                return false;
            }
        };
        self.take(2);
        self.out.spelled(character.encode_utf8(&mut [0; 4]), Span::new(start, self.at));
        true
    }

    fn unicode(&mut self, digits: usize) -> bool {
        let start = self.at;
        let is_digit = |byte: &u8| byte.is_ascii_hexdigit();
        let count = self.rest.bytes().skip(2).take(digits).take_while(is_digit).count();
        let spelled = self.take(2 + count);
        let character = spelled
            .get(2..)
            .filter(|found| found.len() == digits)
            .and_then(|found| u32::from_str_radix(found, 16).ok())
            .and_then(char::from_u32);
        match character {
            Some(character) => {
                let mut buffer = [0; 4];
                self.out.spelled(character.encode_utf8(&mut buffer), Span::new(start, self.at));
            }
            None => self.out.plain(start, spelled),
        }
        character.is_some()
    }
}

/// The index of the first byte that is not plain text of a string: a control character other than a line feed, or the
/// backslash of an escape. Most text has none, so whole blocks are tested, which needs no branch for each byte.
fn first_special(text: &str, is_basic: bool) -> Option<usize> {
    let is_special = |byte: u8| (is_control(byte) && byte != b'\n') || (byte == b'\\' && is_basic);
    let (blocks, rest) = text.as_bytes().as_chunks::<32>();
    let has_special =
        |block: &[u8; 32]| block.iter().fold(false, |any, byte| any | is_special(*byte));
    let plain = blocks.iter().position(has_special).unwrap_or(blocks.len());
    let at_block = blocks.get(plain).map_or(rest, <[u8; 32]>::as_slice);
    let at = at_block.iter().position(|byte| is_special(*byte))?;
    Some(plain * 32 + at)
}

fn fold(slot: &mut Option<SyntaxError>, kind: ErrorKind, span: Span) {
    match slot {
        Some(first) => first.more += 1,
        None => *slot = Some(SyntaxError::new(kind, span)),
    }
}

/// Whether a string of this form may span several lines.
pub(super) const fn is_multi_line(form: Encoding) -> bool {
    matches!(form, Encoding::MlBasicString | Encoding::MlLiteralString)
}
