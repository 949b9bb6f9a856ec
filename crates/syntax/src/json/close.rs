//! Closing brackets and the end of the text.

use super::{Awaiting, Reader};
use crate::tree::{FAULTY, INCOMPLETE, RawNode, Tag};
use crate::{MAX_DEPTH, Span, SyntaxError, SyntaxErrorKind as ErrorKind};

impl Reader<'_> {
    /// A closing bracket inside a container.
    pub(super) fn close(&mut self, byte: u8) {
        let closes = if byte == b'}' { Tag::Object } else { Tag::Array };
        let Some(innermost) = self.innermost().copied() else {
            self.error(ErrorKind::StrayClose, self.at, self.at + 1);
            self.at += 1;
            return;
        };
        if self.open.len() == 1 && self.members_follow(innermost) {
            self.error(ErrorKind::StrayClose, self.at, self.at + 1);
            self.at += 1;
            self.state = Awaiting::AfterValue;
            return;
        }
        if innermost.tag != closes && self.open.last() != self.array_with_keys.as_ref() {
            let fits = |index: &u32| self.raw(*index).is_some_and(|node| node.tag == closes);
            let outer = if self.is_full() { None } else { self.open.iter().rposition(fits) };
            match outer {
                Some(outer) if self.belongs_to(outer) => {
                    // The brackets of the inner containers are missing: this one closes an outer container.
                    let error = SyntaxError::new(
                        ErrorKind::Unclosed,
                        Span::new(innermost.start, innermost.start + 1),
                    );
                    self.report(error.related(Span::of(self.at, self.at + 1)));
                    let inner = self.open.last().copied().unwrap_or(0);
                    while self.open.len() > outer + 1 {
                        self.pop(self.at, INCOMPLETE);
                    }
                    self.missing_closer =
                        self.missing_closer.or_else(|| self.first_member_beyond(inner));
                }
                _ => {
                    let error = SyntaxError::new(
                        ErrorKind::MismatchedBracket,
                        Span::of(self.at, self.at + 1),
                    );
                    self.report(error.related(Span::new(innermost.start, innermost.start + 1)));
                }
            }
        }
        self.at += 1;
        self.pop(self.at, 0);
        self.value_done();
    }

    /// Whether the object goes on after a bracket that would end the document.
    fn members_follow(&self, innermost: RawNode) -> bool {
        let rest = self.bytes.get(self.at + 1..).unwrap_or_default();
        innermost.tag == Tag::Object
            && matches!(rest.trim_ascii_start(), [b',', next @ ..] if next.trim_ascii_start().starts_with(b"\""))
    }

    /// Whether a bracket that does not fit the innermost container closes the open one at `outer`.
    fn belongs_to(&self, outer: usize) -> bool {
        if let Some(indent) = self.indent_if_first(self.at) {
            let of = |index: &u32| {
                self.raw(*index).and_then(|node| self.indent_of_line(node.start as usize))
            };
            let outer = self.open.get(outer).and_then(of);
            let inner = self.open.last().and_then(of);
            if inner != outer {
                return outer == Some(indent);
            }
        }
        // On one line: only if nothing follows.
        self.bytes.iter().skip(self.at + 1).all(u8::is_ascii_whitespace)
    }

    fn raw(&self, index: u32) -> Option<&RawNode> {
        self.nodes.get(index as usize)
    }

    /// Ends the innermost container at `end`.
    pub(super) fn pop(&mut self, end: usize, flags: u8) {
        let next = self.nodes.len() as u32;
        if let Some(index) = self.open.pop()
            && let Some(node) = self.nodes.get_mut(index as usize)
        {
            node.end = end as u32;
            node.next = next;
            node.flags |= flags;
        }
    }

    /// Handles the end of the text.
    pub(super) fn end_of_text(&mut self) {
        if self.state == Awaiting::Value
            && self.nodes.last().is_some_and(|node| node.tag == Tag::Key)
        {
            // In the tree, every key has a value, even if it is invalid.
            self.push_invalid(self.at, self.at);
        }
        if self.nodes.is_empty() && !self.errors.iter().any(|error| is_about_content(error.kind)) {
            self.error(ErrorKind::Empty, self.at, self.at);
        }
        if self.open.is_empty() {
            return;
        }
        let end = self.at;
        self.retract_cut_off();
        // An unclosed string that reaches the end contains the brackets: only the string is reported.
        let swallowed = self
            .errors
            .iter()
            .any(|error| error.kind == ErrorKind::UnclosedString && error.span.end as usize == end);
        let is_whole = self.lacks_opening_brace && self.open.len() == 1;
        if !swallowed && !self.comment_is_open && !is_whole {
            let open = self.open.len() as u32;
            let next = self.nodes.len() as u32;
            for index in &self.open {
                // The children end here, so that the container can be skipped.
                if let Some(node) = self.nodes.get_mut(*index as usize) {
                    node.next = next;
                }
            }
            let lost = self.find_unclosed();
            self.missing_closer = lost.and_then(|index| self.first_member_beyond(index));
            let opener = lost
                .and_then(|index| self.raw(index))
                .or_else(|| self.innermost())
                .map_or(0, |node| node.start);
            let mut error = SyntaxError::new(ErrorKind::Unclosed, Span::new(opener, opener + 1));
            error.more = open - 1;
            self.report(error.related(Span::at(end as u32)));
        }
        while !self.open.is_empty() {
            self.pop(end, if is_whole { 0 } else { INCOMPLETE });
        }
    }

    /// The container that is unclosed according to the indentation: the first one whose closing bracket is on its own
    /// line and indented less than its opening bracket. That bracket was meant for a container around it.
    fn find_unclosed(&self) -> Option<u32> {
        let has_lost = |node: &RawNode| {
            matches!(node.tag, Tag::Object | Tag::Array)
                && node.flags & FAULTY == 0
                && node.end > node.start + 1
                && {
                    let closing = self.indent_if_first(node.end as usize - 1);
                    closing.is_some_and(|closing| {
                        self.indent_of_line(node.start as usize)
                            .is_some_and(|opening| opening > closing)
                    })
                }
        };
        self.nodes.iter().position(has_lost).map(|index| index as u32)
    }

    /// The start of the first member of an object that is not indented further than the object: it belongs to the
    /// container around it.
    fn first_member_beyond(&self, index: u32) -> Option<u32> {
        let object = self.raw(index).filter(|node| node.tag == Tag::Object)?;
        let indent = self.indent_of_line(object.start as usize)?;
        let mut key = index + 1;
        while key < object.next {
            let start = self.raw(key)?.start;
            if self.indent_if_first(start as usize).is_some_and(|own| own <= indent) {
                return Some(start);
            }
            key = self.raw(key + 1)?.next;
        }
        None
    }

    /// Whether the line of a key is indented further than the line of a key before it.
    pub(super) fn is_deeper(&self, before: usize, name: usize) -> bool {
        self.indent_if_first(name).is_some_and(|own| {
            self.open.len() < MAX_DEPTH
                && self.indent_of_line(before).is_some_and(|outer| outer < own)
        })
    }

    /// Closes the innermost object before the current entry, if this entry is known to belong to the container around
    /// it.
    pub(super) fn close_before_entry(&mut self) -> bool {
        let is_here = self.inserted_closers.last().is_some_and(|place| *place as usize == self.at);
        let [.., outer, inner] = self.open.as_slice() else { return false };
        let is_object = |index: &u32| self.raw(*index).is_some_and(|node| node.tag == Tag::Object);
        let is_element = matches!(self.peek(), Some(b'{' | b'['));
        if !is_here || is_object(outer) == is_element || !is_object(inner) {
            return false;
        }
        let opening = self.raw(*inner).map_or(0, |node| node.start);
        self.inserted_closers.pop();
        let error = SyntaxError::new(ErrorKind::Unclosed, Span::new(opening, opening + 1));
        self.report(error.related(Span::at(self.at as u32)));
        let before = self.bytes.get(..self.at).unwrap_or_default().trim_ascii_end();
        let members = before.strip_suffix(b",").unwrap_or(before).trim_ascii_end().len();
        let last = self.nodes.last().map_or(0, |last| last.end as usize);
        self.pop(members.max(last), INCOMPLETE);
        self.state = if is_element { Awaiting::NextElement } else { Awaiting::NextKey };
        true
    }

    /// Removes the error about a number or a word that the end of the text cuts off.
    fn retract_cut_off(&mut self) {
        let end = self.bytes.trim_ascii_end().len();
        let is_cut_off = |error: &SyntaxError| {
            let text = error.span.slice(self.text);
            error.span.end as usize == end
                && match error.kind {
                    ErrorKind::InvalidNumber => text.ends_with(['-', '.', 'e', 'E', '+']),
                    ErrorKind::NotALiteral => {
                        ["true", "false", "null"].iter().any(|word| word.starts_with(text))
                    }
                    _ => false,
                }
        };
        if self.errors.last().is_some_and(is_cut_off) {
            self.errors.pop();
        }
    }

    /// The indentation of a place, if it is the first on its line.
    fn indent_if_first(&self, at: usize) -> Option<usize> {
        let before = self.bytes.get(..at)?;
        let indent = before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let line_start = at - indent;
        (line_start == 0 || before.get(line_start - 1) == Some(&b'\n')).then_some(indent)
    }

    /// The indentation of the line at an offset. `None` for very long lines.
    fn indent_of_line(&self, at: usize) -> Option<usize> {
        const FAR: usize = 1024;
        let before = self.bytes.get(at.saturating_sub(FAR)..at)?;
        let line = match memchr::memrchr(b'\n', before) {
            Some(line_break) => before.get(line_break + 1..)?,
            None if at <= FAR => before,
            None => return None,
        };
        Some(line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count())
    }
}

/// Whether an error is about content, so that the text is not reported as empty as well.
fn is_about_content(kind: ErrorKind) -> bool {
    !matches!(kind, ErrorKind::ByteOrderMark | ErrorKind::Comment | ErrorKind::HashComment)
}
