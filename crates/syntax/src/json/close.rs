//! Closing brackets, and the end of the text.

use super::{Reader, State};
use crate::tree::{FAULTY, INCOMPLETE, RawNode, Tag};
use crate::{Span, SyntaxError, SyntaxErrorKind as Fault};

impl Reader<'_> {
    /// A closing bracket inside a container.
    pub(super) fn close(&mut self, byte: u8) {
        let closes = if byte == b'}' { Tag::Object } else { Tag::Array };
        let Some(innermost) = self.innermost().copied() else {
            self.fault(Fault::StrayClose, self.at, self.at + 1);
            self.at += 1;
            return;
        };
        if self.open.len() == 1 && self.members_follow(innermost) {
            self.fault(Fault::StrayClose, self.at, self.at + 1);
            self.at += 1;
            self.state = State::AfterValue;
            return;
        }
        if innermost.tag != closes && self.open.last() != self.miscast.as_ref() {
            let fits = |index: &u32| self.raw(*index).is_some_and(|node| node.tag == closes);
            let outer = if self.is_full() { None } else { self.open.iter().rposition(fits) };
            match outer {
                Some(outer) if self.belongs_to(outer) => {
                    // The inner containers have lost their brackets; this one belongs to an outer one.
                    let error = SyntaxError::new(
                        Fault::Unclosed,
                        Span::new(innermost.start, innermost.start + 1),
                    );
                    self.report(error.related(Span::of(self.at, self.at + 1)));
                    while self.open.len() > outer + 1 {
                        self.pop(self.at, INCOMPLETE);
                    }
                }
                _ => {
                    let error =
                        SyntaxError::new(Fault::MismatchedBracket, Span::of(self.at, self.at + 1));
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
        if let Some(indent) = self.indent_of_lone_bracket(self.at) {
            let of = |index: &u32| {
                self.raw(*index).and_then(|node| self.indent_of_line(node.start as usize))
            };
            let outer = self.open.get(outer).and_then(of);
            let inner = self.open.last().and_then(of);
            if inner != outer {
                return outer == Some(indent);
            }
        }
        // On one line: only when nothing but the end of the text comes after.
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

    /// Nothing comes any more.
    pub(super) fn end_of_text(&mut self) {
        if self.state == State::Value && self.nodes.last().is_some_and(|node| node.tag == Tag::Key)
        {
            // Every name is followed by a value in the tree, be it none.
            self.push_invalid(self.at, self.at);
        }
        if self.nodes.is_empty() && !self.errors.iter().any(|error| is_about_content(error.kind)) {
            self.fault(Fault::Empty, self.at, self.at);
        }
        if self.open.is_empty() {
            return;
        }
        let end = self.at;
        // A string that ran to the end has swallowed the brackets: it is the one mistake.
        let swallowed = self
            .errors
            .iter()
            .any(|error| error.kind == Fault::UnclosedString && error.span.end as usize == end);
        if !swallowed {
            let open = self.open.len() as u32;
            let opener = self
                .lost_its_bracket()
                .or_else(|| self.innermost().map(|node| node.start))
                .unwrap_or(0);
            let mut error = SyntaxError::new(Fault::Unclosed, Span::new(opener, opener + 1));
            error.more = open - 1;
            self.report(error.related(Span::at(end as u32)));
        }
        while !self.open.is_empty() {
            self.pop(end, INCOMPLETE);
        }
    }

    /// The container that the indentation says was never closed: the first whose closing bracket stands on a line of its
    /// own with another indentation than its opening one. The bracket was meant for a container around it.
    fn lost_its_bracket(&self) -> Option<u32> {
        self.nodes
            .iter()
            .filter(|node| matches!(node.tag, Tag::Object | Tag::Array) && node.flags & FAULTY == 0)
            .filter(|node| node.end > node.start + 1)
            .find(|node| {
                let closing = self.indent_of_lone_bracket(node.end as usize - 1);
                closing.is_some_and(|closing| {
                    self.indent_of_line(node.start as usize)
                        .is_some_and(|opening| opening > closing)
                })
            })
            .map(|node| node.start)
    }

    /// How far a bracket that stands first on its line is indented; `None` for any other.
    fn indent_of_lone_bracket(&self, at: usize) -> Option<usize> {
        let before = self.bytes.get(..at)?;
        let indent = before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let line_start = at - indent;
        (line_start == 0 || before.get(line_start - 1) == Some(&b'\n')).then_some(indent)
    }

    /// How far the line that holds a byte is indented. Lines longer than anybody indents are left alone.
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

/// Whether a fault says that there is something other than a value: then the text is not empty, too.
fn is_about_content(kind: Fault) -> bool {
    !matches!(kind, Fault::ByteOrderMark | Fault::Comment)
}
