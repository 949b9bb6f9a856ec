//! Fixes of errors in JSON.

use crate::description::{CURLY, TRIPLE, control_escape, corrected_number, has_one_reading};
use crate::edit::{TextEdit, lines};
use crate::fix::places::{self, backslashes, remove};
use crate::fix::proposal::{Broken, Proposal, colon, escaped_quotes, fences};
use crate::invisible::{is_foreign_space, space_name};
use crate::text::code_unit;
use crate::{Format, Kind, Node, Span, SyntaxError, SyntaxErrorKind as ErrorKind};

/// The proposal for an error in JSON.
pub(crate) fn propose(broken: &Broken<'_>, error: &SyntaxError) -> Option<Proposal> {
    match error.kind {
        ErrorKind::Unexpected => unexpected(broken, error),
        ErrorKind::TrailingText => matches!(error.span.slice(broken.text), "," | ";")
            .then(|| Proposal::new(vec![remove(broken.text, error.span)])),
        ErrorKind::KeyNotQuoted => key_not_quoted(broken.text, error.span),
        ErrorKind::SingleQuotes => single_quotes(broken.text, error.span),
        ErrorKind::NotALiteral => literal(broken.text, error.span),
        ErrorKind::InvalidNumber => number(broken.text, error.span),
        ErrorKind::InvalidEscape => escapes(broken, error),
        ErrorKind::ControlCharacter => control_characters(broken, error),
        ErrorKind::QuoteInString => quotes(broken, error),
        _ => None,
    }
}

/// Removes what is certainly not content.
fn unexpected(broken: &Broken<'_>, error: &SyntaxError) -> Option<Proposal> {
    let found = error.span.slice(broken.text);
    if found == ";" {
        return Some(Proposal::new(vec![remove(broken.text, error.span)]));
    }
    if found.starts_with("```") {
        return fences(broken.text, error.span);
    }
    if !found.starts_with(is_foreign_space) || broken.format == Format::Jsonc {
        return None;
    }
    // All characters outside texts that only look like white space are one error.
    let is_text = |node: &Node<'_>| matches!(node.kind(), Kind::String | Kind::Key);
    let texts: Vec<Span> = broken.nodes().filter(is_text).map(Node::span).collect();
    let spaces = broken.text.match_indices(is_foreign_space).filter(|(at, _)| {
        let next = texts.partition_point(|text| text.end as usize <= *at);
        texts.get(next).is_none_or(|text| text.start as usize > *at)
    });
    let edits = spaces.map(|(at, space)| {
        let plain = if space_name(space).is_some() { " " } else { "" };
        TextEdit::new(Span::of(at, at + space.len()), plain)
    });
    Some(Proposal::new(edits.collect()))
}

/// Quotes around a key, and a colon if something else is in its place.
fn key_not_quoted(text: &str, span: Span) -> Option<Proposal> {
    let found = span.slice(text);
    let mut edits = vec![lines::insertion(span.start as usize, "\"")];
    if !found.ends_with('"') {
        edits.push(lines::insertion(span.end as usize, "\""));
    }
    let rest = text.get(span.end as usize..)?;
    let equals = span.end as usize + rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let length = match rest.trim_start_matches([' ', '\t']) {
        rest if rest.starts_with("=>") => 2,
        rest => usize::from(rest.starts_with('=')),
    };
    if length > 0 {
        edits.push(colon(text, Span::of(equals, equals + length)));
    }
    Some(Proposal::new(edits))
}

fn single_quotes(text: &str, span: Span) -> Option<Proposal> {
    let inner = span.slice(text).strip_prefix('\'')?.strip_suffix('\'')?;
    // YAML and SQL write an apostrophe in this way, but these could also be two texts.
    if inner.contains("''") {
        return None;
    }
    let start = span.start + 1;
    let end = start + inner.len() as u32;
    let mut edits = vec![
        TextEdit::new(Span::new(span.start, start), "\""),
        TextEdit::new(Span::new(end, end + 1), "\""),
    ];
    edits.extend(escaped_quotes(start, inner));
    edits.extend(escaped_controls(start, inner));
    for (at, escape) in backslashes(start, inner) {
        if escape.starts_with("\\'") {
            edits.push(TextEdit::new(Span::new(at, at + 1), ""));
        } else if length_of_escape(escape).is_none() {
            return None;
        }
    }
    Some(Proposal::new(edits))
}

/// The length of the valid escape at the start of a text.
fn length_of_escape(text: &str) -> Option<usize> {
    match text.as_bytes().get(1)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(2),
        b'u' => code_unit(text.as_bytes()).map(|_| 6),
        _ => None,
    }
}

/// Other spellings of `true`, `false` and `null`, but for those that may be text without quotes.
fn literal(text: &str, span: Span) -> Option<Proposal> {
    let found = span.slice(text);
    let meant = match found.to_ascii_lowercase().as_str() {
        "true" => "true",
        "false" => "false",
        "null" => "null",
        "none" if found == "None" => "null",
        _ => return None,
    };
    Some(Proposal::new(vec![TextEdit::new(span, meant)]))
}

fn number(text: &str, span: Span) -> Option<Proposal> {
    let number =
        corrected_number(span.slice(text)).filter(|_| has_one_reading(span.slice(text)))?;
    Some(Proposal::new(vec![TextEdit::new(span, number)]))
}

/// A string or key: the offset of its text, and its text as it is written.
fn inner_of(node: Node<'_>) -> (u32, &str) {
    let source = node.source();
    let opened = source.strip_prefix('"').unwrap_or(source);
    let start = node.span().start + (source.len() - opened.len()) as u32;
    (start, opened.strip_suffix('"').unwrap_or(opened))
}

/// Corrects all invalid escapes of a string.
fn escapes(broken: &Broken<'_>, error: &SyntaxError) -> Option<Proposal> {
    let (start, inner) = inner_of(broken.string_at(error.span)?);
    let (edits, apostrophes) =
        places::escapes(start, inner, |escape| length_of_escape(escape).is_some())?;
    let is_mixed = apostrophes > 0 && apostrophes < edits.len();
    let proposal = Proposal::new(edits);
    Some(if is_mixed { proposal.titled("correct the escapes") } else { proposal })
}

fn control_characters(broken: &Broken<'_>, error: &SyntaxError) -> Option<Proposal> {
    let (start, inner) = inner_of(broken.string_at(error.span)?);
    Some(Proposal::new(escaped_controls(start, inner).collect()))
}

/// An escape in place of each control character of a text that begins at an offset. A line break of two bytes is one line break.
fn escaped_controls(start: u32, inner: &str) -> impl Iterator<Item = TextEdit> + use<'_> {
    inner.match_indices(|character| character < ' ').filter_map(move |(at, found)| {
        let from = start + at as u32;
        let is_second = found == "\n" && inner.get(..at).is_some_and(|it| it.ends_with('\r'));
        let is_first = found == "\r" && inner.get(at + 1..).is_some_and(|it| it.starts_with('\n'));
        let span = Span::new(from, from + 1 + u32::from(is_first));
        (!is_second).then(|| TextEdit::new(span, control_escape(found)))
    })
}

/// Escapes the quotes inside a string.
fn quotes(broken: &Broken<'_>, error: &SyntaxError) -> Option<Proposal> {
    let is_triple = error.span.slice(broken.text) == TRIPLE;
    let place = if is_triple { Span::new(error.span.end - 1, error.span.end) } else { error.span };
    let node = broken.string_at(place)?;
    let (start, inner) = inner_of(node);
    let mut edits: Vec<TextEdit> = escaped_quotes(start, inner).collect();
    if is_triple {
        let Span { start, end } = node.span();
        edits.push(TextEdit::new(Span::new(start - 2, start), ""));
        edits.push(TextEdit::new(Span::new(end, end + 2), ""));
        edits.extend(escaped_controls(start + 1, inner));
        return Some(Proposal::new(edits));
    }
    // A quote next to a comma may belong to another item of a list, a text before a colon may be a name, and curly quotes may
    // be meant as quotes.
    let is_doubtful = if node.name().is_none() && node.kind() == Kind::String {
        [", \"", ",\"", "\",", "\" ,"].into_iter().any(|pattern| inner.contains(pattern))
    } else {
        inner.split('"').skip(1).any(|rest| rest.trim_start().starts_with([':', '=']))
    };
    let is_certain =
        are_around_words(inner, start, &edits) && !is_doubtful && !inner.contains(CURLY);
    is_certain.then(|| Proposal::new(edits))
}

/// Whether the quotes inside a text, each with an edit at its place, are pairs around words. An unpaired quote may be
/// one too many, or the end of the text.
fn are_around_words(inner: &str, start: u32, quotes: &[TextEdit]) -> bool {
    let sides = |quote: &TextEdit| {
        let at = (quote.span.start - start) as usize;
        let before = inner.get(..at).and_then(|text| text.chars().next_back());
        let after = inner.get(at + 1..).and_then(|text| text.chars().next());
        (before, after)
    };
    let is_space = |side: Option<char>| side.is_none_or(char::is_whitespace);
    let is_letter = |side: Option<char>| side.is_some_and(char::is_alphanumeric);
    quotes.chunks(2).all(|pair| {
        let [opening, closing] = pair else { return false };
        let ((before, first), (last, after)) = (sides(opening), sides(closing));
        let is_empty = closing.span.start <= opening.span.start + 1;
        !is_empty && !is_letter(before) && !is_space(first) && !is_space(last) && !is_letter(after)
    })
}
