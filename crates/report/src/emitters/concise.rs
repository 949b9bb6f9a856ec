//! One line per finding.

use std::fmt::Write as _;
use std::io;

use voxlint::Safety;

use crate::annotation::Annotation;
use crate::emitter::{Emitter, Output};
use crate::escape::escape_terminal;
use crate::located::{LocatedDocument, LocatedFinding};
use crate::source_map::FilePosition;

#[derive(Default)]
pub(crate) struct ConciseEmitter;

impl Emitter for ConciseEmitter {
    fn add(&mut self, out: &mut Output<'_>, document: LocatedDocument, _: bool) -> io::Result<()> {
        let mut page = String::new();
        write_undecided(&mut page, &document);
        for finding in &document.diagnostics {
            // Editors open the file that a line begins with.
            let annotation = Annotation::of_finding(&document, finding);
            let FilePosition { line, column, .. } = annotation.from;
            let path = escape_terminal(annotation.path);
            let severity = finding.severity.name();
            let rule = document.options.rule_link(&finding.rule);
            let message = escape_terminal(&annotation.message);
            let mark = fixable_mark(finding);
            // Writing to a string cannot fail.
            let _ = writeln!(page, "{path}:{line}:{column}: {severity}[{rule}] {message}{mark}");
        }
        out.write(&page)
    }
}

/// Marks a finding that `--fix` would fix.
pub(super) const fn fixable_mark(finding: &LocatedFinding) -> &'static str {
    if matches!(finding.fixable, Some(Safety::Safe)) { " (fixable)" } else { "" }
}

/// Writes `path: undecided[rule]: why` for each undecided rule, with the line of a document that is one of several.
pub(super) fn write_undecided(out: &mut String, document: &LocatedDocument) {
    let path = escape_terminal(&document.path);
    let line = document.position.map(|position| format!(":{}", position.line)).unwrap_or_default();
    for undecided in &document.undecided {
        let rule = document.options.rule_link(&undecided.rule);
        // Writing to a string cannot fail.
        let _ =
            writeln!(out, "{path}{line}: undecided[{rule}]: {}", escape_terminal(&undecided.why));
    }
}
