//! What happened to one rule in each document: for people, and as JSON for other tools.

use std::collections::BTreeMap;
use std::io;

use serde::Serialize;
use voxlint::{Gate, Origin, Step, Trace};
use voxlint_syntax::Span;

use crate::document::CheckedDocument;
use crate::escape::escape_terminal;
use crate::json_text::write_document;
use crate::located::{LocatedSpan, located_span, origin_name};
use crate::options::RenderOptions;
use crate::run::{FailedFile, SkippedFile};
use crate::source_map::SourceMap;
use crate::tool::{SCHEMA_VERSION, TOOL, Tool};

/// What happened to a rule in one document, with lines and columns. It does not need the document's text.
#[derive(Debug, Serialize)]
pub struct LocatedTrace {
    path: String,
    kind: &'static str,
    /// The number of the document in its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<u64>,
    steps: Vec<StepEntry>,
    /// The line on which the document begins, if its file has several.
    #[serde(skip)]
    line: Option<u64>,
}

#[derive(Debug, Serialize)]
struct StepEntry {
    event: &'static str,
    sentence: String,
    #[serde(flatten)]
    place: Option<StepPlace>,
}

#[derive(Debug, Serialize)]
struct StepPlace {
    #[serde(rename = "in", serialize_with = "origin_name")]
    origin: Origin,
    path: String,
    span: LocatedSpan,
}

/// The lines of some files that are asked about.
pub type Lines = BTreeMap<String, Vec<u64>>;

impl LocatedTrace {
    /// Finds the lines and columns. Of a file in `lines`, only what is about these lines is kept. `extent` is where the document is in
    /// its text; `None` if it has none of the lines.
    pub fn new(
        checked: &CheckedDocument<'_>,
        trace: &Trace,
        extent: Span,
        lines: &Lines,
    ) -> Option<Self> {
        let sources = SourceMap::of_all(checked);
        let is_asked = sources.files().any(|file| lines.contains_key(file.path));
        let has_one = |path: &str, span: &LocatedSpan| {
            let mut asked = lines.get(path).into_iter().flatten();
            let is_in = |line: &u64| {
                span.ends().is_some_and(|(from, to)| (from.line..=to.line).contains(line))
            };
            asked.any(is_in)
        };
        let all = located_span(&sources, Origin::Document, extent);
        if checked.position.is_some()
            && lines.contains_key(checked.path)
            && !has_one(checked.path, &all)
        {
            return None;
        }
        let place = |(origin, span)| StepPlace {
            origin,
            path: sources.get(origin).map_or(checked.path, |file| file.path).to_owned(),
            span: located_span(&sources, origin, span),
        };
        let entry = |step: &Step| StepEntry {
            event: step.gate.name(),
            sentence: step.to_string(),
            place: step.place.map(place),
        };
        let is_about = |place: &StepPlace| !is_asked || has_one(&place.path, &place.span);
        let steps = trace.steps().iter().map(entry);
        let mut steps: Vec<StepEntry> =
            steps.filter(|step| step.place.as_ref().is_none_or(is_about)).collect();
        if steps.is_empty() {
            let mut nothing = trace.clone();
            nothing.end(Gate::Holds, &"");
            steps.extend(nothing.steps().iter().map(entry));
        }
        Some(Self {
            path: checked.path.to_owned(),
            kind: checked.report.kind.name(),
            record: checked.position.map(|position| position.index),
            steps,
            line: checked.position.map(|position| position.line),
        })
    }
}

#[derive(Serialize)]
struct WhyOutput<'a> {
    schema: u32,
    tool: Tool,
    rule: &'a str,
    files: &'a [LocatedTrace],
    skipped: &'a [SkippedFile],
    failures: &'a [FailedFile],
}

/// Writes what happened to a rule as one JSON document.
///
/// # Errors
///
/// Any error of `out`.
pub fn write_why_json(
    out: &mut dyn io::Write,
    rule: &str,
    files: &[LocatedTrace],
    skipped: &[SkippedFile],
    failures: &[FailedFile],
) -> io::Result<()> {
    let output = WhyOutput { schema: SCHEMA_VERSION, tool: TOOL, rule, files, skipped, failures };
    write_document(out, &output)
}

/// What happened to a rule in the documents, and which files are skipped.
pub fn render_why(
    options: &RenderOptions,
    files: &[LocatedTrace],
    skipped: &[SkippedFile],
) -> String {
    let mut out = String::new();
    let mut block = |path: &str, lines: &mut dyn Iterator<Item = String>| {
        out.push_str(&options.paint("1", &escape_terminal(path)));
        out.extend(lines.map(|line| format!("\n  {}", escape_terminal(&line))));
        out.push('\n');
    };
    let is_named = |path: &str| files.iter().any(|file| file.path == path);
    for SkippedFile { path, why } in skipped.iter().filter(|it| !is_named(&it.path)) {
        block(path, &mut [format!("skipped: {why}")].into_iter());
    }
    for file in files {
        let skipped = skipped.iter().filter(|it| it.path == file.path);
        let skipped = skipped.map(|it| format!("skipped unless it is named: {}", it.why));
        let line = file.line.map_or_else(String::new, |line| format!(":{line}"));
        let steps = file.steps.iter().map(|step| match &step.place {
            Some(StepPlace { path, span, .. }) => {
                let other = if *path == file.path { String::new() } else { format!("{path}:") };
                let at = span.from.map(|at| format!("{}:{}", at.line, at.column));
                format!("{other}{}: {}", at.unwrap_or_default(), step.sentence)
            }
            None => step.sentence.clone(),
        });
        block(&format!("{}{line}", file.path), &mut skipped.chain(steps));
    }
    out
}
