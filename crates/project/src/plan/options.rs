//! What is planned, and where documents are.

use std::sync::Arc;

use crate::linted::LintedDocument;

/// Where the stored configurations that the repository last knew come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BaseSource {
    /// What each configuration names, if it does.
    #[default]
    Configured,
    /// A folder, if there is one with this name, or else a commit.
    Named(String),
    /// There is none, so changes made in the service are not found.
    None,
}

/// How documents are planned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlanOptions {
    /// Where the stored configurations that the repository last knew come from.
    pub base: BaseSource,
}

/// Where a document is: the path of its file as users see it, and its number in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct DocumentPlace {
    pub(super) path: Arc<str>,
    pub(super) index: u64,
}

impl DocumentPlace {
    pub(super) fn of(document: &LintedDocument) -> Self {
        let index = document.position.map_or(0, |position| position.index);
        Self { path: Arc::clone(&document.path), index }
    }
}
