//! The lines of TOML: headers of tables, keys and values.

use std::collections::HashMap;

use voxlint::syntax::Span;

use super::flow::{self, Dialect, quoted_end};
use super::lines::{byte, line_end, next_line, skip_spaces};
use super::parts::{
    At, Commas, Cursor, Header, Key, Probe, Purpose, Quote, Step, Style, Value, unquoted, word_end,
};

/// What is known about the place once it has been passed.
struct TomlPath {
    cursor: Cursor,
    word: Span,
    /// The path of the table whose other names are still to be collected.
    table: Option<Vec<Step>>,
}

struct Scanner<'t> {
    text: &'t str,
    probe: Probe,
    table: Vec<Step>,
    /// The names that were written so far, by the path of their table.
    names: Vec<(Vec<Step>, Span, String)>,
    /// How many items each list of tables has.
    items: HashMap<Vec<Step>, usize>,
    found: Option<TomlPath>,
}

/// The place in a text of TOML.
pub(super) fn cursor(text: &str, probe: Probe) -> Option<Cursor> {
    let mut scanner = Scanner {
        text,
        probe,
        table: Vec::new(),
        names: Vec::new(),
        items: HashMap::new(),
        found: None,
    };
    let mut at = 0;
    while at < text.len() {
        at = scanner.line(at);
    }
    if text.is_empty() || text.ends_with('\n') {
        scanner.space(text.len(), text.len());
    }
    scanner.finish()
}

impl Scanner<'_> {
    /// Reads a line, with the values that begin on it. Returns where the next line begins.
    fn line(&mut self, start: usize) -> usize {
        let end = line_end(self.text, start);
        let content = skip_spaces(self.text, start).min(end);
        if content == end {
            self.space(start, end);
            return next_line(self.text, end);
        }
        if self.is_in(start, content.saturating_sub(1)) && content > start {
            self.nothing();
        }
        match byte(self.text, content) {
            Some(b'#') => self.comment(content, end),
            Some(b'[') => self.header(content, end),
            _ => {
                return self.member(content, end);
            }
        }
        next_line(self.text, end)
    }

    fn header(&mut self, start: usize, end: usize) {
        let line = self.text.get(start..end).unwrap_or_default();
        let is_item = line.starts_with("[[");
        let from = start + if is_item { 2 } else { 1 };
        let inner = self.text.get(from..end).unwrap_or_default();
        let close = inner.find([']', '#']).unwrap_or(inner.len());
        let name = inner.get(..close).unwrap_or_default();
        let closing = inner.get(close..).unwrap_or_default();
        let brackets_after = closing.bytes().take_while(|byte| *byte == b']').take(2).count();
        let after = from + close + brackets_after;
        let parts = dotted(name, from);
        let before_last = parts.len().saturating_sub(1);
        let asked = self.is_in(from, from + close).then_some(self.probe.offset);
        let mut place = None;
        let mut table = Vec::new();
        for (index, (span, part)) in parts.iter().enumerate() {
            if place.is_none() && asked.is_some_and(|offset| offset <= span.end) {
                place = Some((table.clone(), *span));
            }
            self.names.push((table.clone(), *span, part.clone()));
            table.push(Step::Name(part.clone()));
            if let Some(count) = self.items.get(&table).copied().filter(|_| index < before_last) {
                table.push(Step::Item(count.saturating_sub(1)));
            }
        }
        if asked.is_some() {
            let end = || (table.clone(), Span::at(self.probe.offset));
            let (path, word) = place.unwrap_or_else(end);
            if self.probe.purpose == Purpose::Hover && !self.probe.touches(word, false) {
                self.nothing();
            } else {
                let brackets = Span::new(start as u32, after as u32);
                let header = Header { word, brackets, is_item, others: Vec::new() };
                self.find(path, At::Header(header), word, Some(Vec::new()));
            }
        }
        if is_item && !table.is_empty() {
            let count = self.items.entry(table.clone()).or_default();
            *count += 1;
            table.push(Step::Item(*count - 1));
        }
        self.table = table;
        self.trailing(after, end);
    }

    /// Reads a key with its value. Returns where the next line begins.
    fn member(&mut self, start: usize, end: usize) -> usize {
        let line = self.text.get(start..end).unwrap_or_default();
        let equals = equals_sign(line).map(|at| start + at);
        let keys = self.text.get(start..equals.unwrap_or(end)).unwrap_or_default();
        let keys = if equals.is_none() { keys.split('#').next().unwrap_or_default() } else { keys };
        let parts = dotted(keys, start);
        let mut table = self.table.clone();
        let last = parts.len().saturating_sub(1);
        for (index, (span, name)) in parts.iter().enumerate() {
            self.names.push((table.clone(), *span, name.clone()));
            let touches = self.probe.touches(*span, false);
            if self.found.is_none() && touches {
                let has_value = equals.is_some() || index < last;
                let mut span = *span;
                if self.probe.purpose == Purpose::Completion && equals.is_none() {
                    span.end = word_end(self.text, self.probe.offset, span.end);
                }
                let key = Self::key(span, name.clone(), has_value);
                self.find(table.clone(), At::Key(key), span, Some(table.clone()));
            }
            table.push(Step::Name(name.clone()));
        }
        let Some(equals) = equals else {
            self.trailing(start + keys.trim_end().len(), end);
            return next_line(self.text, end);
        };
        let at = skip_spaces(self.text, equals + 1).min(end);
        if self.is_in(equals + 1, at) && self.probe.purpose == Purpose::Completion {
            let is_missing = at == end || byte(self.text, at) == Some(b'#');
            if is_missing {
                let word = Span::at(self.probe.offset);
                let mut value = Self::value(word, word, Quote::None);
                value.needs_space = self.probe.offset as usize == equals + 1;
                self.find(table.clone(), At::Value(value), word, None);
            } else if (self.probe.offset as usize) < at || byte(self.text, at) != Some(b'[') {
                self.nothing();
            }
        }
        if at == end {
            return next_line(self.text, end);
        }
        let after = match byte(self.text, at) {
            Some(b'{' | b'[') => {
                let probe = self.found.is_none().then_some(self.probe);
                let (after, found) = flow::value(self.text, at, Dialect::Toml, table, probe);
                if let Some(cursor) = found {
                    let word = Span::at(self.probe.offset);
                    self.found = Some(TomlPath { cursor, word, table: None });
                }
                return after;
            }
            Some(quote @ (b'"' | b'\'')) => {
                let (after, quote, is_closed) = quoted_end(self.text, at, quote, None, true);
                self.text_value(table, Span::new(at as u32, after as u32), quote, is_closed);
                after
            }
            Some(b'#') => {
                self.comment(at, end);
                end
            }
            _ => {
                let rest = self.text.get(at..end).unwrap_or_default();
                let length = rest.find('#').unwrap_or(rest.len());
                let length = rest.get(..length).unwrap_or_default().trim_end().len();
                let word = Span::new(at as u32, (at + length) as u32);
                if self.found.is_none() && self.probe.touches(word, false) {
                    let value = Self::value(word, word, Quote::None);
                    self.find(table, At::Value(value), word, None);
                }
                at + length
            }
        };
        self.trailing(after, line_end(self.text, after));
        next_line(self.text, after)
    }

    fn text_value(&mut self, path: Vec<Step>, word: Span, quote: Quote, is_closed: bool) {
        if self.found.is_some() || !self.probe.touches(word, is_closed) {
            return;
        }
        let mut word = word;
        if !is_closed && quote != Quote::Block && self.probe.purpose == Purpose::Completion {
            word.end = word_end(self.text, self.probe.offset, word.end);
        }
        let length = if quote == Quote::Block { 3 } else { 1 };
        let end = if is_closed { word.end - length } else { word.end };
        let inner = Span::new((word.start + length).min(end), end);
        let value = Self::value(word, inner, quote);
        self.find(path, At::Value(value), word, None);
    }

    /// What follows on a line after everything else.
    fn trailing(&mut self, after: usize, end: usize) {
        let at = skip_spaces(self.text, after).min(end);
        if byte(self.text, at) == Some(b'#') && at < end {
            self.comment(at, end);
        }
        if self.is_in(after, end) {
            self.nothing();
        }
    }

    fn comment(&mut self, at: usize, end: usize) {
        let span = Span::new(at as u32, end as u32);
        if self.found.is_none() && self.probe.touches(span, false) {
            self.find(Vec::new(), At::Comment(span), span, None);
        }
    }

    /// A line of space.
    fn space(&mut self, start: usize, end: usize) {
        if self.probe.purpose == Purpose::Hover || !self.is_in(start, end) {
            return;
        }
        let word = Span::at(self.probe.offset);
        let key = Self::key(word, String::new(), false);
        let table = self.table.clone();
        self.find(table.clone(), At::Key(key), word, Some(table));
    }

    fn is_in(&self, start: usize, end: usize) -> bool {
        let offset = self.probe.offset as usize;
        self.found.is_none() && start <= offset && offset <= end
    }

    fn nothing(&mut self) {
        self.find(Vec::new(), At::Nothing, Span::at(self.probe.offset), None);
    }

    fn find(&mut self, path: Vec<Step>, at: At, word: Span, table: Option<Vec<Step>>) {
        self.found = Some(TomlPath { cursor: Cursor { path, at }, word, table });
    }

    fn key(word: Span, name: String, has_value: bool) -> Key {
        let (style, commas) = (Style::TomlTable, Commas::default());
        Key { word, name, has_value, others: Vec::new(), style, commas }
    }

    fn value(word: Span, inner: Span, quote: Quote) -> Value {
        Value {
            word,
            inner,
            quote,
            style: Style::TomlTable,
            commas: Commas::default(),
            needs_space: false,
            column: None,
            others: Vec::new(),
        }
    }

    fn finish(self) -> Option<Cursor> {
        let found = self.found?;
        let mut cursor = found.cursor;
        if let Some(table) = found.table {
            let names = self.names.iter().filter(|(of, span, _)| {
                *of == table && (found.word.is_empty() || span.start != found.word.start)
            });
            let mut others: Vec<String> = names.map(|(.., name)| name.clone()).collect();
            others.dedup();
            match &mut cursor.at {
                At::Key(key) => key.others = others,
                At::Header(header) => header.others = others,
                _ => {}
            }
        }
        Some(cursor)
    }
}

/// The maximum number of parts of a dotted name. Tables are not nested deeper.
const MAX_PARTS: usize = 128;

/// The parts of a dotted name, which begins at an offset.
fn dotted(name: &str, start: usize) -> Vec<(Span, String)> {
    let mut parts = Vec::new();
    let mut at = 0;
    while at < name.len() && parts.len() < MAX_PARTS {
        at = skip_spaces(name, at);
        let length = match byte(name, at) {
            None => break,
            Some(quote @ (b'"' | b'\'')) => quoted_end(name, at, quote, None, false).0 - at,
            Some(_) => name.get(at..).map_or(0, |rest| rest.find('.').unwrap_or(rest.len())),
        };
        let part = name.get(at..at + length).unwrap_or_default().trim_end();
        if !part.is_empty() {
            let span = Span::new((start + at) as u32, (start + at + part.len()) as u32);
            parts.push((span, unquoted(part)));
        }
        at = skip_spaces(name, at + length);
        // The dot, or whatever is between a quoted part and the next one.
        at += 1;
        while at < name.len() && !name.is_char_boundary(at) {
            at += 1;
        }
    }
    parts
}

/// Where the sign between a key and its value is.
fn equals_sign(line: &str) -> Option<usize> {
    let mut at = 0;
    while let Some(next) = byte(line, at) {
        match next {
            b'=' => return Some(at),
            b'#' => return None,
            b'"' | b'\'' => at = quoted_end(line, at, next, None, false).0,
            _ => at += 1,
        }
    }
    None
}
