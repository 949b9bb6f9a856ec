//! Differences between two states of an agent: as lines for people, as JSON for other tools.

use std::io;

use serde::Serialize;
use serde_json::value::RawValue;
use voxlint::{CannotUnset, Difference, FieldChange, Severity};

use crate::document::CheckedDocument;
use crate::escape::escape_terminal;
use crate::json_text::write_document;
use crate::located::{LocatedFinding, ReportSections, UndecidedRule, locate};
use crate::options::{RenderOptions, severity_color};
use crate::plan::push_words;
use crate::tool::{SCHEMA_VERSION, TOOL, Tool};

/// Writes the changes, the dangerous ones first and marked: `! publishes version 3`. The words of a text that is too long for one
/// line follow it.
///
/// # Errors
///
/// Any error of `out`.
pub fn write_changes(
    out: &mut dyn io::Write,
    difference: &Difference,
    options: &RenderOptions,
) -> io::Result<()> {
    for change in &difference.changes {
        let line = escape_terminal(&change.sentence);
        if change.kind.is_dangerous() {
            writeln!(out, "{} {line}", options.paint(severity_color(Severity::Error), "!"))?;
        } else {
            writeln!(out, "  {line}")?;
        }
        if let Some(texts) = &change.texts {
            let mut words = String::new();
            push_words(&mut words, texts, options);
            out.write_all(words.as_bytes())?;
        }
    }
    Ok(())
}

/// The notes about an update, one line each: first the settings that no update can unset.
pub fn difference_notes(difference: &Difference) -> impl Iterator<Item = String> {
    let cannot_unset = difference.cannot_unset.iter().map(|value| &value.sentence);
    cannot_unset.chain(&difference.notes).map(|line| escape_terminal(line).into_owned())
}

#[derive(Serialize)]
struct DifferenceOutput<'a> {
    schema: u32,
    tool: Tool,
    /// The body of the update with every digit as written; null if there is nothing to send.
    update: Option<Box<RawValue>>,
    /// Whether the service would reject the update.
    rejected: bool,
    changes: &'a [FieldChange],
    cannot_unset: &'a [CannotUnset],
    notes: &'a [String],
    /// The findings of the update. Their spans refer to the update printed alone.
    diagnostics: Vec<LocatedFinding>,
    undecided: Vec<UndecidedRule>,
}

/// Writes a difference as one JSON document. `checked` is the update with its report, if there is an update.
///
/// # Errors
///
/// Any error of `out`.
pub fn write_difference_json(
    out: &mut dyn io::Write,
    difference: &Difference,
    checked: Option<&CheckedDocument<'_>>,
) -> io::Result<()> {
    let (diagnostics, undecided) =
        match checked.map(|it| locate(it, &RenderOptions::default(), ReportSections::JSON)) {
            Some(file) => (file.diagnostics, file.undecided),
            None => (Vec::new(), Vec::new()),
        };
    // Strings of JSON contain no line breaks, so this only indents.
    let indented = difference.update.as_ref().map(|update| update.replace('\n', "\n  "));
    let output = DifferenceOutput {
        schema: SCHEMA_VERSION,
        tool: TOOL,
        update: indented.map(RawValue::from_string).transpose()?,
        rejected: difference.is_rejected(),
        changes: &difference.changes,
        cannot_unset: &difference.cannot_unset,
        notes: &difference.notes,
        diagnostics,
        undecided,
    };
    write_document(out, &output)
}
