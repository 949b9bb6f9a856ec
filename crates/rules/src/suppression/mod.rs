//! Rules about suppressions. The configuration reports its own entries, and the check reports the comments of a document.

mod expired_suppression;
mod malformed_suppression;
mod unused_suppression;

use voxlint_model::Rule;

/// A suppression has expired.
pub static EXPIRED_SUPPRESSION: &Rule = &expired_suppression::RULE;
/// A comment that should suppress a finding is invalid.
pub static MALFORMED_SUPPRESSION: &Rule = &malformed_suppression::RULE;
/// A suppression suppresses nothing.
pub static UNUSED_SUPPRESSION: &Rule = &unused_suppression::RULE;

family! {
    UNUSED_SUPPRESSION = unused_suppression,
    EXPIRED_SUPPRESSION = expired_suppression,
    MALFORMED_SUPPRESSION = malformed_suppression,
}
