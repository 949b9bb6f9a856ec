use std::borrow::Cow;

use voxlint_schema::DocumentKind;
use voxlint_syntax::{Format, SyntaxError, Tree};

use crate::recognise;

/// The text of a file, byte for byte where it lies on disk.
///
/// ```
/// use voxlint::Source;
///
/// assert_eq!(Source::from("{}").text(), "{}");
/// // Bytes that are not UTF-8 are reported, and the rest is read all the same.
/// assert_eq!(Source::from_bytes(b"{\"title\": \"caf\xe9\"}").text(), "{\"title\": \"caf?\"}");
/// ```
#[derive(Debug)]
pub struct Source<'a> {
    text: Cow<'a, str>,
    errors: Vec<SyntaxError>,
    /// Whether a text that could not be read as UTF-8 at all speaks of our fields.
    mentions_settings: bool,
}

impl<'a> Source<'a> {
    /// Reads bytes as UTF-8. What is none is replaced byte for byte, so that every offset stays true, and reported by the
    /// check.
    pub fn from_bytes(bytes: &'a [u8]) -> Self {
        let decoded = voxlint_syntax::decode(bytes);
        let unreadable = decoded.text.is_empty() && !decoded.errors.is_empty();
        let mentions_settings = unreadable && {
            // UTF-16 text without its zero bytes is ASCII wherever it is ASCII at all.
            let ascii: String =
                bytes.iter().filter(|byte| **byte != 0).map(|byte| char::from(*byte)).collect();
            recognise::mentions_settings(&ascii)
        };
        Self { text: decoded.text, errors: decoded.errors, mentions_settings }
    }

    /// The text as it was read. Its byte offsets are those of the file.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl<'a> From<&'a str> for Source<'a> {
    fn from(text: &'a str) -> Self {
        Self { text: Cow::Borrowed(text), errors: Vec::new(), mentions_settings: false }
    }
}

/// One document, read and not yet judged. Reading never fails: what is not JSON is reported by the check.
#[derive(Debug)]
pub struct Document<'a> {
    pub(crate) tree: Tree<'a>,
    pub(crate) errors: Vec<SyntaxError>,
    pub(crate) mentions_settings: bool,
}

impl<'a> Document<'a> {
    /// Reads `source` as JSON.
    pub fn parse(source: &'a Source<'_>) -> Self {
        Self::parse_as(source, Format::Json)
    }

    /// Reads `source` as this format.
    pub fn parse_as(source: &'a Source<'_>, format: Format) -> Self {
        let parsed = voxlint_syntax::parse(source.text(), format);
        let mut errors = source.errors.clone();
        let readable = errors.is_empty() || !source.text().is_empty();
        if readable {
            // An unreadable encoding says it all: that its empty text is no JSON either would be a second complaint.
            errors.extend(parsed.errors);
        }
        let mut tree = parsed.documents.into_iter().next().unwrap_or_default();
        for error in &source.errors {
            tree.mark_faulty(error.span);
        }
        errors.sort_by_key(|error| error.span);
        Self { tree, errors, mentions_settings: source.mentions_settings }
    }

    /// The kind that the document looks like; `None` when it looks like none of them.
    ///
    /// Two fields of an update, or near-misses of them, make an update: a linter that passed over a document because its
    /// `version_number` is misspelt would give a false green.
    ///
    /// ```
    /// use voxlint::{Document, DocumentKind, Source};
    ///
    /// let kind = |text: &str| Document::parse(&Source::from(text)).recognise();
    /// assert_eq!(kind(r#"{ "verison_number": 3, "promt_text": "Hi" }"#), Some(DocumentKind::Update));
    /// assert_eq!(kind(r#"{ "name": "web", "version": "1.0.0", "dependencies": {} }"#), None);
    /// ```
    pub fn recognise(&self) -> Option<DocumentKind> {
        recognise::kind(self)
    }

    /// The text, as it was read.
    pub fn text(&self) -> &str {
        self.tree.text()
    }
}
