//! The diagnostics of reviewdog, in one document or one a line. Columns are bytes of UTF-8, and ends are exclusive.

use std::io;

use serde::Serialize;
use voxlint::Severity;

use crate::RunInfo;
use crate::annotation::{Annotation, path_of};
use crate::located::{Change, Document};
use crate::places::Place;
use crate::run::{Ending, page_of};
use crate::writer::Sink;

/// One document, written as the findings come.
#[derive(Default)]
pub(crate) struct Rdjson {
    is_begun: bool,
}

/// One document a finding.
pub(crate) struct Rdjsonl;

#[derive(Serialize)]
struct Diagnostic<'a> {
    message: &'a str,
    location: Location,
    severity: &'static str,
    /// In a document of its own, a diagnostic says what found it.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Source>,
    code: Code<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suggestions: Vec<Suggestion<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<RelatedLocation<'a>>,
}

#[derive(Serialize)]
struct Source {
    name: &'static str,
}

const SOURCE: Source = Source { name: "voxlint" };

#[derive(Serialize)]
struct Code<'a> {
    value: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

#[derive(Serialize)]
struct Location {
    path: String,
    range: Range,
}

#[derive(Clone, Copy, Serialize)]
struct Range {
    start: Position,
    end: Position,
}

#[derive(Clone, Copy, Serialize)]
struct Position {
    line: u64,
    column: u32,
}

#[derive(Serialize)]
struct Suggestion<'a> {
    range: Range,
    text: &'a str,
}

#[derive(Serialize)]
struct RelatedLocation<'a> {
    message: &'a str,
    location: Location,
}

impl Sink for Rdjson {
    fn take(
        &mut self,
        out: &mut dyn io::Write,
        run: &RunInfo<'_>,
        document: Document,
        _: bool,
    ) -> io::Result<()> {
        Annotation::all(&document).try_for_each(|annotation| {
            self.begin(out)?;
            write(out, run, &document, &annotation, None)
        })
    }

    fn finish(
        &mut self,
        out: &mut dyn io::Write,
        _: &RunInfo<'_>,
        _: &Ending<'_>,
    ) -> io::Result<()> {
        if !self.is_begun {
            out.write_all(HEAD)?;
        }
        out.write_all(b"]}\n")
    }
}

const HEAD: &[u8] = b"{\"source\":{\"name\":\"voxlint\"},\"diagnostics\":[";

impl Rdjson {
    fn begin(&mut self, out: &mut dyn io::Write) -> io::Result<()> {
        out.write_all(if self.is_begun { b"," } else { HEAD })?;
        self.is_begun = true;
        out.write_all(b"\n")
    }
}

impl Sink for Rdjsonl {
    fn take(
        &mut self,
        out: &mut dyn io::Write,
        run: &RunInfo<'_>,
        document: Document,
        _: bool,
    ) -> io::Result<()> {
        Annotation::all(&document).try_for_each(|annotation| {
            write(out, run, &document, &annotation, Some(SOURCE))?;
            out.write_all(b"\n")
        })
    }

    fn finish(&mut self, _: &mut dyn io::Write, _: &RunInfo<'_>, _: &Ending<'_>) -> io::Result<()> {
        Ok(())
    }
}

fn write(
    out: &mut dyn io::Write,
    run: &RunInfo<'_>,
    document: &Document,
    annotation: &Annotation<'_>,
    source: Option<Source>,
) -> io::Result<()> {
    let related = annotation.related.iter().filter_map(|other| {
        let (path, ends) = (path_of(document, other)?, other.span.places()?);
        let location = Location { path: run.in_repository(path), range: range(ends) };
        Some(RelatedLocation { message: &other.message, location })
    });
    // Fixes change the document.
    let fixes = annotation.fixes.iter().filter(|_| annotation.path == document.path);
    let diagnostic = Diagnostic {
        message: &annotation.advice(),
        location: Location {
            path: run.in_repository(annotation.path),
            range: range((annotation.from, annotation.to)),
        },
        severity: match annotation.severity {
            Severity::Error => "ERROR",
            Severity::Warning => "WARNING",
            Severity::Info => "INFO",
        },
        source,
        code: Code { value: &annotation.rule.id, url: page_of(run.documentation, annotation.rule) },
        suggestions: fixes.filter_map(suggestion).collect(),
        related_locations: related.collect(),
    };
    Ok(serde_json::to_writer(&mut *out, &diagnostic)?)
}

/// A fix that can be told in one replacement. Somebody looks at a suggestion before it is taken, so unsafe ones are told, too.
fn suggestion(fix: &Change) -> Option<Suggestion<'_>> {
    match fix.edits.as_slice() {
        [edit] => Some(Suggestion { range: range(edit.places), text: &edit.text }),
        _ => None,
    }
}

fn range((from, to): (Place, Place)) -> Range {
    let position = |place: Place| Position { line: place.line, column: place.byte_column };
    Range { start: position(from), end: position(to) }
}
