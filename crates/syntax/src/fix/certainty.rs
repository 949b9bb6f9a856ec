//! Whether brackets and quotes that were lost can only have been in one place.

use super::places::{self, indentation, line_end, line_start};
use crate::edit::TextEdit;
use crate::{Kind, LineIndex, Node, Parsed, Span, SyntaxError, SyntaxErrorKind as ErrorKind, Tree};

/// Whether no other error makes it doubtful which brackets or quotes an error is about.
pub(super) fn is_alone(text: &str, error: &SyntaxError, errors: &[SyntaxError]) -> bool {
    let mut others = errors.iter().filter(|other| *other != error);
    if is_about_bracket(error.kind) {
        return others.all(|other| is_local(other.kind));
    }
    if is_about_quote(error.kind) {
        let near = lines_around(text, error.span);
        let is_far = |other: &SyntaxError| !near.contains(Span::at(other.span.start));
        return others.all(|other| is_local(other.kind) || is_far(other));
    }
    if has_open_end(text, error) {
        return true;
    }
    // Curly quotes and comments are anywhere in the text.
    let is_anywhere = |kind: ErrorKind| {
        matches!(kind, ErrorKind::CurlyQuotes | ErrorKind::Comment | ErrorKind::HashComment)
    };
    let near = lines_around(text, error.span);
    let is_near = |other: &SyntaxError| {
        is_anywhere(error.kind)
            || is_anywhere(other.kind)
            || near.contains(Span::at(other.span.start))
    };
    others.all(|other| !has_open_end(text, other) || !is_near(other))
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

/// Whether each bracket that closes on a line of its own is indented like the line of its opening bracket.
pub(super) fn is_indented(documents: &[Tree]) -> bool {
    let Some(text) = documents.first().map(Tree::text) else { return true };
    let index = LineIndex::new(text);
    // The first character of each line that is not a space or a tab, and what is before it.
    let lines = (1..).map_while(|line| index.line_span(text, line)).map(|line| {
        let indentation = indentation(text, line.start as usize);
        (line.start + indentation.len() as u32, indentation)
    });
    let lines: Vec<(u32, &str)> = lines.collect();
    let line_of = |at: u32| lines.get(index.line_of(at) as usize - 1).copied().unwrap_or_default();
    let is_container =
        |node: &Node<'_>| matches!(node.kind(), Kind::Object | Kind::Array) && !node.is_block();
    documents.iter().flat_map(Tree::nodes).filter(is_container).all(|node| {
        let Span { start, end } = node.span();
        let ((first, opened), (last, closed)) = (line_of(start), line_of(end.saturating_sub(1)));
        first == last || last != end.saturating_sub(1) || opened == closed
    })
}

/// Whether an entry that edits touch still has an error in the edited text. Then more is wrong there than what they correct.
pub(super) fn is_partial(corrected: &[SyntaxError], after: &Parsed, edits: &[TextEdit]) -> bool {
    if corrected.iter().all(|error| is_beside_values(error.kind)) {
        return false;
    }
    let left: Vec<Span> = after
        .errors
        .iter()
        .filter(|error| !is_beside_values(error.kind))
        .map(|error| error.span)
        .collect();
    if left.is_empty() {
        return false;
    }
    let meets = |one: Span, other: Span| one.start <= other.end && other.start <= one.end;
    let edited = places::edited_spans(after.documents.first().map_or("", Tree::text), edits);
    let entries = after
        .documents
        .iter()
        .flat_map(Tree::nodes)
        .filter(|node| !matches!(node.kind(), Kind::Key) && node.id().index() > 0);
    let entries = entries.map(|node| {
        let start = node.name().map_or(node.span().start, |name| name.span().start);
        Span::new(start.min(node.span().start), node.span().end)
    });
    let entries: Vec<Span> = entries.collect();
    edited.iter().any(|edited| {
        let touched: Vec<Span> =
            entries.iter().copied().filter(|entry| meets(*entry, *edited)).collect();
        // What is around the innermost entries may have other errors.
        let is_inner =
            |entry: &Span| !touched.iter().any(|other| other != entry && entry.contains(*other));
        let inner = touched.iter().filter(|entry| is_inner(entry));
        inner.into_iter().any(|entry| left.iter().any(|error| meets(*error, *entry)))
    })
}

/// Whether an error is between values, or about all of a name: it does not make doubtful where values end.
const fn is_beside_values(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::ByteOrderMark
            | ErrorKind::Comment
            | ErrorKind::HashComment
            | ErrorKind::UnclosedComment
            | ErrorKind::DuplicateKey
            | ErrorKind::TooDeep
    )
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

const fn is_about_quote(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::UnclosedString | ErrorKind::QuoteInString | ErrorKind::MissingColon)
}

/// Whether an error is about the character in its place alone.
const fn is_local(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::ByteOrderMark
            | ErrorKind::Comment
            | ErrorKind::HashComment
            | ErrorKind::TrailingComma
            | ErrorKind::MissingComma
            | ErrorKind::NotAComma
            | ErrorKind::NotAColon
            | ErrorKind::KeyNotQuoted
            | ErrorKind::InvalidNumber
            | ErrorKind::ControlCharacter
            | ErrorKind::InvalidEscape
            | ErrorKind::TomlEscape
            | ErrorKind::Toml11
            | ErrorKind::LoneSurrogate
            | ErrorKind::DuplicateKey
    )
}

/// The lines of a span, the one before it and the one after it.
fn lines_around(text: &str, span: Span) -> Span {
    let first = line_start(text, span.start as usize);
    let last = line_end(text, span.end as usize);
    let next = (last + 1..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(last);
    Span::of(line_start(text, first.saturating_sub(1)), line_end(text, next))
}
