//! A run as a whole: its rules and repository, and how it ended.

use serde::Serialize;
use voxlint::RuleRef;

use crate::repository::Repository;
use crate::summary::RunSummary;

/// The facts of a run that are known before its first document.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunInfo<'a> {
    /// Every rule that may report a finding, including a team's own. Formats that describe rules describe these.
    pub rules: &'a [RuleRef],
    /// The repository of the documents. Without it, the formats for other tools name files by their displayed paths.
    pub repository: Option<&'a Repository>,
    /// The address of the documentation, as for [`RenderOptions::links`](crate::RenderOptions::links).
    pub documentation: Option<&'a str>,
}

impl RunInfo<'_> {
    /// A shown path from the root of the repository, never an absolute one.
    pub(crate) fn relative(&self, path: &str) -> String {
        match self.repository {
            Some(repository) => repository.relative(path),
            None => Repository::default().relative(path),
        }
    }

    /// A shown path from the root of the repository, or unchanged where no repository is known.
    pub(crate) fn in_repository(&self, path: &str) -> String {
        self.repository.map_or_else(|| path.to_owned(), |repository| repository.relative(path))
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunOutcome<'a> {
    /// The files that were skipped.
    pub skipped: &'a [SkippedFile],
    /// The files that could not be checked.
    pub failed: &'a [FailedFile],
    /// What checks less than the settings that judge the run, in sentences, if others do.
    pub loosened: Option<&'a [String]>,
    /// The counts of the run.
    pub summary: RunSummary,
}

/// A file that was skipped. Serialized, it is an entry of the JSON formats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkippedFile {
    /// The file's path for display.
    pub path: String,
    /// The reason, in a few words.
    pub why: String,
}

/// A file that should have been checked, but could not be. Serialized, it is an entry of the JSON formats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FailedFile {
    /// The file's path for display.
    pub path: String,
    /// What went wrong, in a few words.
    pub message: String,
}
