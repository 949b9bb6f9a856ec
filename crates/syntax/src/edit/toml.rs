//! TOML.

use std::ops::Range;

use super::commas::{List, sign};
use super::new_value::{read_back, reads_name};
use super::{Editor, NewValue, TextEdit, lines, spelling};
use crate::{Format, Kind, Member, Node};

/// Whether a value has a source.
pub(super) fn reads(source: &str, value: NewValue<'_>) -> bool {
    let is_of = |root: Node<'_>| {
        let mut members = root.members();
        (value.is_of(members.next()?.value) && members.next().is_none()).then_some(())
    };
    read_back(format!("k = {source}\n"), Format::Toml, is_of).is_some()
}

/// A value, in the quotes of another one.
fn spelled(value: NewValue<'_>, quotes: &str) -> Option<String> {
    let choices = match value {
        NewValue::Value(value) => return written(value, quotes.contains('\n')),
        NewValue::Literal(literal) => vec![literal.to_owned()],
        NewValue::Text(text) if quotes.starts_with("\"\"\"") && text.contains('\n') => {
            vec![long(text, lines::line_break(quotes))]
        }
        NewValue::Text(text) => {
            let single = quotes.starts_with('\'').then(|| format!("'{text}'"));
            let double = format!("\"{}\"", spelling::shared(text));
            single.into_iter().chain([double]).collect()
        }
    };
    choices.into_iter().find(|source| reads(source, value))
}

/// A key, in the quotes of another one. Without quotes, it needs none.
fn spelled_name(name: &str, quotes: &str) -> Option<String> {
    let is_bare = |name: &str| {
        !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
    };
    let reads = |source: &String| reads_name(format!("{source} = 1\n"), Format::Toml, name);
    let mut choices = Vec::new();
    if quotes.starts_with('\'') {
        choices.push(format!("'{name}'"));
    } else if !quotes.starts_with('"') && is_bare(name) {
        choices.push(name.to_owned());
    }
    choices.push(format!("\"{}\"", spelling::shared(name)));
    choices.into_iter().find(reads)
}

pub(super) fn replace(node: Node<'_>, value: NewValue<'_>) -> Option<TextEdit> {
    Some(TextEdit::new(node.span(), spelled(value, node.source())?))
}

/// How a part of a string is written in its quotes.
pub(super) fn spelled_part(node: Node<'_>, text: &str) -> Option<String> {
    if node.kind() == Kind::Key {
        return None;
    }
    let line_break = lines::line_break(node.tree().text());
    let is_long = is_long(node);
    Some(match node.source().chars().next()? {
        '"' if is_long => {
            text.split('\n').map(spelling::shared).collect::<Vec<_>>().join(line_break)
        }
        '"' => spelling::shared(text),
        _ if is_long => text.replace('\n', line_break),
        _ => text.to_owned(),
    })
}

/// A string of several lines stays one.
pub(super) fn replace_in_quotes(node: Node<'_>, value: NewValue<'_>) -> Option<TextEdit> {
    (node.kind() != Kind::Key && !is_long(node)).then(|| replace(node, value))?
}

fn is_long(node: Node<'_>) -> bool {
    ["\"\"\"", "'''"].iter().any(|quotes| node.source().starts_with(quotes))
}

/// Renames a key that is written once: a table may be extended in several places.
pub(super) fn rename(key: Node<'_>, value: NewValue<'_>) -> Option<TextEdit> {
    let NewValue::Text(name) = value else {
        return None;
    };
    let value = key.tree().at(key.id().index() as u32 + 1)?;
    let tables = if value.kind() == Kind::Array { value.elements().collect() } else { vec![value] };
    let is_written_once = match tables.as_slice() {
        _ if !value.is_block() => true,
        [table] => {
            let first = table.members().next();
            let has_header = first.is_none_or(|first| begins_line(first.key));
            !table.inside().any(Node::is_block) && (has_header || table.members().count() == 1)
        }
        _ => false,
    };
    let edit = || Some(TextEdit::new(key.span(), spelled_name(name, key.source())?));
    is_written_once.then(edit)?
}

fn begins_line(node: Node<'_>) -> bool {
    lines::indentation(node.tree().text(), node.span().start as usize).is_some()
}

/// The first byte of the line of a node that is not blank: of its header, or of its dotted key.
fn first_on_line(node: Node<'_>) -> usize {
    let text = node.tree().text();
    let start = lines::start(text, node.span().start as usize);
    let line = text.get(start..).unwrap_or_default();
    start + line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// Where a table without brackets is written, from its first header or key to its last value: that of a name, or one of an array.
/// `None` if anything else is there too.
pub(super) fn table(editor: &Editor<'_>, table: Node<'_>) -> Option<Range<usize>> {
    let start =
        table.name().map_or_else(|| header(editor, table), |key| Some(first_on_line(key)))?;
    let end = table.span().end as usize;
    let own = table.name().unwrap_or(table).id()..table.after();
    let path = editor.path(table)?;
    let is_above = |node: Node<'_>| path.iter().any(|(above, _)| above.name() == Some(node));
    let is_other = |node: Node<'_>| {
        let is_leaf = node.after().index() == node.id().index() + 1;
        let span = node.span();
        let is_inside = start <= span.start as usize && span.end as usize <= end;
        is_leaf && is_inside && !own.contains(&node.id()) && !is_above(node)
    };
    let is_alone = editor.may_read(editor.tree.len()) && !editor.tree.nodes().any(is_other);
    is_alone.then_some(start..end)
}

/// The header of a table of an array.
fn header(editor: &Editor<'_>, table: Node<'_>) -> Option<usize> {
    let text = editor.tree.text();
    let start = table.span().start as usize;
    if table.members().next().is_none() {
        return Some(start);
    }
    let (array, at) = editor.place(table)?;
    let first = first_on_line(array.name()?);
    let header = text.get(first..)?;
    let header = header.get(..header.find("]]")? + 2)?;
    let before = at.checked_sub(1).and_then(|at| array.elements().nth(at));
    let from = before.map_or(first, |before| before.span().end as usize);
    text.get(from..start)?.rfind(header).map(|at| from + at)
}

/// The lines of a table, with the blank lines that divide it from what is before it.
fn table_lines(editor: &Editor<'_>, node: Node<'_>) -> Option<Range<usize>> {
    let text = editor.tree.text();
    let Range { mut start, end } = lines::of_entry(text, table(editor, node)?)?;
    if !text.get(start..)?.trim_start().starts_with('[') {
        return Some(start..end);
    }
    while let Some(above) = text.get(..start)?.strip_suffix('\n') {
        let above = above.strip_suffix('\r').unwrap_or(above);
        if lines::indentation(text, above.len()).is_none() {
            break;
        }
        start = lines::start(text, above.len());
    }
    Some(start..end)
}

/// The members that are lines of a table below its header.
fn own_members(table: Node<'_>) -> impl Iterator<Item = Member<'_>> {
    table.members().filter(|member| !member.value.is_block() && begins_line(member.key))
}

pub(super) fn remove<'a>(
    editor: &Editor<'a>,
    container: Node<'a>,
    places: &[usize],
) -> Option<Vec<TextEdit>> {
    if !container.is_block() {
        let list = editor.list.of(container, || List::of(editor.trivia(), container));
        return list?.remove(places);
    }
    // A table that only dotted keys or headers of its tables define would vanish with its last member, and so would an array.
    let stays_empty = container.id().index() == 0 || own_members(container).next().is_some();
    if !stays_empty && container.values().count() <= places.len() {
        return None;
    }
    let remove = |at: &usize| {
        let value = container.values().nth(*at)?;
        Some(lines::deletion(match value.name() {
            Some(key) if !value.is_block() => {
                let entry = first_on_line(key)..value.span().end as usize;
                lines::of_entry(editor.tree.text(), entry)?
            }
            _ => table_lines(editor, value)?,
        }))
    };
    places.iter().map(remove).collect()
}

/// A text over several lines.
fn long(text: &str, line_break: &str) -> String {
    let lines = text.split('\n').map(spelling::shared).collect::<Vec<_>>().join(line_break);
    // Fewer than three quotes need no escape, except at the end.
    let is_safe = !text.contains("\"\"") && !text.ends_with('"');
    let lines = if is_safe { lines.replace("\\\"", "\"") } else { lines };
    format!("\"\"\"{line_break}{lines}\"\"\"")
}

/// A value on one line, but for the items of a list of tables.
fn written(node: Node<'_>, has_lines: bool) -> Option<String> {
    let within = |parts: Vec<String>, [open, close]: [&str; 2]| {
        let is_empty = parts.is_empty();
        let [open, close] = if is_empty { [open.trim(), close.trim()] } else { [open, close] };
        format!("{open}{}{close}", parts.join(", "))
    };
    match node.kind() {
        Kind::Object => {
            let member = |member: Member<'_>| line(&member.name(), member.value);
            Some(within(node.members().map(member).collect::<Option<_>>()?, ["{ ", " }"]))
        }
        Kind::Array => {
            let items: Vec<String> =
                node.elements().map(|item| written(item, false)).collect::<Option<_>>()?;
            if has_lines && node.elements().any(|item| item.kind() == Kind::Object) {
                return Some(format!("[\n  {},\n]", items.join(",\n  ")));
            }
            Some(within(items, ["[", "]"]))
        }
        Kind::Null => None,
        _ => NewValue::with(node, |value| spelled(value, "")),
    }
}

fn line(name: &str, value: Node<'_>) -> Option<String> {
    Some(format!("{} = {}", spelled_name(name, "")?, written(value, false)?))
}

/// The tables of a list, each with its header: `[[name]]`.
fn tables<'v>(
    name: &str,
    items: impl Iterator<Item = Node<'v>>,
    line_break: &str,
) -> Option<String> {
    let mut text = String::new();
    for item in items {
        if item.kind() != Kind::Object {
            return None;
        }
        text.extend([line_break, "[[", name, "]]", line_break]);
        for member in item.members() {
            let value = match member.value.as_str() {
                Some(text) if text.contains('\n') => long(&text, line_break),
                _ => written(member.value, false)?,
            };
            let name = spelled_name(&member.name(), "")?;
            text.extend([&*name, " = ", &value, line_break]);
        }
    }
    Some(text)
}

/// Writes a value in the place of another one.
pub(super) fn overwrite(node: Node<'_>, value: Node<'_>) -> Option<TextEdit> {
    let value = written(value, true).filter(|_| !node.is_block())?;
    Some(TextEdit::new(node.span(), value))
}

/// Adds an item behind a number of items: a table with its header, or a value between brackets.
pub(super) fn insert_item(
    editor: &Editor<'_>,
    array: Node<'_>,
    at: usize,
    value: NewValue<'_>,
) -> Option<Vec<TextEdit>> {
    if !array.is_block() {
        let last = array.elements().last();
        let item = spelled(value, last.map_or("", Node::source))?;
        return List::of(editor.trivia(), array)?.insert(at, &item);
    }
    let NewValue::Value(item) = value else {
        return None;
    };
    let text = editor.tree.text();
    let last = array.elements().nth(at.checked_sub(1)?)?;
    let names: Option<Vec<String>> = editor
        .path(array)?
        .iter()
        .map(|(table, at)| spelled_name(&table.members().nth(*at)?.name(), ""))
        .collect();
    let line_break = lines::line_break(text);
    let item = tables(&names?.join("."), std::iter::once(item), line_break)?;
    let end = lines::of_entry(text, table(editor, last)?)?.end;
    Some(vec![at_line(text, end, &item, line_break)])
}

/// Adds lines at the beginning of a line or at the end of the text.
fn at_line(text: &str, at: usize, lines: &str, line_break: &str) -> TextEdit {
    let before = text.get(..at).unwrap_or_default();
    let is_open = !before.is_empty() && !before.ends_with(['\n', '\r']);
    lines::insertion(at, if is_open { format!("{line_break}{lines}") } else { lines.to_owned() })
}

pub(super) fn insert(
    editor: &Editor<'_>,
    object: Node<'_>,
    at: usize,
    name: &str,
    value: NewValue<'_>,
) -> Option<Vec<TextEdit>> {
    let text = editor.tree.text();
    if let NewValue::Value(list) = value
        && list.elements().any(|item| item.kind() == Kind::Object)
        && object.is_block()
        && editor.path(object)?.is_empty()
    {
        let line_break = lines::line_break(text);
        let tables = tables(&spelled_name(name, "")?, list.elements(), line_break)?;
        return Some(vec![at_line(text, text.len(), &tables, line_break)]);
    }
    let last = object.members().filter(|member| !member.value.is_block()).last();
    let equals = sign(object, "=").unwrap_or(" = ");
    let name = spelled_name(name, last.map_or("", |last| last.key.source()))?;
    let value = match value {
        NewValue::Text(text) if text.contains('\n') && object.is_block() => {
            long(text, lines::line_break(editor.tree.text()))
        }
        _ => spelled(value, last.map_or("", |last| last.value.source()))?,
    };
    let member = format!("{name}{equals}{value}");
    if !object.is_block() {
        return List::of(editor.trivia(), object)?.insert(at, &member);
    }
    let Some(first) = own_members(object).next() else {
        if object.id().index() == 0 {
            // Before the first table.
            let start = lines::start(text, 0);
            let rest = if text.len() == start { "" } else { lines::line_break(text) };
            return Some(vec![lines::insertion(start, format!("{member}{rest}"))]);
        }
        // The header of an empty table is all of it.
        let is_empty = object.members().next().is_none();
        let below = || lines::below(text, object.span().end as usize, &member);
        return Some(vec![is_empty.then(below)??]);
    };
    let start = first.key.span().start as usize;
    let indentation = lines::indentation(text, start)?;
    if at == 0 {
        let rest = format!("{}{indentation}", lines::line_break(text));
        return Some(vec![lines::insertion(start, format!("{member}{rest}"))]);
    }
    let keys: Vec<Node<'_>> = object.members().take(at).map(|member| member.key).collect();
    let last = own_members(object).filter(|member| keys.contains(&member.key)).last();
    let last = last.or_else(|| own_members(object).last())?;
    let indentation = lines::indentation(text, last.key.span().start as usize)?;
    let end = last.value.span().end as usize;
    Some(vec![lines::below(text, end, &format!("{indentation}{member}"))?])
}
