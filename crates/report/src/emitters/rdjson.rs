//! The diagnostics of reviewdog, as one document or one per line. Columns are bytes of UTF-8, and ends are exclusive.

use std::io::{self, Write as _};

use serde::Serialize;
use voxlint::Severity;

use crate::annotation::{Annotation, path_of};
use crate::documentation::page_url;
use crate::emitter::{Emitter, Output};
use crate::located::{LocatedDocument, LocatedFix};
use crate::run::RunOutcome;
use crate::source_map::FilePosition;

/// One document, written as the findings arrive.
#[derive(Default)]
pub(crate) struct RdjsonEmitter {
    is_begun: bool,
}

/// One document per finding.
#[derive(Default)]
pub(crate) struct RdjsonlEmitter;

#[derive(Serialize)]
struct RdjsonDiagnostic<'a> {
    message: &'a str,
    location: RdjsonLocation,
    severity: &'static str,
    /// Only for a diagnostic in a document of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<RdjsonSource>,
    code: RdjsonCode<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suggestions: Vec<RdjsonSuggestion<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<RdjsonRelated<'a>>,
}

#[derive(Serialize)]
struct RdjsonSource {
    name: &'static str,
}

const SOURCE: RdjsonSource = RdjsonSource { name: "voxlint" };

#[derive(Serialize)]
struct RdjsonCode<'a> {
    value: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

#[derive(Serialize)]
struct RdjsonLocation {
    path: String,
    range: RdjsonRange,
}

#[derive(Clone, Copy, Serialize)]
struct RdjsonRange {
    start: RdjsonPosition,
    end: RdjsonPosition,
}

#[derive(Clone, Copy, Serialize)]
struct RdjsonPosition {
    line: u64,
    column: u32,
}

#[derive(Serialize)]
struct RdjsonSuggestion<'a> {
    range: RdjsonRange,
    text: &'a str,
}

#[derive(Serialize)]
struct RdjsonRelated<'a> {
    message: &'a str,
    location: RdjsonLocation,
}

impl Emitter for RdjsonEmitter {
    fn document(&mut self, out: &mut Output<'_>, document: LocatedDocument) -> io::Result<()> {
        Annotation::all(&document).try_for_each(|annotation| {
            self.begin(out)?;
            write(out, &document, &annotation, None)
        })
    }

    fn finish(&mut self, out: &mut Output<'_>, _: &RunOutcome<'_>) -> io::Result<()> {
        if !self.is_begun {
            out.write_all(OPENING)?;
        }
        out.write_all(b"]}\n")
    }
}

const OPENING: &[u8] = b"{\"source\":{\"name\":\"voxlint\"},\"diagnostics\":[";

impl RdjsonEmitter {
    fn begin(&mut self, out: &mut Output<'_>) -> io::Result<()> {
        out.write_all(if self.is_begun { b"," } else { OPENING })?;
        self.is_begun = true;
        out.write_all(b"\n")
    }
}

impl Emitter for RdjsonlEmitter {
    fn document(&mut self, out: &mut Output<'_>, document: LocatedDocument) -> io::Result<()> {
        Annotation::all(&document).try_for_each(|annotation| {
            write(out, &document, &annotation, Some(SOURCE))?;
            out.write_all(b"\n")
        })
    }
}

fn write(
    out: &mut Output<'_>,
    document: &LocatedDocument,
    annotation: &Annotation<'_>,
    source: Option<RdjsonSource>,
) -> io::Result<()> {
    let run = out.run;
    let related = annotation.related.iter().filter_map(|related| {
        let (path, ends) = (path_of(document, related)?, related.span.ends()?);
        let location = RdjsonLocation { path: run.in_repository(path), range: range(ends) };
        Some(RdjsonRelated { message: &related.message, location })
    });
    // Fixes change the document.
    let fixes = annotation.fixes.iter().filter(|_| annotation.path == document.path);
    let diagnostic = RdjsonDiagnostic {
        message: &annotation.message_and_help(),
        location: RdjsonLocation {
            path: run.in_repository(annotation.path),
            range: range((annotation.from, annotation.to)),
        },
        severity: match annotation.severity {
            Severity::Error => "ERROR",
            Severity::Warning => "WARNING",
            Severity::Info => "INFO",
        },
        source,
        code: RdjsonCode {
            value: &annotation.rule.id,
            url: page_url(run.documentation, annotation.rule),
        },
        suggestions: fixes.filter_map(suggestion).collect(),
        related_locations: related.collect(),
    };
    Ok(serde_json::to_writer(&mut *out, &diagnostic)?)
}

/// A fix with one replacement. Suggestions are reviewed before they are applied, so unsafe fixes are included.
fn suggestion(fix: &LocatedFix) -> Option<RdjsonSuggestion<'_>> {
    match fix.edits.as_slice() {
        [edit] => Some(RdjsonSuggestion { range: range(edit.ends), text: &edit.text }),
        _ => None,
    }
}

fn range((from, to): (FilePosition, FilePosition)) -> RdjsonRange {
    let position =
        |place: FilePosition| RdjsonPosition { line: place.line, column: place.byte_column };
    RdjsonRange { start: position(from), end: position(to) }
}
