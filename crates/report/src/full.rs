//! The form for people.

use std::borrow::Cow;
use std::collections::BTreeMap;

use voxlint::{Diagnostic, Origin, Severity};

use crate::drawing::Drawing;
use crate::escape::spelt_out;
use crate::frame::{Mark, frames};
use crate::places::Places;
use crate::remark::{Remarks, headline};
use crate::window::Secrets;
use crate::{Checked, Style, undecided};

/// Narrower than this, a window says nothing; wider, nobody reads it.
const ROOM: std::ops::RangeInclusive<usize> = 24..=400;

/// How many findings of one rule are shown of one document.
const MOST_OF_A_RULE: usize = 50;

/// How many other places of a finding are shown.
const MOST_RELATED: usize = 8;

pub(crate) fn render(style: &Style, checked: &Checked<'_>) -> String {
    let mut out = String::new();
    if !checked.report.diagnostics.is_empty() {
        findings(&mut out, style, checked);
    }
    if style.undecided && !checked.report.undecided.is_empty() {
        if !out.is_empty() {
            out.push('\n');
        }
        undecided::list(&mut out, &spelt_out(checked.path), checked.report);
    }
    out
}

fn findings(out: &mut String, style: &Style, checked: &Checked<'_>) {
    let report = checked.report;
    let places = Places::new(checked.text);
    // Left of a line stand its number and three columns.
    let margin = places.line_count().to_string().len() + 3;
    let drawing = Drawing {
        places: &places,
        secrets: Secrets::new(&places, &report.secrets),
        path: &spelt_out(checked.path),
        color: style.color,
        room: style.width.saturating_sub(margin).clamp(*ROOM.start(), *ROOM.end()),
    };
    // Of one rule in one document nobody reads more than this; the summary and the other formats count them all.
    let mut seen: BTreeMap<&str, (usize, &Diagnostic)> = BTreeMap::new();
    for (index, diagnostic) in report.diagnostics.iter().enumerate() {
        let (count, _) = seen.entry(diagnostic.rule.id).or_insert((0, diagnostic));
        *count += 1;
        if *count > MOST_OF_A_RULE {
            continue;
        }
        if index > 0 {
            out.push('\n');
        }
        finding(out, style, &drawing, diagnostic);
    }
    for (count, first) in seen.into_values().filter(|(count, _)| *count > MOST_OF_A_RULE) {
        let what = format!("{}[{}]", first.severity.name(), first.rule.id);
        let more = format!("{} more like these in {}", count - MOST_OF_A_RULE, drawing.path);
        out.push('\n');
        headline(out, &what, &painted(style, tint(first.severity), &what), &more, style);
    }
}

fn finding(out: &mut String, style: &Style, drawing: &Drawing<'_>, diagnostic: &Diagnostic) {
    let Diagnostic { rule, severity, label, message, help, note, related, .. } = diagnostic;
    let what = format!("{}[{}]", severity.name(), rule.id);
    headline(out, &what, &painted(style, tint(*severity), &what), message, style);

    let mut marks = Vec::new();
    if diagnostic.origin == Origin::Document {
        marks.push(Mark::new(drawing.places, diagnostic.span, label.as_deref(), true));
    }
    let here = related.iter().filter(|related| related.origin == Origin::Document);
    marks.extend(
        here.clone()
            .take(MOST_RELATED)
            .map(|related| Mark::new(drawing.places, related.span, Some(&related.message), false)),
    );
    let is_shown = !marks.is_empty();
    let numbers = drawing.draw(out, &frames(drawing.places, marks, drawing.room), *severity);

    let mut remarks = Remarks { out, indent: numbers + 4, width: style.width };
    if !is_shown {
        remarks.add("file", drawing.path);
    }
    if let Some(help) = help {
        remarks.add("help", help);
    }
    if let Some(note) = note {
        remarks.add("note", note);
    }
    if let Some(input) = elsewhere(diagnostic.origin) {
        remarks.add("note", &format!("this is about {} of {input}", pointer(&diagnostic.field)));
    }
    for related in related {
        if let Some(input) = elsewhere(related.origin) {
            let place = pointer(&related.field);
            remarks.add("note", &format!("{} ({place} of {input})", related.message));
        }
    }
    let more = here.count().saturating_sub(MOST_RELATED);
    if more > 0 {
        let places = if more == 1 { "place takes" } else { "places take" };
        remarks.add("note", &format!("{more} more {places} part"));
    }
}

/// The input that is not the document, in words.
pub(crate) const fn elsewhere(origin: Origin) -> Option<&'static str> {
    match origin {
        Origin::Document => None,
        Origin::Stored => Some("the stored draft"),
        Origin::Facts => Some("the workspace facts"),
    }
}

fn pointer(field: &str) -> &str {
    if field.is_empty() { "the whole" } else { field }
}

/// The colour of a severity, as the parameters of an SGR sequence.
pub(crate) const fn tint(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "1;31",
        Severity::Warning => "1;33",
        Severity::Info => "1;36",
    }
}

/// The text in a colour, if colours are wanted.
pub(crate) fn painted<'a>(style: &Style, tint: &str, text: &'a str) -> Cow<'a, str> {
    if style.color { format!("\u{1b}[{tint}m{text}\u{1b}[0m").into() } else { text.into() }
}
