//! YAML, in block and flow style.

mod blocks;
mod entries;
mod scalar;
mod written;

pub(super) use self::entries::Entry;

use self::scalar::{
    ScalarPlace, has_no_anchor, is_anchored, is_block_scalar, is_unambiguous, keeps_no_blank_lines,
    quote_of, spelled, uses_anchors,
};
use super::commas::{List, sign};
use super::new_value::reads_name;
use super::{Editor, NewValue, TextEdit, apply, lines, spelling};
use crate::{Format, Kind, Node, Span};

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
    let block = if is_block_scalar(node) { written::like(node, value) } else { None };
    let source = match value {
        NewValue::Value(_) => return None,
        NewValue::Literal(literal) => place.reads(literal, value).then(|| literal.to_owned())?,
        NewValue::Text(_) if let Some(source) = block.filter(|it| place.reads(it, value)) => source,
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

pub(super) fn rename(editor: &Editor<'_>, key: Node<'_>, value: NewValue<'_>) -> Option<TextEdit> {
    let NewValue::Text(name) = value else {
        return None;
    };
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
        List::of(editor.trivia(), container)
    });
    list?.remove(places)
}

pub(super) fn insert(
    editor: &Editor<'_>,
    object: Node<'_>,
    at: usize,
    name: &str,
    value: NewValue<'_>,
) -> Option<Vec<TextEdit>> {
    // Other objects would get the member too.
    if is_anchored(object) && uses_anchors(editor) {
        return None;
    }
    if object.is_block() {
        return blocks::insert(editor, object, at, name, value);
    }
    let colon = sign(object, ":").unwrap_or(": ");
    let list = List::of(editor.trivia(), object)?;
    list.insert(at, &written::member(object, name, value, ScalarPlace::Flow, colon)?)
}

pub(super) fn insert_item(
    editor: &Editor<'_>,
    array: Node<'_>,
    at: usize,
    value: NewValue<'_>,
) -> Option<Vec<TextEdit>> {
    has_no_anchor(editor, array)?;
    if array.is_block() {
        return blocks::insert_item(editor, array, at, value);
    }
    List::of(editor.trivia(), array)?.insert(at, &written::flow(value)?)
}

/// Writes a value in the place of another one, after its name.
pub(super) fn overwrite(editor: &Editor<'_>, node: Node<'_>, value: Node<'_>) -> Option<TextEdit> {
    has_no_anchor(editor, node)?;
    let path = editor.path(node)?;
    if path.iter().any(|(container, _)| !container.is_block()) {
        return Some(TextEdit::new(node.span(), written::flow(NewValue::Value(value))?));
    }
    let (key, text) = (node.name()?, editor.tree.text());
    let (from, start) = (key.span().end as usize, node.span().start as usize);
    // A comment behind `|` would be lost.
    if text.get(from..start)?.trim() != ":" || editor.trivia().is_in(node.span()) {
        return None;
    }
    let end = if node.is_block() { blocks::end(editor, node)? } else { node.span().end as usize };
    let source = written::after_key(editor.tree, value, scalar::column(key)?)?;
    Some(TextEdit::new(Span::of(from + 1, end), source))
}
