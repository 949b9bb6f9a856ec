//! What is rendered: a document, what was found in it, and the files it was checked with.

use std::iter;

use voxlint::Origin;

use crate::places;

/// A document, and what was found in it.
#[derive(Clone, Copy, Debug)]
pub struct CheckedDocument<'a> {
    /// The file's path as it is to be shown, with forward slashes.
    pub path: &'a str,
    /// The document's text, or that of its file. Its byte offsets are those of the file on disk, unless it is a part of the
    /// file and the record says which.
    pub text: &'a str,
    /// Where the document stands in a file that holds several.
    pub record: Option<Record>,
    /// The lines of the text, where they are known already.
    pub lines: Option<&'a voxlint_syntax::LineIndex>,
    /// What voxlint has to say of it.
    pub report: &'a voxlint::Report,
    /// The other inputs that findings may point into.
    pub partners: &'a [(Origin, RelatedFile<'a>)],
}

/// One document of a file that holds several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The document's number in its file, counted from 0.
    pub index: u64,
    /// The line of the file that the document begins on, counted from 1.
    pub line: u64,
    /// How many bytes of the file stand before the text: none where it is the text of the whole file.
    pub bytes_before: u64,
    /// How many lines of the file stand before the text.
    pub lines_before: u64,
}

/// A file that a document was checked with.
#[derive(Clone, Copy, Debug)]
pub struct RelatedFile<'a> {
    /// The file's path as it is to be shown, with forward slashes.
    pub path: &'a str,
    /// The file's text.
    pub text: &'a str,
}

impl<'a> CheckedDocument<'a> {
    /// A document that was checked with nothing else known.
    pub const fn new(path: &'a str, text: &'a str, report: &'a voxlint::Report) -> Self {
        Self { path, text, record: None, lines: None, report, partners: &[] }
    }

    /// The document is one of several in its file.
    #[must_use]
    pub const fn record(self, record: Record) -> Self {
        Self { record: Some(record), ..self }
    }

    /// The lines of the text: worth finding once where a text holds many documents.
    #[must_use]
    pub const fn lines(self, lines: &'a voxlint_syntax::LineIndex) -> Self {
        Self { lines: Some(lines), ..self }
    }

    /// The other inputs.
    #[must_use]
    pub const fn with(self, partners: &'a [(Origin, RelatedFile<'a>)]) -> Self {
        Self { partners, ..self }
    }

    /// The inputs that findings point into and whose text is known, the document first.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = (Origin, RelatedFile<'a>)> {
        let document = (Origin::Document, RelatedFile { path: self.path, text: self.text });
        let inputs = iter::once(document).chain(self.partners.iter().copied());
        inputs.filter(|(origin, _)| self.points_into(*origin))
    }

    /// The path and the text of an input, where they are known.
    pub(crate) fn input(&self, origin: Origin) -> Option<RelatedFile<'a>> {
        self.inputs().find(|(of, _)| *of == origin).map(|(_, partner)| partner)
    }

    /// The lines of the text of an input.
    pub(crate) fn places(&self, origin: Origin, text: &'a str) -> places::Places<'a> {
        if origin != Origin::Document {
            return places::Places::new(text);
        }
        let Record { bytes_before, lines_before, .. } = self.record.unwrap_or_default();
        places::Places::with(text, self.lines).after(bytes_before, lines_before)
    }

    /// Whether a finding points into an input.
    fn points_into(&self, origin: Origin) -> bool {
        let hidden = self.report.suppressed.iter().map(|hidden| &hidden.diagnostic);
        self.report.diagnostics.iter().chain(hidden).any(|found| {
            found.origin == origin || found.related.iter().any(|place| place.origin == origin)
        })
    }

    /// The secrets in the text of an input.
    pub(crate) fn secrets(&self, origin: Origin) -> &'a [voxlint_syntax::Span] {
        if origin == Origin::Document {
            return &self.report.secrets;
        }
        let others = &self.report.other_secrets;
        others.iter().find(|(of, _)| *of == origin).map_or(&[], |(_, spans)| spans)
    }
}
