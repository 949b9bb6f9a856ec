//! What a difference says: to people in lines, to other tools in JSON.

use std::io;

use serde::Serialize;
use serde_json::value::RawValue;
use voxlint::{CannotUnset, Difference, FieldChange, Severity};

use crate::escape::escape_terminal;
use crate::full::{painted, tint};
use crate::guard::Guard;
use crate::json::{SCHEMA, TOOL, Tool};
use crate::located::{self, Finding, Open};
use crate::{CheckedDocument, RenderOptions};

/// Writes one line a change, the dangerous ones first and marked: `! publishes version 3`.
///
/// # Errors
///
/// Whatever `out` answers.
pub fn write_changes(
    out: &mut dyn io::Write,
    difference: &Difference,
    style: &RenderOptions,
) -> io::Result<()> {
    for change in &difference.changes {
        let line = escape_terminal(&change.sentence);
        if change.kind.is_dangerous() {
            writeln!(out, "{} {line}", painted(style, tint(Severity::Error), "!"))?;
        } else {
            writeln!(out, "  {line}")?;
        }
    }
    Ok(())
}

/// What is to be said beside the update, one line each: what no update can unset, then the remarks.
pub fn difference_notes(difference: &Difference) -> impl Iterator<Item = String> {
    let stays = difference.cannot_unset.iter().map(|stay| &stay.sentence);
    stays.chain(&difference.remarks).map(|line| escape_terminal(line).into_owned())
}

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    tool: Tool,
    /// The body of the update, digit for digit; null where nothing is to be sent.
    update: Option<Box<RawValue>>,
    /// Whether the service would refuse the update.
    refused: bool,
    changes: Vec<ChangeEntry<'a>>,
    stays: Vec<StayEntry<'a>>,
    remarks: &'a [String],
    /// What the check of the update says. Spans are those of the update as it is printed by itself.
    diagnostics: Vec<Finding>,
    undecided: Vec<Open>,
}

#[derive(Serialize)]
struct ChangeEntry<'a> {
    field: &'a str,
    kind: &'static str,
    dangerous: bool,
    old: Option<&'a str>,
    new: Option<&'a str>,
    message: &'a str,
}

#[derive(Serialize)]
struct StayEntry<'a> {
    field: &'a str,
    value: &'a str,
    message: &'a str,
}

/// Writes a difference as one JSON document. `checked` is the update with its report, where there is one.
///
/// # Errors
///
/// Whatever `out` answers.
pub fn write_difference_json(
    out: &mut dyn io::Write,
    difference: &Difference,
    checked: Option<&CheckedDocument<'_>>,
) -> io::Result<()> {
    let (diagnostics, undecided) =
        match checked.map(|checked| located::document(&RenderOptions::default(), checked)) {
            Some(file) => (file.diagnostics, file.undecided),
            None => (Vec::new(), Vec::new()),
        };
    // No string of JSON holds a line break, so this only indents.
    let indented = difference.update.as_ref().map(|update| update.replace('\n', "\n  "));
    let document = Document {
        schema: SCHEMA,
        tool: TOOL,
        update: indented.map(RawValue::from_string).transpose()?,
        refused: difference.is_rejected(),
        changes: difference.changes.iter().map(change_entry).collect(),
        stays: difference.cannot_unset.iter().map(stay_entry).collect(),
        remarks: &difference.remarks,
        diagnostics,
        undecided,
    };
    serde_json::to_writer_pretty(Guard::json(out), &document)?;
    out.write_all(b"\n")
}

fn change_entry(change: &FieldChange) -> ChangeEntry<'_> {
    ChangeEntry {
        field: &change.field,
        kind: change.kind.name(),
        dangerous: change.kind.is_dangerous(),
        old: change.old.as_deref(),
        new: change.new.as_deref(),
        message: &change.sentence,
    }
}

fn stay_entry(stay: &CannotUnset) -> StayEntry<'_> {
    StayEntry { field: &stay.field, value: &stay.value, message: &stay.sentence }
}
