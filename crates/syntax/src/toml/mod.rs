//! The TOML parser.
//!
//! The library `toml_parser` parses the grammar and continues after errors. `reader` turns its events, in the order of
//! the text, into the items of `tables`, which checks how tables may be defined. The tree is built when the whole text
//! is parsed. The tables of the crate `toml` are not used: it drops everything after a key without a value, takes
//! quadratic time for many tables that are first named by a sub-table, and miscounts the depth of brackets in place of
//! a key.
//!
//! TOML 1.1 is accepted, which includes 1.0. It adds line breaks, comments and a trailing comma in inline tables, the
//! escapes `\e` and `\xHH`, and times without seconds. Parsers of both versions are in use, so syntax that needs TOML
//! 1.1 is reported.
//!
//! What follows a bracket or a quote that is never closed is not read if it has errors: they may be consequences.
//!
//! A line break in a multi-line string is one line feed, even if the file has two-byte line breaks. TOML allows both.

mod events;
mod fix;
mod grammar_errors;
mod message;
mod reader;
mod scalar;
mod string;
mod tables;

pub(crate) use fix::propose;
pub(crate) use message::describe;

use std::cell::RefCell;

use toml_parser::lexer::{Token, TokenKind};
use toml_parser::parser::parse_document;
use toml_parser::{ParseError, Source};

use crate::conflict;
use crate::tree::Tree;
use crate::{
    SharedText, Span, SyntaxError, SyntaxErrorKind as ErrorKind, Unread, UnreadReason, unread,
};
use events::Events;
use reader::Reader;

/// How often a text is read again up to an earlier place.
const MAX_CUTS: usize = 8;

/// Parses a TOML text.
pub(crate) fn read(text: &SharedText, max_errors: usize) -> (Tree, Vec<SyntaxError>, Vec<Unread>) {
    let tokens = Source::new(text).lex().into_vec();
    let resolved = conflict::resolve(text, b' ', |at| is_in_string(&tokens, at));
    let original = text;
    let mut text = &*resolved.text;
    let (mut trivia, mut reader) = run(text);
    let mut cut = None;
    for _ in 0..MAX_CUTS {
        let Some(read) = reader.readable_end().and_then(|end| text.get(..end)) else {
            break;
        };
        text = read;
        cut = Some(Span::of(text.len(), text.len()));
        (trivia, reader) = run(text);
    }
    let mut errors = resolved.errors;
    if text.starts_with('\u{feff}') {
        errors.push(SyntaxError::new(ErrorKind::ByteOrderMark, Span::new(0, 3)));
    }
    errors.append(&mut trivia);
    let mut unread = reader.take_unread();
    if let Some(cut) = cut {
        unread::note(&mut unread, UnreadReason::Errors, cut);
    }
    let mut tree = reader.finish(original, cut, &mut errors);
    tree.mark_incomplete_around(&resolved.replaced);
    (tree, listed(errors, max_errors), unread)
}

/// Whether an offset is inside a multi-line string.
fn is_in_string(tokens: &[Token], at: u32) -> bool {
    let next = tokens.partition_point(|token| token.span().end() <= at as usize);
    let is_string = |token: &Token| {
        matches!(token.kind(), TokenKind::MlBasicString | TokenKind::MlLiteralString)
            && token.span().start() < at as usize
    };
    tokens.get(next).is_some_and(is_string)
}

/// Reads a text. Also returns the errors in comments and line breaks.
fn run(text: &str) -> (Vec<SyntaxError>, Reader<'_>) {
    let mut tokens = Source::new(text).lex().into_vec();
    let mut trivia = Vec::new();
    for token in &tokens {
        grammar_errors::in_trivia(text, *token, &mut trivia);
    }
    drop_trailing_trivia(&mut tokens);
    let members = tokens.iter().filter(|token| token.kind() == TokenKind::Equals).count();
    let reader = RefCell::new(Reader::new(text, members));
    let mut on_error = |error: ParseError| reader.borrow_mut().grammar_error(&error);
    parse_document(&tokens, &mut Events(&reader), &mut on_error);
    (trivia, reader.into_inner())
}

const fn is_trivia(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Whitespace | TokenKind::Newline | TokenKind::Comment)
}

/// Drops white space and comments at the end: the library scans them again for every unclosed bracket.
fn drop_trailing_trivia(tokens: &mut Vec<Token>) {
    let Some(end) = tokens.pop() else { return };
    while tokens.last().is_some_and(|token| is_trivia(token.kind())) {
        tokens.pop();
    }
    tokens.push(end);
}

/// The errors in the order of the text, up to the limit.
fn listed(mut errors: Vec<SyntaxError>, max_errors: usize) -> Vec<SyntaxError> {
    errors.sort_by_key(|error| error.span);
    let beyond = errors.len().saturating_sub(max_errors + 1) as u32;
    errors.truncate(max_errors + 1);
    if let Some(last) = errors.get_mut(max_errors) {
        *last = SyntaxError::new(ErrorKind::TooManyErrors, last.span);
        last.more = beyond;
    }
    errors
}
