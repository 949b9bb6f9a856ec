//! Files that could not be read or used, as values.

use std::fmt;
use std::sync::Arc;

use voxlint::{Origin, Report};
use voxlint_config::FileReport;

use crate::related_document::RelatedDocument;

/// A file that could not be read, used or checked, though it should have been.
///
/// Two failures are equal if they say the same about the same file.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The file's path as users see it.
    pub path: String,
    /// What went wrong, in a few words.
    pub message: String,
    /// The faults in the text of the file that keep it from being used, if those are the reason.
    pub faults: Option<Arc<FaultyFile>>,
}

/// The text of a file that cannot be used, and its faults.
#[derive(Clone, Debug)]
pub struct FaultyFile {
    /// The file's path as users see it.
    pub path: String,
    /// The text that the spans of the report point into.
    pub text: Arc<str>,
    /// The faults.
    pub report: Report,
    /// The other files that they point into.
    pub related: Vec<(Origin, RelatedDocument)>,
}

impl Failure {
    /// A failure without faults in a text.
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into(), faults: None }
    }

    /// A file that cannot be used as `role` because of faults in its text. The message shows the first of them.
    pub(crate) fn unusable(file: FaultyFile, role: &str) -> Self {
        Self {
            path: file.path.clone(),
            message: format!("cannot be used as {role}: {}", file.first_fault()),
            faults: Some(Arc::new(file)),
        }
    }

    /// A configuration file that cannot be used, under the path that users see.
    pub fn unusable_configuration(path: String, file: FileReport) -> Self {
        let FileReport { text, report, .. } = file;
        Self::unusable(FaultyFile { path, text, report, related: Vec::new() }, "a configuration")
    }

    /// The same failure with the line of a configuration that names the file.
    pub(crate) fn named_at(self, place: Option<&str>) -> Self {
        let Some(place) = place else { return self };
        Self { message: format!("{} ({place} names it)", self.message), ..self }
    }
}

impl FaultyFile {
    /// The first fault with its place, in one line.
    fn first_fault(&self) -> String {
        let lines = voxlint::syntax::LineIndex::new(&self.text);
        let Some(fault) = self.report.diagnostics.first() else { return String::new() };
        let at = lines.position(&self.text, fault.span.start);
        let more = match self.report.diagnostics.len() - 1 {
            0 => String::new(),
            more => format!(" (and {more} more)"),
        };
        format!("{}:{}: {}{more}", at.line, at.column, fault.message)
    }
}

impl PartialEq for Failure {
    fn eq(&self, other: &Self) -> bool {
        (&self.path, &self.message) == (&other.path, &other.message)
    }
}

impl Eq for Failure {}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.path, self.message)
    }
}

impl std::error::Error for Failure {}
