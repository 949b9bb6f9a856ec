//! The diagnostics of reviewdog, as one document or one per line. Columns are bytes of UTF-8, and ends are exclusive.

use std::io::{self, Write as _};

use serde::Serialize;
use voxlint::{Safety, Severity};

use crate::annotation::{Annotation, path_of};
use crate::documentation::page_url;
use crate::emitter::{Emitter, Output};
use crate::json_text::write_compact;
use crate::located::{LocatedDocument, LocatedFix};
use crate::run::{RunInfo, RunOutcome};
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
    fn add(&mut self, out: &mut Output<'_>, document: LocatedDocument, _: bool) -> io::Result<()> {
        let mut page = Vec::new();
        for annotation in Annotation::all(&document) {
            let is_first = !std::mem::replace(&mut self.is_begun, true);
            page.extend(if is_first { OPENING } else { b"," });
            page.push(b'\n');
            write(&mut page, out.run, &document, &annotation, None);
        }
        out.write_escaped(&page)
    }

    fn finish(&mut self, out: &mut Output<'_>, _: &RunOutcome<'_>) -> io::Result<()> {
        if !self.is_begun {
            out.write_all(OPENING)?;
        }
        out.write_all(b"]}\n")
    }
}

const OPENING: &[u8] = b"{\"source\":{\"name\":\"voxlint\"},\"diagnostics\":[";

impl Emitter for RdjsonlEmitter {
    fn add(&mut self, out: &mut Output<'_>, document: LocatedDocument, _: bool) -> io::Result<()> {
        let mut page = Vec::new();
        for annotation in Annotation::all(&document) {
            write(&mut page, out.run, &document, &annotation, Some(SOURCE));
            page.push(b'\n');
        }
        out.write_escaped(&page)
    }
}

fn write(
    out: &mut Vec<u8>,
    run: &RunInfo<'_>,
    document: &LocatedDocument,
    annotation: &Annotation<'_>,
    source: Option<RdjsonSource>,
) {
    let related = annotation.related.iter().filter_map(|related| {
        let (path, ends) = (path_of(document, related)?, related.span.ends()?);
        let location = RdjsonLocation { path: run.in_repository(path), range: range(ends) };
        Some(RdjsonRelated { message: &related.message, location })
    });
    // A suggestion has no file: it is for that of the finding.
    let file = |fix: &LocatedFix| fix.path.as_ref().unwrap_or(&document.path) == annotation.path;
    let fixes = annotation.fixes.iter().filter(|fix| fix.safety == Safety::Safe && file(fix));
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
    write_compact(out, &diagnostic);
}

/// A safe fix with one replacement. A suggestion cannot say that it is unsafe, and is applied with a click.
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
