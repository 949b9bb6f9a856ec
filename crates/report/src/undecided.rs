//! What could not be decided, for people.

use std::fmt::Write as _;

use voxlint::Report;

use crate::escape::spelt_out;

/// One line a rule: `path: undecided[rule]: why`.
pub(crate) fn list(out: &mut String, path: &str, report: &Report) {
    for undecided in &report.undecided {
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "{path}: undecided[{}]: {}",
            undecided.rule.id,
            spelt_out(&undecided.why)
        );
    }
}
