//! JSON, with and without comments.

use super::commas::{List, sign};
use super::new_value::read_back;
use super::written::json_value;
use super::{Editor, NewValue, TextEdit, lines, spelling};
use crate::{Format, Kind, Node};

/// A value or a key as JSON writes it; `None` if it is not one.
fn spelled(value: NewValue<'_>) -> Option<String> {
    let spelled = match value {
        NewValue::Text(text) => format!("\"{}\"", spelling::json_text(text)),
        NewValue::Literal(literal) => literal.to_owned(),
        NewValue::Value(_) => return None,
    };
    reads(spelled.clone(), value).then_some(spelled)
}

pub(super) fn replace(node: Node<'_>, value: NewValue<'_>) -> Option<TextEdit> {
    if node.kind() == Kind::Key && !matches!(value, NewValue::Text(_)) {
        return None;
    }
    Some(TextEdit::new(node.span(), spelled(value)?))
}

/// Whether a text in JSON is a value.
pub(super) fn reads(source: String, value: NewValue<'_>) -> bool {
    read_back(source, Format::Json, |node| value.is_of(node).then_some(())).is_some()
}

pub(super) fn remove<'a>(
    editor: &Editor<'a>,
    container: Node<'a>,
    places: &[usize],
) -> Option<Vec<TextEdit>> {
    editor.list.of(container, || List::of(editor.trivia(), container))?.remove(places)
}

pub(super) fn insert(
    editor: &Editor<'_>,
    object: Node<'_>,
    at: usize,
    name: &str,
    value: NewValue<'_>,
) -> Option<Vec<TextEdit>> {
    let colon = sign(object, ":").unwrap_or(": ");
    let value = spelled_in(object, value)?;
    let member = format!("{}{colon}{value}", spelled(NewValue::Text(name))?);
    List::of(editor.trivia(), object)?.insert(at, &member)
}

pub(super) fn insert_item(
    editor: &Editor<'_>,
    array: Node<'_>,
    at: usize,
    value: NewValue<'_>,
) -> Option<Vec<TextEdit>> {
    List::of(editor.trivia(), array)?.insert(at, &spelled_in(array, value)?)
}

/// A value in a container: on several lines if the container has several.
fn spelled_in(container: Node<'_>, value: NewValue<'_>) -> Option<String> {
    let NewValue::Value(value) = value else {
        return spelled(value);
    };
    let text = container.tree().text();
    let indentation = match container.values().next() {
        _ if !container.source().contains(['\n', '\r']) => None,
        Some(first) => {
            let start = first.name().unwrap_or(first).span().start as usize;
            lines::indentation(text, start).map(str::to_owned)
        }
        None => {
            let close = (container.span().end as usize).saturating_sub(1);
            lines::indentation(text, close).map(|it| format!("{it}{}", lines::unit(text)))
        }
    };
    written(text, indentation.as_deref(), value)
}

fn written(text: &str, indentation: Option<&str>, value: Node<'_>) -> Option<String> {
    let layout = indentation.map(|it| (it, lines::unit(text), lines::line_break(text)));
    json_value(value, layout, &|text| format!("\"{}\"", spelling::json_text(text)))
}

/// Writes a value in the place of another one, from the indentation of its line on.
pub(super) fn overwrite(node: Node<'_>, value: Node<'_>) -> Option<TextEdit> {
    let text = node.tree().text();
    let start = node.name().unwrap_or(node).span().start as usize;
    let source = match value.kind() {
        Kind::Object | Kind::Array => written(text, lines::indentation(text, start), value),
        _ => NewValue::with(value, spelled),
    };
    Some(TextEdit::new(node.span(), source?))
}
