//! Fixes of errors in JSON.

use crate::description::{CURLY, TRIPLE, control_escape, corrected_number, has_one_reading};
use crate::edit::TextEdit;
use crate::fix::places::{
    backslashes, indentation, insert, is_first_on_line, line_break_of, line_end, line_start,
    remove, replace,
};
use crate::fix::proposal::{
    Broken, Proposal, colon, escaped_quotes, fences, is_never_escaped, stray_close,
};
use crate::invisible::space_name;
use crate::text::code_unit;
use crate::{Format, Kind, Node, Span, SyntaxError, SyntaxErrorKind as ErrorKind};

/// The proposals for an error in JSON, the best first.
pub(crate) fn propose(broken: &Broken<'_>, error: &SyntaxError) -> Vec<Proposal> {
    let one = match error.kind {
        ErrorKind::Unopened => return braces(broken, error),
        ErrorKind::StrayClose => return stray_close(broken.text, error.span),
        ErrorKind::Comment => comments(broken, error),
        ErrorKind::HashComment => Some(hash_comments(broken)),
        ErrorKind::Unexpected => unexpected(broken, error),
        ErrorKind::TrailingText => trailing_text(broken.text, error.span),
        ErrorKind::KeyNotQuoted => key_not_quoted(broken.text, error.span),
        ErrorKind::SingleQuotes => single_quotes(broken.text, error.span),
        ErrorKind::NotALiteral => literal(broken.text, error.span),
        ErrorKind::InvalidNumber => number(broken.text, error.span),
        ErrorKind::InvalidEscape => escapes(broken, error),
        ErrorKind::ControlCharacter => control_characters(broken, error),
        ErrorKind::QuoteInString => return quotes(broken, error),
        ErrorKind::UnclosedString => unclosed_string(broken.text, error.span),
        ErrorKind::Unclosed => closing_brackets(broken, error),
        ErrorKind::MismatchedBracket => mismatched_bracket(broken, error),
        _ => None,
    };
    one.into_iter().collect()
}

/// Removes all comments. They may say why a value is what it is, so that needs a review.
fn comments(broken: &Broken<'_>, error: &SyntaxError) -> Option<Proposal> {
    if broken.places(ErrorKind::UnclosedComment).next().is_some() {
        return None;
    }
    let mut comments: Vec<Span> = Vec::new();
    for comment in broken.places(ErrorKind::Comment) {
        // Comments side by side are removed together.
        match comments.last_mut() {
            Some(last) if is_blank(Span::new(last.end, comment.start).slice(broken.text)) => {
                last.end = comment.end;
            }
            _ => comments.push(comment),
        }
    }
    let edits = comments.iter().map(|comment| remove(broken.text, *comment)).collect();
    let title = if error.more == 0 { "remove the comment" } else { "remove the comments" };
    Some(Proposal::safe(edits).only_if(false).titled(title))
}

fn is_blank(text: &str) -> bool {
    text.chars().all(|character| matches!(character, ' ' | '\t'))
}

fn hash_comments(broken: &Broken<'_>) -> Proposal {
    let hash = |comment: Span| replace(Span::new(comment.start, comment.start + 1), "//");
    Proposal::safe(broken.places(ErrorKind::HashComment).map(hash).collect())
}

/// Removes what is certainly not content.
fn unexpected(broken: &Broken<'_>, error: &SyntaxError) -> Option<Proposal> {
    let found = error.span.slice(broken.text);
    if found == ";" {
        return Some(Proposal::safe(vec![remove(broken.text, error.span)]));
    }
    if found.starts_with("```") {
        return fences(broken.text, error.span);
    }
    let spaces = broken.places(ErrorKind::Unexpected).map(|space| {
        replace(space, if space_name(space.slice(broken.text)).is_some() { " " } else { "" })
    });
    let spaces: Vec<TextEdit> = spaces.collect();
    let is_space = spaces.iter().any(|space| space.span == error.span);
    is_space.then(|| Proposal::safe(spaces))
}

fn trailing_text(text: &str, span: Span) -> Option<Proposal> {
    let is_separator = matches!(span.slice(text), "," | ";");
    is_separator.then(|| Proposal::safe(vec![remove(text, span)]))
}

/// Quotes around a key, and a colon if something else is in its place.
fn key_not_quoted(text: &str, span: Span) -> Option<Proposal> {
    let found = span.slice(text);
    let mut edits = vec![insert(span.start as usize, "\"")];
    if !found.ends_with('"') {
        edits.push(insert(span.end as usize, "\""));
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
    Some(Proposal::safe(edits))
}

fn single_quotes(text: &str, span: Span) -> Option<Proposal> {
    let inner = span.slice(text).strip_prefix('\'')?.strip_suffix('\'')?;
    // YAML and SQL write an apostrophe in this way, but these could also be two texts.
    if inner.contains("''") {
        return None;
    }
    let start = span.start + 1;
    let end = start + inner.len() as u32;
    let mut edits =
        vec![replace(Span::new(span.start, start), "\""), replace(Span::new(end, end + 1), "\"")];
    edits.extend(escaped_quotes(start, inner));
    edits.extend(escaped_controls(start, inner));
    for (at, escape) in backslashes(start, inner) {
        if escape.starts_with("\\'") {
            edits.push(replace(Span::new(at, at + 1), ""));
        } else if length_of_escape(escape).is_none() {
            return None;
        }
    }
    Some(Proposal::safe(edits))
}

/// The length of the valid escape at the start of a text.
fn length_of_escape(text: &str) -> Option<usize> {
    match text.as_bytes().get(1)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(2),
        b'u' => code_unit(text.as_bytes()).map(|_| 6),
        _ => None,
    }
}

/// Other spellings of `true`, `false` and `null`.
fn literal(text: &str, span: Span) -> Option<Proposal> {
    let found = span.slice(text);
    let (meant, is_certain) = match found.to_ascii_lowercase().as_str() {
        "true" => ("true", true),
        "false" => ("false", true),
        "null" => ("null", true),
        // Other spellings than that of Python may be text without quotes.
        "none" => ("null", found == "None"),
        // `undefined` may also mean that the field is missing.
        "nil" | "undefined" => ("null", false),
        "yes" | "on" => ("true", false),
        "no" | "off" => ("false", false),
        _ => return None,
    };
    Some(Proposal::safe(vec![replace(span, meant)]).only_if(is_certain))
}

fn number(text: &str, span: Span) -> Option<Proposal> {
    let found = span.slice(text);
    let number = corrected_number(found)?;
    Some(Proposal::safe(vec![replace(span, number)]).only_if(has_one_reading(found)))
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
    let mut edits = Vec::new();
    let (mut is_certain, mut quotes) = (true, 0);
    for (at, escape) in backslashes(start, inner) {
        if length_of_escape(escape).is_some() {
            continue;
        }
        match escape.chars().nth(1)? {
            '\'' => {
                quotes += 1;
                edits.push(replace(Span::new(at, at + 1), ""));
            }
            // It may be an escape with a mistake, or a line that goes on.
            'u' | '\n' | '\r' => return None,
            kind => {
                is_certain &= is_never_escaped(kind);
                edits.push(insert(at as usize, "\\"));
            }
        }
    }
    let is_mixed = quotes > 0 && quotes < edits.len();
    let proposal = Proposal::safe(edits).only_if(is_certain);
    Some(if is_mixed { proposal.titled("correct the escapes") } else { proposal })
}

fn control_characters(broken: &Broken<'_>, error: &SyntaxError) -> Option<Proposal> {
    let (start, inner) = inner_of(broken.string_at(error.span)?);
    Some(Proposal::safe(escaped_controls(start, inner).collect()))
}

/// An escape in place of each control character of a text that begins at an offset. A line break of two bytes is one line break.
fn escaped_controls(start: u32, inner: &str) -> impl Iterator<Item = TextEdit> + use<'_> {
    inner.match_indices(|character| character < ' ').filter_map(move |(at, found)| {
        let from = start + at as u32;
        let is_second = found == "\n" && inner.get(..at).is_some_and(|it| it.ends_with('\r'));
        let is_first = found == "\r" && inner.get(at + 1..).is_some_and(|it| it.starts_with('\n'));
        let span = Span::new(from, from + 1 + u32::from(is_first));
        (!is_second).then(|| replace(span, control_escape(found)))
    })
}

/// Escapes the quotes inside a string, or divides it where it has swallowed the next entry.
fn quotes(broken: &Broken<'_>, error: &SyntaxError) -> Vec<Proposal> {
    let is_triple = error.span.slice(broken.text) == TRIPLE;
    let place = if is_triple { Span::new(error.span.end - 1, error.span.end) } else { error.span };
    let Some(node) = broken.string_at(place) else { return Vec::new() };
    let (start, inner) = inner_of(node);
    let mut edits: Vec<TextEdit> = escaped_quotes(start, inner).collect();
    if is_triple {
        let Span { start, end } = node.span();
        edits.push(replace(Span::new(start - 2, start), ""));
        edits.push(replace(Span::new(end, end + 2), ""));
        edits.extend(escaped_controls(start + 1, inner));
        return vec![Proposal::safe(edits)];
    }
    let are_pairs = are_around_words(inner, start, &edits);
    let escaped = Proposal::safe(edits);
    let first = (error.span.start - start) as usize;
    let (before, after) = (inner.get(..first), inner.get(first + 1..));
    let (Some(before), Some(after)) = (before, after) else { return Vec::new() };
    let is_spaced = before.is_empty()
        || before.ends_with(char::is_whitespace)
        || after.starts_with(char::is_whitespace);
    let in_list = node.name().is_none() && node.kind() == Kind::String;
    let is_next = if in_list {
        !is_spaced && !after.is_empty()
    } else {
        let name = name_before_colon(after);
        if name.is_some_and(|name| !broken.knows(name)) && !is_spaced {
            // It may be a name or a part of the text.
            return Vec::new();
        }
        name.is_some_and(|name| broken.knows(name))
    };
    if is_next {
        let divided = Proposal::safe(vec![insert(error.span.end as usize, ",\"")]);
        return vec![divided.only_if(false).titled("insert a comma and a quote")];
    }
    // A quote next to a comma may belong to another item of a list, a text before a colon may be a name, and curly quotes may
    // be meant as quotes.
    let beside_comma = |pattern: &str| inner.contains(pattern);
    let is_doubtful = if in_list {
        [", \"", ",\"", "\",", "\" ,"].into_iter().any(beside_comma)
    } else {
        after.match_indices('"').any(|(at, _)| {
            after.get(at + 1..).is_some_and(|rest| rest.trim_start().starts_with([':', '=']))
        })
    };
    vec![escaped.only_if(are_pairs && !is_doubtful && !inner.contains(CURLY))]
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

/// The name without spaces that a text begins with, before a quote and a colon.
fn name_before_colon(text: &str) -> Option<&str> {
    let (name, rest) = text.split_once('"')?;
    let is_name = !name.is_empty() && !name.contains(char::is_whitespace);
    (is_name && rest.trim_start().starts_with([':', '='])).then_some(name)
}

/// A closing quote where the string ends, unless the text ends there.
fn unclosed_string(text: &str, span: Span) -> Option<Proposal> {
    let found = span.slice(text);
    let is_cut_off = span.end as usize >= text.trim_end().len();
    let is_plain = found.starts_with('"') && !found.ends_with("\\\"");
    // A comma that nothing follows may be part of the text.
    let rest = text.get(span.end as usize..)?.trim_start();
    let ends = rest.strip_prefix(',').is_some_and(|it| it.trim_start().starts_with(['}', ']']));
    // The text may have swallowed a bracket, or end with a quote of another kind.
    let is_certain = !ends && found.len() > 1 && !found.ends_with([']', '}', '\'', ':']);
    let closing = || Proposal::safe(vec![insert(span.end as usize, "\"")]).only_if(is_certain);
    (is_plain && !is_cut_off).then(closing)
}

/// Brackets for the containers that an error leaves open.
fn closing_brackets(broken: &Broken<'_>, error: &SyntaxError) -> Option<Proposal> {
    let text = broken.text;
    let next = error.related?;
    let is_open_until = |end: u32| {
        let is_it = move |node: &Node<'_>| node.span().end == end && node.is_incomplete();
        broken.nodes().filter(is_it).filter(|node| node.kind() != Kind::Key)
    };
    let is_at_end = next.start as usize == text.len();
    let mut open: Vec<Node<'_>> = if is_at_end || !next.is_empty() {
        is_open_until(next.start).collect()
    } else {
        broken.container_at(error.span.start).into_iter().collect()
    };
    // The innermost container comes last in the tree, and is closed first.
    open.reverse();
    let before = text.get(..next.start as usize)?.trim_end();
    // Before the comma that ends the entry.
    let last = match open.first() {
        Some(node) if next.is_empty() && !is_at_end => node.span().end as usize,
        _ => before.len(),
    };
    let needs_comma = next.is_empty() && !is_at_end && !before.ends_with(',');
    let mut closing = String::new();
    let mut line = line_start(text, last);
    for node in &open {
        let opened = node.span().start as usize;
        // A bracket that opens at the end of a line is closed on a line of its own.
        let begins_line = is_at_end || is_first_on_line(text, next.start as usize);
        if line_start(text, opened) < line && begins_line {
            closing.push_str(line_break_of(text));
            closing.push_str(indentation(text, opened));
            line = line_start(text, opened);
        } else if text.get(opened + 1..).is_some_and(|rest| rest.starts_with(' ')) {
            closing.push(' ');
        }
        closing.push(if node.kind() == Kind::Object { '}' } else { ']' });
    }
    if needs_comma {
        closing.push(',');
    }
    let is_own_line = closing.starts_with(['\n', '\r']);
    let at = if is_own_line && before.len() == last { line_end(text, last) } else { last };
    let mut edits = vec![insert(at, closing)];
    if is_at_end && broken.format == Format::Json && before.ends_with(',') {
        edits.push(replace(Span::of(before.len() - 1, before.len()), ""));
    }
    // If the text ends too early, more than brackets may be lost.
    Some(Proposal::safe(edits).only_if(!is_at_end))
}

/// Braces around fields: only the opening one, or both.
fn braces(broken: &Broken<'_>, error: &SyntaxError) -> Vec<Proposal> {
    let text = broken.text;
    let start = error.span.start as usize;
    let rest = text.get(start..).unwrap_or_default();
    if text.get(..start).is_some_and(|before| before.ends_with(':')) {
        return vec![Proposal::safe(vec![insert(start, " {")])];
    }
    let is_spread = rest.trim_end().contains('\n');
    let (opening, closing) = if is_spread && is_first_on_line(text, start) {
        let line_break = line_break_of(text);
        (format!("{{{line_break}"), format!("{line_break}}}"))
    } else {
        ("{ ".to_owned(), " }".to_owned())
    };
    let end = text.trim_end().len();
    let last = if rest.trim_end().ends_with(',') {
        replace(Span::of(end - 1, end), closing)
    } else {
        insert(end, closing)
    };
    let opening = insert(start, opening);
    vec![Proposal::safe(vec![opening.clone()]), Proposal::safe(vec![opening, last])]
}

/// The brackets that belong to what is inside.
fn mismatched_bracket(broken: &Broken<'_>, error: &SyntaxError) -> Option<Proposal> {
    let meant = match error.span.slice(broken.text) {
        "[" => {
            let end = broken.container_at(error.span.start)?.span().end;
            let mut edits = vec![replace(error.span, "{")];
            let closing = Span::new(end - 1, end);
            if closing.slice(broken.text) == "]" {
                edits.push(replace(closing, "}"));
            }
            return Some(Proposal::safe(edits));
        }
        "}" => "]",
        _ => "}",
    };
    Some(Proposal::safe(vec![replace(error.span, meant)]))
}
