//! What comes instead of what should: one fault is reported, and reading goes on as soon as it can.

use super::{Reader, State, is_word};
use crate::tree::{BARE, FAULTY, INCOMPLETE, Tag};
use crate::{Span, SyntaxError, SyntaxErrorKind as Fault};

impl Reader<'_> {
    /// Something else where a value should be.
    pub(super) fn not_a_value(&mut self, byte: u8) {
        let at = self.at;
        match byte {
            b',' | b'}' | b']' if self.state == State::Value && !self.open.is_empty() => {
                self.missing_value();
            }
            b',' => {
                self.fault(Fault::ExtraComma, at, at + 1);
                self.at += 1;
            }
            b']' | b'}' if self.state == State::NextElement => {
                self.fault(Fault::TrailingComma, self.last_comma, self.last_comma + 1);
                self.close(byte);
            }
            b'}' if self.state == State::FirstElement => self.close(byte),
            b']' | b'}' => {
                self.fault(Fault::StrayClose, at, at + 1);
                self.at += 1;
            }
            b'\'' => {
                self.single_quoted(Tag::String);
                self.value_done();
            }
            b'+' | b'.' => {
                self.not_a_number(at);
                self.value_done();
            }
            _ if is_word(byte) || byte == b'$' => {
                self.not_a_literal();
                self.value_done();
            }
            _ => self.unexpected(),
        }
    }

    fn missing_value(&mut self) {
        self.fault(Fault::MissingValue, self.at, self.at);
        self.push_invalid(self.at, self.at);
        self.state = State::AfterValue;
    }

    /// Something else where a name should be.
    pub(super) fn not_a_key(&mut self, byte: u8) {
        let at = self.at;
        match byte {
            b',' => {
                self.fault(Fault::ExtraComma, at, at + 1);
                self.at += 1;
            }
            b'}' | b']' if self.state == State::NextKey => {
                self.fault(Fault::TrailingComma, self.last_comma, self.last_comma + 1);
                self.close(byte);
            }
            b']' => self.close(byte),
            b'\'' => {
                self.single_quoted(Tag::Key);
                self.colon();
            }
            b':' | b'{' | b'[' => {
                self.fault(Fault::MissingKey, at, at + 1);
                self.mark_incomplete();
                self.push(Tag::Key, at, at, FAULTY | BARE);
                if byte == b':' {
                    self.at += 1;
                }
                self.state = State::Value;
            }
            _ if is_word(byte) || matches!(byte, b'$' | b'-' | b'+' | b'.') => self.bare_key(),
            _ => self.unexpected(),
        }
    }

    /// A name without quotes, if a colon follows; else text that belongs nowhere.
    fn bare_key(&mut self) {
        let start = self.at;
        let end = self.end_of_word(start);
        self.at = end;
        self.fault(Fault::KeyNotQuoted, start, end);
        self.push(Tag::Key, start, end, BARE);
        self.skip_space();
        if matches!(self.peek(), Some(b':' | b'=')) {
            self.at += 1;
            self.state = State::Value;
            return;
        }
        // It was no name, then.
        self.nodes.pop();
        self.mark_incomplete();
        if let Some(last) = self.errors.last_mut().filter(|last| last.span == Span::of(start, end))
        {
            last.kind = Fault::Unexpected;
        }
        // Where the next member follows without a comma, that is part of the same muddle.
        let separated = matches!(self.peek(), Some(b',' | b'}' | b']') | None);
        self.state = if separated { State::AfterValue } else { State::FirstKey };
    }

    /// Something else where a colon should be.
    pub(super) fn not_a_colon(&mut self) {
        let at = self.at;
        let after_name = self.nodes.last().map_or(at, |key| key.end as usize);
        match self.peek() {
            Some(b'=') => {
                let end = if self.bytes.get(at + 1) == Some(&b'>') { at + 2 } else { at + 1 };
                self.fault(Fault::NotAColon, at, end);
                self.at = end;
                self.state = State::Value;
            }
            Some(b',' | b'}' | b']') => {
                self.fault(Fault::MissingValue, after_name, after_name);
                self.push_invalid(after_name, after_name);
                self.state = State::AfterValue;
            }
            Some(b';') => {
                self.fault(Fault::NotAColon, at, at + 1);
                self.at += 1;
                self.state = State::Value;
            }
            Some(_) => {
                self.fault(Fault::MissingColon, after_name, after_name);
                self.state = State::Value;
            }
            None => self.state = State::Value,
        }
    }

    /// Something else where a comma should be.
    pub(super) fn not_a_comma(&mut self, byte: u8) {
        let at = self.at;
        if byte == b';' {
            self.fault(Fault::NotAComma, at, at + 1);
            self.comma();
        } else if matches!(byte, b'"' | b'\'' | b'{' | b'[' | b'-') || is_word(byte) {
            let after_value = self.end_of_last_value();
            let error = SyntaxError::new(Fault::MissingComma, Span::of(after_value, after_value));
            self.report(error.related(Span::of(at, at + self.width_of_character(at))));
            self.state = if self.in_object() { State::NextKey } else { State::NextElement };
            self.last_comma = after_value;
        } else {
            self.unexpected();
        }
    }

    fn end_of_last_value(&self) -> usize {
        let before = self.bytes.get(..self.at).unwrap_or_default();
        before.trim_ascii_end().len()
    }

    /// Text after the document's value.
    pub(super) fn trailing_text(&mut self) {
        let start = self.at;
        let rest = self.text.get(start..).unwrap_or_default();
        let line = rest.split('\n').next().unwrap_or_default().trim_end();
        let kind = match line.as_bytes() {
            [b'}' | b']', ..] => Fault::StrayClose,
            _ => Fault::TrailingText,
        };
        let end = if kind == Fault::StrayClose { start + 1 } else { start + line.len() };
        self.fault(kind, start, end);
    }

    /// A container deeper than the reader goes: passed over to its end.
    pub(super) fn too_deep(&mut self) {
        let start = self.at;
        let mut depth = 0usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                b'"' => {
                    self.pass_over_string();
                    continue;
                }
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                break;
            }
        }
        match self.errors.iter_mut().find(|error| error.kind == Fault::TooDeep) {
            Some(first) => first.more += 1,
            None => self.fault(Fault::TooDeep, start, start + 1),
        }
        self.push(Tag::Invalid, start, self.at, FAULTY | INCOMPLETE);
        self.value_done();
    }

    fn pass_over_string(&mut self) {
        self.at += 1;
        while let Some(byte) = self.peek() {
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == b'"' {
                break;
            }
        }
        self.at = self.at.min(self.bytes.len());
    }

    /// A comment, if one begins here: JSON has none. All of them are one fault.
    pub(super) fn comment(&mut self) -> bool {
        let start = self.at;
        let rest = self.bytes.get(start..).unwrap_or_default();
        let length = match rest {
            [b'/', b'/', ..] | [b'#', ..] => memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
            [b'/', b'*', inside @ ..] => {
                memchr::memmem::find(inside, b"*/").map_or(rest.len(), |end| end + 4)
            }
            _ => return false,
        };
        self.at += length;
        if let Some(first) = self.comment.and_then(|first| self.errors.get_mut(first)) {
            first.more += 1;
        } else {
            self.comment = Some(self.errors.len());
            let first_line = memchr::memchr(b'\n', rest).unwrap_or(rest.len()).min(length);
            let text = rest.get(..first_line).unwrap_or_default().trim_ascii_end();
            self.fault(Fault::Comment, start, start + text.len());
        }
        true
    }

    fn single_quoted(&mut self, tag: Tag) {
        let start = self.at;
        let before = self.errors.len();
        self.quoted(tag, b'\'');
        // What else is wrong with it comes of the wrong quotes, most likely.
        self.errors.truncate(before);
        self.fault(Fault::SingleQuotes, start, self.at);
    }

    /// A word where a value should be.
    fn not_a_literal(&mut self) {
        let start = self.at;
        let mut end = self.end_of_word(start);
        let line = self.bytes.get(end..).unwrap_or_default();
        let until =
            line.iter().position(|byte| matches!(byte, b',' | b']' | b'}' | b'\n' | b'\r' | b':'));
        let rest = line.get(..until.unwrap_or(line.len())).unwrap_or_default();
        if !rest.trim_ascii().is_empty() && !rest.trim_ascii_start().starts_with(b"/") {
            // A text without its quotes, or without the first of them.
            end += rest.trim_ascii_end().len();
            self.mark_incomplete();
        }
        self.at = end;
        self.fault(Fault::NotALiteral, start, end);
        self.push_invalid(start, end);
    }

    /// Something that begins like a number.
    pub(super) fn not_a_number(&mut self, start: usize) {
        let length = self
            .bytes
            .iter()
            .skip(start)
            .take_while(|byte| is_word(**byte) || matches!(byte, b'.' | b'+' | b'-'))
            .count();
        let end = start + length.max(1);
        self.at = end;
        self.fault(Fault::InvalidNumber, start, end);
        self.push_invalid(start, end);
    }

    /// Characters that mean nothing here, as one fault.
    pub(super) fn unexpected(&mut self) {
        let start = self.at;
        while let Some(byte) = self.peek() {
            let means_something =
                matches!(byte, b'{' | b'}' | b'[' | b']' | b',' | b'"' | b'\'' | b':')
                    || byte.is_ascii_whitespace()
                    || (byte < 0x80 && is_word(byte));
            if means_something && self.at > start {
                break;
            }
            self.at += self.width_of_character(self.at);
        }
        self.mark_incomplete();
        self.fault(Fault::Unexpected, start, self.at);
        // What stood here was meant for an entry, so the comma before it is no mistake of its own.
        self.state = match self.state {
            State::NextKey => State::FirstKey,
            State::NextElement => State::FirstElement,
            state => state,
        };
    }

    fn end_of_word(&self, start: usize) -> usize {
        let word = |byte: &&u8| is_word(**byte) || matches!(**byte, b'-' | b'.' | b'$' | b'+');
        start + self.bytes.iter().skip(start).take_while(word).count().max(1)
    }

    fn width_of_character(&self, at: usize) -> usize {
        self.text.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
    }
}
