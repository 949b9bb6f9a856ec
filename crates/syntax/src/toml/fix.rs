//! Fixes of errors in TOML.

use super::grammar_errors::is_control;
use crate::description::{control_escape, corrected_number, has_one_reading, is_triple};
use crate::edit::TextEdit;
use crate::fix::places::{
    backslashes, indentation, insert, line_break_of, line_end, line_start, remove, replace,
};
use crate::fix::proposal::{Broken, Proposal, is_never_escaped, stray_close};
use crate::invisible::is_foreign_space;
use crate::{Kind, Node, Span, SyntaxError, SyntaxErrorKind as ErrorKind};

/// The proposals for an error in TOML, the best first.
pub(crate) fn propose(broken: &Broken<'_>, error: &SyntaxError) -> Vec<Proposal> {
    let (text, span) = (broken.text.as_ref(), error.span);
    let one = match error.kind {
        ErrorKind::StrayClose => return stray_close(text, span),
        ErrorKind::SecondEntry => second_entry(text, span),
        ErrorKind::TomlValue => value(text, span),
        ErrorKind::DateTime => {
            let quotes = vec![insert(span.start as usize, "\""), insert(span.end as usize, "\"")];
            // Programs write dates as text in several ways.
            Some(Proposal::safe(quotes).only_if(false))
        }
        ErrorKind::TomlKey => key(text, span),
        ErrorKind::MissingEquals => equals(text, span),
        ErrorKind::UnclosedHeader => header(text, span),
        ErrorKind::Unclosed => closing_bracket(broken, error),
        ErrorKind::UnclosedString => unclosed_string(text, span),
        ErrorKind::LineBreakInString => line_breaks(broken, error),
        ErrorKind::LoneCarriageReturn => carriage_returns(broken, span),
        ErrorKind::ControlInComment => controls_in_comment(text, span),
        ErrorKind::ControlCharacter => controls(broken, span),
        ErrorKind::TomlEscape => escapes(broken, span),
        ErrorKind::Toml11 => Some(toml_1_0(broken)),
        _ => None,
    };
    one.into_iter().collect()
}

fn second_entry(text: &str, span: Span) -> Option<Proposal> {
    let is_stray = matches!(span.slice(text), "," | ";" | "]" | "}");
    // After a header, the opening bracket may be missing.
    let is_header =
        text.get(line_start(text, span.start as usize)..)?.trim_start().starts_with('[');
    is_stray.then(|| Proposal::safe(vec![remove(text, span)]).only_if(!is_header))
}

/// Other spellings of booleans and numbers.
fn value(text: &str, span: Span) -> Option<Proposal> {
    let found = span.slice(text);
    let (meant, is_certain) = match found.to_ascii_lowercase().as_str() {
        "true" => ("true".to_owned(), true),
        "false" => ("false".to_owned(), true),
        // They may be meant as text.
        "yes" | "on" => ("true".to_owned(), false),
        "no" | "off" => ("false".to_owned(), false),
        _ => (corrected_number(found)?, has_one_reading(found)),
    };
    Some(Proposal::safe(vec![replace(span, meant)]).only_if(is_certain))
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
    Some(Proposal::safe(vec![insert(span.start as usize, "\""), insert(span.end as usize, "\"")]))
}

/// An equals sign after a key, in place of a colon if there is one. The parser has not read the value.
fn equals(text: &str, span: Span) -> Option<Proposal> {
    let at = span.start as usize;
    let after = text.get(at..)?;
    let spaces = after.len() - after.trim_start_matches([' ', '\t']).len();
    let colon = if text.get(..at)?.ends_with(':') {
        Some(at - 1)
    } else {
        after.get(spaces..)?.starts_with(':').then_some(at + spaces)
    };
    let Some(colon) = colon else {
        let space = if spaces == 0 { " = " } else { " =" };
        return Some(Proposal::safe(vec![insert(at, space)]).only_if(false));
    };
    let before = text.get(..colon)?.ends_with([' ', '\t']);
    let next = text.get(colon + 1..)?.starts_with([' ', '\t']);
    let sign = match (before, next) {
        (true, true) => "=",
        (true, false) => "= ",
        (false, true) => " =",
        (false, false) => " = ",
    };
    Some(Proposal::safe(vec![replace(Span::of(colon, colon + 1), sign)]).only_if(false))
}

/// The closing brackets of a table header, before a comment.
fn header(text: &str, span: Span) -> Option<Proposal> {
    let line = text.get(span.start as usize..line_end(text, span.start as usize))?;
    let name = line.split('#').next().unwrap_or(line).trim_end();
    let closing = if name.starts_with("[[") && !name.ends_with(']') { "]]" } else { "]" };
    Some(Proposal::safe(vec![insert(span.start as usize + name.len(), closing)]))
}

/// The bracket that closes an array or an inline table before the next entry.
fn closing_bracket(broken: &Broken<'_>, error: &SyntaxError) -> Option<Proposal> {
    // Without another entry, the text ends too early, and more may be lost.
    error.related?;
    let text = broken.text;
    let node = broken.container_at(error.span.start)?;
    let (start, end) = (node.span().start as usize, node.span().end as usize);
    let bracket = if node.kind() == Kind::Array { "]" } else { "}" };
    let edit = if line_start(text, start) < line_start(text, end) {
        // A bracket that opens at the end of a line is closed on a line of its own.
        let closing = format!("{}{}{bracket}", line_break_of(text), indentation(text, start));
        insert(line_end(text, end), closing)
    } else {
        insert(end, bracket)
    };
    Some(Proposal::safe(vec![edit]))
}

/// A closing quote at the end of the line, unless something else that was swallowed may end the text.
fn unclosed_string(text: &str, span: Span) -> Option<Proposal> {
    let found = span.slice(text);
    let quote = if found.starts_with('\'') { '\'' } else { '"' };
    let inner = found.strip_prefix(quote)?;
    if is_triple(found)
        || inner.contains([quote, '#', '\\'])
        || inner.ends_with([',', ']', '}', '\r', '\'', '"'])
    {
        return None;
    }
    let is_cut_off = span.end as usize >= text.trim_end().len();
    Some(Proposal::safe(vec![insert(span.end as usize, quote)]).only_if(!is_cut_off))
}

/// Escapes in place of the line breaks of a string, or three quotes on each side if it has no escapes.
fn line_breaks(broken: &Broken<'_>, error: &SyntaxError) -> Option<Proposal> {
    let opened = error.related?;
    let node = broken.string_at(Span::new(opened.start, error.span.end))?;
    let Span { start, end } = node.span();
    if opened.slice(broken.text) == "'" {
        let quotes = vec![insert(start as usize, "''"), insert(end as usize, "''")];
        return Some(Proposal::safe(quotes));
    }
    let source = node.source();
    let edits = source.match_indices('\n').map(|(at, _)| {
        let is_crlf = source.get(..at).is_some_and(|before| before.ends_with('\r'));
        let from = start + at as u32;
        replace(Span::new(from - u32::from(is_crlf), from + 1), "\\n")
    });
    Some(Proposal::safe(edits.collect()).titled("write `\\n` for each line break"))
}

/// A line break that TOML allows in place of each carriage return.
fn carriage_returns(broken: &Broken<'_>, span: Span) -> Option<Proposal> {
    let Some(string) = broken.string_at(span) else {
        return Some(Proposal::safe(vec![replace(span, "\n")]));
    };
    let source = string.source();
    let lone = source.match_indices('\r').filter(|(at, _)| {
        let next = source.get(at + 1..);
        !next.is_some_and(|next| next.starts_with('\n'))
    });
    let at = |(at, _): (usize, &str)| string.span().start + at as u32;
    let edits = lone.map(at).map(|at| replace(Span::new(at, at + 1), "\n"));
    is_triple(source).then(|| Proposal::safe(edits.collect()))
}

fn controls_in_comment(text: &str, span: Span) -> Option<Proposal> {
    let start = span.start as usize;
    let rest = text.get(start..)?;
    let line = rest.split('\n').next().unwrap_or(rest);
    let line = line.strip_suffix('\r').filter(|line| line.len() + 1 < rest.len()).unwrap_or(line);
    let controls = line.bytes().enumerate().filter(|(_, byte)| is_control(*byte));
    let edits = controls.map(|(at, _)| replace(Span::of(start + at, start + at + 1), ""));
    Some(Proposal::safe(edits.collect()))
}

/// The string at a place, if it has escapes: the offset of its text, and its text as it is written.
fn basic_string<'t>(broken: &Broken<'t>, span: Span) -> Option<(u32, &'t str)> {
    inner_of(broken.string_at(span)?)
}

fn inner_of(node: Node<'_>) -> Option<(u32, &str)> {
    let source = node.source();
    let quotes = if is_triple(source) { "\"\"\"" } else { "\"" };
    let inner = source.strip_prefix(quotes)?;
    let start = node.span().start + quotes.len() as u32;
    Some((start, inner.strip_suffix(quotes).unwrap_or(inner)))
}

/// An escape in place of each control character.
fn controls(broken: &Broken<'_>, span: Span) -> Option<Proposal> {
    let (start, inner) = basic_string(broken, span)?;
    let is_wrong = |character: char| {
        character.is_ascii() && is_control(character as u8) && !matches!(character, '\n' | '\r')
    };
    let edits = inner.match_indices(is_wrong).map(|(at, found)| {
        let at = start + at as u32;
        replace(Span::new(at, at + 1), control_escape(found))
    });
    Some(Proposal::safe(edits.collect()))
}

/// A second backslash for each one that begins no escape.
fn escapes(broken: &Broken<'_>, span: Span) -> Option<Proposal> {
    let (start, inner) = basic_string(broken, span)?;
    let mut edits = Vec::new();
    let mut is_certain = true;
    for (at, escape) in backslashes(start, inner) {
        let is_hexadecimal = |digits: usize| {
            escape.get(2..2 + digits).is_some_and(|it| it.bytes().all(|b| b.is_ascii_hexdigit()))
        };
        match escape.chars().nth(1)? {
            '"' | '\\' | 'b' | 'e' | 'f' | 'n' | 'r' | 't' | '\n' | '\r' | ' ' | '\t' => {}
            'x' if is_hexadecimal(2) => {}
            'u' if is_hexadecimal(4) => {}
            'U' if is_hexadecimal(8) => {}
            // It may be an escape with a mistake.
            'x' | 'u' | 'U' => return None,
            '\'' => edits.push(replace(Span::new(at, at + 1), "")),
            kind => {
                is_certain &= is_never_escaped(kind);
                edits.push(insert(at as usize, "\\"));
            }
        }
    }
    let proposal = Proposal::safe(edits).only_if(is_certain);
    Some(proposal.titled("correct the escapes"))
}

/// The same in the syntax of TOML 1.0. An inline table over several lines stays, so that the error is left.
fn toml_1_0(broken: &Broken<'_>) -> Proposal {
    let mut edits: Vec<TextEdit> = Vec::new();
    for node in broken.nodes() {
        match node.kind() {
            Kind::String | Kind::Key => {
                let Some((start, inner)) = inner_of(node) else { continue };
                edits.extend(backslashes(start, inner).filter_map(|(at, escape)| {
                    if escape.starts_with("\\e") {
                        return Some(replace(Span::new(at, at + 2), "\\u001b"));
                    }
                    let digits = escape.strip_prefix("\\x")?.get(..2)?;
                    Some(replace(Span::new(at, at + 4), format!("\\u00{digits}")))
                }));
            }
            Kind::Object if !node.is_block() => edits.extend(trailing_comma(broken.text, node)),
            _ => {}
        }
    }
    Proposal::safe(edits)
}

/// Removes the comma after the last entry of an inline table.
fn trailing_comma(text: &str, table: Node<'_>) -> Option<TextEdit> {
    let last = table.members().last()?.value.span().end;
    let rest = Span::new(last, table.span().end.checked_sub(1)?).slice(text);
    // A comment may contain commas.
    let comma = rest.find(',').filter(|_| rest.trim() == ",")? as u32;
    Some(remove(text, Span::new(last + comma, last + comma + 1)))
}
