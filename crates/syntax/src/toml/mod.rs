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
//! A line break in a multi-line string is one line feed, even if the file has two-byte line breaks. TOML allows both.

mod events;
mod fix;
mod grammar_errors;
mod line_breaks;
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
use crate::{SharedText, Span, SyntaxError, SyntaxErrorKind as ErrorKind, Unread};
use events::Events;
use line_breaks::Joined;
use reader::{MissingClosers, Reader};

/// The maximum number of missing brackets that are inserted.
const MAX_INSERTED_CLOSERS: usize = 8;

/// Parses a TOML text.
pub(crate) fn read(text: &SharedText, max_errors: usize) -> (Tree, Vec<SyntaxError>, Vec<Unread>) {
    let mut tokens = Source::new(text).lex().into_vec();
    let resolved = conflict::resolve(text, b' ', |at| is_in_string(&tokens, at));
    let original = text;
    let text = &*resolved.text;
    if !resolved.replaced.is_empty() {
        tokens = Source::new(text).lex().into_vec();
    }
    let mut errors = resolved.errors;
    if text.starts_with('\u{feff}') {
        errors.push(SyntaxError::new(ErrorKind::ByteOrderMark, Span::new(0, 3)));
    }
    for token in &tokens {
        grammar_errors::in_trivia(text, *token, &mut errors);
    }
    drop_trailing_trivia(&mut tokens);

    let replaced = &*resolved.replaced;
    let first = run(text, replaced, &tokens);
    let tokens_of = |joined: &Joined| {
        let mut tokens = Source::new(&joined.text).lex().into_vec();
        drop_trailing_trivia(&mut tokens);
        tokens
    };
    let mut joined = line_breaks::join(text, first.errors(), usize::MAX);
    if let Some(all) = &joined {
        let confirmed = all.confirmed(run(&all.text, replaced, &tokens_of(all)).errors());
        if confirmed < all.strings.len() {
            joined = line_breaks::join(text, first.errors(), confirmed);
        }
    }
    let (text, mut reader) = match &joined {
        Some(joined) => {
            tokens = tokens_of(joined);
            (joined.text.as_str(), run(&joined.text, replaced, &tokens))
        }
        None => (text, first),
    };
    // After a missing bracket, everything is parsed as if it were inside. The text is parsed again with the bracket
    // before the first line that is not valid there.
    let mut unclosed = Vec::new();
    for _ in 0..MAX_INSERTED_CLOSERS {
        let Some(missing) = reader.missing_closers() else { break };
        let mut repaired = tokens.clone();
        if !close(text, &mut repaired, &missing) {
            break;
        }
        let again = run(text, replaced, &repaired);
        if again.errors().len() + missing.opened.len() > reader.errors().len() {
            break;
        }
        unclosed.extend(missing.opened.iter().map(|opened| {
            SyntaxError::new(ErrorKind::Unclosed, *opened).related(Span::at(missing.before))
        }));
        (tokens, reader) = (repaired, again);
    }
    let is_whole = unclosed.is_empty();
    errors.append(&mut unclosed);
    let unread = reader.take_unread();
    let mut tree = reader.finish(original, is_whole, &mut errors);
    tree.mark_incomplete_around(&resolved.replaced);
    if let Some(Joined { errors: mut broken, strings, .. }) = joined {
        for string in strings {
            tree.replace_text(string.start, string.end, string::whole(original, string));
        }
        // These strings are closed, but not on their first line.
        let opened = |error: &SyntaxError| error.related.map(|quote| quote.start);
        errors.retain(|error| {
            let start = Some(error.span.start);
            error.kind != ErrorKind::UnclosedString
                || broken.binary_search_by_key(&start, opened).is_err()
        });
        errors.append(&mut broken);
    }
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

/// Reads tokens. The text has spaces in the place of some of the original.
fn run<'t>(text: &'t str, replaced: &'t [Span], tokens: &[Token]) -> Reader<'t> {
    let members = tokens.iter().filter(|token| token.kind() == TokenKind::Equals).count();
    let reader = RefCell::new(Reader::new(text, replaced, members));
    let mut on_error = |error: ParseError| reader.borrow_mut().grammar_error(&error);
    parse_document(tokens, &mut Events(&reader), &mut on_error);
    reader.into_inner()
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

/// Inserts the missing brackets before the line that is not valid inside them.
fn close(text: &str, tokens: &mut Vec<Token>, missing: &MissingClosers) -> bool {
    // Tokens can only be created by lexing. The offsets of these are at the start of the text, where nothing is closed.
    let closing: Vec<Token> = Source::new("]}").lex().collect();
    let [bracket, brace, ..] = closing.as_slice() else { return false };
    let mut at = 0;
    for (index, token) in tokens.iter().enumerate() {
        let is_there = token.span().start() >= missing.before as usize;
        if is_there || token.kind() == TokenKind::Eof {
            break;
        }
        if !is_trivia(token.kind()) {
            at = index + 1;
        }
    }
    let closing = missing
        .opened
        .iter()
        .map(|opened| if opened.slice(text) == "[" { *bracket } else { *brace });
    tokens.splice(at..at, closing);
    true
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
