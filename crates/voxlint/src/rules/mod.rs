//! The rules, one a file. To add one: write its file, then add its two lines to the `mod.rs` of its family.

mod config;
mod document;
mod object;
mod suppression;
mod template;
mod text;
mod value;

use crate::Rule;

pub(crate) use config::{CAP, CAPPED, RULES as CONFIG};
pub(crate) use document::{RULES as DOCUMENT, secrets_in_text};
pub(crate) use object::RULES as OBJECT;
pub(crate) use suppression::RULES as SUPPRESSION;
pub(crate) use template::RULES as TEMPLATE;
pub(crate) use text::RULES as TEXT;
pub(crate) use value::RULES as VALUE;

/// The groups of rules that a configuration may name where it may name a rule, in the order of [`Rule::group`]: voxlint's own,
/// and a team's.
pub const GROUPS: [&str; 2] = ["correctness", "house"];

/// Every rule: those about the text first, then those about members, values, texts, templates, several fields together, and
/// what a team tells voxlint.
///
/// ```
/// assert!(voxlint::rules::all().any(|rule| rule.id == "out-of-range"));
/// ```
pub fn all() -> impl Iterator<Item = &'static Rule> {
    [DOCUMENT, OBJECT, VALUE, TEXT, TEMPLATE, CONFIG, SUPPRESSION].into_iter().flatten().copied()
}

/// The rule of that id.
pub fn find(id: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.id == id)
}

/// The id of the rule that a mistyped one most likely means.
///
/// ```
/// assert_eq!(voxlint::rules::nearest("out-of-rnage"), Some("out-of-range"));
/// ```
pub fn nearest(id: &str) -> Option<&'static str> {
    crate::suggest::nearest(id, all().map(|rule| &*rule.id))
}
