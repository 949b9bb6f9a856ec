//! The code quality report of GitLab: one array of issues.

use std::io::{self, Write as _};

use serde::Serialize;
use voxlint::Severity;

use crate::annotation::Annotation;
use crate::emitter::{Emitter, Output};
use crate::fingerprint::Fingerprints;
use crate::json_text::write_compact;
use crate::located::LocatedDocument;
use crate::run::RunOutcome;
use crate::source_map::FilePosition;

#[derive(Default)]
pub(crate) struct GitlabEmitter {
    fingerprints: Fingerprints,
    is_begun: bool,
}

#[derive(Serialize)]
struct Issue<'a> {
    /// Begins with the rule, because GitLab does not show `check_name`.
    description: String,
    check_name: &'a str,
    fingerprint: String,
    severity: &'static str,
    location: IssueLocation<'a>,
}

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
    fn add(&mut self, out: &mut Output<'_>, document: LocatedDocument, _: bool) -> io::Result<()> {
        let mut page = Vec::new();
        for annotation in Annotation::all(&document) {
            let path = out.run.relative(annotation.path);
            let id = &annotation.rule.id;
            // An undecided rule must not share the fingerprint of a finding.
            let kind = if annotation.is_undecided { "undecided" } else { annotation.field };
            let issue = Issue {
                description: format!("{id}: {}", annotation.message),
                check_name: id,
                fingerprint: self.fingerprints.next(id, &path, kind),
                severity: severity(&annotation),
                location: IssueLocation {
                    path: &path,
                    positions: IssuePositions { begin: annotation.from, end: annotation.to },
                },
            };
            let is_first = !std::mem::replace(&mut self.is_begun, true);
            page.extend(if is_first { b"[\n  " } else { b",\n  " });
            write_compact(&mut page, &issue);
        }
        out.write_escaped(&page)
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
