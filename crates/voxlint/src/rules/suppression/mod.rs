//! Rules about what a team has told voxlint to live with. Whoever reads that reports them: the configuration its own entries,
//! the check the comments of a document.

mod expired_suppression;
mod malformed_suppression;
mod unused_suppression;

use crate::Rule;

pub(crate) static RULES: &[&Rule] =
    &[&unused_suppression::RULE, &expired_suppression::RULE, &malformed_suppression::RULE];
