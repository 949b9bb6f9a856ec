//! TOML.

mod entries;

pub(super) use self::entries::Entries;
use self::entries::Entry;
use std::ops::Range;

use super::commas::{List, sign};
use super::new_value::{read_back, reads_name};
use super::{Editor, NewValue, TextEdit, lines, spelling};
use crate::{Format, Kind, Node};

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

/// Renames a key at every place where it is written: a table may be extended in several places.
pub(super) fn rename(
    editor: &Editor<'_>,
    key: Node<'_>,
    value: NewValue<'_>,
) -> Option<Vec<TextEdit>> {
    let NewValue::Text(name) = value else { return None };
    let value = editor.tree.at(key.id().index() as u32 + 1)?;
    let places = if is_spread(value) {
        entries(editor)?.names(&names(editor, key)?)?
    } else {
        vec![key.span()]
    };
    let text = editor.tree.text();
    let rename =
        |span: crate::Span| Some(TextEdit::new(span, spelled_name(name, span.slice(text))?));
    let edits: Vec<TextEdit> = places.into_iter().map(rename).collect::<Option<_>>()?;
    edits.iter().any(|edit| edit.span == key.span()).then_some(edits)
}

/// The entries of the text. They are read once; to search them takes a small part of that time.
fn entries<'e>(editor: &'e Editor<'_>) -> Option<&'e Entries> {
    let text = editor.tree.text();
    let entries = editor.entries.get_or_init(|| Entries::of(text)).as_ref()?;
    editor.may_read(text.len() / 8).then_some(entries)
}

/// Whether a value may be defined in several places of the text.
fn is_spread(node: Node<'_>) -> bool {
    node.is_block()
}

/// The names that lead to a key; `None` if one of them is a number.
fn names(editor: &Editor<'_>, key: Node<'_>) -> Option<Vec<String>> {
    names_on(&editor.path(key)?)
}

/// The names on a path; `None` if one of them is a number.
fn names_on(path: &[(Node<'_>, usize)]) -> Option<Vec<String>> {
    let name = |(container, at): &(Node<'_>, usize)| {
        let is_table = container.kind() == Kind::Object;
        Some(container.members().nth(*at).filter(|_| is_table)?.name().into_owned())
    };
    path.iter().map(name).collect()
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
    let text = editor.tree.text();
    let entries = entries(editor)?;
    let path = editor.path(container)?;
    if container.kind() == Kind::Array {
        // Without its last table, the array would vanish.
        if container.elements().count() <= places.len() {
            return None;
        }
        let names = names_on(&path)?;
        let remove = |at: &usize| Some(lines::deletion(entries.item(text, &names, *at)?));
        return places.iter().map(remove).collect();
    }
    // A table that only dotted keys or headers of its tables define would vanish with its last member.
    let stays_empty = path.is_empty() || entries.header_of(&path).is_some();
    if !stays_empty && container.members().count() <= places.len() {
        return None;
    }
    let mut edits = Vec::new();
    for at in places {
        let member = container.members().nth(*at)?;
        if is_spread(member.value) {
            edits.extend(entries.remove_table(text, &names(editor, member.key)?)?);
            continue;
        }
        let entry = entries.with_name(member.key.span())?;
        let entry = entry.start..member.value.span().end as usize;
        edits.push(lines::deletion(lines::of_entry(text, entry)?));
    }
    Some(edits)
}

/// Where a table of an array is written, from its header on.
pub(super) fn table(editor: &Editor<'_>, array: Node<'_>, at: usize) -> Option<Range<usize>> {
    let text = editor.tree.text();
    let range = entries(editor)?.item(text, &names_on(&editor.path(array)?)?, at)?;
    let source = text.get(range.clone())?;
    let start = range.start + (source.len() - source.trim_start().len());
    Some(start..start + source.trim().len())
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
            let member = |member: crate::Member<'_>| line(&member.name(), member.value);
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
    let NewValue::Value(item) = value else { return None };
    let text = editor.tree.text();
    let path = editor.path(array)?;
    let names = names_on(&path)?;
    let shown: Vec<String> = names.iter().map(|it| spelled_name(it, "")).collect::<Option<_>>()?;
    let lines = entries(editor)?.item(text, &names, at.checked_sub(1)?)?;
    let line_break = lines::line_break(text);
    let item = tables(&shown.join("."), std::iter::once(item), line_break)?;
    Some(vec![at_line(text, lines.end, &item, line_break)])
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
    let last = object.members().filter(|member| !is_spread(member.value)).last();
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
    let entries = entries(editor)?;
    let path = editor.path(object)?;
    // After the last line of the table's own header.
    let header = if path.is_empty() { None } else { Some(entries.header_of(&path)?) };
    let own = entries.own_lines(header);
    let is_before = |entry: &&&Entry| {
        let mut keys = object.members().take(at).map(|member| member.key.span().start as usize);
        keys.any(|key| (entry.start..entry.end).contains(&key))
    };
    if let Some(first) = own.first().filter(|_| at == 0) {
        let indentation = lines::indentation(text, first.start)?;
        let rest = format!("{}{indentation}", lines::line_break(text));
        return Some(vec![lines::insertion(first.start, format!("{member}{rest}"))]);
    }
    let Some(last) = own.iter().rfind(is_before).or(own.last()) else {
        let Some(header) = header else {
            // Before the first table.
            let start = lines::start(text, 0);
            let rest = if text.len() == start { "" } else { lines::line_break(text) };
            return Some(vec![lines::insertion(start, format!("{member}{rest}"))]);
        };
        return Some(vec![lines::below(text, entries.get(header)?.end, &member)?]);
    };
    let indentation = lines::indentation(text, last.start)?;
    Some(vec![lines::below(text, last.end, &format!("{indentation}{member}"))?])
}
