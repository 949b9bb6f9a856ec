//! Addresses of the documentation.

use voxlint::RuleRef;

/// The address of this version's documentation, with the page of a rule at `/docs/rules/RULE.md` below it. `None` as long
/// as the package names no repository.
pub const DOCUMENTATION_URL: Option<&str> = if env!("CARGO_PKG_REPOSITORY").is_empty() {
    None
} else {
    Some(concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/v", env!("CARGO_PKG_VERSION")))
};

/// The address of a rule's page. A team's own rules have none.
pub fn page_url(documentation: Option<&str>, rule: &RuleRef) -> Option<String> {
    let base = documentation.filter(|_| rule.family() != voxlint::Family::House)?;
    Some(format!("{base}/docs/rules/{}.md", rule.id))
}
