//! The diagnostics of reviewdog, as one document or one per line. Columns are bytes of UTF-8, and ends are exclusive.

use std::io;

use serde_json::{Value, json};
use voxlint::{Safety, Severity};

use crate::annotation::{Annotation, path_of};
use crate::documentation::page_url;
use crate::emitter::{Emitter, Output};
use crate::json_text::{compact, without_empty};
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

impl Emitter for RdjsonEmitter {
    fn add(&mut self, out: &mut Output<'_>, document: LocatedDocument, _: bool) -> io::Result<()> {
        for annotation in Annotation::all(&document) {
            let is_first = !std::mem::replace(&mut self.is_begun, true);
            let gap = if is_first { OPENING } else { "," };
            let diagnostic = compact(&diagnostic(out.run, &document, &annotation, None));
            write!(out, "{gap}\n{diagnostic}")?;
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Output<'_>, _: &RunOutcome<'_>) -> io::Result<()> {
        out.write(if self.is_begun { "" } else { OPENING })?;
        out.write("]}\n")
    }
}

const OPENING: &str = "{\"source\":{\"name\":\"voxlint\"},\"diagnostics\":[";

impl Emitter for RdjsonlEmitter {
    fn add(&mut self, out: &mut Output<'_>, document: LocatedDocument, _: bool) -> io::Result<()> {
        for annotation in Annotation::all(&document) {
            let source = json!({ "name": "voxlint" });
            writeln!(
                out,
                "{}",
                compact(&diagnostic(out.run, &document, &annotation, Some(&source)))
            )?;
        }
        Ok(())
    }
}

/// A finding. Only one in a document of its own has a source.
fn diagnostic(
    run: &RunInfo<'_>,
    document: &LocatedDocument,
    annotation: &Annotation<'_>,
    source: Option<&Value>,
) -> Value {
    let related = annotation.related.iter().filter_map(|related| {
        let (path, ends) = (path_of(document, related)?, related.span.ends()?);
        Some(json!({ "message": related.message, "location": location(run, path, ends) }))
    });
    // A suggestion has no file: it is for that of the finding.
    let file = |fix: &LocatedFix| fix.path.as_ref().unwrap_or(&document.path) == annotation.path;
    let fixes = annotation.fixes.iter().filter(|fix| fix.safety == Safety::Safe && file(fix));
    without_empty(json!({
        "message": annotation.message_and_help(),
        "location": location(run, annotation.path, (annotation.from, annotation.to)),
        "severity": match annotation.severity {
            Severity::Error => "ERROR",
            Severity::Warning => "WARNING",
            Severity::Info => "INFO",
        },
        "source": source,
        "code": without_empty(json!({
            "value": &*annotation.rule.id,
            "url": page_url(run.documentation, annotation.rule),
        })),
        "suggestions": fixes.filter_map(suggestion).collect::<Vec<_>>(),
        "related_locations": related.collect::<Vec<_>>(),
    }))
}

/// A safe fix with one replacement. A suggestion cannot say that it is unsafe, and is applied with a click.
fn suggestion(fix: &LocatedFix) -> Option<Value> {
    match fix.edits.as_slice() {
        [edit] => Some(json!({ "range": range(edit.ends), "text": edit.text })),
        _ => None,
    }
}

fn location(run: &RunInfo<'_>, path: &str, ends: (FilePosition, FilePosition)) -> Value {
    json!({ "path": run.in_repository(path), "range": range(ends) })
}

fn range((from, to): (FilePosition, FilePosition)) -> Value {
    let position = |place: FilePosition| json!({ "line": place.line, "column": place.byte_column });
    json!({ "start": position(from), "end": position(to) })
}
