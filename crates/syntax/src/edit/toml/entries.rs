//! The headers and lines of a TOML text, in the order of the text. The tree has each table once, wherever it is defined.

use std::ops::Range;

use toml_parser::lexer::Token;
use toml_parser::parser::{Event, EventKind, parse_document};
use toml_parser::{ParseError, Source};

use crate::edit::new_value::read_back;
use crate::edit::{TextEdit, lines};
use crate::{Format, Kind, Node, Span};

/// A header, or a key with its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryKind {
    /// The header of a table.
    Header,
    /// The header of one table of an array.
    ArrayHeader,
    /// A key with its value.
    Line,
}

#[derive(Debug)]
pub(super) struct Entry {
    pub(super) kind: EntryKind,
    pub(super) start: usize,
    pub(super) end: usize,
    /// The parts of its key.
    pub(super) names: Vec<(Span, String)>,
    /// The index of its header; none for the lines before the first one.
    header: Option<usize>,
}

#[derive(Debug)]
pub(in crate::edit) struct Entries(Vec<Entry>);

impl Entries {
    /// The entries of a text; `None` if it has an error.
    pub(super) fn of(text: &str) -> Option<Self> {
        let tokens: Vec<Token> = Source::new(text).lex().into_vec();
        let mut events: Vec<Event> = Vec::new();
        let mut errors: Option<ParseError> = None;
        parse_document(&tokens, &mut events, &mut errors);
        if errors.is_some() {
            return None;
        }
        let mut entries: Vec<Entry> = Vec::new();
        let (mut header, mut open) = (None, None);
        let mut depth = 0_usize;
        for event in events {
            let (start, end) = (event.span().start(), event.span().end());
            let kind = match event.kind() {
                EventKind::Whitespace | EventKind::Comment => continue,
                EventKind::Newline => {
                    if depth == 0 {
                        open = None;
                    }
                    continue;
                }
                EventKind::ArrayOpen | EventKind::InlineTableOpen => {
                    depth += 1;
                    None
                }
                EventKind::ArrayClose | EventKind::InlineTableClose => {
                    depth = depth.checked_sub(1)?;
                    None
                }
                EventKind::StdTableOpen => Some(EntryKind::Header),
                EventKind::ArrayTableOpen => Some(EntryKind::ArrayHeader),
                EventKind::SimpleKey if open.is_none() => Some(EntryKind::Line),
                _ => None,
            };
            if let Some(kind) = kind {
                let at = entries.len();
                let is_line = kind == EntryKind::Line;
                if !is_line {
                    header = Some(at);
                }
                let header = header.filter(|_| is_line);
                entries.push(Entry { kind, start, end, names: Vec::new(), header });
                open = Some(at);
            }
            let entry = open.and_then(|at: usize| entries.get_mut(at))?;
            entry.end = end;
            if event.kind() == EventKind::SimpleKey && depth == 0 {
                entry.names.push((Span::of(start, end), decoded(text.get(start..end)?)?));
            }
        }
        Some(Self(entries))
    }

    pub(super) fn get(&self, at: usize) -> Option<&Entry> {
        self.0.get(at)
    }

    /// The line whose key ends with the name at a place.
    pub(super) fn with_name(&self, span: Span) -> Option<&Entry> {
        let is_it = |entry: &&Entry| {
            entry.kind == EntryKind::Line
                && entry.names.last().is_some_and(|(name, _)| *name == span)
        };
        self.0.iter().find(is_it)
    }

    /// The place of a table's name in an entry that is inside the table or defines it.
    fn name_in(&self, entry: &Entry, path: &[String]) -> Option<Name> {
        let header = entry.header.and_then(|at| self.get(at));
        let outer = header.map_or(&[][..], |header| &header.names);
        let names = outer.iter().chain(&entry.names);
        let is_inside = names.clone().count() >= path.len()
            && names.zip(path).all(|((_, name), wanted)| name == wanted);
        if !is_inside {
            return None;
        }
        let own = path.len().checked_sub(outer.len() + 1);
        Some(Name { own: own.and_then(|at| entry.names.get(at)).map(|(span, _)| *span) })
    }

    /// Every place where the name of a table is written; `None` if the table is inside an array of tables.
    pub(super) fn names(&self, path: &[String]) -> Option<Vec<Span>> {
        self.is_outside_arrays(path)?;
        let names = self.0.iter().filter_map(|entry| self.name_in(entry, path)?.own);
        Some(names.collect())
    }

    /// `Some` unless the names go through an array of tables.
    fn is_outside_arrays(&self, path: &[String]) -> Option<()> {
        let goes_through = |entry: &Entry| {
            entry.kind == EntryKind::ArrayHeader
                && entry.names.len() < path.len()
                && entry.names.iter().zip(path).all(|((_, name), step)| name == step)
        };
        (!self.0.iter().any(goes_through)).then_some(())
    }

    /// Removes every entry of a table.
    pub(super) fn remove_table(&self, text: &str, path: &[String]) -> Option<Vec<TextEdit>> {
        self.is_outside_arrays(path)?;
        let is_of_table = |(_, entry): &(usize, &Entry)| self.name_in(entry, path).is_some();
        let found: Vec<(usize, &Entry)> = self.0.iter().enumerate().filter(is_of_table).collect();
        let ((first_at, first), (last_at, last)) = (found.first()?, found.last()?);
        if found
            .iter()
            .all(|(_, entry)| self.name_in(entry, path).is_some_and(|it| it.is_line(entry)))
        {
            let lines = found.iter().map(|(_, entry)| Some(lines::deletion(entry.lines(text)?)));
            return lines.collect();
        }
        if last_at - first_at + 1 != found.len() || first.kind == EntryKind::Line {
            return None;
        }
        Some(vec![lines::deletion(table_lines(text, first, last)?)])
    }

    /// The lines of one table of an array: its header, and everything up to the next header that is not inside it. `None` if
    /// other lines are between its own.
    pub(super) fn item(&self, text: &str, path: &[String], at: usize) -> Option<Range<usize>> {
        self.is_outside_arrays(path)?;
        let is_at = |entry: &Entry| entry.names.iter().map(|(_, name)| name).eq(path);
        let mut headers = (0..self.0.len()).filter(|index| {
            self.get(*index).is_some_and(|it| it.kind == EntryKind::ArrayHeader && is_at(it))
        });
        let first = headers.nth(at)?;
        let next = headers.next().unwrap_or(self.0.len());
        let own = self.0.get(first..next)?;
        let is_own = |entry: &Entry| self.name_in(entry, path).is_some();
        let count = own.iter().take_while(|entry| is_own(entry)).count();
        if own.iter().skip(count).any(is_own) {
            return None;
        }
        table_lines(text, own.first()?, own.get(count.checked_sub(1)?)?)
    }

    fn header_named(&self, path: &[String]) -> Option<usize> {
        self.0.iter().position(|entry| {
            entry.kind == EntryKind::Header && entry.names.iter().map(|(_, name)| name).eq(path)
        })
    }

    /// The header of a table, given by the containers on its path.
    pub(super) fn header_of(&self, path: &[(Node<'_>, usize)]) -> Option<usize> {
        let mut names = Vec::new();
        let mut item = None;
        for (container, at) in path {
            if item.is_some() {
                return None;
            }
            if container.kind() == Kind::Array {
                item = Some(*at);
            } else {
                names.push(container.members().nth(*at)?.name().into_owned());
            }
        }
        let Some(item) = item else { return self.header_named(&names) };
        let is_item = |entry: &Entry| {
            entry.kind == EntryKind::ArrayHeader
                && entry.names.iter().map(|(_, name)| name).eq(&names)
        };
        let headers = self.0.iter().enumerate().filter(|(_, entry)| is_item(entry));
        headers.map(|(at, _)| at).nth(item)
    }

    /// The lines below a header, or before the first one.
    pub(super) fn own_lines(&self, header: Option<usize>) -> Vec<&Entry> {
        let is_own = |entry: &&Entry| entry.kind == EntryKind::Line && entry.header == header;
        self.0.iter().filter(is_own).collect()
    }
}

/// Where an entry writes the name of a table.
struct Name {
    /// The place; none if its header does.
    own: Option<Span>,
}

impl Name {
    /// Whether a line names the table itself, as the first parts of a dotted key.
    fn is_line(&self, entry: &Entry) -> bool {
        entry.kind == EntryKind::Line && self.own.is_some()
    }
}

impl Entry {
    /// Its lines; `None` if anything else is on them.
    fn lines(&self, text: &str) -> Option<Range<usize>> {
        lines::of_entry(text, self.start..self.end)
    }
}

/// The lines of a table from its header to its last entry, with the blank lines that divide it from what is before it.
fn table_lines(text: &str, header: &Entry, last: &Entry) -> Option<Range<usize>> {
    let mut start = header.lines(text)?.start;
    while let Some(above) = text.get(..start)?.strip_suffix('\n') {
        let above = above.strip_suffix('\r').unwrap_or(above);
        if lines::indentation(text, above.len()).is_none() {
            break;
        }
        start = lines::start(text, above.len());
    }
    Some(start..last.lines(text)?.end)
}

fn decoded(name: &str) -> Option<String> {
    if !name.starts_with(['"', '\'']) {
        return Some(name.to_owned());
    }
    let decoded = |root: Node<'_>| Some(root.members().next()?.name().into_owned());
    read_back(format!("{name} = 1\n"), Format::Toml, decoded)
}
