//! SARIF 2.1.0, one result a line.

mod model;
mod rule;

use std::borrow::Cow;
use std::io;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use voxlint::{Safety, Severity, SuppressedBy};

use crate::annotation::{Annotation, beginning, path_of};
use crate::fingerprint::Fingerprints;
use crate::full::elsewhere;
use crate::json::TOOL;
use crate::located::{Change, Document, Finding, Other};
use crate::opens::Opens;
use crate::places::Place;
use crate::run::Ending;
use crate::writer::Sink;
use crate::{FailedFile, RunInfo};

use model::{
    ArtifactChange, ArtifactLocation, Fix, Invocation, Location, LogicalLocation, Notification,
    PartialFingerprints, PhysicalLocation, Properties, Region, Replacement, ReportingResult, Text,
};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// What of a URI needs no escape within the names of a path.
const PLAIN: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// A log of one run.
#[derive(Default)]
pub(crate) struct Sarif {
    fingerprints: Fingerprints,
    is_begun: bool,
    has_results: bool,
    /// What is undecided in the file under way.
    opens: Opens,
    path: String,
}

impl Sink for Sarif {
    fn take(
        &mut self,
        out: &mut dyn io::Write,
        run: &RunInfo<'_>,
        document: Document,
        is_further: bool,
    ) -> io::Result<()> {
        if !is_further {
            self.close_file(out, run)?;
        }
        if document.lists_undecided {
            self.opens.add(&document);
        }
        for finding in &document.diagnostics {
            let result = self.result(run, &document, finding, Vec::new());
            self.write(out, run, &result)?;
        }
        for (finding, by) in document.hidden.iter().filter(|_| document.lists_hidden) {
            let result = self.result(run, &document, finding, vec![suppression(by)]);
            self.write(out, run, &result)?;
        }
        self.path = document.path;
        Ok(())
    }

    fn finish(
        &mut self,
        out: &mut dyn io::Write,
        run: &RunInfo<'_>,
        ending: &Ending<'_>,
    ) -> io::Result<()> {
        self.close_file(out, run)?;
        self.begin(out, run)?;
        let gap = if self.has_results { "\n      " } else { "" };
        let invocation = Invocation {
            execution_successful: ending.failures.is_empty(),
            tool_execution_notifications: ending
                .failures
                .iter()
                .map(|failure| notification(run, failure))
                .collect(),
        };
        let invocations = serde_json::to_string(&[invocation])?;
        write!(out, "{gap}],\n      \"invocations\": {invocations}\n    }}\n  ]\n}}\n")
    }
}

impl Sarif {
    /// Writes everything that stands before the results.
    fn begin(&mut self, out: &mut dyn io::Write, run: &RunInfo<'_>) -> io::Result<()> {
        if self.is_begun {
            return Ok(());
        }
        self.is_begun = true;
        let driver = serde_json::to_string(&rule::driver(run))?;
        // A run of another part of the repository does not replace this one.
        let part = match run.repository.map(|repository| repository.prefix.trim_matches('/')) {
            Some(prefix) if !prefix.is_empty() && !prefix.starts_with("..") => format!("{prefix}/"),
            _ => String::new(),
        };
        let id = serde_json::to_string(&format!("{}/{part}", TOOL.name))?;
        write!(
            out,
            "{{\n  \"version\": \"2.1.0\",\n  \"$schema\": \"{SCHEMA}\",\n  \"runs\": [\n    {{\n      \
             \"tool\": {{ \"driver\": {driver} }},\n      \
             \"automationDetails\": {{ \"id\": {id} }},\n      \
             \"columnKind\": \"unicodeCodePoints\",\n      \
             \"originalUriBaseIds\": {{ \"{ROOT}\": {{ \"description\": {{ \"text\": \"the root of the repository\" }} }} }},\n      \
             \"results\": ["
        )
    }

    fn write(
        &mut self,
        out: &mut dyn io::Write,
        run: &RunInfo<'_>,
        result: &impl Serialize,
    ) -> io::Result<()> {
        self.begin(out, run)?;
        out.write_all(if self.has_results { b",\n        " } else { b"\n        " })?;
        self.has_results = true;
        Ok(serde_json::to_writer(&mut *out, result)?)
    }

    /// Writes what is undecided in the file that is done.
    fn close_file(&mut self, out: &mut dyn io::Write, run: &RunInfo<'_>) -> io::Result<()> {
        let opens = std::mem::take(&mut self.opens);
        let path = std::mem::take(&mut self.path);
        for (open, times) in opens.iter() {
            let line = Place { line: times.line, column: 1, byte_column: 1 };
            let uri = run.relative(&path);
            let result = ReportingResult {
                rule_id: &open.rule.id,
                rule_index: rule::index(run, &open.rule),
                kind: "open",
                level: "none",
                message: Text::message(&format!("undecided: {}", open.why)),
                locations: [Location {
                    physical_location: Some(physical(&uri, Some((line, line)))),
                    ..Location::default()
                }],
                related_locations: Vec::new(),
                partial_fingerprints: self.fingerprint(&open.rule.id, &uri, "undecided"),
                fixes: Vec::new(),
                suppressions: Vec::new(),
                occurrence_count: (times.count > 1).then_some(times.count),
                properties: Properties { missing: &open.missing, ..Properties::default() },
            };
            self.write(out, run, &result)?;
        }
        Ok(())
    }

    fn fingerprint(&mut self, rule: &str, path: &str, field: &str) -> PartialFingerprints {
        PartialFingerprints { pointer: self.fingerprints.next(rule, path, field) }
    }

    fn result<'a>(
        &mut self,
        run: &RunInfo<'_>,
        document: &'a Document,
        finding: &'a Finding,
        suppressions: Vec<model::Suppression<'a>>,
    ) -> ReportingResult<'a> {
        let annotation = Annotation::of(document, finding);
        let path = run.relative(annotation.path);
        let is_beside = annotation.path != document.path;
        let about = is_beside.then(|| Location {
            physical_location: Some(physical(
                &run.relative(&document.path),
                Some(beginning(document)),
            )),
            message: Some(Text::message("the document that was checked")),
            ..Location::default()
        });
        let related = finding.related.iter().map(|other| related(run, document, other));
        let fixes = finding.fixes.iter().filter(|fix| fix.safety == Safety::Safe);
        ReportingResult {
            rule_id: &finding.rule.id,
            rule_index: rule::index(run, &finding.rule),
            kind: "fail",
            level: level(annotation.severity),
            message: Text::message(&annotation.advice()),
            locations: [Location {
                physical_location: Some(physical(&path, Some((annotation.from, annotation.to)))),
                logical_locations: logical(&finding.field),
                message: None,
            }],
            related_locations: about.into_iter().chain(related).collect(),
            partial_fingerprints: self.fingerprint(&finding.rule.id, &path, &finding.field),
            fixes: fixes.map(|change| fix(&run.relative(&document.path), change)).collect(),
            suppressions,
            occurrence_count: None,
            properties: Properties {
                verdict: Some(finding.verdict),
                status: finding.status,
                note: finding.note.as_deref(),
                record: document.record.map(|record| record.index),
                missing: &[],
            },
        }
    }
}

/// The name of the folder that paths are relative to.
const ROOT: &str = "%SRCROOT%";

pub(crate) const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn physical(path: &str, ends: Option<(Place, Place)>) -> PhysicalLocation {
    PhysicalLocation { artifact_location: artifact(path), region: ends.map(region) }
}

fn artifact(path: &str) -> ArtifactLocation {
    ArtifactLocation { uri: utf8_percent_encode(path, PLAIN).to_string(), uri_base_id: ROOT }
}

const fn region((from, to): (Place, Place)) -> Region {
    Region {
        start_line: from.line,
        start_column: from.column,
        end_line: to.line,
        end_column: to.column,
    }
}

/// The pointer of a finding. That of the whole document says nothing that the file does not.
fn logical(pointer: &str) -> Vec<LogicalLocation<'_>> {
    let last = pointer.rsplit('/').next().unwrap_or_default();
    let is_index = !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit());
    let kind = if is_index { "element" } else { "member" };
    let location = LogicalLocation { fully_qualified_name: pointer, kind };
    Some(location).filter(|_| !pointer.is_empty()).into_iter().collect()
}

fn related<'a>(run: &RunInfo<'_>, document: &'a Document, other: &'a Other) -> Location<'a> {
    let ends = other.span.places();
    let file = path_of(document, other).filter(|_| ends.is_some());
    let text = match (file, elsewhere(other.origin)) {
        (None, Some(input)) => format!("{} (in {input})", other.message).into(),
        _ => Cow::Borrowed(other.message.as_str()),
    };
    Location {
        physical_location: file.map(|path| physical(&run.relative(path), ends)),
        logical_locations: logical(&other.field),
        message: Some(Text::message(&text)),
    }
}

fn fix<'a>(path: &str, change: &'a Change) -> Fix<'a> {
    let replacements = change.edits.iter().map(|edit| Replacement {
        deleted_region: region(edit.places),
        inserted_content: model::Content { text: &edit.text },
    });
    Fix {
        description: Text::message(&change.title),
        artifact_changes: [ArtifactChange {
            artifact_location: artifact(path),
            replacements: replacements.collect(),
        }],
    }
}

fn suppression(by: &SuppressedBy) -> model::Suppression<'_> {
    let (kind, justification) = match by {
        SuppressedBy::Configuration(reason) => ("external", reason.as_str()),
        SuppressedBy::Comment(reason) => ("inSource", reason.as_str()),
        SuppressedBy::Baseline => ("external", "it was there when the baseline was written"),
    };
    model::Suppression { kind, status: "accepted", justification }
}

fn notification(run: &RunInfo<'_>, failure: &FailedFile) -> Notification<'static> {
    Notification {
        level: "error",
        message: Text::message(&failure.message),
        locations: [Location {
            physical_location: Some(physical(&run.relative(&failure.path), None)),
            ..Location::default()
        }],
    }
}
