//! Notices: notes on a run that are neither findings nor failures.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::file_status::{FileRole, FileStatus};
use crate::input::InputFile;
use crate::text_files::TextFileConvention;

/// A remark on a run. It does not fail the run.
#[derive(Clone, Debug)]
pub enum Notice {
    /// A file with several documents has no text files.
    TextFileOfSeveral {
        /// The path of the file as users see it.
        document: String,
        /// The path of the text file as users see it.
        text: String,
        /// What was done with the text file instead.
        status: String,
    },
    /// A file with several documents has no stored configuration.
    StoredOfSeveral {
        /// The path of the file as users see it.
        document: String,
        /// The path of the stored configuration as users see it.
        stored: String,
    },
    /// A pattern of a configuration matches no file.
    UnmatchedPattern {
        /// The place of the pattern as users see it.
        place: String,
        /// The setting.
        setting: String,
        /// The pattern.
        pattern: String,
    },
    /// A configuration names a rule of an earlier version.
    RemovedRule {
        /// The place as users see it.
        place: String,
        /// The id.
        rule: String,
    },
    /// A convention for text files matches no file.
    UnmatchedConvention(TextFileConvention),
    /// A folder that was named contains no agent documents. Its path as users see it.
    EmptyFolder(String),
    /// A folder that is the base has no stored configuration of the documents of the run. Its path as users see it.
    EmptyBase(String),
}

impl fmt::Display for Notice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TextFileOfSeveral { document, text, status } => write!(
                formatter,
                "{document}: is for several documents, so it cannot use text files: {text} {status}"
            ),
            Self::StoredOfSeveral { document, stored } => write!(
                formatter,
                "{document}: is for several documents, so it cannot use a stored configuration: {stored} is not used"
            ),
            Self::UnmatchedPattern { place, setting, pattern } => {
                write!(formatter, "{place}: `{setting}` matches no file: `{pattern}`")?;
                let is_beside = setting == "documents.stored" || setting.contains(".text_files.");
                if is_beside && !pattern.starts_with('/') {
                    formatter.write_str(", from the folder of each document")?;
                }
                Ok(())
            }
            Self::RemovedRule { place, rule } => {
                write!(formatter, "{place}: the rule `{rule}` was removed: delete its name here")
            }
            Self::UnmatchedConvention(convention) => {
                write!(formatter, "the text file convention `{convention}` matches no file")
            }
            Self::EmptyFolder(path) => write!(formatter, "{path}: no agent documents found"),
            Self::EmptyBase(path) => write!(
                formatter,
                "{path}: is the base, but has no stored configuration of these documents, so no drift was found: it must be laid out \
                 like the project"
            ),
        }
    }
}

/// A notice that depends on the status of other files.
pub(crate) enum PendingNotice {
    TextFileOfSeveral { document: Arc<str>, text: Box<InputFile> },
    StoredOfSeveral { document: Arc<str>, stored: String },
}

impl PendingNotice {
    /// The notice with the status of the files.
    pub(crate) fn resolve(self, statuses: &BTreeMap<&str, &FileStatus>) -> Notice {
        let (document, text) = match self {
            Self::TextFileOfSeveral { document, text } => (document, text),
            Self::StoredOfSeveral { document, stored } => {
                return Notice::StoredOfSeveral { document: document.to_string(), stored };
            }
        };
        let status = match statuses.get(&*text.absolute) {
            Some(FileStatus::Checked(_)) => "is checked by itself".to_owned(),
            Some(FileStatus::Used(FileRole::Text)) => "is checked with another document".to_owned(),
            Some(FileStatus::Used(role)) => format!("is used only as the {role}"),
            Some(FileStatus::Skipped(reason)) => format!("is skipped: {reason}"),
            Some(FileStatus::Failed(_) | FileStatus::Truncated(..) | FileStatus::Unconfigured)
            | None => "could not be checked".to_owned(),
        };
        Notice::TextFileOfSeveral {
            document: document.to_string(),
            text: text.shown.to_string(),
            status,
        }
    }
}
