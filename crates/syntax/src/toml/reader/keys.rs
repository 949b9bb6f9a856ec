//! Keys, and strings, which keys and values share.

use std::borrow::Cow;

use toml_parser::decoder::Encoding;

use super::Reader;
use crate::description::CURLY;
use crate::toml::string::{DecodedString, decode, is_multi_line};
use crate::toml::tables::Key;
use crate::tree::{BARE, FAULTY, UNCLOSED};
use crate::{Span, SyntaxError, SyntaxErrorKind as ErrorKind};

impl<'t> Reader<'t> {
    pub(super) fn name(&mut self, span: Span, form: Option<Encoding>) {
        if !self.after_dot {
            self.path.clear();
        }
        self.after_dot = false;
        if span.is_empty() {
            let kind =
                if self.path.is_empty() && self.header.is_none() && self.starts_with_equals(span) {
                    ErrorKind::MissingKey
                } else {
                    ErrorKind::TomlKey
                };
            self.report(kind, span);
            self.path.push(None);
            return;
        }
        let name = match form {
            Some(form) => self.quoted_key(span, form),
            None => self.bare_key(span),
        };
        self.path.push(Some(name));
    }

    fn starts_with_equals(&self, span: Span) -> bool {
        self.text.get(span.start as usize..).is_some_and(|rest| rest.starts_with('='))
    }

    fn bare_key(&mut self, span: Span) -> Key<'t> {
        let source = span.slice(self.text);
        let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let mut flags = BARE;
        if !source.bytes().all(is_bare) {
            self.errors.push(SyntaxError::new(ErrorKind::TomlKey, span));
            flags |= FAULTY;
        }
        // The key between curly quotes.
        let inner = source.strip_prefix(CURLY).and_then(|rest| rest.strip_suffix(CURLY));
        if let Some(inner) = inner {
            let start = span.start + (source.len() - inner.len()) as u32 / 2;
            let span = Span::new(start, start + inner.len() as u32);
            return Key { span, flags, decoded: None, text: Cow::Borrowed(inner) };
        }
        Key { span, flags, decoded: None, text: Cow::Borrowed(source) }
    }

    /// Drops the colon of a key without an equals sign, and the error that the key needs quotes.
    pub(super) fn drop_colon(&mut self) {
        let Some(Some(name)) = self.path.last_mut() else {
            return;
        };
        if self
            .errors
            .last()
            .is_some_and(|last| last.kind == ErrorKind::TomlKey && last.span == name.span)
        {
            self.errors.pop();
        }
        if let Cow::Borrowed(text) = name.text
            && let Some(text) = text.strip_suffix(':')
            && name.flags & BARE != 0
        {
            name.text = Cow::Borrowed(text);
            name.span.end -= 1;
        }
    }

    fn quoted_key(&mut self, span: Span, form: Encoding) -> Key<'t> {
        let DecodedString { decoded, flags, end, .. } = self.string(span, form);
        let span = Span::new(span.start, end);
        if is_multi_line(form) {
            self.errors.push(SyntaxError::new(ErrorKind::TomlKey, span));
        }
        let text = if let Some(decoded) = &decoded {
            Cow::Owned(decoded.as_str().to_owned())
        } else {
            let quotes = |c| c == '"' || c == '\'';
            let inner = span.slice(self.text).strip_prefix(quotes).unwrap_or_default();
            Cow::Borrowed(inner.strip_suffix(quotes).unwrap_or(inner))
        };
        Key { span, flags, decoded, text }
    }

    pub(super) fn string(&mut self, span: Span, form: Encoding) -> DecodedString {
        let decoded = decode(self.text, span, form, &mut self.errors);
        if let Some((first, more)) = decoded.toml_1_1 {
            self.note_toml_1_1(first, more);
        }
        if decoded.flags & UNCLOSED != 0 {
            self.mark_incomplete();
            // An unclosed multi-line string contains the rest of the text.
            self.is_cut_short |= is_multi_line(form);
        }
        decoded
    }
}
