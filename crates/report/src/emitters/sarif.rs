//! SARIF 2.1.0, one result per line.

use std::borrow::Cow;
use std::io;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use voxlint::docs::pages;
use voxlint::{Family, RuleRef, Safety, Severity, SuppressedBy};

use crate::annotation::{Annotation, path_of};
use crate::documentation::page_url;
use crate::emitter::{Emitter, Output};
use crate::fingerprint::Fingerprints;
use crate::json_text::{compact, without_empty};
use crate::located::{LocatedDocument, LocatedFinding, LocatedFix, LocatedRelated};
use crate::run::{FailedFile, RunInfo, RunOutcome};
use crate::source_map::{FilePosition, input_name};
use crate::tool::TOOL;
use crate::undecided::UndecidedRules;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The characters of a path that a URI does not escape.
const PLAIN: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// The name of the base folder of all paths.
const ROOT: &str = "%SRCROOT%";

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
        let found = document.diagnostics.iter().map(|finding| (finding, None));
        let suppressed = document.suppressed.iter().map(|(finding, by)| (finding, Some(by)));
        for (finding, by) in found.chain(suppressed) {
            self.finding(out, &document, finding, by)?;
        }
        self.path = document.path;
        Ok(())
    }

    fn finish(&mut self, out: &mut Output<'_>, outcome: &RunOutcome<'_>) -> io::Result<()> {
        self.close_file(out)?;
        self.begin(out)?;
        let failures = outcome.failed.iter().map(|failure| notification(out.run, failure));
        let invocations = json!([without_empty(json!({
            "executionSuccessful": outcome.failed.is_empty(),
            "toolExecutionNotifications": failures.collect::<Vec<_>>(),
        }))]);
        let gap = if self.has_results { "\n      " } else { "" };
        let invocations = compact(&invocations);
        write!(out, "{gap}],\n      \"invocations\": {invocations}\n    }}\n  ]\n}}\n")
    }
}

impl SarifEmitter {
    /// Writes everything before the results.
    fn begin(&mut self, out: &mut Output<'_>) -> io::Result<()> {
        if std::mem::replace(&mut self.is_begun, true) {
            return Ok(());
        }
        let run = out.run;
        let rules: Vec<_> = run.rules.iter().map(|rule| descriptor(run, rule)).collect();
        let mut driver = json!({
            "name": TOOL.name,
            "version": TOOL.version,
            "semanticVersion": TOOL.version,
            "rules": rules,
        });
        let address = run.documentation.map(|it| ("informationUri".to_owned(), json!(it)));
        if let Some(members) = driver.as_object_mut() {
            members.extend(address);
        }
        let driver = compact(&driver);
        // A run in another folder of the repository does not replace this one.
        let part = match run.repository.map(|repository| repository.prefix.trim_matches('/')) {
            Some(prefix) if !prefix.is_empty() && !prefix.starts_with("..") => format!("{prefix}/"),
            _ => String::new(),
        };
        let id = compact(&format!("{}/{part}", TOOL.name));
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

    fn write(&mut self, out: &mut Output<'_>, result: &Value) -> io::Result<()> {
        self.begin(out)?;
        let is_first = !std::mem::replace(&mut self.has_results, true);
        let gap = if is_first { "\n        " } else { ",\n        " };
        write!(out, "{gap}{}", compact(result))
    }

    /// Writes the undecided rules of the finished file.
    fn close_file(&mut self, out: &mut Output<'_>) -> io::Result<()> {
        let undecided = std::mem::take(&mut self.undecided);
        let path = std::mem::take(&mut self.path);
        for (undecided, occurrences) in undecided.iter() {
            let line = FilePosition { line: occurrences.line, column: 1, byte_column: 1 };
            let result = json!({
                "kind": "open",
                "level": "none",
                "message": text(&format!("undecided: {}", undecided.why)),
                "locations": [{ "physicalLocation": physical(out.run, &path, (line, line)) }],
                "partialFingerprints": self.fingerprint(out.run, &undecided.rule, &path, "undecided"),
                "occurrenceCount": (occurrences.count > 1).then_some(occurrences.count),
                "properties": without_empty(json!({
                    "missing": undecided.missing,
                    "readings": undecided.readings,
                })),
            });
            self.write(out, &result_of(out.run, &undecided.rule, None, result))?;
        }
        Ok(())
    }

    fn fingerprint(&mut self, run: &RunInfo<'_>, rule: &RuleRef, path: &str, field: &str) -> Value {
        let pointer = self.fingerprints.next(&rule.id, &run.relative(path), field);
        json!({ "voxlintPointer/v1": pointer })
    }

    fn finding(
        &mut self,
        out: &mut Output<'_>,
        document: &LocatedDocument,
        finding: &LocatedFinding,
        by: Option<&SuppressedBy>,
    ) -> io::Result<()> {
        let run = out.run;
        let annotation = Annotation::of_finding(document, finding);
        let about = (annotation.path != document.path).then(|| {
            let start = (document.start(), document.start());
            json!({
                "physicalLocation": physical(run, &document.path, start),
                "message": text("the document that was checked"),
            })
        });
        let related = finding.related.iter().map(|place| related(run, document, place));
        let related: Vec<_> = about.into_iter().chain(related).collect();
        let fixes = finding.fixes.iter().filter(|fix| fix.safety == Safety::Safe);
        let fixes: Vec<_> = fixes.map(|it| fix(run, document, it)).collect();
        let result = json!({
            "kind": "fail",
            "level": level(annotation.severity),
            "message": text(&annotation.message_and_help()),
            "locations": [without_empty(json!({
                "physicalLocation": physical(run, annotation.path, (annotation.from, annotation.to)),
                "logicalLocations": logical(&finding.field),
            }))],
            "relatedLocations": related,
            "partialFingerprints": self.fingerprint(run, &finding.rule, annotation.path, &finding.field),
            "fixes": fixes,
            "occurrenceCount": (finding.count > 1).then_some(finding.count),
            "properties": without_empty(json!({
                "verdict": finding.verdict,
                "status": finding.status,
                "note": finding.note,
                "record": document.index(),
                "readings": finding.readings,
            })),
        });
        self.write(out, &result_of(run, &finding.rule, by, result))
    }
}

/// `result` (3.27) of a rule, with the members that all results have.
fn result_of(
    run: &RunInfo<'_>,
    rule: &RuleRef,
    by: Option<&SuppressedBy>,
    members: Value,
) -> Value {
    let mut result = without_empty(members);
    if let Some(members) = result.as_object_mut() {
        members.insert("ruleId".to_owned(), json!(&*rule.id));
        let index = run.rules.iter().position(|known| known.id == rule.id);
        members.extend(index.map(|index| ("ruleIndex".to_owned(), json!(index))));
        // Either all results of a run have this member or none (3.27.23).
        members.insert("suppressions".to_owned(), by.map(suppression).into_iter().collect());
    }
    result
}

/// `reportingDescriptor` (3.49), with the properties that GitHub reads.
fn descriptor(run: &RunInfo<'_>, rule: &RuleRef) -> Value {
    let page = rule.page();
    let summary = rule.summary();
    let words = page.split("```").next().unwrap_or_default().trim();
    let severity = if rule.status.is_some() { Severity::Error } else { rule.advice };
    let markdown = match rule.family() {
        Family::House => page.clone(),
        _ => pages::rule(rule),
    };
    without_empty(json!({
        "id": &*rule.id,
        "name": rule.id.split(['-', '_', '/']).map(capitalized).collect::<String>(),
        "shortDescription": { "text": summary },
        "fullDescription": { "text": if words.is_empty() { summary } else { words } },
        "help": { "text": page, "markdown": markdown },
        "helpUri": page_url(run.documentation, rule),
        "defaultConfiguration": { "level": level(severity) },
        "properties": {
            "tags": [rule.family().name(), rule.group.name()],
            "precision": "high",
            "problem.severity": match severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Info => "recommendation",
            },
        },
    }))
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// `message` (3.11) without placeholders and links: braces are doubled (3.11.5), and a space keeps `](` from being a link (3.11.6).
fn text(message: &str) -> Value {
    json!({ "text": message.replace('{', "{{").replace('}', "}}").replace("](", "] (") })
}

/// `physicalLocation` (3.29) of a part of a file.
fn physical(run: &RunInfo<'_>, path: &str, ends: (FilePosition, FilePosition)) -> Value {
    json!({ "artifactLocation": artifact(run, path), "region": region(ends) })
}

/// `artifactLocation` (3.4): a path as a URI.
fn artifact(run: &RunInfo<'_>, path: &str) -> Value {
    let uri = utf8_percent_encode(&run.relative(path), PLAIN).to_string();
    json!({ "uri": uri, "uriBaseId": ROOT })
}

/// `region` (3.30).
fn region((from, to): (FilePosition, FilePosition)) -> Value {
    json!({
        "startLine": from.line,
        "startColumn": from.column,
        "endLine": to.line,
        "endColumn": to.column,
    })
}

/// The JSON Pointer of a finding, as `logicalLocation` (3.33). That of the whole document is left out.
fn logical(pointer: &str) -> Option<[Value; 1]> {
    let last = pointer.rsplit('/').next().unwrap_or_default();
    let is_index = !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit());
    let kind = if is_index { "element" } else { "member" };
    (!pointer.is_empty()).then(|| [json!({ "fullyQualifiedName": pointer, "kind": kind })])
}

/// `location` (3.28) of a related place.
fn related(run: &RunInfo<'_>, document: &LocatedDocument, place: &LocatedRelated) -> Value {
    let physical = place.span.ends().zip(path_of(document, place));
    let message = match (physical, input_name(place.origin)) {
        (None, Some(input)) => Cow::Owned(format!("{} (in {input})", place.message)),
        _ => Cow::Borrowed(&*place.message),
    };
    without_empty(json!({
        "physicalLocation": physical.map(|(ends, path)| self::physical(run, path, ends)),
        "logicalLocations": logical(&place.field),
        "message": text(&message),
    }))
}

/// `fix` (3.55).
fn fix(run: &RunInfo<'_>, document: &LocatedDocument, fix: &LocatedFix) -> Value {
    let replacements = fix.edits.iter().map(|edit| {
        json!({ "deletedRegion": region(edit.ends), "insertedContent": { "text": edit.text } })
    });
    json!({
        "description": text(&fix.title),
        "artifactChanges": [{
            "artifactLocation": artifact(run, fix.path.as_ref().unwrap_or(&document.path)),
            "replacements": replacements.collect::<Vec<_>>(),
        }],
    })
}

/// `suppression` (3.35).
fn suppression(by: &SuppressedBy) -> Value {
    let (kind, justification) = match by {
        SuppressedBy::Configuration(reason) => ("external", reason.as_str()),
        SuppressedBy::Comment(reason) => ("inSource", reason.as_str()),
        SuppressedBy::Baseline => ("external", "listed in the baseline"),
    };
    json!({ "kind": kind, "status": "accepted", "justification": justification })
}

/// `notification` (3.58).
fn notification(run: &RunInfo<'_>, failure: &FailedFile) -> Value {
    json!({
        "level": "error",
        "message": text(&failure.message),
        "locations": [{ "physicalLocation": { "artifactLocation": artifact(run, &failure.path) } }],
    })
}
