//! Converts the errors of the library into syntax errors.

use toml_parser::ParseError;
use toml_parser::lexer::{Token, TokenKind};

use crate::{Span, SyntaxError, SyntaxErrorKind as ErrorKind};

/// Converts an error of the library. Keys and values are checked elsewhere.
pub(super) fn of_grammar(text: &str, error: &ParseError) -> SyntaxError {
    let context = error.context().map(span_of);
    let at = error.unexpected().map(span_of).or(context).unwrap_or_default();
    let context = context.unwrap_or(at);
    let (kind, span) = match error.description() {
        "unclosed table" | "unclosed array table" => (ErrorKind::UnclosedHeader, context),
        "unclosed array" | "unclosed inline table" => (ErrorKind::Unclosed, context),
        "key with no value"
        | "missing value for key"
        | "missing assignment between key-value pairs" => (ErrorKind::MissingEquals, at),
        "missing key for inline table element" => (ErrorKind::MissingKey, at),
        "missing comma between array elements" | "missing comma between key-value pairs" => {
            (ErrorKind::MissingComma, at)
        }
        "extra comma in array" | "extra comma in inline table" => {
            (ErrorKind::ExtraComma, character(text, at.start))
        }
        "missing table open" | "missing array opening" | "missing inline table opening" => {
            (ErrorKind::StrayClose, context)
        }
        "unexpected key or value" => (ErrorKind::SecondEntry, word(text, at.start)),
        // Including errors of newer versions of the library.
        _ if at.is_empty() => (ErrorKind::Unexpected, character(text, at.start)),
        _ => (ErrorKind::Unexpected, at),
    };
    SyntaxError::new(kind, within(text, span))
}

/// Reports errors in comments and line breaks.
pub(super) fn in_trivia(text: &str, token: Token, errors: &mut Vec<SyntaxError>) {
    let span = span_of(token.span());
    match token.kind() {
        TokenKind::Newline if span.slice(text) == "\r" => {
            errors.push(SyntaxError::new(ErrorKind::Unexpected, span));
        }
        TokenKind::Comment => {
            let bytes = span.slice(text).bytes();
            let mut at = (span.start..).zip(bytes).filter(|(_, byte)| is_control(*byte));
            if let Some((first, _)) = at.next() {
                let mut error =
                    SyntaxError::new(ErrorKind::Unexpected, Span::new(first, first + 1));
                error.more = at.count() as u32;
                errors.push(error);
            }
        }
        _ => {}
    }
}

/// Whether TOML forbids a byte everywhere.
pub(super) const fn is_control(byte: u8) -> bool {
    matches!(byte, 0..=0x08 | 0x0a..=0x1f | 0x7f)
}

pub(super) fn span_of(span: toml_parser::Span) -> Span {
    Span::of(span.start(), span.end())
}

/// The span of the character at an offset.
pub(super) fn character(text: &str, start: u32) -> Span {
    let width = text.get(start as usize..).and_then(|rest| rest.chars().next());
    Span::new(start, start + width.map_or(0, char::len_utf8) as u32)
}

/// The span from an offset up to white space or the end of the text.
fn word(text: &str, start: u32) -> Span {
    let rest = text.get(start as usize..).unwrap_or_default();
    let length = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
    Span::new(start, start + length as u32)
}

/// The span, or a place before it if it is not valid for the text.
fn within(text: &str, span: Span) -> Span {
    if text.get(span.start as usize..span.end as usize).is_some() {
        return span;
    }
    let mut start = (span.start as usize).min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    Span::at(start as u32)
}
