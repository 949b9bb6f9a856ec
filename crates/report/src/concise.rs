//! One line a finding.

use std::fmt::Write as _;

use voxlint::Origin;

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
        undecided::list(&mut out, checked);
    }
    if diagnostics.is_empty() {
        return out;
    }
    let places = checked.places(Origin::Document, checked.text);
    for diagnostic in diagnostics {
        let severity = diagnostic.severity.name();
        let rule = &diagnostic.rule.id;
        let message = spelt_out(&diagnostic.message);
        let elsewhere = elsewhere(diagnostic.origin);
        // The line always has a position, because that is what tells editors that it is a finding.
        let start = if elsewhere.is_some() { 0 } else { places.range(diagnostic.span).start };
        let place = places.place(start);
        // Writing to a string cannot fail.
        let _ = write!(out, "{path}:{}:{}: {severity}[{rule}] {message}", place.line, place.column);
        if let Some(input) = elsewhere {
            let field = spelt_out(&diagnostic.field);
            let _ = match checked.input(diagnostic.origin) {
                Some(partner) => {
                    let places = Places::new(partner.text);
                    let place = places.place(places.range(diagnostic.span).start);
                    let path = spelt_out(partner.path);
                    write!(out, " (in {input}, {path}:{}:{})", place.line, place.column)
                }
                None => write!(out, " (in {input}, at {field})"),
            };
        }
        out.push('\n');
    }
    out
}
