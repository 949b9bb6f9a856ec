//! All rules: those about one document, which are the crate `voxlint-rules`, and those across documents.

use voxlint_model::secret::mask_text;
use voxlint_model::{Rule, RuleRef};
use voxlint_rules::{CONFIG, DOCUMENT, OBJECT, SUPPRESSION, TEMPLATE, TEXT, VALUE, of};

use crate::fleet::RULES as FLEET;

pub use voxlint_model::rule::{RECOMMENDED, group_names};
pub use voxlint_rules::{EXPIRED_SUPPRESSION, MALFORMED_SUPPRESSION, UNUSED_SUPPRESSION};

/// The ids of the rules as constants.
pub mod ids {
    pub use crate::fleet::ids::*;
    pub use voxlint_rules::ids::*;
}

/// Every rule, in the order in which the rules run.
///
/// ```
/// assert!(voxlint::rules::all().any(|rule| rule.id == "out-of-range"));
/// ```
pub fn all() -> impl Iterator<Item = &'static Rule> {
    let values =
        of(DOCUMENT).chain(of(OBJECT)).chain(of(VALUE)).chain(of(TEXT)).chain(of(TEMPLATE));
    values.chain(of(CONFIG)).chain(of(FLEET)).chain(SUPPRESSION.iter().copied())
}

/// The rule with this id.
pub fn find(id: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.id == id)
}

/// The ids of rules of earlier versions, which configurations may still name.
pub const REMOVED: [&str; 2] = ["asks-for-credential", "id-removed-by-another-plan"];

/// The rule with this id among some, such as those of a project.
///
/// # Errors
///
/// If there is none: a message with the id that is probably meant, or else with `hint`.
pub fn find_among<'r>(id: &str, rules: &'r [RuleRef], hint: &str) -> Result<&'r RuleRef, String> {
    rules.iter().find(|rule| rule.id == id).ok_or_else(|| {
        let near = voxlint_model::suggest::nearest(id, rules.iter().map(|rule| &*rule.id));
        let meant = near.map_or_else(|| hint.to_owned(), |near| format!("did you mean `{near}`?"));
        format!("there is no rule `{}`: {meant}", mask_text(id))
    })
}

/// The id that a misspelled one most likely means.
///
/// ```
/// assert_eq!(voxlint::rules::nearest("out-of-rnage"), Some("out-of-range"));
/// ```
pub fn nearest(id: &str) -> Option<&'static str> {
    voxlint_model::suggest::nearest(id, all().map(|rule| &*rule.id))
}
