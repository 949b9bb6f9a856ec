//! One line per finding.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io;

use voxlint::{Origin, Safety};

use crate::emitter::{Emitter, Output};
use crate::escape::escape_terminal;
use crate::located::{LocatedDocument, LocatedFinding};
use crate::run::RunInfo;
use crate::source_map::{FilePosition, input_name};

#[derive(Default)]
pub(crate) struct ConciseEmitter;

impl Emitter for ConciseEmitter {
    type Page = String;

    fn page(_: &RunInfo<'_>, document: LocatedDocument<'_>) -> String {
        let mut page = String::new();
        let path = escape_terminal(&document.path);
        write_undecided(&mut page, &document);
        for finding in &document.diagnostics {
            let severity = finding.severity.name();
            let rule = document.options.rule_link(&finding.rule);
            let (FilePosition { line, column, .. }, message) = sentence(&document, finding);
            // Writing to a string cannot fail.
            let _ = writeln!(page, "{path}:{line}:{column}: {severity}[{rule}] {message}");
        }
        page
    }

    fn add(&mut self, out: &mut Output<'_>, page: String, _: bool) -> io::Result<()> {
        out.write_escaped(page.as_bytes())
    }
}

/// Writes `path: undecided[rule]: why` for each undecided rule, with the line of a document that is one of several.
pub(super) fn write_undecided(out: &mut String, document: &LocatedDocument<'_>) {
    let path = escape_terminal(&document.path);
    let line = document.position.map(|position| format!(":{}", position.line)).unwrap_or_default();
    for undecided in &document.undecided {
        let rule = document.options.rule_link(&undecided.rule);
        // Writing to a string cannot fail.
        let _ =
            writeln!(out, "{path}{line}: undecided[{rule}]: {}", escape_terminal(&undecided.why));
    }
}

/// The position and message of a finding on one line. The position is always in the document, because editors rely on it;
/// the message names the position in another file.
pub(super) fn sentence<'a>(
    document: &LocatedDocument<'_>,
    finding: &'a LocatedFinding<'_>,
) -> (FilePosition, Cow<'a, str>) {
    let message = escape_terminal(&finding.message);
    let mark = if is_fixable(document, finding) { " (fixable)" } else { "" };
    let Some(input) = input_name(finding.origin) else {
        let message = if mark.is_empty() { message } else { format!("{message}{mark}").into() };
        return (finding.span.from.unwrap_or_else(|| document.start()), message);
    };
    let place = match (&finding.path, finding.span.from) {
        (Some(path), Some(FilePosition { line, column, .. })) => {
            let place = format!("{}:{line}:{column}", escape_terminal(path));
            // The path of a text file needs no introduction.
            if matches!(finding.origin, Origin::Text(_)) {
                place
            } else {
                format!("{input}, {place}")
            }
        }
        _ => format!("{input}, at {}", escape_terminal(&finding.field)),
    };
    (document.start(), format!("{message} (in {place}){mark}").into())
}

/// Whether `--fix` would fix a finding, with `--unsafe-fixes` if that was given.
fn is_fixable(document: &LocatedDocument<'_>, finding: &LocatedFinding<'_>) -> bool {
    match finding.fixable {
        Some(Safety::Safe) => true,
        Some(Safety::Unsafe) => document.options.unsafe_fixes,
        None => false,
    }
}
