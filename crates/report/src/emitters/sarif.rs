//! SARIF 2.1.0, one result per line.

mod model;
mod rule;

use std::borrow::Cow;
use std::io::{self, Write as _};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use voxlint::{Safety, Severity, SuppressedBy};

use crate::annotation::{Annotation, path_of};
use crate::emitter::{Emitter, Output};
use crate::fingerprint::Fingerprints;
use crate::located::{LocatedDocument, LocatedFinding, LocatedFix, LocatedRelated};
use crate::run::{FailedFile, RunInfo, RunOutcome};
use crate::source_map::FilePosition;
use crate::source_map::input_name;
use crate::tool::TOOL;
use crate::undecided::UndecidedRules;

use model::{
    ArtifactChange, ArtifactLocation, Invocation, LogicalLocation, Notification,
    PartialFingerprints, PhysicalLocation, ReportingResult, ResultProperties, SarifFix,
    SarifLocation, SarifRegion, SarifReplacement, SarifText,
};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The characters of a path that a URI does not escape.
const PLAIN: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// A log of one run.
#[derive(Default)]
pub(crate) struct SarifEmitter {
    fingerprints: Fingerprints,
    is_begun: bool,
    has_results: bool,
    /// The undecided rules of the current file.
    undecided: UndecidedRules,
    path: String,
}

impl Emitter for SarifEmitter {
    fn document(&mut self, out: &mut Output<'_>, document: LocatedDocument) -> io::Result<()> {
        let run = out.run;
        if !document.is_further {
            self.close_file(out)?;
        }
        self.undecided.add(&document);
        for finding in &document.diagnostics {
            let result = self.result(run, &document, finding, Vec::new());
            self.write(out, &result)?;
        }
        for (finding, by) in &document.suppressed {
            let result = self.result(run, &document, finding, vec![suppression(by)]);
            self.write(out, &result)?;
        }
        self.path = document.path;
        Ok(())
    }

    fn finish(&mut self, out: &mut Output<'_>, outcome: &RunOutcome<'_>) -> io::Result<()> {
        let run = out.run;
        self.close_file(out)?;
        self.begin(out)?;
        let gap = if self.has_results { "\n      " } else { "" };
        let invocation = Invocation {
            execution_successful: outcome.failed.is_empty(),
            tool_execution_notifications: outcome
                .failed
                .iter()
                .map(|failure| notification(run, failure))
                .collect(),
        };
        let invocations = serde_json::to_string(&[invocation])?;
        write!(out, "{gap}],\n      \"invocations\": {invocations}\n    }}\n  ]\n}}\n")
    }
}

impl SarifEmitter {
    /// Writes everything before the results.
    fn begin(&mut self, out: &mut Output<'_>) -> io::Result<()> {
        if self.is_begun {
            return Ok(());
        }
        self.is_begun = true;
        let run = out.run;
        let driver = serde_json::to_string(&rule::driver(run))?;
        // A run in another folder of the repository does not replace this one.
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

    fn write(&mut self, out: &mut Output<'_>, result: &impl Serialize) -> io::Result<()> {
        self.begin(out)?;
        out.write_all(if self.has_results { b",\n        " } else { b"\n        " })?;
        self.has_results = true;
        Ok(serde_json::to_writer(&mut *out, result)?)
    }

    /// Writes the undecided rules of the finished file.
    fn close_file(&mut self, out: &mut Output<'_>) -> io::Result<()> {
        let run = out.run;
        let undecided = std::mem::take(&mut self.undecided);
        let path = std::mem::take(&mut self.path);
        for (undecided, occurrences) in undecided.iter() {
            let line = FilePosition { line: occurrences.line, column: 1, byte_column: 1 };
            let uri = run.relative(&path);
            let result = ReportingResult {
                rule_id: &undecided.rule.id,
                rule_index: rule::index(run, &undecided.rule),
                kind: "open",
                level: "none",
                message: SarifText::message(&format!("undecided: {}", undecided.why)),
                locations: [SarifLocation {
                    physical_location: Some(physical(&uri, Some((line, line)))),
                    ..SarifLocation::default()
                }],
                related_locations: Vec::new(),
                partial_fingerprints: self.fingerprint(&undecided.rule.id, &uri, "undecided"),
                fixes: Vec::new(),
                suppressions: Vec::new(),
                occurrence_count: (occurrences.count > 1).then_some(occurrences.count),
                properties: ResultProperties {
                    missing: &undecided.missing,
                    ..ResultProperties::default()
                },
            };
            self.write(out, &result)?;
        }
        Ok(())
    }

    fn fingerprint(&mut self, rule: &str, path: &str, field: &str) -> PartialFingerprints {
        PartialFingerprints { pointer: self.fingerprints.next(rule, path, field) }
    }

    fn result<'a>(
        &mut self,
        run: &RunInfo<'_>,
        document: &'a LocatedDocument,
        finding: &'a LocatedFinding,
        suppressions: Vec<model::SarifSuppression<'a>>,
    ) -> ReportingResult<'a> {
        let annotation = Annotation::of_finding(document, finding);
        let path = run.relative(annotation.path);
        let is_elsewhere = annotation.path != document.path;
        let about = is_elsewhere.then(|| SarifLocation {
            physical_location: Some(physical(
                &run.relative(&document.path),
                Some((document.start(), document.start())),
            )),
            message: Some(SarifText::message("the document that was checked")),
            ..SarifLocation::default()
        });
        let related = finding.related.iter().map(|place| related(run, document, place));
        let fixes = finding.fixes.iter().filter(|fix| fix.safety == Safety::Safe);
        ReportingResult {
            rule_id: &finding.rule.id,
            rule_index: rule::index(run, &finding.rule),
            kind: "fail",
            level: level(annotation.severity),
            message: SarifText::message(&annotation.message_and_help()),
            locations: [SarifLocation {
                physical_location: Some(physical(&path, Some((annotation.from, annotation.to)))),
                logical_locations: logical(&finding.field),
                message: None,
            }],
            related_locations: about.into_iter().chain(related).collect(),
            partial_fingerprints: self.fingerprint(&finding.rule.id, &path, &finding.field),
            fixes: fixes.map(|it| fix(&run.relative(&document.path), it)).collect(),
            suppressions,
            occurrence_count: None,
            properties: ResultProperties {
                verdict: Some(finding.verdict),
                status: finding.status,
                note: finding.note.as_deref(),
                record: document.index(),
                missing: &[],
            },
        }
    }
}

/// The name of the base folder of all paths.
const ROOT: &str = "%SRCROOT%";

pub(crate) const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn physical(path: &str, ends: Option<(FilePosition, FilePosition)>) -> PhysicalLocation {
    PhysicalLocation { artifact_location: artifact(path), region: ends.map(region) }
}

fn artifact(path: &str) -> ArtifactLocation {
    ArtifactLocation { uri: utf8_percent_encode(path, PLAIN).to_string(), uri_base_id: ROOT }
}

const fn region((from, to): (FilePosition, FilePosition)) -> SarifRegion {
    SarifRegion {
        start_line: from.line,
        start_column: from.column,
        end_line: to.line,
        end_column: to.column,
    }
}

/// The JSON Pointer of a finding. That of the whole document is left out.
fn logical(pointer: &str) -> Vec<LogicalLocation<'_>> {
    let last = pointer.rsplit('/').next().unwrap_or_default();
    let is_index = !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit());
    let kind = if is_index { "element" } else { "member" };
    let location = LogicalLocation { fully_qualified_name: pointer, kind };
    Some(location).filter(|_| !pointer.is_empty()).into_iter().collect()
}

fn related<'a>(
    run: &RunInfo<'_>,
    document: &'a LocatedDocument,
    place: &'a LocatedRelated,
) -> SarifLocation<'a> {
    let ends = place.span.ends();
    let file = path_of(document, place).filter(|_| ends.is_some());
    let text = match (file, input_name(place.origin)) {
        (None, Some(input)) => format!("{} (in {input})", place.message).into(),
        _ => Cow::Borrowed(place.message.as_str()),
    };
    SarifLocation {
        physical_location: file.map(|path| physical(&run.relative(path), ends)),
        logical_locations: logical(&place.field),
        message: Some(SarifText::message(&text)),
    }
}

fn fix<'a>(path: &str, fix: &'a LocatedFix) -> SarifFix<'a> {
    let replacements = fix.edits.iter().map(|edit| SarifReplacement {
        deleted_region: region(edit.ends),
        inserted_content: model::InsertedContent { text: &edit.text },
    });
    SarifFix {
        description: SarifText::message(&fix.title),
        artifact_changes: [ArtifactChange {
            artifact_location: artifact(path),
            replacements: replacements.collect(),
        }],
    }
}

fn suppression(by: &SuppressedBy) -> model::SarifSuppression<'_> {
    let (kind, justification) = match by {
        SuppressedBy::Configuration(reason) => ("external", reason.as_str()),
        SuppressedBy::Comment(reason) => ("inSource", reason.as_str()),
        SuppressedBy::Baseline => ("external", "listed in the baseline"),
    };
    model::SarifSuppression { kind, status: "accepted", justification }
}

fn notification(run: &RunInfo<'_>, failure: &FailedFile) -> Notification<'static> {
    Notification {
        level: "error",
        message: SarifText::message(&failure.message),
        locations: [SarifLocation {
            physical_location: Some(physical(&run.relative(&failure.path), None)),
            ..SarifLocation::default()
        }],
    }
}
