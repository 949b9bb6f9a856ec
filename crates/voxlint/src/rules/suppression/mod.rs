//! Rules about suppressions. The configuration reports its own entries, and the check reports the comments of a document.

mod expired_suppression;
mod malformed_suppression;
mod unused_suppression;

use crate::Rule;

pub(crate) static RULES: &[&Rule] =
    &[&unused_suppression::RULE, &expired_suppression::RULE, &malformed_suppression::RULE];
