//! One line a finding.

use std::fmt::Write as _;

use crate::escape::spelt_out;
use crate::full::elsewhere;
use crate::places::Places;
use crate::undecided;
use crate::{Checked, Style};

pub(crate) fn render(style: &Style, checked: &Checked<'_>) -> String {
    let mut out = String::new();
    let diagnostics = &checked.report.diagnostics;
    let path = spelt_out(checked.path);
    if style.undecided {
        undecided::list(&mut out, &path, checked.report);
    }
    if diagnostics.is_empty() {
        return out;
    }
    let places = Places::new(checked.text);
    for diagnostic in diagnostics {
        let severity = diagnostic.severity.name();
        let rule = diagnostic.rule.id;
        let message = spelt_out(&diagnostic.message);
        let elsewhere = elsewhere(diagnostic.origin);
        // The line always has a position, because that is what tells editors that it is a finding.
        let start = if elsewhere.is_some() { 0 } else { places.range(diagnostic.span).start };
        let place = places.place(start);
        // Writing to a string cannot fail.
        let _ = write!(out, "{path}:{}:{}: {severity}[{rule}] {message}", place.line, place.column);
        if let Some(input) = elsewhere {
            let _ = write!(out, " (in {input}, at {})", spelt_out(&diagnostic.field));
        }
        out.push('\n');
    }
    out
}
