//! What is known of a run as a whole.

use voxlint::RuleRef;

use crate::{Failure, Repository, Skipped, Summary};

/// What is known of a run before its first document.
#[derive(Clone, Copy, Debug, Default)]
pub struct Run<'a> {
    /// Every rule that may find something, those of a team's own included: what a format tells of rules, it tells of these.
    pub rules: &'a [RuleRef],
    /// The repository that the documents are kept in. Without it, the formats for other tools name files as they are shown.
    pub repository: Option<&'a Repository>,
    /// Where the documentation stands, as for [`Style::links`](crate::Style::links).
    pub documentation: Option<&'a str>,
}

impl Run<'_> {
    /// A shown path as the formats for other tools name it.
    pub(crate) fn relative(&self, path: &str) -> String {
        match self.repository {
            Some(repository) => repository.relative(path),
            None => Repository::default().relative(path),
        }
    }
}

/// Where the documentation of this version stands: below it, the page of a rule is `/docs/rules/RULE.md`. `None` as long as
/// the package names no repository.
pub const DOCUMENTATION: Option<&str> = if env!("CARGO_PKG_REPOSITORY").is_empty() {
    None
} else {
    Some(concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/v", env!("CARGO_PKG_VERSION")))
};

/// The address of a rule's page. A team's own rules have none.
pub(crate) fn page_of(documentation: Option<&str>, rule: &RuleRef) -> Option<String> {
    let base = documentation.filter(|_| rule.family() != voxlint::Family::House)?;
    Some(format!("{base}/docs/rules/{}.md", rule.id))
}

/// What is known of a run when it ends.
pub(crate) struct Ending<'a> {
    pub(crate) skipped: &'a [Skipped],
    pub(crate) failures: &'a [Failure],
    pub(crate) summary: &'a Summary,
}
