//! The options of a session.

use std::path::PathBuf;

use voxlint::DocumentKind;
use voxlint_config::{Date, RuleSelection, SuppressionMode};

use crate::baselines::BaselineSource;
use crate::configurations::ConfigurationSource;
use crate::file_status::FileRole;
use crate::find::ExplicitPathPolicy;
use crate::input::ReadOptions;
use crate::text_files::TextFileConvention;

/// How the documents of a project are found and linted.
#[derive(Clone, Debug, Default)]
pub struct LintOptions {
    /// Where the configuration of a file comes from.
    pub configuration: ConfigurationSource,
    /// The rules to run, and their levels, in addition to those of the configuration.
    pub selection: RuleSelection,
    /// Where the baseline comes from.
    pub baseline: BaselineSource,
    /// Whether suppressions and the baseline are applied.
    pub suppressions: SuppressionMode,
    /// The related files of all documents. They replace those of the configuration.
    pub related: RelatedOptions,
    /// Conventions for text files, in addition to those of the configuration.
    pub conventions: Vec<TextFileConvention>,
    /// The kind of all documents; `None` detects it.
    pub kind: Option<DocumentKind>,
    /// How files are read.
    pub read: ReadOptions,
    /// What happens to files that are named, rather than found in a folder.
    pub explicit_paths: ExplicitPathPolicy,
    /// Check only documents that have changed since this commit: a branch, a tag or an id.
    pub changed_since: Option<String>,
    /// Whether a named file may be empty.
    pub allow_empty: bool,
    /// The day on which suppressions are applied; `None` is today.
    pub today: Option<Date>,
}

/// The related files of all documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RelatedOptions {
    /// The file with the stored configuration, or `-` for standard input. It applies to one document.
    pub stored: Option<PathBuf>,
    /// The file with workspace facts, or `-` for standard input.
    pub facts: Option<PathBuf>,
    /// The id of the agent that the documents are for.
    pub agent_id: Option<String>,
    /// Leave out the stored configurations that `voxlint.toml` names.
    pub without_stored: bool,
    /// Leave out the workspace facts that `voxlint.toml` names.
    pub without_facts: bool,
}

impl RelatedOptions {
    /// The paths of the files.
    pub fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.stored.iter().chain(&self.facts)
    }

    /// The option that leaves out what configurations name for a role.
    pub(crate) fn leaving_out(&self, role: FileRole) -> Option<&'static str> {
        match role {
            FileRole::Stored => self.without_stored.then_some("--without-stored"),
            FileRole::Facts => self.without_facts.then_some("--without-facts"),
            _ => None,
        }
    }
}
