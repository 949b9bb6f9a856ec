//! The input of a report: a checked document and its related files.

use voxlint::{DocumentPosition, Origin};
use voxlint_syntax::{LineIndex, Span};

/// A document and the report of its check.
#[derive(Clone, Copy, Debug)]
pub struct CheckedDocument<'a> {
    /// The file's path for display, with forward slashes.
    pub path: &'a str,
    /// The text of the document or of its whole file. Its byte offsets are those of the file on disk, unless it is a part
    /// of the file and the position says which.
    pub text: &'a str,
    /// The position of the document in a file with several documents.
    pub position: Option<DocumentPosition>,
    /// The lines of the text, if they are known already.
    pub lines: Option<&'a LineIndex>,
    /// The findings.
    pub report: &'a voxlint::Report,
    /// The other inputs that findings may point into.
    pub related_files: &'a [(Origin, RelatedFile<'a>)],
}

/// A file that a document was checked with.
#[derive(Clone, Copy, Debug)]
pub struct RelatedFile<'a> {
    /// The file's path for display, with forward slashes.
    pub path: &'a str,
    /// The file's text.
    pub text: &'a str,
}

impl<'a> CheckedDocument<'a> {
    /// A document that is the only one in its file and has no related files.
    pub const fn new(path: &'a str, text: &'a str, report: &'a voxlint::Report) -> Self {
        Self { path, text, position: None, lines: None, report, related_files: &[] }
    }

    /// Sets the position of the document in a file with several documents.
    #[must_use]
    pub const fn position(self, position: DocumentPosition) -> Self {
        Self { position: Some(position), ..self }
    }

    /// Sets the lines of the text: worth finding once for a text with many documents.
    #[must_use]
    pub const fn lines(self, lines: &'a LineIndex) -> Self {
        Self { lines: Some(lines), ..self }
    }

    /// Sets the other inputs.
    #[must_use]
    pub const fn related_files(self, related_files: &'a [(Origin, RelatedFile<'a>)]) -> Self {
        Self { related_files, ..self }
    }

    /// The secrets in the text of an input.
    pub(crate) fn secrets(&self, origin: Origin) -> &'a [Span] {
        if origin == Origin::Document {
            return &self.report.secrets;
        }
        let others = &self.report.other_secrets;
        others.iter().find(|(of, _)| *of == origin).map_or(&[], |(_, spans)| spans)
    }
}
