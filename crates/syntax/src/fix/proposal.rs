//! Proposals for errors that formats share.

use std::cell::OnceCell;

use super::certainty::is_about_bracket;
use super::places::{joined, remove};
use crate::description::CURLY;
use crate::edit::{TextEdit, lines};
use crate::{
    Format, Kind, Node, Parsed, SharedText, Span, SyntaxError, SyntaxErrorKind as ErrorKind, Tree,
};

/// A text with errors.
pub(crate) struct Broken<'t> {
    pub(crate) text: &'t SharedText,
    pub(crate) format: Format,
    parsed: &'t Parsed,
    max_errors: usize,
    /// The errors, with one for each curly quote.
    unfolded: OnceCell<Vec<SyntaxError>>,
}

impl<'t> Broken<'t> {
    pub(crate) const fn new(
        text: &'t SharedText,
        format: Format,
        parsed: &'t Parsed,
        max_errors: usize,
    ) -> Self {
        Self { text, format, parsed, max_errors, unfolded: OnceCell::new() }
    }

    pub(crate) fn is_json(&self) -> bool {
        matches!(self.format, Format::Json | Format::Jsonc)
    }

    /// The nodes of all documents.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = Node<'t>> + use<'t> {
        self.parsed.documents.iter().flat_map(Tree::nodes)
    }

    /// The text or key that contains a place.
    pub(crate) fn string_at(&self, span: Span) -> Option<Node<'t>> {
        let is_text = |node: &Node<'_>| matches!(node.kind(), Kind::String | Kind::Key);
        self.nodes().find(|node| is_text(node) && node.span().contains(span))
    }

    fn unfolded(&self) -> &[SyntaxError] {
        self.unfolded.get_or_init(|| crate::read(self.text, self.format, self.max_errors).errors)
    }
}

/// A fix that is not proven.
#[derive(Clone, Debug)]
pub(crate) struct Proposal {
    /// What it does, if that is not the help of the error.
    pub(super) title: Option<&'static str>,
    pub(super) edits: Vec<TextEdit>,
}

impl Proposal {
    pub(crate) fn new(edits: Vec<TextEdit>) -> Self {
        Self { title: None, edits: joined(edits) }
    }

    pub(crate) fn titled(self, title: &'static str) -> Self {
        Self { title: Some(title), ..self }
    }
}

pub(super) fn shared(broken: &Broken<'_>, error: &SyntaxError) -> Option<Proposal> {
    let text = broken.text;
    let found = error.span.slice(text);
    let edit = match error.kind {
        ErrorKind::ByteOrderMark => {
            let remove = Proposal::new(vec![TextEdit::new(error.span, "")]);
            return Some(remove.titled("remove the byte order mark"));
        }
        ErrorKind::CurlyQuotes => return curly_quotes(broken),
        ErrorKind::TrailingComma => {
            // After a string without its closing quote, the comma may be part of the text.
            let is_open = |other: &SyntaxError| {
                other.kind == ErrorKind::UnclosedString && other.span.end == error.span.start
            };
            (!broken.parsed.errors.iter().any(is_open)).then(|| remove(text, error.span))?
        }
        ErrorKind::ExtraComma => {
            // After an opening bracket, the closing one may be lost instead.
            let before = text.get(..error.span.start as usize)?.trim_end();
            let is_certain = !before.ends_with(['[', '{'])
                || !broken.parsed.errors.iter().any(|other| is_about_bracket(other.kind));
            is_certain.then(|| remove(text, error.span))?
        }
        ErrorKind::MissingComma => missing_comma(broken, error)?,
        ErrorKind::NotAComma => TextEdit::new(error.span, ","),
        ErrorKind::NotAColon => colon(text, error.span),
        ErrorKind::MissingColon if broken.is_json() => {
            lines::insertion(error.span.end as usize, ":")
        }
        ErrorKind::DecimalComma if !groups_thousands(found) => {
            let comma = error.span.start + found.find(',')? as u32;
            TextEdit::new(Span::new(comma, comma + 1), ".")
        }
        _ => return None,
    };
    Some(Proposal::new(vec![edit]))
}

/// A comma before the next entry. Quotes side by side may be too many quotes, and YAML continues a text on the next line.
fn missing_comma(broken: &Broken<'_>, error: &SyntaxError) -> Option<TextEdit> {
    let at = error.span.end as usize;
    let (before, after) = broken.text.split_at_checked(at)?;
    // Right after a quote, a letter may be a part of the text or of the next one.
    let is_adjacent = before.ends_with(['"', '\''])
        && after.starts_with(|next: char| next.is_alphanumeric() || next == '"');
    let is_key = |node: &Node<'_>| {
        node.kind() == Kind::Key
            && error.related.is_some_and(|next| node.span().start == next.start)
    };
    // Without a colon, it is another value and not the next name.
    let is_name = |key: Node<'_>| {
        let rest = broken.text.get(key.span().end as usize..).unwrap_or_default();
        rest.strip_prefix('"').unwrap_or(rest).trim_start().starts_with([':', '='])
    };
    let is_certain =
        !is_adjacent && !broken.format.is_yaml() && broken.nodes().find(is_key).is_none_or(is_name);
    is_certain.then(|| lines::insertion(at, ","))
}

/// A colon in place of other characters, right after the key.
pub(crate) fn colon(text: &str, span: Span) -> TextEdit {
    let (before, after) = text.split_at_checked(span.start as usize).unwrap_or((text, ""));
    let key = before.trim_end_matches([' ', '\t']).len();
    let is_spaced =
        after.get(span.len() as usize..).is_some_and(|it| it.starts_with([' ', '\n', '\r']));
    let start = if is_spaced { key as u32 } else { span.start };
    TextEdit::new(Span::new(start, span.end), ":")
}

/// Whether a comma may be meant to group digits: `1,500`.
fn groups_thousands(found: &str) -> bool {
    let Some((whole, fraction)) = found.trim_start_matches('-').split_once(',') else {
        return false;
    };
    fraction.len() == 3 && whole != "0"
}

/// Straight quotes in place of all curly ones that enclose a text.
fn curly_quotes(broken: &Broken<'_>) -> Option<Proposal> {
    let mut edits = Vec::new();
    let mut is_certain = true;
    for error in broken.unfolded() {
        let found = error.span.slice(broken.text);
        match error.kind {
            ErrorKind::CurlyQuotes => edits.extend(around_value(broken.text, error.span)?),
            ErrorKind::KeyNotQuoted
            | ErrorKind::NotALiteral
            | ErrorKind::TomlKey
            | ErrorKind::TomlValue
                if found.starts_with(CURLY) =>
            {
                edits.extend(around(error.span, found)?);
            }
            ErrorKind::UnclosedString if found.ends_with(CURLY) && found.starts_with('"') => {
                // The quote may belong to another curly one inside.
                is_certain &= found.matches(CURLY).count() == 1;
                edits.push(TextEdit::new(Span::new(error.span.end - WIDTH, error.span.end), "\""));
            }
            _ => {}
        }
    }
    let proposal = Proposal::new(edits).titled("use straight quotes");
    (is_certain && !proposal.edits.is_empty()).then_some(proposal)
}

/// The length of a curly quote in bytes.
const WIDTH: u32 = 3;

/// Straight quotes around a text that begins with a curly quote.
fn around(span: Span, found: &str) -> Option<Vec<TextEdit>> {
    let inner = found.strip_prefix(CURLY)?;
    let mut edits = vec![TextEdit::new(Span::new(span.start, span.start + WIDTH), "\"")];
    let inner = if let Some(inner) = inner.strip_suffix(CURLY) {
        edits.push(TextEdit::new(Span::new(span.end - WIDTH, span.end), "\""));
        inner
    } else {
        inner.strip_suffix('"')?
    };
    edits.extend(escaped_quotes(span.start + WIDTH, inner));
    Some(edits)
}

/// A backslash before each unescaped double quote of a text that begins at an offset.
pub(crate) fn escaped_quotes(start: u32, inner: &str) -> impl Iterator<Item = TextEdit> + use<'_> {
    let mut is_escaped = false;
    inner.bytes().enumerate().filter_map(move |(at, byte)| {
        let is_quote = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_quote.then(|| lines::insertion(start as usize + at, "\\"))
    })
}

/// Straight quotes around the YAML value that begins with this curly quote. A comment after it would be ambiguous.
fn around_value(text: &str, quote: Span) -> Option<Vec<TextEdit>> {
    let end = lines::end(text, quote.start as usize);
    let value = text.get(quote.start as usize..end)?.trim_end();
    if value.contains(['\\', '"']) || value.contains(" #") {
        return None;
    }
    around(Span::new(quote.start, quote.start + value.len() as u32), value)
}

/// Removes the line before a document that is code in Markdown, and the one after it.
pub(crate) fn fences(text: &str, first: Span) -> Option<Proposal> {
    let is_word = |found: &str| found.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !first.slice(text).trim_end().strip_prefix("```").is_some_and(is_word) {
        return None;
    }
    let mut edits = vec![remove(text, first)];
    let end = text.trim_end().len();
    if lines::start(text, end) > first.end as usize
        && text.get(lines::start(text, end)..end) == Some("```")
    {
        edits.push(remove(text, Span::of(end - 3, end)));
    }
    Some(Proposal::new(edits).titled("remove the fences"))
}
