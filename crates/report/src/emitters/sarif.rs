//! SARIF 2.1.0, one result per line.

mod model;
mod rule;

use std::borrow::Cow;
use std::io::{self, Write as _};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use voxlint::{Safety, SuppressedBy};

use crate::annotation::{Annotation, path_of};
use crate::emitter::{Emitter, Output};
use crate::fingerprint::Fingerprints;
use crate::json_text::write_compact;
use crate::located::{LocatedDocument, LocatedFinding, LocatedFix, LocatedRelated};
use crate::run::{FailedFile, RunInfo, RunOutcome};
use crate::source_map::FilePosition;
use crate::source_map::input_name;
use crate::tool::TOOL;
use crate::undecided::UndecidedRules;

use model::{
    ArtifactChange, ArtifactLocation, Invocation, LogicalLocation, Notification,
    PartialFingerprints, PhysicalLocation, ResultProperties, SarifFix, SarifLocation, SarifRegion,
    SarifReplacement, SarifResult, SarifText,
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
    fn add(
        &mut self,
        out: &mut Output<'_>,
        mut document: LocatedDocument,
        is_further: bool,
    ) -> io::Result<()> {
        if !is_further {
            self.close_file(out)?;
        }
        let undecided = std::mem::take(&mut document.undecided);
        self.undecided.add(undecided, document.start().line);
        let paths = SarifPaths::new(out.run, &document.path);
        for finding in &document.diagnostics {
            self.finding(out, &paths, (&document, finding), &[])?;
        }
        for (finding, by) in &document.suppressed {
            self.finding(out, &paths, (&document, finding), &[suppression(by)])?;
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

    fn write(&mut self, out: &mut Output<'_>, result: &SarifResult<'_>) -> io::Result<()> {
        self.begin(out)?;
        let is_first = !std::mem::replace(&mut self.has_results, true);
        let mut text = if is_first { b"\n        ".to_vec() } else { b",\n        ".to_vec() };
        write_compact(&mut text, result);
        out.write_escaped(&text)
    }

    /// Writes the undecided rules of the finished file.
    fn close_file(&mut self, out: &mut Output<'_>) -> io::Result<()> {
        let run = out.run;
        let undecided = std::mem::take(&mut self.undecided);
        let path = std::mem::take(&mut self.path);
        for (undecided, occurrences) in undecided.iter() {
            let line = FilePosition { line: occurrences.line, column: 1, byte_column: 1 };
            let uri = run.relative(&path);
            let id = &*undecided.rule.id;
            let result = SarifResult {
                rule_id: id,
                rule_index: rule::index(run, &undecided.rule),
                kind: "open",
                level: "none",
                message: SarifText {
                    text: message(&format!("undecided: {}", undecided.why)).into_owned().into(),
                },
                locations: [SarifLocation {
                    physical_location: Some(physical(encoded(&uri).into(), Some((line, line)))),
                    ..SarifLocation::default()
                }],
                related_locations: Vec::new(),
                partial_fingerprints: self.fingerprint(id, &uri, "undecided"),
                fixes: Vec::new(),
                suppressions: &[],
                occurrence_count: (occurrences.count > 1).then_some(occurrences.count),
                properties: ResultProperties {
                    missing: &undecided.missing,
                    readings: &undecided.readings,
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

    fn finding(
        &mut self,
        out: &mut Output<'_>,
        paths: &SarifPaths<'_>,
        (document, finding): (&LocatedDocument, &LocatedFinding),
        suppressions: &[model::SarifSuppression<'_>],
    ) -> io::Result<()> {
        let annotation = Annotation::of_finding(document, finding);
        let id = &*finding.rule.id;
        let is_elsewhere = annotation.path != document.path;
        let about = is_elsewhere.then(|| SarifLocation {
            physical_location: Some(physical(
                paths.uri(&document.path),
                Some((document.start(), document.start())),
            )),
            message: Some(SarifText { text: message("the document that was checked") }),
            ..SarifLocation::default()
        });
        let related = finding.related.iter().map(|place| related(paths, document, place));
        let fixes = finding.fixes.iter().filter(|fix| fix.safety == Safety::Safe);
        let words = annotation.message_and_help();
        let fingerprint = self.fingerprint(id, &paths.relative(annotation.path), &finding.field);
        let result = SarifResult {
            rule_id: id,
            rule_index: rule::index(out.run, &finding.rule),
            kind: "fail",
            level: rule::level(annotation.severity),
            message: SarifText { text: message(&words) },
            locations: [SarifLocation {
                physical_location: Some(physical(
                    paths.uri(annotation.path),
                    Some((annotation.from, annotation.to)),
                )),
                logical_locations: logical(&finding.field),
                message: None,
            }],
            related_locations: about.into_iter().chain(related).collect(),
            partial_fingerprints: fingerprint,
            fixes: fixes
                .map(|it| fix(paths.uri(it.path.as_ref().unwrap_or(&document.path)), it))
                .collect(),
            suppressions,
            occurrence_count: (finding.count > 1).then_some(finding.count.into()),
            properties: ResultProperties {
                verdict: Some(finding.verdict),
                status: finding.status,
                note: finding.note.as_deref(),
                record: document.index(),
                missing: &[],
                readings: &finding.readings,
            },
        };
        self.write(out, &result)
    }
}

/// The path of a document from the root of the repository, which most of its results name.
struct SarifPaths<'a> {
    run: &'a RunInfo<'a>,
    shown: &'a str,
    relative: String,
    uri: String,
}

impl<'a> SarifPaths<'a> {
    fn new(run: &'a RunInfo<'a>, shown: &'a str) -> Self {
        let relative = run.relative(shown);
        let uri = encoded(&relative);
        Self { run, shown, relative, uri }
    }

    fn relative(&self, path: &str) -> Cow<'_, str> {
        if path == self.shown {
            Cow::Borrowed(&self.relative)
        } else {
            self.run.relative(path).into()
        }
    }

    fn uri(&self, path: &str) -> Cow<'_, str> {
        if path == self.shown {
            Cow::Borrowed(&self.uri)
        } else {
            encoded(&self.run.relative(path)).into()
        }
    }
}

/// A message without placeholders and links: braces are doubled (3.11.5), and a space keeps `](` from being a link (3.11.6).
fn message(text: &str) -> Cow<'_, str> {
    if !text.contains(['{', '}', ']']) {
        return Cow::Borrowed(text);
    }
    text.replace('{', "{{").replace('}', "}}").replace("](", "] (").into()
}

/// The name of the base folder of all paths.
const ROOT: &str = "%SRCROOT%";

fn physical(uri: Cow<'_, str>, ends: Option<(FilePosition, FilePosition)>) -> PhysicalLocation<'_> {
    PhysicalLocation { artifact_location: artifact(uri), region: ends.map(region) }
}

fn artifact(uri: Cow<'_, str>) -> ArtifactLocation<'_> {
    ArtifactLocation { uri, uri_base_id: ROOT }
}

/// A path as a URI.
fn encoded(path: &str) -> String {
    utf8_percent_encode(path, PLAIN).to_string()
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
fn logical(pointer: &str) -> Option<[LogicalLocation<'_>; 1]> {
    let last = pointer.rsplit('/').next().unwrap_or_default();
    let is_index = !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit());
    let kind = if is_index { "element" } else { "member" };
    let location = LogicalLocation { fully_qualified_name: pointer, kind };
    (!pointer.is_empty()).then_some([location])
}

fn related<'a>(
    paths: &'a SarifPaths<'_>,
    document: &'a LocatedDocument,
    place: &'a LocatedRelated,
) -> SarifLocation<'a> {
    let ends = place.span.ends();
    let file = path_of(document, place).filter(|_| ends.is_some());
    let text = match (file, input_name(place.origin)) {
        (None, Some(input)) => {
            message(&format!("{} (in {input})", place.message)).into_owned().into()
        }
        _ => message(&place.message),
    };
    SarifLocation {
        physical_location: file.map(|path| physical(paths.uri(path), ends)),
        logical_locations: logical(&place.field),
        message: Some(SarifText { text }),
    }
}

fn fix<'a>(uri: Cow<'a, str>, fix: &'a LocatedFix) -> SarifFix<'a> {
    let replacements = fix.edits.iter().map(|edit| SarifReplacement {
        deleted_region: region(edit.ends),
        inserted_content: model::InsertedContent { text: &edit.text },
    });
    SarifFix {
        description: SarifText { text: message(&fix.title) },
        artifact_changes: [ArtifactChange {
            artifact_location: artifact(uri),
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
        message: SarifText { text: message(&failure.message).into_owned().into() },
        locations: [SarifLocation {
            physical_location: Some(physical(encoded(&run.relative(&failure.path)).into(), None)),
            ..SarifLocation::default()
        }],
    }
}
