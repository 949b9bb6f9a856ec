//! What is known of a run as a whole.

use std::borrow::Cow;

use voxlint::RuleRef;

use crate::escape::escape_terminal;
use crate::{FailedFile, RenderOptions, Repository, RunSummary, SkippedFile};

/// What is known of a run before its first document.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunInfo<'a> {
    /// Every rule that may find something, those of a team's own included: what a format tells of rules, it tells of these.
    pub rules: &'a [RuleRef],
    /// The repository that the documents are kept in. Without it, the formats for other tools name files as they are shown.
    pub repository: Option<&'a Repository>,
    /// Where the documentation stands, as for [`RenderOptions::links`](crate::RenderOptions::links).
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

    /// A shown path from the root of the repository, or as it is where no repository is known.
    pub(crate) fn in_repository(&self, path: &str) -> String {
        self.repository.map_or_else(|| path.to_owned(), |repository| repository.relative(path))
    }
}

/// Where the documentation of this version stands: below it, the page of a rule is `/docs/rules/RULE.md`. `None` as long as
/// the package names no repository.
pub const DOCUMENTATION_URL: Option<&str> = if env!("CARGO_PKG_REPOSITORY").is_empty() {
    None
} else {
    Some(concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/v", env!("CARGO_PKG_VERSION")))
};

/// The address of a rule's page. A team's own rules have none.
pub(crate) fn page_of(documentation: Option<&str>, rule: &RuleRef) -> Option<String> {
    let base = documentation.filter(|_| rule.family() != voxlint::Family::House)?;
    Some(format!("{base}/docs/rules/{}.md", rule.id))
}

/// The name of a rule as it may be shown, which leads to its page where the terminal takes hyperlinks.
pub(crate) fn linked<'a>(style: &RenderOptions, rule: &'a RuleRef) -> Cow<'a, str> {
    let name = escape_terminal(&rule.id);
    match page_of(style.links, rule) {
        Some(page) => format!("\u{1b}]8;;{page}\u{1b}\\{name}\u{1b}]8;;\u{1b}\\").into(),
        None => name,
    }
}

/// What is known of a run when it ends.
pub(crate) struct Ending<'a> {
    pub(crate) skipped: &'a [SkippedFile],
    pub(crate) failures: &'a [FailedFile],
    pub(crate) summary: &'a RunSummary,
}
