//! TOML.

mod entries;

pub(super) use self::entries::Entries;
use super::commas::{Comments, List, sign};
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
        NewValue::Literal(literal) => vec![literal.to_owned()],
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
        let list = editor.list.of(container, || List::of(container, Comments::Hash));
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

pub(super) fn insert(
    editor: &Editor<'_>,
    object: Node<'_>,
    name: &str,
    value: NewValue<'_>,
) -> Option<Vec<TextEdit>> {
    let last = object.members().filter(|member| !is_spread(member.value)).last();
    let equals = sign(object, "=").unwrap_or(" = ");
    let name = spelled_name(name, last.map_or("", |last| last.key.source()))?;
    let value = spelled(value, last.map_or("", |last| last.value.source()))?;
    let member = format!("{name}{equals}{value}");
    if !object.is_block() {
        return List::of(object, Comments::Hash)?.insert(&member);
    }
    let text = editor.tree.text();
    let entries = entries(editor)?;
    let path = editor.path(object)?;
    // After the last line of the table's own header.
    let header = if path.is_empty() { None } else { Some(entries.header_of(&path)?) };
    let own = entries.own_lines(header);
    let Some(last) = own.last() else {
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

pub(super) fn append(array: Node<'_>, value: NewValue<'_>) -> Option<Vec<TextEdit>> {
    let last = array.elements().last();
    let item = spelled(value, last.map_or("", Node::source))?;
    List::of(array, Comments::Hash)?.insert(&item)
}
