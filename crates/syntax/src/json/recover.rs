//! Error recovery: one error is reported, and parsing continues as soon as possible.

use super::{Awaiting, Reader, is_word};
use crate::description::CURLY;
use crate::invisible::is_foreign_space;
use crate::tree::{BARE, ESCAPED, FAULTY, INCOMPLETE, Tag, UNCLOSED};
use crate::{Span, SyntaxError, SyntaxErrorKind as ErrorKind, UnreadReason, unread};

/// The maximum number of characters in which the end of a key is searched for.
const MAX_KEY_SCAN: usize = 256;

impl Reader<'_> {
    /// Something else in place of a value.
    pub(super) fn not_a_value(&mut self, byte: u8) {
        let at = self.at;
        match byte {
            b',' | b'}' | b']' if self.state == Awaiting::Value && !self.open.is_empty() => {
                self.missing_value();
            }
            b',' => {
                self.error(ErrorKind::ExtraComma, at, at + 1);
                self.at += 1;
            }
            b']' | b'}' if self.state == Awaiting::NextElement => {
                self.trailing_comma();
                self.close(byte);
            }
            b'}' if self.state == Awaiting::FirstElement => self.close(byte),
            b']' | b'}' => {
                self.error(ErrorKind::StrayClose, at, at + 1);
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
            b':' => {
                self.error(ErrorKind::Unexpected, at, at + 1);
                self.at += 1;
            }
            _ if self.open.is_empty() => self.before_the_document(),
            _ => {
                self.not_a_literal();
                self.value_done();
            }
        }
    }

    fn trailing_comma(&mut self) {
        if !self.is_jsonc {
            self.error(ErrorKind::TrailingComma, self.last_comma, self.last_comma + 1);
        }
    }

    fn missing_value(&mut self) {
        self.error(ErrorKind::MissingValue, self.at, self.at);
        self.push_invalid(self.at, self.at);
        self.state = Awaiting::AfterValue;
    }

    /// Something else in place of a key.
    pub(super) fn not_a_key(&mut self, byte: u8) {
        let at = self.at;
        match byte {
            b',' => {
                self.error(ErrorKind::ExtraComma, at, at + 1);
                self.at += 1;
            }
            b'}' | b']' if self.state == Awaiting::NextKey => {
                self.trailing_comma();
                self.close(byte);
            }
            b']' => self.close(byte),
            b'\'' => {
                self.single_quoted(Tag::Key);
                self.colon();
            }
            b'{' if self.placeholder() => {}
            b':' | b'{' | b'[' => {
                self.error(ErrorKind::MissingKey, at, at + 1);
                self.mark_incomplete();
                self.push(Tag::Key, at, at, FAULTY | BARE);
                if byte == b':' {
                    self.at += 1;
                }
                self.state = Awaiting::Value;
            }
            _ if is_word(byte) || matches!(byte, b'$' | b'-' | b'+' | b'.') => self.bare_key(),
            _ => self.unexpected(),
        }
    }

    /// A key without quotes, if a colon follows; otherwise unexpected text.
    fn bare_key(&mut self) {
        let start = self.at;
        let (end, name) = if let Some(name) = self.curly_name(start) {
            (name.end as usize + 3, name)
        } else {
            let end = self.end_of_word(start);
            // Its closing quote may be there.
            let quote = usize::from(self.is_end_of_name(end));
            let name = self.text.get(start..end).unwrap_or_default();
            let curly = name.strip_prefix(CURLY).filter(|_| quote > 0);
            (end + quote, Span::of(end - curly.unwrap_or(name).len(), end))
        };
        if self.colon_after(end) {
            self.error(ErrorKind::KeyNotQuoted, start, end);
            self.push(Tag::Key, name.start as usize, name.end as usize, BARE);
            self.at = end;
            self.skip_space();
            self.at += if self.bytes.get(self.at + 1) == Some(&b'>') { 2 } else { 1 };
            self.state = Awaiting::Value;
            return;
        }
        if self.decimal_comma(start, end) {
            return;
        }
        let word = self.bytes.get(start..end).unwrap_or_default();
        let is_value = matches!(word, b"true" | b"false" | b"null")
            || (self.number_end(start) == end && end > start);
        self.at = end;
        self.skip_space();
        if is_value && self.is_between_entries() {
            self.error(ErrorKind::MissingKey, start, end);
            self.mark_incomplete();
            self.state = Awaiting::AfterValue;
        } else {
            self.at = start;
            self.unexpected();
        }
    }

    /// A number, a comma and digits: `0,7` for `0.7`.
    fn decimal_comma(&mut self, start: usize, end: usize) -> bool {
        let digits = self.bytes.get(start..end).unwrap_or_default();
        let comma = self.last_comma;
        let Some(number) = self.nodes.last_mut().filter(|node| {
            node.tag == Tag::Number && node.end as usize == comma && comma + 1 == start
        }) else {
            return false;
        };
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return false;
        }
        number.end = end as u32;
        (number.tag, number.flags) = (Tag::Invalid, FAULTY);
        let whole = number.start as usize;
        self.error(ErrorKind::DecimalComma, whole, end);
        self.at = end;
        self.state = Awaiting::AfterValue;
        true
    }

    /// The key in curly quotes that begins here, if it is on one line and before a colon.
    fn curly_name(&self, start: usize) -> Option<Span> {
        let rest = self.text.get(start..)?.strip_prefix(CURLY)?;
        let length = rest.char_indices().take(MAX_KEY_SCAN).find_map(|(at, character)| {
            (character == '\n' || CURLY.contains(&character)).then_some(at)
        })?;
        let name = Span::of(start + 3, start + 3 + length);
        self.colon_after(name.end as usize + 3).then_some(name)
    }

    /// Whether a closing quote and a colon follow.
    fn is_end_of_name(&self, at: usize) -> bool {
        self.bytes.get(at) == Some(&b'"') && self.colon_after(at + 1)
    }

    /// Whether a colon follows, or an equals sign in its place.
    fn colon_after(&self, at: usize) -> bool {
        matches!(self.after_spaces(at), Some(b':' | b'='))
    }

    fn is_between_entries(&self) -> bool {
        matches!(self.peek(), Some(b',' | b'}' | b']') | None)
    }

    /// `{{name}}` in place of a value: a placeholder that needs quotes. Its outer brace was parsed as the beginning of
    /// an object.
    fn placeholder(&mut self) -> bool {
        let at = self.at;
        let is_inner = self.state == Awaiting::FirstKey
            && self.innermost().is_some_and(|outer| outer.start as usize + 1 == at);
        let inside = self.bytes.get(at + 1..).unwrap_or_default();
        let length = inside
            .iter()
            .take(MAX_KEY_SCAN)
            .position(|byte| matches!(byte, b'{' | b'}' | b'"' | b':' | b',' | b'\n'));
        let ends = |length: usize| inside.get(length..length + 2) == Some(b"}}");
        if !is_inner || !length.is_some_and(ends) {
            return false;
        }
        self.nodes.pop();
        self.open.pop();
        self.at = at - 1;
        self.not_a_literal();
        self.value_done();
        true
    }

    /// Something else in place of a colon.
    pub(super) fn not_a_colon(&mut self) {
        let at = self.at;
        let after_name = self.nodes.last().map_or(at, |key| key.end as usize);
        match self.peek() {
            Some(b'=' | b';') => {
                let end = if self.bytes.get(at + 1) == Some(&b'>') { at + 2 } else { at + 1 };
                self.error(ErrorKind::NotAColon, at, end);
                self.at = end;
                self.state = Awaiting::Value;
            }
            Some(b',' | b'}' | b']') => {
                self.error(ErrorKind::MissingValue, after_name, after_name);
                self.push_invalid(after_name, after_name);
                self.state = Awaiting::AfterValue;
            }
            Some(_) if self.colon_inside_name() => {}
            Some(_) => {
                self.error(ErrorKind::MissingColon, after_name, after_name);
                self.state = Awaiting::Value;
            }
            None => self.state = Awaiting::Value,
        }
    }

    /// A key without its closing quote, which contains the colon and ends with the quote of the value.
    fn colon_inside_name(&mut self) -> bool {
        let Some(key) = self.nodes.last_mut() else { return false };
        let (start, end) = (key.start as usize, key.end as usize);
        let inner = self.bytes.get(start..end).and_then(|name| name.strip_suffix(b"\""));
        let Some(name) = inner.and_then(|inner| inner.trim_ascii_end().strip_suffix(b":")) else {
            return false;
        };
        // The value may begin with spaces, and then a space is also between the colon and its quote.
        let gap = self.bytes.get(end..self.at).unwrap_or_default();
        let is_adjacent = gap.is_empty()
            || (gap.iter().all(|byte| *byte == b' ')
                && inner.is_some_and(|inner| inner.ends_with(b" ")));
        if !is_adjacent || key.flags & (UNCLOSED | BARE) != 0 || name.len() < 2 {
            return false;
        }
        let colon = start + name.len();
        let text = self.text.get(start..colon).unwrap_or_default();
        // A curly quote in place of the closing quote is not part of the key.
        key.end = (start + text.strip_suffix(CURLY).unwrap_or(text).len()) as u32;
        key.flags |= UNCLOSED | FAULTY;
        self.error(ErrorKind::UnclosedString, start, colon);
        self.at = colon + 1;
        self.state = Awaiting::Value;
        true
    }

    /// Something else in place of a comma.
    pub(super) fn not_a_comma(&mut self, byte: u8) {
        let at = self.at;
        match byte {
            b';' if matches!(self.after_spaces(at + 1), Some(b'}' | b']') | None) => {
                self.error(ErrorKind::Unexpected, at, at + 1);
                self.at += 1;
            }
            b';' => {
                self.error(ErrorKind::NotAComma, at, at + 1);
                self.comma();
            }
            b':' => self.colon_after_value(),
            _ if self.close_before_entry() => {}
            b'"' if self.triple_quotes() => {}
            _ if self.quote_inside_string(byte) => {}
            _ if self.begins_entry(byte) => {
                let after_value = self.end_of_last_value();
                let error =
                    SyntaxError::new(ErrorKind::MissingComma, Span::of(after_value, after_value));
                self.report(error.related(Span::of(at, at + self.width_of_character(at))));
                self.state =
                    if self.in_object() { Awaiting::NextKey } else { Awaiting::NextElement };
                self.last_comma = after_value;
            }
            _ => self.unexpected(),
        }
    }

    /// Whether the next entry begins here, so that only the comma is missing.
    fn begins_entry(&self, byte: u8) -> bool {
        if matches!(byte, b'"' | b'\'' | b'{' | b'[') {
            return true;
        }
        let end = self.end_of_word(self.at);
        if self.in_object() {
            return self.colon_after(end) || self.is_end_of_name(end);
        }
        let word = self.bytes.get(self.at..end).unwrap_or_default();
        matches!(word, b"true" | b"false" | b"null")
            || byte.is_ascii_digit()
            || (byte == b'-' && word.get(1).is_some_and(u8::is_ascii_digit))
    }

    /// A colon after a value, which was meant to be a key.
    fn colon_after_value(&mut self) {
        let Some(name) = self.nodes.last().copied().filter(|node| {
            node.tag == Tag::String && node.end as usize == self.end_of_last_value()
        }) else {
            self.unexpected();
            return;
        };
        let index = self.nodes.len() - 1;
        let before = self.bytes.get(..name.start as usize).unwrap_or_default().trim_ascii_end();
        let is_first = self.open.last().is_some_and(|open| *open as usize + 1 == index);
        if self.in_object() {
            // A key without a value, and the next key.
            self.nodes.pop();
            let mut place = before.len();
            let key_end = self.nodes.last().map_or(place, |key| key.end as usize);
            if self.retract(ErrorKind::MissingColon, |error| error.span.start as usize == key_end) {
                place = key_end;
            }
            if self.is_deeper(key_end, name.start as usize) {
                // The following keys are its members: only their brace is missing.
                self.error(ErrorKind::Unopened, place, place);
                self.open.push(self.nodes.len() as u32);
                self.push(Tag::Object, name.start as usize, name.start as usize, 0);
            } else {
                self.error(ErrorKind::MissingValue, place, place);
                self.push_invalid(place, place);
            }
        } else if is_first {
            // Keys in an array: it was meant to be an object.
            if let Some(open) = self.open.last()
                && let Some(array) = self.nodes.get_mut(*open as usize)
            {
                array.tag = Tag::Object;
                self.array_with_keys = Some(*open);
                let start = array.start as usize;
                self.error(ErrorKind::MismatchedBracket, start, start + 1);
            }
            self.nodes.pop();
        } else if let [.., outer, array] = self.open.as_slice()
            && self.nodes.get(*outer as usize).is_some_and(|outer| outer.tag == Tag::Object)
        {
            // The array is not closed, and this is the next member of the object around it.
            let opening = self.nodes.get(*array as usize).map_or(0, |array| array.start);
            self.nodes.pop();
            self.retract(ErrorKind::MissingComma, |error| {
                error.related.is_some_and(|next| next.start == name.start)
            });
            let error = SyntaxError::new(ErrorKind::Unclosed, Span::new(opening, opening + 1));
            self.report(error.related(Span::at(name.start)));
            let elements = before.strip_suffix(b",").unwrap_or(before).trim_ascii_end().len();
            let last = self.nodes.last().map_or(0, |last| last.end as usize);
            self.pop(elements.max(last), INCOMPLETE);
        } else {
            self.unexpected();
            return;
        }
        self.push(Tag::Key, name.start as usize, name.end as usize, name.flags);
        self.at += 1;
        self.state = Awaiting::Value;
    }

    /// Removes the last error, if it is this one: it was a consequence of another.
    fn retract(&mut self, kind: ErrorKind, is_it: impl Fn(&SyntaxError) -> bool) -> bool {
        let is_it = self.errors.last().is_some_and(|last| last.kind == kind && is_it(last));
        if is_it {
            self.errors.pop();
        }
        is_it
    }

    /// A text in triple quotes, whose first two quotes were parsed as an empty string.
    fn triple_quotes(&mut self) -> bool {
        const QUOTES: &[u8] = b"\"\"\"";
        let Some(string) = self.nodes.last().copied() else { return false };
        let start = string.start as usize;
        let inside = self.bytes.get(start + 3..).unwrap_or_default();
        if self.at != start + 2
            || self.is_full()
            || !self.bytes.get(start..).is_some_and(|text| text.starts_with(QUOTES))
        {
            return false;
        }
        let Some(length) = memchr::memmem::find(inside, QUOTES) else { return false };
        let is_escaped = memchr::memchr(b'\\', inside.get(..length).unwrap_or_default()).is_some();
        self.error(ErrorKind::QuoteInString, start, start + 3);
        self.at = start + length + 6;
        if let Some(node) = self.nodes.last_mut() {
            // One quote on each side is that of the string.
            node.start += 2;
            node.end = self.at as u32 - 2;
            node.flags |= FAULTY | if is_escaped { ESCAPED } else { 0 };
        }
        true
    }

    /// Text after a string on its line: either an unescaped quote ended the string too early, or its closing quote is
    /// missing and it ended with the opening quote of the next key.
    fn quote_inside_string(&mut self, byte: u8) -> bool {
        let Some(string) = self.nodes.last().copied() else { return false };
        let (start, end) = (string.start as usize, string.end as usize);
        let gap = self.bytes.get(end..self.at).unwrap_or_default();
        let is_quoted = string.tag == Tag::String
            && string.flags & (UNCLOSED | BARE) == 0
            && self.bytes.get(start) == Some(&b'"');
        if !is_quoted
            || matches!(byte, b'+' | b'"' | b'{' | b'[')
            || !gap.iter().all(|byte| matches!(byte, b' ' | b'\t'))
            || self.is_full()
        {
            return false;
        }
        let inner = self.bytes.get(start + 1..end - 1).unwrap_or_default().trim_ascii_end();
        if gap.is_empty()
            && self.in_object()
            && let Some(inner) = inner.strip_suffix(b",")
            && self.is_name_tail(end)
        {
            let comma = start + 1 + inner.len();
            if inner.ends_with(b"\\\"")
                && let Some(escape) = self.errors.last_mut()
                && escape.kind == ErrorKind::InvalidEscape
                && escape.span.start > string.start
            {
                // No backslash of the string is escaped, and neither is the one before the quote.
                escape.more += 1;
            } else {
                self.error(ErrorKind::UnclosedString, start, comma);
            }
            if let Some(node) = self.nodes.last_mut() {
                node.end = comma as u32;
                node.flags |= UNCLOSED | FAULTY;
            }
            self.at = comma;
            return true;
        }
        let rest = self.end_of_entry(self.at);
        let tail = self.bytes.get(self.at..rest).unwrap_or_default();
        if !tail.ends_with(b"\"") {
            return false;
        }
        let is_escaped = tail.contains(&b'\\');
        self.error(ErrorKind::QuoteInString, end - 1, end);
        if let Some(node) = self.nodes.last_mut() {
            node.end = rest as u32;
            node.flags |= FAULTY | if is_escaped { ESCAPED } else { 0 };
        }
        self.at = rest;
        true
    }

    /// Whether this is the rest of a key whose opening quote was parsed as a closing one.
    fn is_name_tail(&self, at: usize) -> bool {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let end =
            rest.iter().take(MAX_KEY_SCAN).position(|byte| matches!(byte, b'"' | b'\n' | b','));
        end.is_some_and(|end| self.is_end_of_name(at + end))
    }

    /// Whether a quoted key and a colon follow.
    pub(super) fn is_name(&self, at: usize, quote: u8) -> bool {
        let inside = self.bytes.get(at + 1..).unwrap_or_default();
        let end =
            inside.iter().take(MAX_KEY_SCAN).position(|byte| *byte == quote || *byte == b'\n');
        end.is_some_and(|end| inside.get(end) == Some(&quote) && self.colon_after(at + end + 2))
    }

    fn end_of_last_value(&self) -> usize {
        // A comment after the value is not part of it.
        let end = if self.comment_gap.1 == self.at { self.comment_gap.0 } else { self.at };
        let before = self.bytes.get(..end).unwrap_or_default();
        before.trim_ascii_end().len()
    }

    /// A colon after a document that is one string: an object without its opening brace.
    pub(super) fn begins_with_name(&mut self) -> bool {
        let [first] = self.nodes.as_slice() else { return false };
        let mut name = *first;
        if name.tag != Tag::String || self.end_of_last_value() != name.end as usize {
            return false;
        }
        let start = name.start as usize;
        self.error(ErrorKind::Unopened, start, start);
        self.nodes.clear();
        self.push(Tag::Object, start, start, 0);
        name.tag = Tag::Key;
        name.next = 2;
        self.nodes.push(name);
        self.open.push(0);
        self.lacks_opening_brace = true;
        self.at += 1;
        self.state = Awaiting::Value;
        true
    }

    /// Text after the document's value.
    pub(super) fn trailing_text(&mut self) {
        let start = self.at;
        if self.nodes.first().is_some_and(|root| root.tag == Tag::Invalid) {
            // There was no document.
            return;
        }
        let rest = self.text.get(start..).unwrap_or_default();
        let line = rest.split('\n').next().unwrap_or_default().trim_end();
        let kind = match line.as_bytes() {
            [b'}' | b']', ..] => ErrorKind::StrayClose,
            // The opening fence has been reported.
            b"```" if self.text.trim_start().starts_with("```") => return,
            _ => ErrorKind::TrailingText,
        };
        let end = if kind == ErrorKind::StrayClose { start + 1 } else { start + line.len() };
        self.error(kind, start, end);
    }

    /// Skips a container that is nested too deep.
    pub(super) fn too_deep(&mut self) {
        let start = self.at;
        let mut depth = 0usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                b'"' => {
                    self.skip_string();
                    continue;
                }
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                break;
            }
        }
        unread::note(&mut self.unread, UnreadReason::Depth, Span::of(start, start + 1));
        match self.errors.iter_mut().find(|error| error.kind == ErrorKind::TooDeep) {
            Some(first) => first.more += 1,
            None => self.error(ErrorKind::TooDeep, start, start + 1),
        }
        self.push(Tag::Invalid, start, self.at, FAULTY | INCOMPLETE);
        self.value_done();
    }

    fn skip_string(&mut self) {
        self.at += 1;
        while let Some(byte) = self.peek() {
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == b'"' {
                break;
            }
        }
        self.at = self.at.min(self.bytes.len());
    }

    /// Skips a comment. JSON has no comments, and JSONC none with `#`: all of these are one error.
    pub(super) fn comment(&mut self) -> bool {
        let start = self.at;
        let rest = self.bytes.get(start..).unwrap_or_default();
        let line = || memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        let (length, kind) = match rest {
            [b'/', b'/', ..] => (line(), ErrorKind::Comment),
            [b'#', ..] => {
                (line(), if self.is_jsonc { ErrorKind::HashComment } else { ErrorKind::Comment })
            }
            [b'/', b'*', ..] => {
                let end = self.end_of_comment(start + 2);
                self.comment_is_open = end.is_none();
                let is_cut = self.is_jsonc && end.is_none();
                let kind = if is_cut { ErrorKind::UnclosedComment } else { ErrorKind::Comment };
                (end.map_or(rest.len(), |end| end - start), kind)
            }
            _ => return false,
        };
        self.at += length;
        if kind == ErrorKind::UnclosedComment {
            self.error(kind, start, start + 2);
            return true;
        }
        if self.is_jsonc && kind == ErrorKind::Comment {
            return true;
        }
        if let Some(first) = self.first_comment.and_then(|first| self.errors.get_mut(first)) {
            first.more += 1;
        } else {
            self.first_comment = Some(self.errors.len());
            let first_line = memchr::memchr(b'\n', rest).unwrap_or(rest.len()).min(length);
            let text = rest.get(..first_line).unwrap_or_default().trim_ascii_end();
            self.error(kind, start, start + text.len());
        }
        true
    }

    /// The end of a comment with text from this offset; `None` if it is never closed. Looking ahead finds the same comments
    /// again and again, so the last search is remembered.
    fn end_of_comment(&mut self, from: usize) -> Option<usize> {
        if let Some((start, end)) = self.comment_search
            && start <= from
            && end.is_none_or(|end| from + 2 <= end)
        {
            return end;
        }
        let text = self.bytes.get(from..).unwrap_or_default();
        let end = memchr::memmem::find(text, b"*/").map(|at| from + at + 2);
        self.comment_search = Some((from, end));
        end
    }

    fn single_quoted(&mut self, tag: Tag) {
        let start = self.at;
        if let Some(end) = self.end_of_single_quoted(start) {
            let inner = self.bytes.get(start..end).unwrap_or_default();
            let flags = if inner.contains(&b'\\') { ESCAPED } else { 0 };
            self.push(tag, start, end, flags);
            self.at = end;
        } else {
            let before = self.errors.len();
            self.quoted(tag, b'\'');
            // Other errors in it are probably consequences of the wrong quotes.
            self.errors.truncate(before);
        }
        self.error(ErrorKind::SingleQuotes, start, self.at);
    }

    /// The end of a text in single quotes: a quote at the end of the entry, so that apostrophes do not end it, or else
    /// the first quote of the line.
    fn end_of_single_quoted(&self, start: usize) -> Option<usize> {
        let mut at = start + 1;
        let mut first = None;
        while let Some(byte) = self.bytes.get(at) {
            match byte {
                b'\n' | b'\r' => break,
                b'\\' => at += 1,
                b'\'' => {
                    let after = self.after_spaces(at + 1);
                    let ends = matches!(after, Some(b',' | b':' | b'=' | b'}' | b']') | None);
                    if ends
                        || self.is_full()
                        || after.is_some_and(|byte| byte.is_ascii_whitespace())
                    {
                        return Some(at + 1);
                    }
                    first = first.or(Some(at + 1));
                }
                _ => {}
            }
            at += 1;
        }
        first
    }

    /// Text before the first value of the document, such as a fence or an assignment. It is skipped if a container
    /// begins on its line or on the next.
    fn before_the_document(&mut self) {
        let start = self.at;
        let rest = self.bytes.get(start..).unwrap_or_default();
        let line = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let until = rest.iter().take(line).position(|byte| matches!(byte, b'{' | b'['));
        let next = rest.get(line..).unwrap_or_default().trim_ascii_start();
        if until.is_some() || matches!(next, [b'{' | b'[', ..]) {
            let text = rest.get(..until.unwrap_or(line)).unwrap_or_default();
            self.error(ErrorKind::Unexpected, start, start + text.trim_ascii_end().len());
            self.at = start + text.len();
        } else {
            self.not_a_literal();
            self.value_done();
        }
    }

    /// Text in place of a value, without quotes or without its opening quote.
    fn not_a_literal(&mut self) {
        let start = self.at;
        let end = self.end_of_entry(start);
        if self.bytes.get(start..end).is_some_and(|text| text.contains(&b',')) {
            self.mark_incomplete();
        }
        self.at = end;
        self.error(ErrorKind::NotALiteral, start, end);
        let text = self.text.get(start..end).unwrap_or_default();
        match text.strip_prefix(CURLY).and_then(|rest| rest.strip_suffix(CURLY)) {
            // The text between the curly quotes.
            Some(inner) if !inner.is_empty() => {
                let flags = if inner.contains('\\') { ESCAPED } else { 0 };
                self.push(Tag::String, start + 3, start + 3 + inner.len(), flags | FAULTY | BARE);
            }
            _ => self.push_invalid(start, end),
        }
    }

    /// Something that begins like a number.
    pub(super) fn not_a_number(&mut self, start: usize) {
        let end = self.end_of_word(start);
        let entry = if self.is_full() { end } else { self.end_of_entry(start) };
        if entry > end && (self.in_object() || self.bytes.get(entry - 1) == Some(&b'"')) {
            self.at = start;
            self.not_a_literal();
            return;
        }
        self.at = end;
        self.error(ErrorKind::InvalidNumber, start, end);
        self.push_invalid(start, end);
    }

    /// Unexpected text: one error, and skipped up to the next possible entry.
    pub(super) fn unexpected(&mut self) {
        let start = self.at;
        let end = self.end_of_entry(start);
        self.mark_incomplete();
        let is_explained = self.bytes.get(start) == Some(&b':') && self.is_after_nameless_value();
        if !is_explained {
            self.error(ErrorKind::Unexpected, start, end);
        }
        self.at = end;
        self.skip_space();
        // The text was meant as an entry, so no comma is missing before or after it.
        self.state = match self.state {
            _ if self.open.is_empty() => Awaiting::Done,
            _ if self.is_between_entries() => Awaiting::AfterValue,
            _ if self.in_object() => Awaiting::FirstKey,
            _ => Awaiting::FirstElement,
        };
    }

    /// Whether the last member has no key, which has been reported.
    fn is_after_nameless_value(&self) -> bool {
        self.errors.last().is_some_and(|error| error.kind == ErrorKind::MissingKey)
    }

    /// The end of the text that was meant as one entry: before a comma that an entry or nothing follows, before the
    /// closing bracket of the container, before the next key, or at the end of the line.
    pub(super) fn end_of_entry(&self, start: usize) -> usize {
        let in_object = self.in_object();
        let mut at = start + self.width_of_character(start);
        let mut depth = u32::from(matches!(self.bytes.get(start), Some(b'{' | b'[' | b'(')));
        while let Some(byte) = self.bytes.get(at) {
            let after_space = matches!(self.bytes.get(at - 1), Some(b' ' | b'\t'));
            match byte {
                b'\n' | b'\r' => break,
                b',' if depth == 0 && (!in_object || self.entry_after(at + 1)) => break,
                b'{' | b'[' | b'(' => depth += 1,
                b')' => depth = depth.saturating_sub(1),
                b'}' | b']' if depth > 0 => depth -= 1,
                b'}' | b']' if self.is_last_of_entry(at + 1) => break,
                b'"' if in_object && after_space && self.is_name(at, b'"') => break,
                b'/' if after_space && matches!(self.bytes.get(at + 1), Some(b'/' | b'*')) => break,
                b'#' if after_space => break,
                _ => {}
            }
            at += 1;
        }
        let text = self.bytes.get(start..at).unwrap_or_default();
        start + text.trim_ascii_end().len().max(self.width_of_character(start))
    }

    /// Whether an entry follows a comma, or the line or the container ends.
    fn entry_after(&self, comma: usize) -> bool {
        let spaces = self.spaces(comma);
        match self.bytes.get(comma + spaces) {
            None | Some(b'\n' | b'\r' | b'}' | b']' | b'"' | b'\'' | b',' | b'#') => true,
            Some(b'/') => matches!(self.bytes.get(comma + spaces + 1), Some(b'/' | b'*')),
            Some(_) if self.is_full() => true,
            Some(_) => {
                let start = comma + spaces;
                self.curly_name(start).is_some() || self.colon_after(self.end_of_word(start))
            }
        }
    }

    /// Whether a bracket before this offset closes its container.
    pub(super) fn is_last_of_entry(&self, at: usize) -> bool {
        matches!(self.after_spaces(at), None | Some(b'\n' | b'\r' | b',' | b'}' | b']' | b';'))
    }

    /// The next byte on the line that is not a space or a tab.
    fn after_spaces(&self, at: usize) -> Option<u8> {
        self.bytes.get(at + self.spaces(at)).copied()
    }

    fn spaces(&self, at: usize) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
    }

    fn end_of_word(&self, start: usize) -> usize {
        let mut at = start;
        while let Some(byte) = self.bytes.get(at) {
            let goes_on = is_word(*byte) || matches!(byte, b'-' | b'.' | b'$' | b'+');
            if !goes_on || (*byte >= 0x80 && self.foreign_space(at) > 0) {
                break;
            }
            at += 1;
        }
        at.max(start + self.width_of_character(start))
    }

    /// The length of the character at an offset, if it looks like white space and is not white space in JSON.
    pub(super) fn foreign_space(&self, at: usize) -> usize {
        let character = self.text.get(at..).and_then(|rest| rest.chars().next());
        character.filter(|character| is_foreign_space(*character)).map_or(0, char::len_utf8)
    }

    /// Skips characters that only look like white space. All of them are one error.
    pub(super) fn skip_foreign_space(&mut self) -> bool {
        let width = self.foreign_space(self.at);
        if width == 0 {
            return false;
        }
        if let Some(first) = self.first_foreign_space.and_then(|first| self.errors.get_mut(first)) {
            first.more += 1;
        } else {
            self.first_foreign_space = Some(self.errors.len());
            self.error(ErrorKind::Unexpected, self.at, self.at + width);
        }
        self.at += width;
        true
    }

    /// Whether the maximum number of errors is reached. The parser then no longer looks ahead, because the quality of
    /// its recovery does not matter.
    pub(super) fn is_full(&self) -> bool {
        self.errors.len() >= self.max_errors
    }

    fn width_of_character(&self, at: usize) -> usize {
        self.text.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
    }
}
