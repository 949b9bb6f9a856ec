//! YAML, in block and flow style.

mod blocks;

pub(super) use self::blocks::Entry;

use super::commas::{Comments, List, sign};
use super::{Editor, NewValue, TextEdit, apply, lines, read_back, reads_name, spelling};
use crate::{Format, Kind, Node, Span};

/// Where a scalar is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScalarPlace {
    /// The value of a document.
    Root,
    /// In brackets.
    Flow,
    /// The value of a member of a block, whose key begins in this column.
    Member(usize),
    /// An item of a block, whose dash is in this column.
    Item(usize),
}

impl ScalarPlace {
    /// The place of a value, if nothing such as a tag or an anchor is before it.
    fn of(editor: &Editor<'_>, node: Node<'_>) -> Option<Self> {
        let path = editor.path(node)?;
        let text = editor.tree.text();
        let start = node.span().start as usize;
        let Some((container, _)) = path.last() else {
            let before = text.get(..start)?;
            let is_start = |line: &str| line.trim().is_empty() || line.starts_with('#');
            let line = before.trim_end_matches([' ', '\t']);
            let begins = before.lines().all(is_start) || line.ends_with("---");
            return begins.then_some(Self::Root);
        };
        let is_flow = path.iter().any(|(container, _)| !container.is_block());
        if let Some(key) = node.name() {
            let between = text.get(key.span().end as usize..start)?;
            if between.trim() != ":" {
                return None;
            }
            return if is_flow { Some(Self::Flow) } else { Some(Self::Member(column(key)?)) };
        }
        let before = text.get(..start)?.trim_end_matches([' ', '\t', '\n', '\r']);
        if !container.is_block() {
            return before.ends_with(['[', ',']).then_some(Self::Flow);
        }
        if is_flow {
            return None;
        }
        before.ends_with('-').then(|| Self::Item(lines_column(text, before.len() - 1)))
    }

    /// A document that has only a scalar, at the same place.
    fn document(self, source: &str) -> String {
        match self {
            Self::Root => format!("{source}\n"),
            Self::Flow => format!("[{source}]\n"),
            Self::Member(column) => format!("{:column$}k: {source}\n", ""),
            Self::Item(column) => format!("{:column$}- {source}\n", ""),
        }
    }

    /// Whether a scalar at this place has a value.
    fn reads(self, source: &str, value: NewValue<'_>) -> bool {
        let is_of = |root: Node<'_>| {
            let mut values = root.values();
            let node = if self == Self::Root { root } else { values.next()? };
            (value.is_of(node) && values.next().is_none()).then_some(())
        };
        read_back(self.document(source), Format::Yaml, is_of).is_some()
    }
}

/// The column of a node, from 0, if only spaces and the dashes of sequences are before it.
fn column(node: Node<'_>) -> Option<usize> {
    let (text, at) = (node.tree().text(), node.span().start as usize);
    let before = text.get(lines::start(text, at)..at)?;
    before.bytes().all(|byte| matches!(byte, b' ' | b'-')).then_some(before.len())
}

fn lines_column(text: &str, at: usize) -> usize {
    at - lines::start(text, at)
}

/// A text in the quotes of another scalar: without quotes, in single quotes or in double quotes. `reads` tells whether a source
/// has the value.
fn spelled(text: &str, quote: Option<char>, reads: impl Fn(&str) -> bool) -> Option<String> {
    let is_one_line = !text.chars().any(char::is_control);
    let mut choices = Vec::new();
    match quote {
        Some('\'') if is_one_line => choices.push(format!("'{}'", text.replace('\'', "''"))),
        None if is_unambiguous(text) => choices.push(text.to_owned()),
        _ => {}
    }
    choices.push(format!("\"{}\"", spelling::shared(text)));
    choices.into_iter().find(|source| reads(source))
}

/// Whether a text without quotes is a string to readers of all versions of YAML, as far as its first letter and words tell.
fn is_unambiguous(text: &str) -> bool {
    let is_word = || text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    text.starts_with(char::is_alphabetic) && (!is_word() || spelling::is_name(text))
}

/// The quote of a scalar; `None` without quotes and for block scalars.
fn quote_of(source: &str) -> Option<char> {
    source.chars().next().filter(|first| matches!(first, '"' | '\''))
}

fn is_block_scalar(node: Node<'_>) -> bool {
    node.kind() == Kind::String && node.source().starts_with(['|', '>'])
}

pub(super) fn replace(
    editor: &Editor<'_>,
    node: Node<'_>,
    value: NewValue<'_>,
) -> Option<TextEdit> {
    if node.kind() == Kind::Array {
        has_no_anchor(editor, node)?;
        if node.is_block() {
            return blocks::replace(editor, node, value);
        }
    }
    let place = ScalarPlace::of(editor, node)?;
    let mut span = node.span();
    let source = match value {
        NewValue::Literal(literal) => place.reads(literal, value).then(|| literal.to_owned())?,
        NewValue::Text(text) => {
            let quote = match quote_of(node.source()) {
                None if node.kind() != Kind::String || is_block_scalar(node) => Some('"'),
                quote => quote,
            };
            spelled(text, quote, |source| place.reads(source, value))?
        }
    };
    if is_block_scalar(node) {
        // Blank lines at its end belong to it.
        span.end = node.span().end;
        keeps_no_blank_lines(node)?;
    }
    let source = if span.is_empty() { format!(" {source}") } else { source };
    Some(TextEdit::new(span, source))
}

/// `Some` unless blank lines after a block scalar are a part of it.
fn keeps_no_blank_lines(node: Node<'_>) -> Option<()> {
    let header = node.source().lines().next()?;
    (!header.split('#').next()?.contains('+')).then_some(())
}

pub(super) fn rename(editor: &Editor<'_>, key: Node<'_>, value: NewValue<'_>) -> Option<TextEdit> {
    let NewValue::Text(name) = value else { return None };
    let path = editor.path(key)?;
    let is_flow = path.iter().any(|(container, _)| !container.is_block());
    let reads = |source: &str| {
        let document =
            if is_flow { format!("{{{source}: 1}}\n") } else { format!("{source}: 1\n") };
        reads_name(document, Format::Yaml, name)
    };
    if key.source().starts_with(['|', '>', '*']) || !reads(key.source()) && !reads_any(key) {
        return None;
    }
    let source = spelled(name, quote_of(key.source()), reads)?;
    Some(TextEdit::new(key.span(), source))
}

/// Whether a key by itself is read as it is in its document: it is neither an alias nor on several lines.
fn reads_any(key: Node<'_>) -> bool {
    key.as_str()
        .is_some_and(|name| reads_name(format!("{{{}: 1}}\n", key.source()), Format::Yaml, &name))
}

/// How a part of a string is written in its style.
pub(super) fn spelled_part(node: Node<'_>, text: &str) -> Option<String> {
    if node.kind() == Kind::Key {
        return None;
    }
    if is_block_scalar(node) {
        keeps_no_blank_lines(node)?;
        return block_text(node, text);
    }
    Some(match quote_of(node.source()) {
        Some('"') => spelling::shared(text),
        Some(_) => text.replace('\'', "''"),
        None => text.to_owned(),
    })
}

/// Whether a string at the place of another one, and in its style, is read as a text.
pub(super) fn reads_as(editor: &Editor<'_>, node: Node<'_>, source: &str, new: &str) -> bool {
    let is_plain = quote_of(node.source()).is_none() && !is_block_scalar(node);
    let is_ambiguous = is_plain && !is_unambiguous(new) && is_unambiguous_start(node);
    !is_ambiguous
        && ScalarPlace::of(editor, node)
            .is_some_and(|place| place.reads(source, NewValue::Text(new)))
}

/// A string of several lines stays one.
pub(super) fn replace_in_quotes(
    editor: &Editor<'_>,
    node: Node<'_>,
    value: NewValue<'_>,
) -> Option<TextEdit> {
    if node.kind() == Kind::Key {
        return rename(editor, node, value);
    }
    let has_one_line = !node.source().contains(['\n', '\r']);
    (has_one_line && !is_block_scalar(node)).then(|| replace(editor, node, value))?
}

/// Removes white space and the line break at the end of a block scalar: `|-` for `|`.
pub(super) fn strip(editor: &Editor<'_>, node: Node<'_>, new: &str) -> Option<Vec<TextEdit>> {
    if !is_block_scalar(node) || node.kind() == Kind::Key {
        return None;
    }
    let source = node.source();
    let start = node.span().start as usize;
    let header = source.split(char::is_whitespace).next()?;
    let stripped = match header.find('+') {
        Some(at) => TextEdit::new(Span::of(start + at, start + at + 1), "-"),
        None if header.contains('-') => return None,
        None => TextEdit::new(Span::of(start + 1, start + 1), "-"),
    };
    let end = source.trim_end().len();
    let rest = source.get(end..)?;
    let spaces = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let mut edits = vec![stripped];
    if spaces > 0 {
        edits.push(TextEdit::new(Span::of(start + end, start + end + spaces), ""));
    }
    let shifted = edits.iter().map(|edit| {
        let Span { start: from, end: to } = edit.span;
        TextEdit::new(Span::of(from as usize - start, to as usize - start), edit.text.clone())
    });
    let source = String::from_utf8(apply(source, &shifted.collect::<Vec<_>>())?).ok()?;
    let place = ScalarPlace::of(editor, node)?;
    place.reads(&source, NewValue::Text(new)).then_some(edits)
}

/// Whether a text without quotes began in a way that every version of YAML reads as a string.
fn is_unambiguous_start(node: Node<'_>) -> bool {
    node.as_str().is_some_and(|text| is_unambiguous(&text))
}

/// A text in the lines of a block scalar.
fn block_text(node: Node<'_>, text: &str) -> Option<String> {
    if !text.contains('\n') {
        return Some(text.to_owned());
    }
    if !node.source().starts_with('|') {
        return None;
    }
    let first = node.source().lines().skip(1).find(|line| !line.trim().is_empty())?;
    let indentation = first.get(..first.len() - first.trim_start_matches(' ').len())?;
    let line_break = lines::line_break(node.tree().text());
    let last = text.split('\n').count() - 1;
    let mut spelled = String::new();
    for (at, line) in text.split('\n').enumerate() {
        if at > 0 {
            spelled.push_str(line_break);
            if !line.is_empty() || at == last {
                spelled.push_str(indentation);
            }
        }
        spelled.push_str(line);
    }
    Some(spelled)
}

pub(super) fn remove<'a>(
    editor: &Editor<'a>,
    container: Node<'a>,
    places: &[usize],
) -> Option<Vec<TextEdit>> {
    if container.is_block() {
        return blocks::remove(editor, container, places);
    }
    let list = editor.list.of(container, || {
        has_no_anchor(editor, container)?;
        List::of(container, Comments::Hash)
    });
    list?.remove(places)
}

/// `Some` unless a value may have or contain an anchor that is used elsewhere.
fn has_no_anchor(editor: &Editor<'_>, node: Node<'_>) -> Option<()> {
    let may_have_one = node.source().contains('&') || is_anchored(node);
    (!may_have_one || !uses_anchors(editor)).then_some(())
}

/// Whether an anchor may be used in a document. `<<` may refer to an object of which every member is given again.
fn uses_anchors(editor: &Editor<'_>) -> bool {
    editor.has_references() || editor.tree.text().contains("<<")
}

/// Whether an anchor is before a value.
fn is_anchored(node: Node<'_>) -> bool {
    let before = node.tree().text().get(..node.span().start as usize).unwrap_or_default();
    let is_comment = |line: &str| line.trim_start().starts_with('#') || line.trim().is_empty();
    let line = before.lines().rev().find(|line| !is_comment(line)).unwrap_or_default();
    let line = line.split(" #").next().unwrap_or_default();
    let mut words = line.split_whitespace().rev().take_while(|word| word.starts_with(['&', '!']));
    words.any(|word| word.starts_with('&'))
}

pub(super) fn insert(
    editor: &Editor<'_>,
    object: Node<'_>,
    name: &str,
    value: NewValue<'_>,
) -> Option<Vec<TextEdit>> {
    // Other objects would get the member too.
    if is_anchored(object) && uses_anchors(editor) {
        return None;
    }
    if object.is_block() {
        return blocks::insert(editor, object, name, value);
    }
    let colon = sign(object, ":").unwrap_or(": ");
    let list = List::of(object, Comments::Hash)?;
    list.insert(&member(object, name, value, ScalarPlace::Flow, colon)?)
}

/// A member with the quotes of its neighbours.
fn member(
    object: Node<'_>,
    name: &str,
    value: NewValue<'_>,
    place: ScalarPlace,
    colon: &str,
) -> Option<String> {
    let last = object.members().last();
    let quotes = |node: Option<Node<'_>>| node.and_then(|node| quote_of(node.source()));
    let is_name = |source: &str| reads_name(format!("{{{source}: 1}}\n"), Format::Yaml, name);
    let key = spelled(name, quotes(last.map(|last| last.key)), is_name)?;
    let reads = |source: &str| place.reads(source, value);
    let value = match value {
        NewValue::Text(text) => spelled(text, quotes(last.map(|last| last.value)), reads)?,
        NewValue::Literal(literal) => reads(literal).then(|| literal.to_owned())?,
    };
    // Without a space, only a key in quotes ends at its colon.
    let colon = if quote_of(&key).is_some() && place == ScalarPlace::Flow { colon } else { ": " };
    Some(format!("{key}{colon}{value}"))
}
