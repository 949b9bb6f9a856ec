//! One line a finding.

use std::fmt::Write as _;

use voxlint::Origin;

use crate::escape::escape_terminal;
use crate::run::linked;
use crate::sentence::sentence;
use crate::undecided;
use crate::{CheckedDocument, RenderOptions};

pub(crate) fn render(style: &RenderOptions, checked: &CheckedDocument<'_>) -> String {
    let mut out = String::new();
    let diagnostics = &checked.report.diagnostics;
    let path = escape_terminal(checked.path);
    if style.undecided {
        undecided::list(&mut out, style, checked);
    }
    if diagnostics.is_empty() {
        return out;
    }
    let places = checked.places(Origin::Document, checked.text);
    for diagnostic in diagnostics {
        let severity = diagnostic.severity.name();
        let rule = linked(style, &diagnostic.rule);
        let (place, message) = sentence(checked, &places, diagnostic);
        // Writing to a string cannot fail.
        let _ =
            writeln!(out, "{path}:{}:{}: {severity}[{rule}] {message}", place.line, place.column);
    }
    out
}
