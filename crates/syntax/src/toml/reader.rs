//! From the events of the grammar to tables.

mod names;
mod values;

use std::collections::HashSet;
use std::sync::Arc;

use toml_parser::ParseError;
use toml_parser::decoder::Encoding;
use toml_parser::parser::EventKind;

use super::MissingClosers;
use super::fault::{character, of_grammar};
use super::tables::{Kind, Name, ROOT, Refusal, Tables};
use crate::tree::{FAULTY, Tag, Tree};
use crate::{
    MAX_BRACKETS, Span, SyntaxError, SyntaxErrorKind as Fault, Text, Unread, UnreadReason, unread,
};

pub(super) struct Reader<'t> {
    text: &'t str,
    tables: Tables<'t>,
    /// The table of the last header.
    scope: u32,
    /// The containers in brackets that are open.
    open: Vec<u32>,
    /// The header that is being read: whether it is one of an array, and its opening bracket.
    header: Option<(bool, Span)>,
    /// The parts of the name that is being read; none where a part is missing.
    path: Vec<Option<Name<'t>>>,
    /// The last part was a dot, so the name goes on.
    after_dot: bool,
    /// Where the last thing ended that is neither white space nor a comment.
    end: u32,
    faults: Vec<SyntaxError>,
    /// Where in `faults` the first container is reported that is nested too deep.
    too_deep: Option<usize>,
    unread: Vec<Unread>,
    /// The first syntax that TOML 1.0 does not have.
    newer: Option<SyntaxError>,
    /// The last comma, if nothing came after it.
    last_comma: Option<Span>,
    /// The inline tables that have a line break inside.
    broken_tables: HashSet<u32>,
    /// The last number, and where it is.
    last_number: Option<(u32, Span)>,
    /// What is inside the bracket that was opened last is not read.
    passes_over: bool,
    /// The rest of the text, or of a part of it, was read as something else than it is.
    is_cut_short: bool,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            tables: Tables::new(),
            scope: ROOT,
            open: Vec::new(),
            header: None,
            path: Vec::new(),
            after_dot: false,
            end: 0,
            faults: Vec::new(),
            too_deep: None,
            unread: Vec::new(),
            newer: None,
            last_comma: None,
            broken_tables: HashSet::new(),
            last_number: None,
            passes_over: false,
            is_cut_short: false,
        }
    }

    /// The parts of the text that were not read.
    pub(super) fn take_unread(&mut self) -> Vec<Unread> {
        self.unread.sort_by_key(|part| part.span);
        std::mem::take(&mut self.unread)
    }

    pub(super) fn faults(&self) -> &[SyntaxError] {
        &self.faults
    }

    /// The tree of a text with the same offsets; the faults are added to the others. `is_whole`: no bracket had to be put in.
    pub(super) fn finish(
        self,
        text: &Arc<str>,
        is_whole: bool,
        errors: &mut Vec<SyntaxError>,
    ) -> Tree {
        let Self { tables, mut faults, is_cut_short, newer, .. } = self;
        // What is left open is another mistake.
        let is_unclosed = faults.iter().any(|fault| fault.kind == Fault::Unclosed);
        errors.extend(newer.filter(|_| is_whole && !is_unclosed));
        errors.append(&mut faults);
        tables.into_tree(text, is_cut_short || !is_whole)
    }

    /// The brackets that are never closed, if there is a line after the outermost one that does not belong inside.
    pub(super) fn missing_closers(&self) -> Option<MissingClosers> {
        let unclosed = |fault: &&SyntaxError| fault.kind == Fault::Unclosed;
        let mut opened: Vec<Span> =
            self.faults.iter().filter(unclosed).map(|fault| fault.span).collect();
        let outermost = opened.last()?.start as usize;
        let line_end = outermost + memchr::memchr(b'\n', self.text.as_bytes().get(outermost..)?)?;
        let others = self.faults.iter().filter(|fault| !unclosed(fault));
        // A comma is missing at the end of one line because of what stands in the next one.
        let place = |fault: &SyntaxError| match (fault.kind, fault.related) {
            (Fault::MissingComma, Some(next)) => next.start,
            _ => fault.span.start,
        };
        let first = others.map(place).filter(|at| *at as usize > line_end).min()?;
        let line_break = memchr::memrchr(b'\n', self.text.as_bytes().get(..first as usize)?)?;
        let before = line_break as u32 + 1;
        opened.retain(|opened| opened.start < before);
        Some(MissingClosers { opened, before })
    }

    /// Whether the grammar shall read what is inside the bracket that was opened last.
    pub(super) const fn goes_inside(&self) -> bool {
        !self.passes_over
    }

    pub(super) fn event(&mut self, kind: EventKind, span: Span, form: Option<Encoding>) {
        // A bracket that was put in lies at the start of the text.
        let is_put_in = span.start < self.end;
        let span = if is_put_in { Span::at(self.end) } else { span };
        self.judge_version(kind, span, is_put_in);
        match kind {
            EventKind::StdTableOpen | EventKind::ArrayTableOpen => {
                self.forget_name();
                self.header = Some((kind == EventKind::ArrayTableOpen, span));
            }
            EventKind::StdTableClose | EventKind::ArrayTableClose => self.end_header(span.end),
            EventKind::SimpleKey => self.name(span, form),
            EventKind::KeySep => self.after_dot = true,
            EventKind::KeyValSep => self.after_dot = false,
            EventKind::ArrayOpen => self.open(Kind::Array, span),
            EventKind::InlineTableOpen => self.open(Kind::Inline, span),
            EventKind::ArrayClose | EventKind::InlineTableClose => self.close(span.end, is_put_in),
            EventKind::Scalar => self.scalar(span, form),
            EventKind::Newline => {
                self.abandon_header();
                return;
            }
            EventKind::Whitespace | EventKind::Comment => return,
            // A bracket in place of a name: the grammar passes over what is inside, and tells where that is closed.
            EventKind::Error if !self.open.is_empty() => {
                self.passes_over |= matches!(span.slice(self.text), "[" | "{");
            }
            EventKind::ValueSep | EventKind::Error => {}
        }
        self.end = span.end;
    }

    /// Takes note of what TOML 1.0 does not have: line breaks and a trailing comma in an inline table.
    fn judge_version(&mut self, kind: EventKind, span: Span, is_put_in: bool) {
        let comma = match kind {
            EventKind::Whitespace | EventKind::Comment | EventKind::Newline => self.last_comma,
            _ => self.last_comma.take(),
        };
        match kind {
            EventKind::ValueSep => self.last_comma = Some(span),
            EventKind::InlineTableClose if !is_put_in && !self.passes_over => {
                if let Some(comma) = comma {
                    self.newer(comma, 0);
                }
            }
            EventKind::Newline => {
                let table = self.open.last().copied();
                let Some(table) = table.filter(|id| self.tables.kind(*id) == Some(Kind::Inline))
                else {
                    return;
                };
                if self.broken_tables.insert(table) {
                    let start = self.tables.start(table);
                    self.newer(Span::new(start, start + 1), 0);
                }
            }
            _ => {}
        }
    }

    /// Takes note of syntax that TOML 1.0 does not have, and of more like it after it.
    fn newer(&mut self, span: Span, more: u32) {
        if let Some(first) = &mut self.newer {
            first.more += more + 1;
        } else {
            let error = SyntaxError::new(Fault::Toml11, span);
            self.newer = Some(SyntaxError { more, ..error });
        }
    }

    /// The grammar does not allow what stands here.
    pub(super) fn refused(&mut self, error: &ParseError) {
        let mut fault = of_grammar(self.text, error);
        let is_of_opening = matches!(fault.kind, Fault::Unclosed | Fault::UnclosedHeader);
        if !is_of_opening && fault.span.start < self.end {
            fault.span = Span::at(self.end);
        }
        match fault.kind {
            Fault::MissingComma => {
                fault = SyntaxError::new(fault.kind, Span::at(self.end))
                    .related(character(self.text, fault.span.start));
            }
            Fault::MissingEquals => {
                fault.span = Span::at(self.end);
                // A name that is never closed has taken the rest of the line.
                let is_open = |last: &SyntaxError| {
                    last.kind == Fault::UnclosedString && last.span.end == self.end
                };
                if self.faults.last().is_some_and(is_open) {
                    return;
                }
                self.drop_colon();
            }
            Fault::SecondEntry => {
                // The name of the entry has been reported.
                let is_name = |last: &SyntaxError| {
                    last.kind == Fault::SecondEntry && last.span.end == self.end
                };
                if self.faults.last().is_some_and(is_name) {
                    return;
                }
                if let Some(number) = self.decimal_comma(fault.span) {
                    fault = SyntaxError::new(Fault::DecimalComma, number);
                }
            }
            Fault::UnclosedHeader => {
                self.end_header(self.end);
                self.is_cut_short = true;
            }
            Fault::Unclosed => {
                self.is_cut_short = true;
                self.passes_over = false;
                // What is cut off at the end of the text is not another mistake.
                let is_cut_off = |last: &SyntaxError| {
                    last.kind == Fault::MissingValue && last.span == Span::at(self.end)
                };
                if self.faults.last().is_some_and(is_cut_off) {
                    self.faults.pop();
                }
            }
            _ => {}
        }
        self.mark_incomplete();
        self.faults.push(fault);
    }

    /// A number before a comma and digits after it: `0,7` for `0.7`.
    fn decimal_comma(&mut self, rest: Span) -> Option<Span> {
        let digits = rest.slice(self.text).strip_prefix(',')?;
        let (id, number) = self.last_number.filter(|(_, number)| number.end == rest.start)?;
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        self.tables.says(id, None, FAULTY);
        Some(number.cover(rest))
    }

    fn open(&mut self, kind: Kind, span: Span) {
        // The grammar descends into brackets by recursion, so there is an end to it.
        if self.open.len() >= MAX_BRACKETS {
            self.too_deep(Fault::BracketsTooDeep, span);
            self.add(Kind::Scalar(Tag::Invalid), span, None, FAULTY);
            self.passes_over = true;
            return;
        }
        let id = self.add(kind, span, None, 0);
        self.open.push(id);
    }

    fn close(&mut self, end: u32, is_put_in: bool) {
        if std::mem::take(&mut self.passes_over) {
            return;
        }
        if let Some(id) = self.open.pop() {
            self.tables.end(id, end);
            if is_put_in {
                self.tables.mark_incomplete(id);
            }
        }
    }

    /// Adds a value where the container and the name say; says which cell it is.
    fn add(&mut self, kind: Kind, span: Span, says: Option<Box<Text<'static>>>, flags: u8) -> u32 {
        let container = self.container();
        let added = if self.tables.kind(container) == Some(Kind::Array) {
            self.tables.element(container, kind, span).map_err(|refusal| (refusal, span))
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
                    added.map_err(|refusal| (refusal, at))
                }
                (table, _) => {
                    self.tables.mark_incomplete(table.unwrap_or(container));
                    Ok(self.tables.loose(kind, span))
                }
            }
        };
        let id = match added {
            Ok(id) => id,
            Err((refusal, at)) => {
                self.refuse(refusal, at);
                self.tables.loose(kind, span)
            }
        };
        self.tables.says(id, says, flags);
        id
    }

    /// The table that the first parts of a name lead to, if they can.
    fn descend(
        &mut self,
        mut table: u32,
        path: Vec<Option<Name<'t>>>,
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
                Err(refusal) => {
                    self.tables.mark_incomplete(table);
                    self.refuse(refusal, span);
                    return None;
                }
            }
        }
        Some(table)
    }

    fn end_header(&mut self, end: u32) {
        let Some((is_array, opened)) = self.header.take() else { return };
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
            Err(refusal) => {
                self.refuse(refusal, at);
                match refusal {
                    // What follows the second header of a table is read as part of it.
                    Refusal::Taken { by, .. }
                        if matches!(self.tables.kind(by), Some(Kind::Defined | Kind::Dotted)) =>
                    {
                        self.scope = by;
                        self.tables.mark_incomplete(by);
                    }
                    _ => self.lose_scope(header),
                }
            }
        }
    }

    /// A header that did not end on its line has named nothing.
    fn abandon_header(&mut self) {
        self.after_dot = false;
        if let Some((_, opened)) = self.header.take() {
            self.lose_scope(opened);
        }
    }

    /// What follows belongs to a table of which nobody knows which.
    fn lose_scope(&mut self, header: Span) {
        self.is_cut_short = true;
        self.scope = self.tables.loose(Kind::Defined, header);
    }

    fn refuse(&mut self, refusal: Refusal, name: Span) {
        let (kind, first) = match refusal {
            Refusal::Taken { at, .. } => (Fault::DuplicateKey, at),
            Refusal::Closed { at } => (Fault::NotATable, at),
            Refusal::TooDeep => return self.too_deep(Fault::TooDeep, name),
        };
        self.mark_incomplete();
        self.faults.push(SyntaxError::new(kind, name).related(first));
    }

    fn too_deep(&mut self, kind: Fault, span: Span) {
        self.mark_incomplete();
        let why = if kind == Fault::TooDeep { UnreadReason::Depth } else { UnreadReason::Brackets };
        unread::note(&mut self.unread, why, span);
        if let Some(first) = self.too_deep.and_then(|first| self.faults.get_mut(first)) {
            first.more += 1;
        } else {
            self.too_deep = Some(self.faults.len());
            self.faults.push(SyntaxError::new(kind, span));
        }
    }

    fn report(&mut self, kind: Fault, span: Span) {
        self.mark_incomplete();
        self.faults.push(SyntaxError::new(kind, span));
    }

    fn mark_incomplete(&mut self) {
        self.tables.mark_incomplete(self.container());
    }

    fn container(&self) -> u32 {
        self.open.last().copied().unwrap_or(self.scope)
    }

    fn forget_name(&mut self) {
        self.path.clear();
        self.after_dot = false;
    }
}
