//! JSON, with and without comments.

use super::commas::{Comments, List, sign};
use super::new_value::read_back;
use super::{Editor, NewValue, TextEdit, spelling};
use crate::{Format, Kind, Node};

/// A value or a key as JSON writes it; `None` if it is not one.
fn spelled(value: NewValue<'_>) -> Option<String> {
    let spelled = match value {
        NewValue::Text(text) => format!("\"{}\"", spelling::json_text(text)),
        NewValue::Literal(literal) => literal.to_owned(),
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

const fn comments(format: Format) -> Comments {
    match format {
        Format::Jsonc => Comments::Slashes,
        _ => Comments::None,
    }
}

pub(super) fn remove<'a>(
    editor: &Editor<'a>,
    container: Node<'a>,
    places: &[usize],
) -> Option<Vec<TextEdit>> {
    editor.list.of(container, || List::of(container, comments(editor.format)))?.remove(places)
}

pub(super) fn insert(
    object: Node<'_>,
    format: Format,
    name: &str,
    value: NewValue<'_>,
) -> Option<Vec<TextEdit>> {
    let colon = sign(object, ":").unwrap_or(": ");
    let member = format!("{}{colon}{}", spelled(NewValue::Text(name))?, spelled(value)?);
    List::of(object, comments(format))?.insert(&member)
}

pub(super) fn append(
    array: Node<'_>,
    format: Format,
    value: NewValue<'_>,
) -> Option<Vec<TextEdit>> {
    List::of(array, comments(format))?.insert(&spelled(value)?)
}
