//! The input of a report: a checked document and its related files.

use voxlint::fixes::NotApplied;
use voxlint::{Diagnostic, DocumentPosition, Fix, Origin, Safety};
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
    /// If the run was to apply fixes: why those of the findings that are left were not.
    pub unapplied: Option<UnappliedFixes<'a>>,
}

/// Why the fixes of the findings that a run has left were not applied.
#[derive(Clone, Copy, Debug)]
pub struct UnappliedFixes<'a> {
    /// The most that the run was to apply.
    pub safety: Safety,
    /// The inputs that could not be changed, or only in part.
    pub reasons: &'a [(Origin, NotApplied)],
}

impl UnappliedFixes<'_> {
    /// Why a fix was not applied.
    pub fn reason(&self, fix: &Fix) -> NotApplied {
        if self.safety == Safety::Safe && fix.safety == Safety::Unsafe {
            return NotApplied::NeedsReview;
        }
        let known = self.reasons.iter().find(|(origin, _)| *origin == fix.origin);
        known.map_or(NotApplied::NotProven, |(_, reason)| *reason)
    }

    /// Why the fix of a finding that would be applied first was not; `None` if there is none.
    pub fn reason_of(&self, finding: &Diagnostic) -> Option<NotApplied> {
        let fix = finding.fix(self.safety).or_else(|| finding.fix(Safety::Unsafe))?;
        Some(self.reason(fix))
    }
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
        Self {
            path,
            text,
            position: None,
            lines: None,
            report,
            related_files: &[],
            unapplied: None,
        }
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
