//! Fixes of errors in YAML.

use super::flow_scalar::escaped;
use super::lines::{line_at, tabbed_lines};
use super::masks::is_forbidden;
use crate::edit::{TextEdit, lines};
use crate::fix::places;
use crate::fix::proposal::{Broken, Proposal, fences};
use crate::{Span, SyntaxError, SyntaxErrorKind as ErrorKind};

/// The proposal for an error in YAML.
pub(crate) fn propose(broken: &Broken<'_>, error: &SyntaxError) -> Option<Proposal> {
    let (text, span) = (broken.text.as_ref(), error.span);
    match error.kind {
        ErrorKind::TabIndentation => tabs(broken, span),
        ErrorKind::Unexpected => forbidden(text, span),
        ErrorKind::UnquotedTemplate => {
            let found = span.slice(text);
            // Before a quote at the end, another one may be missing.
            let is_odd = |quote| found.ends_with(quote) && found.matches(quote).count() % 2 == 1;
            let is_certain = found.starts_with("{{") && !is_odd('"') && !is_odd('\'');
            if is_certain { quoted(text, span) } else { None }
        }
        ErrorKind::QuoteInString => quotes(text, span),
        ErrorKind::UnknownEscape => escapes(broken, span),
        ErrorKind::NotYaml => {
            let line = line_at(text, span.start as usize);
            line.text(text)
                .starts_with("```")
                .then_some(Span::of(line.start, line.end))
                .and_then(|line| fences(text, line))
        }
        _ => None,
    }
}

/// Spaces in place of tabs: as many as other lines are indented by.
fn tabs(broken: &Broken<'_>, span: Span) -> Option<Proposal> {
    let text = broken.text.as_ref();
    let (_, tabs) = tabbed_lines(text, line_at(text, span.start as usize));
    if tabs.is_empty() {
        // A tab after a dash or a colon.
        return Some(Proposal::new(vec![TextEdit::new(span, " ")]));
    }
    // A tab after spaces may be part of a text.
    let in_text = |tab: &Span| {
        let before = text.get(..tab.start as usize).unwrap_or_default();
        before.ends_with(' ') && broken.string_at(*tab).is_some()
    };
    let spaces = " ".repeat(unit(text));
    let edits = tabs.iter().map(|tab| TextEdit::new(*tab, spaces.clone())).collect();
    (!tabs.iter().any(in_text)).then(|| Proposal::new(edits))
}

/// The least number of spaces that a line is indented by.
fn unit(text: &str) -> usize {
    let indents = text.split(['\n', '\r']).filter_map(|line| {
        let body = line.trim_start_matches(' ');
        let is_text = !body.is_empty() && !body.starts_with('\t');
        Some(line.len() - body.len()).filter(|indent| is_text && *indent > 0)
    });
    indents.min().unwrap_or(2)
}

/// Removes a character that YAML never allows, wherever it is.
fn forbidden(text: &str, span: Span) -> Option<Proposal> {
    let character = span.slice(text).chars().next().filter(|it| is_forbidden(*it))?;
    let rest = text.get(span.start as usize..)?;
    let edits = rest.match_indices(character).map(|(at, found)| {
        let at = span.start as usize + at;
        TextEdit::new(Span::of(at, at + found.len()), "")
    });
    Some(Proposal::new(edits.collect()))
}

/// The value that contains a place, if it is on one line without a comment.
fn value_at(text: &str, span: Span) -> Option<Span> {
    let line = line_at(text, span.start as usize);
    let (column, value) = line.value(text, span.start as usize)?;
    let value = super::lines::trimmed(text, value, line.end);
    let is_whole = line.block_end(text, column) == line.end;
    (is_whole && value.contains(Span::at(span.start))).then_some(value)
}

/// A value in double quotes if it contains none of them, and otherwise in single ones.
fn quoted(text: &str, value: Span) -> Option<Proposal> {
    let found = value.slice(text);
    if found.contains(" #") || found.contains(['\n', '\r', '\t']) {
        return None;
    }
    let quote = if found.contains(['"', '\\']) { '\'' } else { '"' };
    let mut edits = vec![
        lines::insertion(value.start as usize, quote),
        lines::insertion(value.end as usize, quote),
    ];
    edits.extend(doubled(value.start, found, quote));
    Some(Proposal::new(edits))
}

/// What escapes each quote of a text that begins at an offset. In double quotes, backslashes are escaped, too.
fn doubled(start: u32, found: &str, quote: char) -> impl Iterator<Item = TextEdit> + use<'_> {
    let is_special = move |character| character == quote || (quote == '"' && character == '\\');
    found.match_indices(is_special).map(move |(at, _)| {
        lines::insertion(start as usize + at, if quote == '"' { "\\" } else { "'" })
    })
}

/// Doubles the apostrophes inside a text. With an odd number of them, the outer ones must be those of the text.
fn quotes(text: &str, span: Span) -> Option<Proposal> {
    let value = value_at(text, span)?;
    let inner = value.slice(text).strip_prefix('\'')?.strip_suffix('\'')?;
    let is_certain = inner.matches('\'').count() % 2 == 1 && !inner.contains(" #");
    is_certain.then(|| Proposal::new(doubled(value.start + 1, inner, '\'').collect()))
}

/// A second backslash for each one that begins no escape.
fn escapes(broken: &Broken<'_>, span: Span) -> Option<Proposal> {
    let node = broken.string_at(span)?;
    let inner = node.source().strip_prefix('"')?;
    let is_escape = |text: &str| {
        escaped(text).is_some() || text.starts_with("\\\n") || text.starts_with("\\\r")
    };
    let (edits, _) = places::escapes(node.span().start + 1, inner, is_escape)?;
    Some(Proposal::new(edits).titled("write `\\\\` for a backslash"))
}
