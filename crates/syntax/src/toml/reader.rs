//! Builds tables from the events of the library.

mod keys;
mod scalars;

use std::collections::HashSet;

use toml_parser::ParseError;
use toml_parser::decoder::Encoding;
use toml_parser::parser::EventKind;

use super::grammar_errors::{character, of_grammar};
use super::tables::{InsertError, ItemKind, Key, ROOT, Tables};
use crate::description::is_triple;
use crate::tree::{FAULTY, Tag, Tree};
use crate::{
    DecodedText, MAX_BRACKETS, SharedText, Span, SyntaxError, SyntaxErrorKind as ErrorKind, Unread,
    UnreadReason, unread,
};

pub(super) struct Reader<'t> {
    text: &'t str,
    tables: Tables<'t>,
    /// The table of the current header.
    scope: u32,
    /// The open arrays and inline tables.
    open: Vec<u32>,
    /// The header being parsed: whether it belongs to an array of tables, and its opening bracket.
    header: Option<(bool, Span)>,
    /// The parts of the dotted key being parsed; `None` for a missing part.
    path: Vec<Option<Key<'t>>>,
    /// Whether a dot came last, so that the key continues.
    after_dot: bool,
    /// The end of the last token that is neither white space nor a comment.
    end: u32,
    errors: Vec<SyntaxError>,
    /// The index in `errors` of the first container that is nested too deep.
    too_deep: Option<usize>,
    unread: Vec<Unread>,
    /// The first syntax that needs TOML 1.1.
    toml_1_1: Option<SyntaxError>,
    /// The last comma, if nothing follows it so far.
    last_comma: Option<Span>,
    /// The inline tables that contain a line break.
    broken_tables: HashSet<u32>,
    /// The last number and its span.
    last_number: Option<(u32, Span)>,
    /// Whether the contents of the innermost bracket are skipped.
    skips_contents: bool,
    /// Whether part of the text was probably parsed wrongly.
    is_cut_short: bool,
}

impl<'t> Reader<'t> {
    /// Starts reading a text. `members` is about the number of its keys.
    pub(super) fn new(text: &'t str, members: usize) -> Self {
        Self {
            text,
            tables: Tables::new(members),
            scope: ROOT,
            open: Vec::new(),
            header: None,
            path: Vec::new(),
            after_dot: false,
            end: 0,
            errors: Vec::new(),
            too_deep: None,
            unread: Vec::new(),
            toml_1_1: None,
            last_comma: None,
            broken_tables: HashSet::new(),
            last_number: None,
            skips_contents: false,
            is_cut_short: false,
        }
    }

    /// The parts of the text that were not parsed.
    pub(super) fn take_unread(&mut self) -> Vec<Unread> {
        self.unread.sort_by_key(|part| part.span);
        std::mem::take(&mut self.unread)
    }

    /// Builds the tree and adds the errors to `errors`. `cut` is where an unclosed bracket or quote hides the rest of the text.
    pub(super) fn finish(
        self,
        text: &SharedText,
        cut: Option<Span>,
        errors: &mut Vec<SyntaxError>,
    ) -> Tree {
        let Self { tables, errors: mut own, is_cut_short, toml_1_1, .. } = self;
        let mut is_unclosed = false;
        for error in own.iter_mut().filter(|error| error.kind == ErrorKind::Unclosed) {
            error.related = cut;
            is_unclosed = true;
        }
        // Line breaks in an unclosed inline table are not an error of their own.
        errors.extend(toml_1_1.filter(|_| !is_unclosed));
        errors.append(&mut own);
        tables.into_tree(text, is_cut_short || cut.is_some())
    }

    /// The start of the first line that has an error and is behind a bracket that is never closed, or directly behind a quote.
    pub(super) fn readable_end(&self) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let others = self.errors.iter().filter(|error| error.kind != ErrorKind::Unclosed);
        // The missing comma of a line is due to the next line.
        let place = |error: &SyntaxError| match (error.kind, error.related) {
            (ErrorKind::MissingComma, Some(next)) => next.start as usize,
            _ => error.span.start as usize,
        };
        let mut places: Vec<usize> = others.map(place).collect();
        places.sort_unstable();
        let end = |open: &SyntaxError| {
            let is_string = open.kind == ErrorKind::UnclosedString;
            if !is_string && open.kind != ErrorKind::Unclosed
                || is_triple(open.span.slice(self.text))
            {
                return None;
            }
            let at = open.span.start as usize;
            let line_end = at + memchr::memchr(b'\n', bytes.get(at..)?)?;
            let first = *places.get(places.partition_point(|place| *place <= line_end))?;
            let line = memchr::memrchr(b'\n', bytes.get(..first)?)? + 1;
            let between = self.text.get(line_end..line)?;
            (!is_string || between.trim().is_empty()).then_some(line)
        };
        self.errors.iter().filter_map(end).min()
    }

    /// Whether the library should parse the contents of the innermost bracket.
    pub(super) const fn goes_inside(&self) -> bool {
        !self.skips_contents
    }

    pub(super) fn event(&mut self, kind: EventKind, span: Span, form: Option<Encoding>) {
        self.check_version(kind, span);
        match kind {
            EventKind::StdTableOpen | EventKind::ArrayTableOpen => {
                self.clear_path();
                self.header = Some((kind == EventKind::ArrayTableOpen, span));
            }
            EventKind::StdTableClose | EventKind::ArrayTableClose => self.end_header(span.end),
            EventKind::SimpleKey => self.name(span, form),
            EventKind::KeySep => self.after_dot = true,
            EventKind::KeyValSep => self.after_dot = false,
            EventKind::ArrayOpen => self.open(ItemKind::Array, span),
            EventKind::InlineTableOpen => self.open(ItemKind::InlineTable, span),
            EventKind::ArrayClose | EventKind::InlineTableClose => self.close(span.end),
            EventKind::Scalar => self.scalar(span, form),
            EventKind::Newline => {
                self.drop_header();
                return;
            }
            EventKind::Whitespace | EventKind::Comment => return,
            // A bracket in place of a key: the library skips its contents and reports where it is closed.
            EventKind::Error if !self.open.is_empty() => {
                self.skips_contents |= matches!(span.slice(self.text), "[" | "{");
            }
            EventKind::ValueSep | EventKind::Error => {}
        }
        self.end = span.end;
    }

    /// Records syntax of TOML 1.1: line breaks and trailing commas in inline tables.
    fn check_version(&mut self, kind: EventKind, span: Span) {
        let comma = match kind {
            EventKind::Whitespace | EventKind::Comment | EventKind::Newline => self.last_comma,
            _ => self.last_comma.take(),
        };
        match kind {
            EventKind::ValueSep => self.last_comma = Some(span),
            EventKind::InlineTableClose if !self.skips_contents => {
                if let Some(comma) = comma {
                    self.note_toml_1_1(comma, 0);
                }
            }
            EventKind::Newline => {
                let table = self.open.last().copied();
                let Some(table) =
                    table.filter(|id| self.tables.kind(*id) == Some(ItemKind::InlineTable))
                else {
                    return;
                };
                if self.broken_tables.insert(table) {
                    let start = self.tables.start(table);
                    self.note_toml_1_1(Span::new(start, start + 1), 0);
                }
            }
            _ => {}
        }
    }

    /// Records syntax of TOML 1.1, with the number of further occurrences.
    fn note_toml_1_1(&mut self, span: Span, more: u32) {
        if let Some(first) = &mut self.toml_1_1 {
            first.more += more + 1;
        } else {
            let error = SyntaxError::new(ErrorKind::Toml11, span);
            self.toml_1_1 = Some(SyntaxError { more, ..error });
        }
    }

    /// Handles an error of the library.
    pub(super) fn grammar_error(&mut self, error: &ParseError) {
        let mut error = of_grammar(self.text, error);
        let is_of_opening = matches!(error.kind, ErrorKind::Unclosed | ErrorKind::UnclosedHeader);
        if !is_of_opening && error.span.start < self.end {
            error.span = Span::at(self.end);
        }
        match error.kind {
            ErrorKind::MissingComma => {
                error = SyntaxError::new(error.kind, Span::at(self.end))
                    .related(character(self.text, error.span.start));
            }
            ErrorKind::MissingEquals => {
                error.span = Span::at(self.end);
                // An unclosed key contains the rest of the line.
                let is_open = |last: &SyntaxError| {
                    last.kind == ErrorKind::UnclosedString && last.span.end == self.end
                };
                if self.errors.last().is_some_and(is_open) {
                    return;
                }
                self.drop_colon();
            }
            ErrorKind::SecondEntry => {
                // The key of the entry has been reported.
                let is_name = |last: &SyntaxError| {
                    last.kind == ErrorKind::SecondEntry && last.span.end == self.end
                };
                if self.errors.last().is_some_and(is_name) {
                    return;
                }
                if let Some(number) = self.decimal_comma(error.span) {
                    error = SyntaxError::new(ErrorKind::DecimalComma, number);
                }
            }
            ErrorKind::UnclosedHeader => {
                self.end_header(self.end);
                self.is_cut_short = true;
            }
            ErrorKind::Unclosed => {
                self.is_cut_short = true;
                self.skips_contents = false;
                // A value that is cut off at the end of the text is not reported.
                let is_cut_off = |last: &SyntaxError| {
                    last.kind == ErrorKind::MissingValue && last.span == Span::at(self.end)
                };
                if self.errors.last().is_some_and(is_cut_off) {
                    self.errors.pop();
                }
            }
            _ => {}
        }
        self.mark_incomplete();
        self.errors.push(error);
    }

    /// A number, a comma and digits: `0,7` for `0.7`.
    fn decimal_comma(&mut self, rest: Span) -> Option<Span> {
        let digits = rest.slice(self.text).strip_prefix(',')?;
        let (id, number) = self.last_number.filter(|(_, number)| number.end == rest.start)?;
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let whole = number.cover(rest);
        self.tables.invalidate(id, whole);
        Some(whole)
    }

    fn open(&mut self, kind: ItemKind, span: Span) {
        // The library recurses into brackets, so their depth is limited.
        if self.open.len() >= MAX_BRACKETS {
            self.too_deep(ErrorKind::BracketsTooDeep, span);
            self.add(ItemKind::Scalar(Tag::Invalid), span, None, FAULTY);
            self.skips_contents = true;
            return;
        }
        let id = self.add(kind, span, None, 0);
        self.open.push(id);
    }

    fn close(&mut self, end: u32) {
        if std::mem::take(&mut self.skips_contents) {
            return;
        }
        if let Some(id) = self.open.pop() {
            self.tables.end(id, end);
        }
    }

    /// Adds a value to its container, under the current key, and returns its item.
    fn add(
        &mut self,
        kind: ItemKind,
        span: Span,
        decoded: Option<Box<DecodedText<'static>>>,
        flags: u8,
    ) -> u32 {
        let container = self.container();
        let added = if self.tables.kind(container) == Some(ItemKind::Array) {
            self.tables.element(container, kind, span).map_err(|error| (error, span))
        } else {
            let mut path = std::mem::take(&mut self.path);
            let last = path.pop().flatten();
            let table = self.descend(container, path, false);
            match (table, last) {
                (Some(table), Some(name)) => {
                    let at = name.span;
                    let added = self.tables.member(table, name, kind, span);
                    if added.is_err() {
                        self.tables.mark_incomplete(table);
                    }
                    added.map_err(|error| (error, at))
                }
                (table, _) => {
                    self.tables.mark_incomplete(table.unwrap_or(container));
                    Ok(self.tables.loose(kind, span))
                }
            }
        };
        let id = match added {
            Ok(id) => id,
            Err((error, at)) => {
                self.insert_error(error, at);
                self.tables.loose(kind, span)
            }
        };
        self.tables.decoded(id, decoded, flags);
        id
    }

    /// The table that the first parts of a dotted key lead to.
    fn descend(
        &mut self,
        mut table: u32,
        path: Vec<Option<Key<'t>>>,
        by_header: bool,
    ) -> Option<u32> {
        for name in path {
            let Some(name) = name else {
                self.tables.mark_incomplete(table);
                return None;
            };
            let span = name.span;
            match self.tables.descend(table, name, by_header) {
                Ok(next) => table = next,
                Err(error) => {
                    self.tables.mark_incomplete(table);
                    self.insert_error(error, span);
                    return None;
                }
            }
        }
        Some(table)
    }

    fn end_header(&mut self, end: u32) {
        let Some((is_array, opened)) = self.header.take() else {
            return;
        };
        let header = Span::new(opened.start, end);
        let mut path = std::mem::take(&mut self.path);
        let last = path.pop().flatten();
        let table = self.descend(ROOT, path, true);
        let (Some(table), Some(name)) = (table, last) else {
            return self.lose_scope(header);
        };
        let at = name.span;
        let defined = if is_array {
            self.tables.define_next(table, name, header)
        } else {
            self.tables.define(table, name, header)
        };
        match defined {
            Ok(id) => self.scope = id,
            Err(error) => {
                self.insert_error(error, at);
                match error {
                    // Entries after the second header of a table are added to that table.
                    InsertError::Duplicate { by, .. }
                        if matches!(
                            self.tables.kind(by),
                            Some(ItemKind::HeaderTable | ItemKind::DottedTable)
                        ) =>
                    {
                        self.scope = by;
                        self.tables.mark_incomplete(by);
                    }
                    _ => self.lose_scope(header),
                }
            }
        }
    }

    /// Drops a header that does not end on its line.
    fn drop_header(&mut self) {
        self.after_dot = false;
        if let Some((_, opened)) = self.header.take() {
            self.lose_scope(opened);
        }
    }

    /// The following entries belong to an unknown table.
    fn lose_scope(&mut self, header: Span) {
        self.is_cut_short = true;
        self.scope = self.tables.loose(ItemKind::HeaderTable, header);
    }

    fn insert_error(&mut self, error: InsertError, name: Span) {
        let (kind, first) = match error {
            InsertError::Duplicate { at, .. } => (ErrorKind::DuplicateKey, at),
            InsertError::NotATable { at } => (ErrorKind::NotATable, at),
            InsertError::TooDeep => return self.too_deep(ErrorKind::TooDeep, name),
        };
        self.mark_incomplete();
        self.errors.push(SyntaxError::new(kind, name).related(first));
    }

    fn too_deep(&mut self, kind: ErrorKind, span: Span) {
        self.mark_incomplete();
        let why =
            if kind == ErrorKind::TooDeep { UnreadReason::Depth } else { UnreadReason::Brackets };
        unread::note(&mut self.unread, why, span);
        if let Some(first) = self.too_deep.and_then(|first| self.errors.get_mut(first)) {
            first.more += 1;
        } else {
            self.too_deep = Some(self.errors.len());
            self.errors.push(SyntaxError::new(kind, span));
        }
    }

    fn report(&mut self, kind: ErrorKind, span: Span) {
        self.mark_incomplete();
        self.errors.push(SyntaxError::new(kind, span));
    }

    fn mark_incomplete(&mut self) {
        self.tables.mark_incomplete(self.container());
    }

    fn container(&self) -> u32 {
        self.open.last().copied().unwrap_or(self.scope)
    }

    fn clear_path(&mut self) {
        self.path.clear();
        self.after_dot = false;
    }
}
