//! The findings of each file in a table under its path.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io;

use unicode_width::UnicodeWidthStr as _;
use voxlint::{RuleRef, Severity};

use crate::annotation::Annotation;
use crate::emitter::{Emitter, Output};
use crate::escape::escape_terminal;
use crate::located::{LocatedDocument, LocatedFinding};
use crate::options::severity_color;
use crate::source_map::FilePosition;

use super::concise::fixable_mark;

/// A longer message does not move the rule names of other rows.
const MAX_WIDTH: usize = 80;

#[derive(Default)]
pub(crate) struct GroupedEmitter {
    is_begun: bool,
    /// Whether the path of the current file has been written.
    has_heading: bool,
}

struct GroupedRow<'a> {
    position: FilePosition,
    severity: Option<Severity>,
    message: Cow<'a, str>,
    rule: &'a RuleRef,
}

impl GroupedRow<'_> {
    fn place(&self) -> String {
        format!("{}:{}", self.position.line, self.position.column)
    }

    const fn word(&self) -> &'static str {
        match self.severity {
            Some(severity) => severity.name(),
            None => "undecided",
        }
    }
}

impl Emitter for GroupedEmitter {
    fn add(
        &mut self,
        out: &mut Output<'_>,
        document: LocatedDocument,
        is_further: bool,
    ) -> io::Result<()> {
        self.has_heading &= is_further;
        let table = table(&document);
        if table.is_empty() {
            return Ok(());
        }
        if !self.has_heading {
            if self.is_begun {
                out.write("\n")?;
            }
            writeln!(out, "{}", document.options.paint("4", &escape_terminal(&document.path)))?;
        }
        (self.is_begun, self.has_heading) = (true, true);
        out.write(&table)
    }
}

fn table(document: &LocatedDocument) -> String {
    let rows = rows(document);
    let widest = |of: fn(&GroupedRow<'_>) -> usize| rows.iter().map(of).max().unwrap_or(0);
    let place_width = widest(|row| row.place().len());
    let word_width = widest(|row| row.word().len());
    let message_width = widest(|row| row.message.width()).min(MAX_WIDTH);
    let mut table = String::new();
    for row in &rows {
        let word = row.word();
        let painted = match row.severity {
            Some(severity) => document.options.paint(severity_color(severity), word),
            None => word.into(),
        };
        let padding = |width: usize, taken: usize| " ".repeat(width.saturating_sub(taken));
        // Writing to a string cannot fail.
        let _ = writeln!(
            table,
            "  {:>place_width$}  {painted}{}  {}{}  {}",
            row.place(),
            padding(word_width, word.len()),
            row.message,
            padding(message_width, row.message.width()),
            document.options.rule_link(row.rule),
        );
    }
    table
}

fn rows(document: &LocatedDocument) -> Vec<GroupedRow<'_>> {
    let findings = document.diagnostics.iter().map(|finding| {
        let (position, message) = sentence(document, finding);
        GroupedRow {
            position,
            severity: Some(finding.severity),
            message: message.into(),
            rule: &finding.rule,
        }
    });
    let undecided = document.undecided.iter().map(|undecided| GroupedRow {
        position: document.start(),
        severity: None,
        message: escape_terminal(&undecided.why),
        rule: &undecided.rule,
    });
    findings.chain(undecided).collect()
}

/// The position of a finding in the document, whose path is above the table, and its message. A position in another file is part
/// of the message.
fn sentence(document: &LocatedDocument, finding: &LocatedFinding) -> (FilePosition, String) {
    let Annotation { path, from, message, .. } = Annotation::of_finding(document, finding);
    let mark = fixable_mark(finding);
    if path == document.path {
        return (from, format!("{}{mark}", escape_terminal(&message)));
    }
    let (path, message) = (escape_terminal(path), escape_terminal(&finding.message));
    let place = format!("{path}:{}:{}", from.line, from.column);
    (document.start(), format!("{message} (in {place}){mark}"))
}
