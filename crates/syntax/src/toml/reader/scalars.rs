//! Values other than containers.

use toml_parser::decoder::Encoding;

use super::Reader;
use crate::text::TextBuilder;
use crate::toml::scalar::{Scalar, classify};
use crate::toml::string::DecodedString;
use crate::toml::tables::ItemKind;
use crate::tree::{FAULTY, Tag};
use crate::{DecodedText, Span, SyntaxError, SyntaxErrorKind as ErrorKind};

impl Reader<'_> {
    pub(super) fn scalar(&mut self, span: Span, form: Option<Encoding>) {
        if span.is_empty() {
            self.report(ErrorKind::MissingValue, span);
            self.add(ItemKind::Scalar(Tag::Invalid), span, None, FAULTY);
            return;
        }
        if let Some(form) = form {
            let DecodedString { decoded, flags, end, .. } = self.string(span, form);
            self.add(ItemKind::Scalar(Tag::String), Span::new(span.start, end), decoded, flags);
            return;
        }
        let source = span.slice(self.text);
        // A colon may be in place of a missing equals sign.
        let value = source.strip_prefix(':').map(str::trim_start).filter(|value| {
            let is_missing = |last: &SyntaxError| last.kind == ErrorKind::MissingEquals;
            !value.is_empty() && self.errors.last().is_some_and(is_missing)
        });
        let source = value.unwrap_or(source);
        let span = Span::new(span.end - source.len() as u32, span.end);
        if !source.contains([' ', '\t']) || !self.several(span) {
            self.unquoted(span);
        }
    }

    /// Splits words that the library parses as one value: a value and the key of the next entry on its line. Returns whether they
    /// were split.
    fn several(&mut self, span: Span) -> bool {
        let source = span.slice(self.text);
        let is_value = |word: &str| classify(word) != Scalar::Unknown;
        if is_value(source) {
            return false;
        }
        let rest = self.text.get(span.end as usize..).unwrap_or_default();
        let Some((value, name)) = source.rsplit_once([' ', '\t']) else {
            return false;
        };
        let value = value.trim_end();
        let is_entry =
            self.open.is_empty() && rest.trim_start_matches([' ', '\t']).starts_with('=');
        if !is_entry || !is_value(value) {
            return false;
        }
        self.unquoted(Span::new(span.start, span.start + value.len() as u32));
        self.report(ErrorKind::SecondEntry, Span::new(span.end - name.len() as u32, span.end));
        true
    }

    fn unquoted(&mut self, span: Span) {
        let source = span.slice(self.text);
        let (tag, kind) = match classify(source) {
            Scalar::True => (Tag::True, None),
            Scalar::False => (Tag::False, None),
            Scalar::Number(number) => {
                let decoded = (number != source).then(|| Box::new(spelled(&number, span)));
                let id = self.add(ItemKind::Scalar(Tag::Number), span, decoded, 0);
                self.last_number = Some((id, span));
                return;
            }
            Scalar::NotFinite => (Tag::Invalid, Some(ErrorKind::NotFinite)),
            Scalar::DateTime => (Tag::Invalid, Some(ErrorKind::DateTime)),
            Scalar::Unknown => (Tag::Invalid, Some(ErrorKind::TomlValue)),
        };
        self.errors.extend(kind.map(|kind| SyntaxError::new(kind, span)));
        self.add(ItemKind::Scalar(tag), span, None, if kind.is_some() { FAULTY } else { 0 });
    }
}

/// A number whose source differs from its JSON form.
fn spelled(number: &str, span: Span) -> DecodedText<'static> {
    let mut text = TextBuilder::at(span.start);
    text.spelled(number, span);
    text.finish()
}
