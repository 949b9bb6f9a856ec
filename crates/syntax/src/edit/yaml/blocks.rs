//! Mappings and sequences of YAML without brackets.

use std::ops::Range;

use super::entries::{Entry, entries};
use super::scalar::{
    ScalarPlace, column, has_no_anchor, keeps_no_blank_lines, lines_column, spelled,
};
use super::written;
use crate::edit::{Editor, NewValue, TextEdit, lines};
use crate::{Kind, Node};

pub(super) fn remove<'a>(
    editor: &Editor<'a>,
    container: Node<'a>,
    places: &[usize],
) -> Option<Vec<TextEdit>> {
    let entries = editor.block.of(container, || {
        has_no_anchor(editor, container)?;
        if may_keep_breaks(editor.tree.text()) { None } else { entries(editor.trivia(), container) }
    })?;
    if places.len() >= entries.len() {
        return remove_all(editor, container, &entries);
    }
    let text = editor.tree.text();
    let mut edits = Vec::new();
    for at in places {
        let entry = entries.get(*at)?;
        if entry.is_first_on_line(text) {
            edits.push(lines::deletion(lines::of_entry(text, entry.extent.clone())?));
            continue;
        }
        let end = lines::rest_is_comment(text, entry.extent.end)?;
        // The first entry, after the dash of an outer sequence: the next one takes its place.
        let next = entries.get(at + 1)?;
        let is_adjacent = lines::after_break(text, end) == lines::start(text, next.extent.start);
        if places.contains(&(at + 1)) || !is_adjacent || !next.is_first_on_line(text) {
            return None;
        }
        edits.push(lines::deletion(entry.extent.start..next.extent.start));
    }
    Some(edits)
}

/// Whether a text may have a block scalar to which the blank lines after it belong: they would get more of them.
fn may_keep_breaks(text: &str) -> bool {
    text.match_indices(['|', '>']).any(|(at, _)| {
        let rest = text.get(at + 1..).unwrap_or_default();
        rest.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with('+')
    })
}

/// Writes an empty collection in place of a block.
fn remove_all(
    editor: &Editor<'_>,
    container: Node<'_>,
    entries: &[Entry<'_>],
) -> Option<Vec<TextEdit>> {
    let text = editor.tree.text();
    let mut ends = entries.iter().map(|entry| lines::rest_is_comment(text, entry.extent.end));
    let starts = entries.iter().skip(1).map(|entry| lines::start(text, entry.extent.start));
    // Comments on lines of their own would not stay.
    let have_only_breaks = ends.by_ref().zip(starts).all(|(end, start)| {
        end.and_then(|end| text.get(end..start)).is_some_and(|between| between.trim().is_empty())
    });
    let end = lines::rest_is_comment(text, entries.last()?.extent.end)?;
    let is_object = container.kind() == Kind::Object;
    let empty = if is_object { "{}" } else { "[]" };
    let edit = in_place_of(editor, container, entries.first()?.extent.start..end, empty)?;
    have_only_breaks.then_some(vec![edit])
}

/// Writes a scalar in place of a block.
pub(super) fn replace(
    editor: &Editor<'_>,
    container: Node<'_>,
    value: NewValue<'_>,
) -> Option<TextEdit> {
    let text = editor.tree.text();
    if may_keep_breaks(text) {
        return None;
    }
    let entries = entries(editor.trivia(), container)?;
    let (first, last) = (entries.first()?, entries.last()?);
    lines::rest_is_comment(text, last.extent.end)?;
    let place = match container.name() {
        Some(key) => ScalarPlace::Member(column(key)?),
        None => return None,
    };
    let source = match value {
        NewValue::Text(text) => spelled(text, Some('"'), |source| place.reads(source, value))?,
        NewValue::Literal(literal) => place.reads(literal, value).then(|| literal.to_owned())?,
        NewValue::Value(_) => return None,
    };
    in_place_of(editor, container, first.extent.start..last.extent.end, &source)
}

/// Writes a value on one line in place of a block.
fn in_place_of(
    editor: &Editor<'_>,
    container: Node<'_>,
    inside: Range<usize>,
    source: &str,
) -> Option<TextEdit> {
    let text = editor.tree.text();
    if let Some(key) = container.name() {
        // After the name, on its line.
        let from = key.span().end as usize;
        let between = text.get(from..inside.start)?;
        if !between.starts_with(':') || !between.get(1..)?.trim().is_empty() {
            return None;
        }
        return Some(TextEdit::new(crate::Span::of(from + 1, inside.end), format!(" {source}")));
    }
    let is_root = editor.path(container)?.is_empty();
    let before = text.get(lines::start(text, inside.start)..inside.start)?;
    let after_dash = before.trim_end().ends_with('-') && !before.trim_end().ends_with("--");
    let is_written = after_dash || (is_root && before.is_empty());
    is_written.then(|| TextEdit::new(crate::Span::of(inside.start, inside.end), source))
}

/// Where the last entry of a container ends.
pub(super) fn end(editor: &Editor<'_>, container: Node<'_>) -> Option<usize> {
    let text = container.tree().text();
    let end = entries(editor.trivia(), container)?.last()?.extent.end;
    (!may_keep_breaks(text))
        .then_some(end)
        .filter(|end| lines::rest_is_comment(text, *end).is_some())
}

/// Adds an item behind a number of items.
pub(super) fn insert_item(
    editor: &Editor<'_>,
    array: Node<'_>,
    at: usize,
    value: NewValue<'_>,
) -> Option<Vec<TextEdit>> {
    let text = editor.tree.text();
    let path = editor.path(array)?;
    if path.iter().any(|(container, _)| !container.is_block()) {
        return None;
    }
    let entries = entries(editor.trivia(), array)?;
    let first = entries.first()?.extent.start;
    let indentation = lines::indentation(text, first)?;
    let item = written::item(editor.tree, value, lines_column(text, first))?;
    let Some(last) = at.checked_sub(1).and_then(|at| entries.get(at)) else {
        let line_break = lines::line_break(text);
        return Some(vec![lines::insertion(first, format!("{item}{line_break}{indentation}"))]);
    };
    no_blank_lines_after(last.value)?;
    Some(vec![lines::below(text, last.extent.end, &format!("{indentation}{item}"))?])
}

/// `Some` unless blank lines after a value are a part of it.
fn no_blank_lines_after(value: Node<'_>) -> Option<()> {
    let mut deepest = value;
    while let Some(inner) = deepest.values().last().filter(|_| deepest.is_block()) {
        deepest = inner;
    }
    let is_block = deepest.kind() == Kind::String && deepest.source().starts_with(['|', '>']);
    if is_block { keeps_no_blank_lines(deepest) } else { Some(()) }
}

pub(super) fn insert(
    editor: &Editor<'_>,
    object: Node<'_>,
    at: usize,
    name: &str,
    value: NewValue<'_>,
) -> Option<Vec<TextEdit>> {
    let text = editor.tree.text();
    let path = editor.path(object)?;
    if path.iter().any(|(container, _)| !container.is_block()) {
        return None;
    }
    let entries = entries(editor.trivia(), object)?;
    let first = entries.first()?;
    let last = at.checked_sub(1).and_then(|at| entries.get(at));
    let key = object.members().next()?.key;
    let column = column(key)?;
    let neighbor = last.unwrap_or(first).value;
    if lines_column(text, neighbor.name()?.span().start as usize) != column {
        return None;
    }
    let member = written::member(object, name, value, ScalarPlace::Member(column), ": ")?;
    // The members of a document may all be indented.
    let indentation = lines::indentation(text, first.extent.start)
        .map_or_else(|| " ".repeat(column), str::to_owned);
    let Some(last) = last else {
        let member = format!("{member}{}{indentation}", lines::line_break(text));
        return Some(vec![lines::insertion(first.extent.start, member)]);
    };
    no_blank_lines_after(last.value)?;
    Some(vec![lines::below(text, last.extent.end, &format!("{indentation}{member}"))?])
}
