//! The form for people.

use std::borrow::Cow;
use std::collections::BTreeMap;

use voxlint::{Diagnostic, Origin, RuleRef, Severity};

use crate::drawing::Drawing;
use crate::escape::escape_terminal;
use crate::frame::{Mark, frames};
use crate::places::Places;
use crate::remark::{self, Remarks};
use crate::run::linked;
use crate::window::Secrets;
use crate::writer::{Explained, Text};
use crate::{CheckedDocument, RenderOptions, undecided};

/// DisputedRange than this, a window says nothing; wider, nobody reads it.
const ROOM: std::ops::RangeInclusive<usize> = 24..=400;

/// How many findings of one rule are shown of one document.
const MOST_OF_A_RULE: usize = 50;

/// How many other places of a finding are shown.
const MOST_RELATED: usize = 8;

pub(crate) fn render(style: &RenderOptions, checked: &CheckedDocument<'_>) -> Text {
    let mut out = String::new();
    let mut explained = Vec::new();
    if !checked.report.diagnostics.is_empty() {
        findings(&mut out, &mut explained, style, checked);
    }
    if style.undecided && !checked.report.undecided.is_empty() {
        if !out.is_empty() {
            out.push('\n');
        }
        undecided::list(&mut out, style, checked);
    }
    Text { heading: String::new(), body: out, explained }
}

fn findings(
    out: &mut String,
    explained: &mut Vec<Explained>,
    style: &RenderOptions,
    checked: &CheckedDocument<'_>,
) {
    let report = checked.report;
    let sheets = Sheets::of(checked);
    let drawings = sheets.drawings(style, checked);
    // Of one rule in one document nobody reads more than this; the summary and the other formats count them all.
    let mut seen: BTreeMap<&str, (usize, &Diagnostic)> = BTreeMap::new();
    for (index, diagnostic) in report.diagnostics.iter().enumerate() {
        let (count, _) = seen.entry(&diagnostic.rule.id).or_insert((0, diagnostic));
        *count += 1;
        if *count > MOST_OF_A_RULE {
            continue;
        }
        if index > 0 {
            out.push('\n');
        }
        explained.extend(finding(out, style, &drawings, diagnostic));
    }
    for (count, first) in seen.into_values().filter(|(count, _)| *count > MOST_OF_A_RULE) {
        let path = escape_terminal(checked.path);
        let more = format!("{} more like these in {path}", count - MOST_OF_A_RULE);
        out.push('\n');
        headline(out, style, &first.rule, first.severity, &more);
    }
}

/// The text of one input, with its lines found.
struct Sheet<'a> {
    origin: Origin,
    path: Cow<'a, str>,
    places: Places<'a>,
}

/// The inputs that findings point into and whose text is known.
struct Sheets<'a>(Vec<Sheet<'a>>);

impl<'a> Sheets<'a> {
    fn of(checked: &CheckedDocument<'a>) -> Self {
        let sheets = checked.inputs().map(|(origin, input)| {
            let places = checked.places(origin, input.text);
            Sheet { origin, path: escape_terminal(input.path), places }
        });
        Self(sheets.collect())
    }

    fn drawings(&self, style: &RenderOptions, checked: &CheckedDocument<'_>) -> Drawings<'_> {
        let drawings = self.0.iter().map(|Sheet { origin, path, places }| {
            // Left of a line stand its number and three columns.
            let margin = places.number(places.line_count()).to_string().len() + 3;
            let room = style.width.saturating_sub(margin).clamp(*ROOM.start(), *ROOM.end());
            let secrets = Secrets::new(places, checked.secrets(*origin));
            (*origin, Drawing { places, secrets, path, color: style.color, room })
        });
        Drawings { path: escape_terminal(checked.path).into_owned(), drawings: drawings.collect() }
    }
}

/// What the findings of one document are drawn with.
struct Drawings<'a> {
    /// The path of the document.
    path: String,
    drawings: Vec<(Origin, Drawing<'a>)>,
}

impl Drawings<'_> {
    fn is_shown(&self, origin: Origin) -> bool {
        self.drawings.iter().any(|(of, _)| *of == origin)
    }

    /// The inputs in the order in which a finding shows them: the one that it is about first.
    fn from(&self, origin: Origin) -> impl Iterator<Item = &(Origin, Drawing<'_>)> {
        let (first, others): (Vec<_>, Vec<_>) =
            self.drawings.iter().partition(|(of, _)| *of == origin);
        first.into_iter().chain(others)
    }
}

/// Writes a finding, and answers with the part of it that explains a reading of the description.
fn finding(
    out: &mut String,
    style: &RenderOptions,
    drawings: &Drawings<'_>,
    diagnostic: &Diagnostic,
) -> Option<Explained> {
    let Diagnostic { rule, severity, label, message, help, note, related, .. } = diagnostic;
    headline(out, style, rule, *severity, message);

    let mut is_document_shown = false;
    let mut pictures = Vec::new();
    for (origin, drawing) in drawings.from(diagnostic.origin) {
        let mut marks = Vec::new();
        if diagnostic.origin == *origin {
            marks.push(Mark::new(drawing.places, diagnostic.span, label.as_deref(), true));
        }
        let here = related.iter().filter(|related| related.origin == *origin).take(MOST_RELATED);
        marks.extend(
            here.map(|related| {
                Mark::new(drawing.places, related.span, Some(&related.message), false)
            }),
        );
        if !marks.is_empty() {
            is_document_shown |= *origin == Origin::Document;
            pictures.push((drawing, frames(drawing.places, marks, drawing.room)));
        }
    }
    let numbers = pictures.iter().map(|(drawing, frames)| drawing.numbers(frames)).max();
    let numbers = numbers.unwrap_or(1);
    for (drawing, frames) in pictures {
        drawing.draw(out, &frames, *severity, numbers);
    }

    let (indent, width) = (numbers + 4, style.width);
    let mut explained = None;
    let mut remarks = Remarks { out, indent, width };
    if !is_document_shown {
        remarks.add("file", &drawings.path);
    }
    if let Some(help) = help {
        remarks.add("help", help);
    }
    if let Some(note) = note {
        let start = remarks.out.len();
        remarks.add("note", note);
        if let Some(reading) = diagnostic.depends_on.as_ref().filter(|_| diagnostic.is_reading) {
            let mut short = String::new();
            if let Some(note) = diagnostic.short_note() {
                Remarks { out: &mut short, indent, width }.add("note", note);
            }
            let part = start..remarks.out.len();
            explained = Some(Explained {
                rule: rule.id.to_string(),
                reading: reading.clone(),
                part,
                short,
            });
        }
    }
    let unseen = |origin: Origin| elsewhere(origin).filter(|_| !drawings.is_shown(origin));
    if let Some(input) = unseen(diagnostic.origin) {
        remarks.add("note", &format!("this is about {} of {input}", pointer(&diagnostic.field)));
    }
    for related in related {
        if let Some(input) = unseen(related.origin) {
            let place = pointer(&related.field);
            remarks.add("note", &format!("{} ({place} of {input})", related.message));
        }
    }
    let here = related.iter().filter(|related| related.origin == diagnostic.origin);
    let more = here.count().saturating_sub(MOST_RELATED);
    if more > 0 {
        let places = if more == 1 { "place takes" } else { "places take" };
        remarks.add("note", &format!("{more} more {places} part"));
    }
    explained
}

/// `severity[rule]: message`, with the rule in colour and leading to its page.
fn headline(
    out: &mut String,
    style: &RenderOptions,
    rule: &RuleRef,
    severity: Severity,
    message: &str,
) {
    let word = severity.name();
    let lead = format!("{word}[{}]", escape_terminal(&rule.id));
    let shown = format!("{word}[{}]", linked(style, rule));
    remark::headline(out, &lead, &painted(style, tint(severity), &shown), message, style);
}

/// The input that is not the document, in words.
pub(crate) const fn elsewhere(origin: Origin) -> Option<&'static str> {
    match origin {
        Origin::Document => None,
        Origin::Stored => Some("the stored draft"),
        Origin::Facts => Some("the workspace facts"),
        Origin::Text(_) => Some("a text file of the document"),
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
pub(crate) fn painted<'a>(style: &RenderOptions, tint: &str, text: &'a str) -> Cow<'a, str> {
    if style.color { format!("\u{1b}[{tint}m{text}\u{1b}[0m").into() } else { text.into() }
}
