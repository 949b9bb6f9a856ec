//! Whether other errors make a fix doubtful.

use crate::edit::lines;
use crate::{Node, Span, SyntaxError, SyntaxErrorKind as ErrorKind, Tree};

/// Whether no other error makes it doubtful where the text with an error begins and ends.
pub(super) fn is_alone(text: &str, error: &SyntaxError, errors: &[SyntaxError]) -> bool {
    // Curly quotes are anywhere in the text.
    let is_anywhere = |kind: ErrorKind| kind == ErrorKind::CurlyQuotes;
    let near = lines_around(text, error.span);
    let is_near = |other: &SyntaxError| {
        is_anywhere(error.kind)
            || is_anywhere(other.kind)
            || near.contains(Span::at(other.span.start))
    };
    let mut others = errors.iter().filter(|other| *other != error);
    match error.kind {
        ErrorKind::QuoteInString | ErrorKind::MissingColon => !others.any(is_near),
        _ => has_open_end(text, error) || !others.any(|it| has_open_end(text, it) && is_near(it)),
    }
}

/// Whether the error is about a text whose end is not certain, so that what follows may be part of it.
fn has_open_end(text: &str, error: &SyntaxError) -> bool {
    let found = error.span.slice(text);
    match error.kind {
        ErrorKind::NotALiteral => !found.bytes().all(|byte| byte.is_ascii_alphanumeric()),
        ErrorKind::SingleQuotes => !found.ends_with('\''),
        kind => matches!(
            kind,
            ErrorKind::CurlyQuotes
                | ErrorKind::UnclosedString
                | ErrorKind::QuoteInString
                | ErrorKind::Unexpected
        ),
    }
}

/// Whether no text without quotes goes on over several lines. With another indentation, these may be separate values.
pub(super) fn has_short_texts(documents: &[Tree]) -> bool {
    let is_long = |node: Node<'_>| node.is_plain() && node.source().contains(['\n', '\r']);
    !documents.iter().flat_map(Tree::nodes).any(is_long)
}

/// Whether an error is about a bracket that may be anywhere.
pub(super) const fn is_about_bracket(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::Unclosed
            | ErrorKind::Unopened
            | ErrorKind::StrayClose
            | ErrorKind::MismatchedBracket
    )
}

/// The lines of a span, the one before it and the one after it.
fn lines_around(text: &str, span: Span) -> Span {
    let first = lines::start(text, span.start as usize);
    let last = lines::end(text, span.end as usize);
    let next = (last + 1..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(last);
    Span::of(lines::start(text, first.saturating_sub(1)), lines::end(text, next))
}
