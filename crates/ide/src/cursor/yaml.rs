//! The block style of YAML: keys and items by their indentation.

use voxlint::syntax::Span;

use super::flow::{self, Dialect, quoted_end};
use super::lines::{byte, count, line_end, line_start, next_line, skip_spaces};
use super::parts::{
    At, Commas, Cursor, Key, Probe, Purpose, Quote, Step, Style, Value, unquoted, word_end,
};

/// An object or a list in block style.
#[derive(Debug)]
struct Block {
    column: usize,
    /// The current name; `None` in a list.
    name: Option<String>,
    index: usize,
    /// Whether the current entry has no value yet.
    is_open: bool,
    words: Vec<(Span, String)>,
}

/// What is known about the place once it has been passed.
struct YamlPath {
    cursor: Cursor,
    word: Span,
    /// The column of the object whose other names are still to be collected, and how many blocks are around it.
    block: Option<usize>,
}

struct Scanner<'t> {
    text: &'t str,
    probe: Probe,
    blocks: Vec<Block>,
    found: Option<YamlPath>,
    words: Option<Vec<(Span, String)>>,
    /// The column that the last plain text began behind, where the next lines may go on with it.
    plain: Option<(usize, Vec<Step>)>,
}

/// The place in a text of YAML.
pub(super) fn cursor(text: &str, probe: Probe) -> Option<Cursor> {
    let mut scanner =
        Scanner { text, probe, blocks: Vec::new(), found: None, words: None, plain: None };
    let mut at = 0;
    while at < text.len() {
        at = scanner.line(at);
        if scanner.words.is_some() {
            break;
        }
    }
    if scanner.found.is_none() && (text.is_empty() || text.ends_with('\n')) {
        // The line after the last line break.
        scanner.space(text.len(), text.len());
    }
    scanner.finish()
}

impl Scanner<'_> {
    /// Reads the line that begins at an offset, with everything that begins on it. Returns where the next one begins.
    fn line(&mut self, start: usize) -> usize {
        let end = line_end(self.text, start);
        let mut content = start;
        while byte(self.text, content) == Some(b' ') {
            content += 1;
        }
        let rest = self.text.get(content..end).unwrap_or_default();
        let is_mark = |mark: &str| {
            start == content
                && rest
                    .strip_prefix(mark)
                    .is_some_and(|after| after.is_empty() || after.starts_with([' ', '\t']))
        };
        if is_mark("---") || is_mark("...") {
            self.pop(|_| true);
            self.plain = None;
            return next_line(self.text, start);
        }
        if rest.trim_start_matches('\t').is_empty() {
            self.space(start, end);
            return next_line(self.text, start);
        }
        if rest.starts_with('#') {
            self.comment(content, end);
            if self.found.is_none() && self.is_in(start, content) {
                self.nothing();
            }
            return next_line(self.text, start);
        }
        if start == 0 && rest.starts_with('%') {
            return next_line(self.text, start);
        }
        if self.continues_text(content - start, rest) {
            if self.is_in(start, end) {
                let path = self.plain.as_ref().map(|(_, path)| path.clone()).unwrap_or_default();
                let word = Span::new(content as u32, end as u32);
                let value = self.value(word, word, Quote::Block);
                self.find(path, At::Value(value), word, None);
            }
            return next_line(self.text, start);
        }
        self.plain = None;
        if self.is_in(start, content.saturating_sub(1)) && content > start {
            // In front of what the line has.
            self.nothing();
        }
        self.entry(start, content, end)
    }

    /// Whether a line goes on with the plain text of the line before.
    fn continues_text(&self, column: usize, rest: &str) -> bool {
        let Some((behind, _)) = self.plain else { return false };
        column > behind && key_end(rest).is_none() && !is_item(rest)
    }

    /// Reads an entry that begins at an offset of its line: items, a key, a value. Returns where the next line begins.
    fn entry(&mut self, line: usize, mut at: usize, end: usize) -> usize {
        loop {
            let column = at - line;
            let rest = self.text.get(at..end).unwrap_or_default();
            if is_item(rest) {
                self.pop(|block| block.column > column);
                let is_same = self
                    .blocks
                    .last()
                    .is_some_and(|block| block.column == column && block.name.is_none());
                if is_same && let Some(block) = self.blocks.last_mut() {
                    block.index += 1;
                    block.is_open = true;
                } else {
                    self.settle();
                    self.push(column, None);
                }
                let next = skip_spaces(self.text, at + 1).min(end);
                if next == end {
                    self.value_space(at + 1, end);
                    return next_line(self.text, end);
                }
                if self.is_in(at + 1, next.saturating_sub(1)) {
                    self.value_space(at + 1, next);
                }
                at = next;
                continue;
            }
            return match key_end(rest) {
                Some(length) => self.member(line, at, at + length, end),
                None => self.scalar(line, at, end),
            };
        }
    }

    /// Reads a key with its value.
    fn member(&mut self, line: usize, at: usize, colon: usize, end: usize) -> usize {
        let column = at - line;
        self.pop(|block| block.column > column || (block.column == column && block.name.is_none()));
        let word = Span::new(at as u32, colon as u32);
        let name = unquoted(word.slice(self.text).trim_end());
        let word =
            Span::new(word.start, word.start + word.slice(self.text).trim_end().len() as u32);
        if self.blocks.last().is_none_or(|block| block.column < column) {
            self.settle();
            self.push(column, Some(String::new()));
        }
        if let Some(block) = self.blocks.last_mut() {
            block.name = Some(name.clone());
            block.is_open = true;
            block.words.push((word, name.clone()));
        }
        if self.found.is_none() && self.probe.touches(word, false) {
            let mut written = key(word, name, column);
            written.has_value = true;
            let mut path = self.path();
            path.pop();
            let block = Some(self.blocks.len());
            self.find(path, At::Key(written), word, block);
        }
        let value = skip_spaces(self.text, colon + 1).min(end);
        if value == end {
            self.value_space(colon + 1, end);
            return next_line(self.text, end);
        }
        if self.is_in(colon + 1, value.saturating_sub(1)) {
            self.value_space(colon + 1, value);
        }
        self.inline(value, end, column + 1)
    }

    /// Reads a value behind a key, or behind the dash of an item. Its lines have to reach the column `least`.
    fn inline(&mut self, mut at: usize, end: usize, least: usize) -> usize {
        let next = next_line(self.text, end);
        let (rest, first) = loop {
            let rest = self.text.get(at..end).unwrap_or_default();
            let Some(first) = rest.bytes().next() else { return next };
            if !matches!(first, b'&' | b'!') {
                break (rest, first);
            }
            // An anchor or a tag. The value comes after it.
            let length = rest.find([' ', '\t']).unwrap_or(rest.len());
            let after = skip_spaces(self.text, at + length).min(end);
            if self.is_in(at, if after == end { end } else { after.saturating_sub(1) }) {
                self.nothing();
            }
            at = after;
        };
        if first == b'#' {
            self.comment(at, end);
            return next;
        }
        self.settle();
        match first {
            b'|' | b'>' => self.block_text(at, end),
            b'{' | b'[' => {
                let probe = self.found.is_none().then_some(self.probe);
                let dialect = Dialect::Yaml(least);
                let (after, found) = flow::value(self.text, at, dialect, self.path(), probe);
                if let Some(cursor) = found {
                    let word = Span::at(self.probe.offset);
                    self.found = Some(YamlPath { cursor, word, block: None });
                    self.words = Some(Vec::new());
                }
                after
            }
            b'"' | b'\'' => {
                let indent = Some(self.least_column());
                let (after, quote, is_closed) = quoted_end(self.text, at, first, indent, false);
                self.text_value(at, after, quote, is_closed);
                self.trailing_comment(after);
                next_line(self.text, after)
            }
            _ => {
                let length = plain_length(rest);
                let word = Span::new(at as u32, (at + length) as u32);
                self.push_word(word);
                if self.found.is_none() && self.probe.touches(word, false) {
                    let value = self.value(word, word, Quote::None);
                    let path = self.path();
                    self.find(path, At::Value(value), word, None);
                }
                self.trailing_comment(at + length);
                let behind = self.blocks.last().map_or(0, |block| block.column);
                self.plain = Some((behind, self.path()));
                next
            }
        }
    }

    /// Reads a text that begins a line or an item and is not a key: the value of what is open, or a half-written key.
    fn scalar(&mut self, line: usize, at: usize, end: usize) -> usize {
        let column = at - line;
        self.pop(|block| block.column > column);
        let rest = self.text.get(at..end).unwrap_or_default();
        let length = plain_length(rest);
        let is_in_object =
            self.blocks.last().is_some_and(|block| block.column == column && block.name.is_some());
        let word = Span::new(at as u32, (at + length) as u32);
        if is_in_object {
            // A key without its colon.
            if self.found.is_none() && self.probe.touches(word, false) {
                let (word, name) = self.half_written(word);
                let key = key(word, name, column);
                let mut path = self.path();
                path.pop();
                let block = Some(self.blocks.len());
                self.find(path, At::Key(key), word, block);
            }
            return next_line(self.text, end);
        }
        let is_open = self.blocks.last().is_none_or(|block| block.is_open);
        let is_word = rest.get(..length).is_some_and(|word| !word.contains(' '));
        let before = self.found.is_none();
        let after = self.inline(at, end, self.least_column());
        if before
            && is_open
            && is_word
            && let Some(found) = &mut self.found
            && let At::Value(value) = &mut found.cursor.at
            && value.quote == Quote::None
        {
            // It may become the first key of an object.
            value.column = Some(column as u32);
        }
        after
    }

    /// Reads a block text. The line ends at `end`.
    fn block_text(&mut self, at: usize, end: usize) -> usize {
        let indent = self.least_column();
        let first = next_line(self.text, end);
        let mut next = first;
        let mut last = end;
        while next < self.text.len() {
            let line_end = line_end(self.text, next);
            let content = skip_spaces(self.text, next).min(line_end);
            if content < line_end {
                if content - next < indent {
                    break;
                }
                last = line_end;
            }
            next = next_line(self.text, line_end);
        }
        let inner = Span::new(first.min(last) as u32, last as u32);
        let word = Span::new(at as u32, last as u32);
        if self.found.is_none() {
            let column = skip_spaces(self.text, self.line_start()) - self.line_start();
            let is_hover = self.probe.purpose == Purpose::Hover;
            let is_inside = (is_hover || self.probe.offset as usize >= first)
                && (self.probe.touches(word, false)
                    || (!is_hover
                        && (self.probe.offset as usize) <= next.max(last)
                        && column >= indent));
            if is_inside {
                let value = self.value(word, inner, Quote::Block);
                let path = self.path();
                self.find(path, At::Value(value), word, None);
            } else if self.is_in(at, end) {
                self.nothing();
            }
        }
        // The empty lines after the text may get the next key.
        if last > end { next_line(self.text, last) } else { first }
    }

    /// The start of the line of the offset that is asked for.
    fn line_start(&self) -> usize {
        line_start(self.text, self.probe.offset as usize)
    }

    fn text_value(&mut self, at: usize, after: usize, quote: Quote, is_closed: bool) {
        let mut word = Span::new(at as u32, after as u32);
        self.push_word(word);
        if self.found.is_some() || !self.probe.touches(word, is_closed) {
            return;
        }
        if !is_closed && self.probe.purpose == Purpose::Completion {
            word.end = word_end(self.text, self.probe.offset, word.end);
        }
        let inner_end = if is_closed { word.end - 1 } else { word.end };
        let inner = Span::new((word.start + 1).min(inner_end), inner_end);
        let value = self.value(word, inner, quote);
        let path = self.path();
        self.find(path, At::Value(value), word, None);
    }

    /// Keeps the text of an item of a list.
    fn push_word(&mut self, word: Span) {
        let text = unquoted(word.slice(self.text));
        if let Some(block) = self.blocks.last_mut().filter(|block| block.name.is_none()) {
            block.words.push((word, text));
        }
    }

    fn trailing_comment(&mut self, after: usize) {
        let at = skip_spaces(self.text, after);
        if byte(self.text, at) == Some(b'#') {
            self.comment(at, line_end(self.text, at));
        } else if self.is_in(after + 1, line_end(self.text, after)) {
            self.nothing();
        }
    }

    fn comment(&mut self, at: usize, end: usize) {
        if self.found.is_none() && self.probe.touches(Span::new(at as u32, end as u32), false) {
            self.find(Vec::new(), At::Comment(Span::new(at as u32, end as u32)), Span::at(0), None);
            self.words = Some(Vec::new());
        }
    }

    /// The space behind a key or a dash that has no value on its line, or before that value.
    fn value_space(&mut self, from: usize, to: usize) {
        if self.found.is_some() || self.probe.purpose == Purpose::Hover || !self.is_in(from, to) {
            return;
        }
        let word = Span::at(self.probe.offset);
        let mut value = self.value(word, word, Quote::None);
        value.needs_space = matches!(
            byte(self.text, (self.probe.offset as usize).wrapping_sub(1)),
            Some(b':' | b'-')
        );
        if self.blocks.last().is_some_and(|block| block.name.is_none()) {
            let line = self.line_start();
            value.column = Some(self.probe.offset - line as u32 + u32::from(value.needs_space));
        }
        let next = byte(self.text, to);
        if to > self.probe.offset as usize
            && next.is_some_and(|it| !matches!(it, b'\n' | b'\r' | b'#'))
        {
            // The value is already there.
            self.nothing();
            return;
        }
        if self.value_follows(to) {
            self.nothing();
            return;
        }
        let path = self.path();
        self.find(path, At::Value(value), word, None);
    }

    /// Whether the value of the innermost entry is a block on the lines that follow. The items of a list need not be indented.
    fn value_follows(&self, from: usize) -> bool {
        let (Some(block), Some((column, rest))) = (self.blocks.last(), self.next_content(from))
        else {
            return false;
        };
        column > block.column || (column == block.column && block.name.is_some() && is_item(rest))
    }

    /// A line of space.
    fn space(&mut self, start: usize, end: usize) {
        if self.found.is_some() || self.probe.purpose == Purpose::Hover || !self.is_in(start, end) {
            return;
        }
        let offset = self.probe.offset as usize;
        let before = self.text.get(start..offset).unwrap_or_default();
        let after = self.text.get(offset..end).unwrap_or_default();
        let column = before.len();
        if before.contains('\t') || !after.is_empty() {
            self.nothing();
            return;
        }
        if self.next_column(end).is_some_and(|next| next > column) {
            // What follows belongs to what comes before.
            self.nothing();
            return;
        }
        let word = Span::at(offset as u32);
        // Only blocks that are inside others are passed. They may go on after this line.
        let depth = self.blocks.iter().take_while(|block| block.column <= column).count();
        let innermost = depth.checked_sub(1).and_then(|last| self.blocks.get(last));
        let Some(block) = innermost else {
            if self.blocks.is_empty() && column == 0 {
                let mut value = self.value(word, word, Quote::None);
                value.column = Some(0);
                self.find(Vec::new(), At::Value(value), word, None);
            } else {
                self.nothing();
            }
            return;
        };
        let is_object = block.name.is_some();
        let is_innermost = depth == self.blocks.len();
        let mut path = self.path_to(depth);
        if block.column == column && is_object {
            path.pop();
            let key = key(word, String::new(), column);
            self.find(path, At::Key(key), word, Some(depth));
        } else if is_innermost && block.is_open && column > block.column {
            let mut value = self.value(word, word, Quote::None);
            value.column = Some(column as u32);
            self.find(path, At::Value(value), word, None);
        } else {
            self.nothing();
        }
    }

    /// The column at which the next line with content begins.
    fn next_column(&self, from: usize) -> Option<usize> {
        self.next_content(from).map(|(column, _)| column)
    }

    /// The next line with content: the column at which it begins, and what it contains.
    fn next_content(&self, from: usize) -> Option<(usize, &str)> {
        let mut line = next_line(self.text, from);
        while line < self.text.len() {
            let end = line_end(self.text, line);
            let content = skip_spaces(self.text, line);
            if content < end && byte(self.text, content) != Some(b'#') {
                return Some((content - line, self.text.get(content..end).unwrap_or_default()));
            }
            line = next_line(self.text, end);
        }
        None
    }

    fn is_in(&self, start: usize, end: usize) -> bool {
        let offset = self.probe.offset as usize;
        self.found.is_none() && start <= offset && offset <= end
    }

    fn nothing(&mut self) {
        let at = Span::at(self.probe.offset);
        self.find(Vec::new(), At::Nothing, at, None);
        self.words = Some(Vec::new());
    }

    fn find(&mut self, path: Vec<Step>, at: At, word: Span, block: Option<usize>) {
        if block.is_none() && !matches!(at, At::Value(_)) {
            self.words = Some(Vec::new());
        }
        let is_item = matches!(path.last(), Some(Step::Item(_)));
        let block = block.or_else(|| is_item.then_some(self.blocks.len()));
        if block.is_none() {
            self.words = Some(Vec::new());
        }
        self.found = Some(YamlPath { cursor: Cursor { path, at }, word, block });
    }

    fn value(&self, word: Span, inner: Span, quote: Quote) -> Value {
        let column = self.blocks.last().map_or(0, |block| block.column);
        Value {
            word,
            inner,
            quote,
            style: Style::YamlBlock(column as u32),
            commas: Commas::default(),
            needs_space: false,
            column: None,
            others: Vec::new(),
        }
    }

    /// A key without its colon may have an opening quote.
    fn half_written(&self, word: Span) -> (Span, String) {
        let mut word = word;
        if self.probe.purpose == Purpose::Completion {
            word.end = word_end(self.text, self.probe.offset, word.end);
        }
        (word, unquoted(word.slice(self.text)))
    }

    fn path(&self) -> Vec<Step> {
        self.path_to(self.blocks.len())
    }

    fn path_to(&self, depth: usize) -> Vec<Step> {
        let step = |block: &Block| match &block.name {
            Some(name) => Step::Name(name.clone()),
            None => Step::Item(block.index),
        };
        self.blocks.iter().take(depth).map(step).collect()
    }

    /// The column that the lines of a text have to reach.
    fn least_column(&self) -> usize {
        self.blocks.last().map_or(0, |block| block.column + 1)
    }

    /// The current entry gets a value.
    fn settle(&mut self) {
        if let Some(block) = self.blocks.last_mut() {
            block.is_open = false;
        }
    }

    fn push(&mut self, column: usize, name: Option<String>) {
        self.blocks.push(Block { column, name, index: 0, is_open: true, words: Vec::new() });
    }

    /// Closes blocks from the innermost on.
    fn pop(&mut self, is_closed: impl Fn(&Block) -> bool) {
        while self.blocks.last().is_some_and(&is_closed) {
            let depth = self.blocks.len();
            let block = self.blocks.pop();
            if self.words.is_none() && self.found.as_ref().is_some_and(|it| it.block == Some(depth))
            {
                self.words = block.map(|block| block.words);
            }
        }
    }

    fn finish(mut self) -> Option<Cursor> {
        self.pop(|_| true);
        let found = self.found?;
        let mut cursor = found.cursor;
        if found.block.is_none() {
            return Some(cursor);
        }
        let words = self.words.unwrap_or_default();
        let others = words
            .iter()
            .filter(|(span, _)| found.word.is_empty() || span.start != found.word.start);
        let others: Vec<String> = others.map(|(_, name)| name.clone()).collect();
        match &mut cursor.at {
            At::Key(key) => key.others = others,
            At::Value(value) => value.others = others,
            _ => {}
        }
        Some(cursor)
    }
}

/// A key of an object that begins at a column.
fn key(word: Span, name: String, column: usize) -> Key {
    let style = Style::YamlBlock(column as u32);
    Key { word, name, has_value: false, others: Vec::new(), style, commas: Commas::default() }
}

/// Whether a line is an item of a list.
fn is_item(rest: &str) -> bool {
    rest.strip_prefix('-').is_some_and(|after| after.is_empty() || after.starts_with([' ', '\t']))
}

/// The length of the key that a line begins with, up to its colon.
fn key_end(rest: &str) -> Option<usize> {
    count(rest.len());
    let first = rest.bytes().next()?;
    if matches!(first, b'"' | b'\'') {
        let (end, _, is_closed) = quoted_end(rest, 0, first, Some(1), false);
        let colon = skip_spaces(rest, end);
        return (is_closed && byte(rest, colon) == Some(b':') && ends_key(rest, colon))
            .then_some(colon);
    }
    if matches!(first, b'{' | b'[' | b'#' | b'|' | b'>' | b'&' | b'!' | b'%' | b'@' | b'`') {
        return None;
    }
    let bytes = rest.as_bytes();
    let mut before = None;
    for (at, byte) in bytes.iter().enumerate() {
        if *byte == b':' && ends_key(rest, at) {
            return Some(at);
        }
        if *byte == b'#' && matches!(before, Some(b' ' | b'\t')) {
            return None;
        }
        before = Some(*byte);
    }
    None
}

/// Whether a colon is one that ends a key.
fn ends_key(rest: &str, colon: usize) -> bool {
    byte(rest, colon + 1).is_none_or(|after| matches!(after, b' ' | b'\t'))
}

/// The length of a plain text on a line, without the comment and the spaces after it.
fn plain_length(rest: &str) -> usize {
    let comment = rest.find(" #").unwrap_or(rest.len());
    rest.get(..comment).unwrap_or_default().trim_end().len()
}
