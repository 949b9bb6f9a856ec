//! What could not be decided, for people.

use std::fmt::Write as _;

use crate::escape::escape_terminal;
use crate::run::linked;
use crate::{CheckedDocument, RenderOptions};

/// One line a rule: `path: undecided[rule]: why`. Of several documents in a file, the line tells which one it is.
pub(crate) fn list(out: &mut String, style: &RenderOptions, checked: &CheckedDocument<'_>) {
    let path = escape_terminal(checked.path);
    let line = checked.record.map(|record| format!(":{}", record.line)).unwrap_or_default();
    for undecided in &checked.report.undecided {
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "{path}{line}: undecided[{}]: {}",
            linked(style, &undecided.rule),
            escape_terminal(&undecided.why)
        );
    }
}
