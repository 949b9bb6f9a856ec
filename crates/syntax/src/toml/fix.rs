//! Fixes of errors in TOML.

use crate::description::{corrected_number, has_one_reading, is_triple};
use crate::edit::{TextEdit, lines};
use crate::fix::places::{self, remove};
use crate::fix::proposal::{Broken, Proposal};
use crate::invisible::is_foreign_space;
use crate::{Span, SyntaxError, SyntaxErrorKind as ErrorKind};

/// The proposal for an error in TOML.
pub(crate) fn propose(broken: &Broken<'_>, error: &SyntaxError) -> Option<Proposal> {
    let (text, span) = (broken.text.as_ref(), error.span);
    match error.kind {
        ErrorKind::SecondEntry => second_entry(text, span),
        ErrorKind::TomlValue => value(text, span),
        ErrorKind::TomlKey => key(text, span),
        ErrorKind::TomlEscape => escapes(broken, span),
        _ => None,
    }
}

/// Removes a sign after a value that separates entries in other formats.
fn second_entry(text: &str, span: Span) -> Option<Proposal> {
    // After a header, the opening bracket may be missing.
    let is_header =
        text.get(lines::start(text, span.start as usize)..)?.trim_start().starts_with('[');
    let is_stray = matches!(span.slice(text), "," | ";") && !is_header;
    is_stray.then(|| Proposal::new(vec![remove(text, span)]))
}

/// Other spellings of booleans and numbers, but for those that may be text without quotes.
fn value(text: &str, span: Span) -> Option<Proposal> {
    let found = span.slice(text);
    let meant = match found.to_ascii_lowercase().as_str() {
        meant @ ("true" | "false") => meant.to_owned(),
        _ => corrected_number(found).filter(|_| has_one_reading(found))?,
    };
    Some(Proposal::new(vec![TextEdit::new(span, meant)]))
}

/// Quotes around a key.
fn key(text: &str, span: Span) -> Option<Proposal> {
    let found = span.slice(text);
    if found.is_empty()
        || is_triple(found)
        || found.contains(['"', '\\'])
        || found.contains(is_foreign_space)
    {
        return None;
    }
    Some(Proposal::new(vec![
        lines::insertion(span.start as usize, "\""),
        lines::insertion(span.end as usize, "\""),
    ]))
}

/// A second backslash for each one that begins no escape.
fn escapes(broken: &Broken<'_>, span: Span) -> Option<Proposal> {
    let string = broken.string_at(span)?;
    let source = string.source();
    let quotes = if is_triple(source) { "\"\"\"" } else { "\"" };
    let inner = source.strip_prefix(quotes)?;
    let inner = inner.strip_suffix(quotes).unwrap_or(inner);
    let start = string.span().start + quotes.len() as u32;
    let is_escape = |escape: &str| {
        let is_hexadecimal = |digits: usize| {
            escape.get(2..2 + digits).is_some_and(|it| it.bytes().all(|b| b.is_ascii_hexdigit()))
        };
        match escape.as_bytes().get(1) {
            Some(b'x') => is_hexadecimal(2),
            Some(b'u') => is_hexadecimal(4),
            Some(b'U') => is_hexadecimal(8),
            kind => kind.is_some_and(|kind| b"\"\\befnrt\n\r \t".contains(kind)),
        }
    };
    let (edits, _) = places::escapes(start, inner, is_escape)?;
    Some(Proposal::new(edits).titled("correct the escapes"))
}
