//! The code quality report of GitLab: one array of issues.

use std::io::{self, Write as _};

use serde::Serialize;
use voxlint::Severity;

use crate::annotation::Annotation;
use crate::emitter::{Emitter, Output};
use crate::fingerprint::{FingerprintParts, FingerprintedEntries, Fingerprints};
use crate::located::LocatedDocument;
use crate::run::{RunInfo, RunOutcome};
use crate::source_map::FilePosition;

#[derive(Default)]
pub(crate) struct GitlabEmitter {
    fingerprints: Fingerprints,
    is_begun: bool,
}

/// An issue as far as its fingerprint.
#[derive(Serialize)]
struct IssueHead<'a> {
    /// Begins with the rule, because GitLab does not show `check_name`.
    description: String,
    check_name: &'a str,
}

/// The rest of an issue.
#[derive(Serialize)]
struct IssueTail<'a> {
    severity: &'static str,
    location: IssueLocation<'a>,
}

const FINGERPRINT: (&str, &str) = (",\"fingerprint\":\"", "\"");

#[derive(Serialize)]
struct IssueLocation<'a> {
    path: &'a str,
    positions: IssuePositions,
}

#[derive(Serialize)]
struct IssuePositions {
    begin: FilePosition,
    end: FilePosition,
}

impl Emitter for GitlabEmitter {
    type Page = FingerprintedEntries;

    fn page(run: &RunInfo<'_>, document: LocatedDocument<'_>) -> Self::Page {
        let mut issues = FingerprintedEntries::default();
        for annotation in Annotation::all(&document) {
            let path = run.relative(annotation.path);
            let id = &annotation.rule.id;
            // An undecided rule must not share the fingerprint of a finding.
            let kind = if annotation.is_undecided { "undecided" } else { annotation.field };
            let head =
                IssueHead { description: format!("{id}: {}", annotation.message), check_name: id };
            let tail = IssueTail {
                severity: severity(&annotation),
                location: IssueLocation {
                    path: &path,
                    positions: IssuePositions { begin: annotation.from, end: annotation.to },
                },
            };
            issues.add(FingerprintParts::new(id, &path, kind), &head, FINGERPRINT, &tail);
        }
        issues
    }

    fn add(&mut self, out: &mut Output<'_>, issues: Self::Page, _: bool) -> io::Result<()> {
        issues.write(out, &mut self.fingerprints, &mut self.is_begun, (b",\n  ", b"[\n  "))
    }

    fn finish(&mut self, out: &mut Output<'_>, _: &RunOutcome<'_>) -> io::Result<()> {
        out.write_all(if self.is_begun { b"\n]\n" } else { b"[]\n" })
    }
}

fn severity(annotation: &Annotation<'_>) -> &'static str {
    match annotation.severity {
        Severity::Error => "critical",
        Severity::Warning => "major",
        Severity::Info if annotation.is_undecided => "info",
        Severity::Info => "minor",
    }
}
