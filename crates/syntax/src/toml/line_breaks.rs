//! Line breaks in strings that must end on their line.

use std::collections::BTreeSet;

use crate::{Span, SyntaxError, SyntaxErrorKind as ErrorKind};

/// The part of a string after its first line break.
struct BrokenString {
    /// From the start of the second line to the closing quote.
    span: Span,
    /// The number of further line breaks in the string.
    more: u32,
}

/// A text in which strings end on their line.
pub(super) struct Joined {
    /// The text with spaces in place of everything after the first line break of such strings.
    pub(super) text: String,
    /// One error for each of them.
    pub(super) errors: Vec<SyntaxError>,
    /// Each of them as a whole, with its quotes.
    pub(super) strings: Vec<Span>,
}

impl Joined {
    /// How many of the strings are still open at the end of their first line by the errors of the joined text, up to the first one
    /// that is not. After a quote that is now a space, a text can be read in another way.
    pub(super) fn confirmed(&self, errors: &[SyntaxError]) -> usize {
        let is_open = |error: &&SyntaxError| error.kind == ErrorKind::UnclosedString;
        let open: BTreeSet<u32> =
            errors.iter().filter(is_open).map(|error| error.span.start).collect();
        self.strings.iter().take_while(|string| open.contains(&string.start)).count()
    }
}

/// Joins the lines of such strings, of the first `most`; `None` if there is no such string. `known` are the errors of the original
/// text.
pub(super) fn join(text: &str, known: &[SyntaxError], most: usize) -> Option<Joined> {
    let mut errors = Vec::new();
    let mut strings = Vec::new();
    let mut masked: Option<Vec<u8>> = None;
    let mut end = 0;
    for unclosed in known {
        if strings.len() == most {
            break;
        }
        if unclosed.kind != ErrorKind::UnclosedString || unclosed.span.start < end {
            continue;
        }
        let Some(rest) = rest(text, unclosed.span) else { continue };
        end = rest.span.end;
        strings.push(Span::new(unclosed.span.start, end));
        let opened = Span::new(unclosed.span.start, unclosed.span.start + 1);
        let at = Span::new(unclosed.span.end, unclosed.span.end + 1);
        let error = SyntaxError::new(ErrorKind::LineBreakInString, at).related(opened);
        errors.push(SyntaxError { more: rest.more, ..error });
        let masked = masked.get_or_insert_with(|| text.as_bytes().to_vec());
        let range = rest.span.start as usize..rest.span.end as usize;
        for byte in masked.get_mut(range).unwrap_or_default() {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }
    // Whole characters were replaced, so it is still UTF-8.
    Some(Joined { text: String::from_utf8(masked?).ok()?, errors, strings })
}

/// The rest of a string that is open at the end of its first line. `None` if its closing quote is missing: an entry or
/// a header comes before the next quote, or more text follows that quote.
fn rest(text: &str, opened: Span) -> Option<BrokenString> {
    let source = opened.slice(text);
    let quote = source.bytes().next()?;
    let before = text.get(..opened.start as usize)?.trim_end_matches([' ', '\t']);
    let is_triple = source.starts_with("\"\"\"") || source.starts_with("'''");
    if is_triple || !before.ends_with(['=', '[', ',']) {
        return None;
    }
    let after = text.get(opened.end as usize..)?;
    let first = after.find('\n')? + 1;
    let start = opened.end as usize + first;
    let mut at = start;
    for (more, line) in (0..).zip(text.get(start..)?.split_inclusive('\n')) {
        let body = line.trim_end_matches(['\n', '\r']);
        if looks_like_entry(body) {
            return None;
        }
        if let Some(close) = closing_quote(body, quote) {
            let left = body.get(close + 1..)?.trim_start_matches([' ', '\t', ',', ']', '}']);
            let is_closed = left.is_empty() || left.starts_with('#');
            let span = Span::of(start, at + close + 1);
            return is_closed.then_some(BrokenString { span, more });
        }
        at += line.len();
    }
    None
}

fn closing_quote(line: &str, quote: u8) -> Option<usize> {
    let mut is_escaped = false;
    line.bytes().position(|byte| {
        let is_close = byte == quote && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped && quote == b'"';
        is_close
    })
}

/// Whether a line begins like `name =` or `[header]`.
fn looks_like_entry(line: &str) -> bool {
    let line = line.trim();
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '"' | '\'');
    let after = line.trim_start_matches(is_name);
    let is_entry = after.len() < line.len() && after.trim_start().starts_with('=');
    is_entry || (line.starts_with('[') && line.ends_with(']'))
}
