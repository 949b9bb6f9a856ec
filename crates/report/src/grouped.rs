//! The findings of each file in a table under its path.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr as _;
use voxlint::{Origin, RuleRef, Severity};

use crate::escape::escape_terminal;
use crate::full::{painted, tint};
use crate::run::linked;
use crate::sentence::sentence;
use crate::writer::Text;
use crate::{CheckedDocument, RenderOptions};

/// Wider messages do not move the names of the rules.
const WIDEST: usize = 80;

struct Row<'a> {
    place: String,
    severity: Option<Severity>,
    message: String,
    rule: &'a RuleRef,
}

impl Row<'_> {
    const fn word(&self) -> &'static str {
        match self.severity {
            Some(severity) => severity.name(),
            None => "undecided",
        }
    }
}

pub(crate) fn render(style: &RenderOptions, checked: &CheckedDocument<'_>) -> Text {
    let rows = rows(style, checked);
    let widest = |of: fn(&Row<'_>) -> usize| rows.iter().map(of).max().unwrap_or(0);
    let place_width = widest(|row| row.place.len());
    let word_width = widest(|row| row.word().len());
    let message_width = widest(|row| row.message.width()).min(WIDEST);
    let mut body = String::new();
    for row in &rows {
        let word = row.word();
        let shown = match row.severity {
            Some(severity) => painted(style, tint(severity), word),
            None => word.into(),
        };
        let blanks = |width: usize, taken: usize| " ".repeat(width.saturating_sub(taken));
        // Writing to a string cannot fail.
        let _ = writeln!(
            body,
            "  {:>place_width$}  {shown}{}  {}{}  {}",
            row.place,
            blanks(word_width, word.len()),
            row.message,
            blanks(message_width, row.message.width()),
            linked(style, row.rule),
        );
    }
    let path = escape_terminal(checked.path);
    Text { heading: format!("{}\n", painted(style, "4", &path)), body, explained: Vec::new() }
}

fn rows<'a>(style: &RenderOptions, checked: &CheckedDocument<'a>) -> Vec<Row<'a>> {
    let report = checked.report;
    let mut rows = Vec::new();
    if !report.diagnostics.is_empty() {
        let places = checked.places(Origin::Document, checked.text);
        rows.extend(report.diagnostics.iter().map(|diagnostic| {
            let (place, message) = sentence(checked, &places, diagnostic);
            Row {
                place: format!("{}:{}", place.line, place.column),
                severity: Some(diagnostic.severity),
                message,
                rule: &diagnostic.rule,
            }
        }));
    }
    if style.undecided {
        let line = checked.record.map_or(1, |record| record.line);
        rows.extend(report.undecided.iter().map(|undecided| Row {
            place: format!("{line}:1"),
            severity: None,
            message: escape_terminal(&undecided.why).into_owned(),
            rule: &undecided.rule,
        }));
    }
    rows
}
