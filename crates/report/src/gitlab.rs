//! The code quality report of GitLab: one array.

use std::io;

use serde::Serialize;
use voxlint::Severity;

use crate::RunInfo;
use crate::annotation::Annotation;
use crate::fingerprint::Fingerprints;
use crate::located::Document;
use crate::places::Place;
use crate::run::Ending;
use crate::writer::Sink;

#[derive(Default)]
pub(crate) struct Gitlab {
    fingerprints: Fingerprints,
    is_begun: bool,
}

#[derive(Serialize)]
struct Issue<'a> {
    /// With the rule, because GitLab does not show `check_name`.
    description: String,
    check_name: &'a str,
    fingerprint: String,
    severity: &'static str,
    location: Location<'a>,
}

#[derive(Serialize)]
struct Location<'a> {
    path: &'a str,
    positions: Positions,
}

#[derive(Serialize)]
struct Positions {
    begin: Place,
    end: Place,
}

impl Sink for Gitlab {
    fn take(
        &mut self,
        out: &mut dyn io::Write,
        run: &RunInfo<'_>,
        document: Document,
        _: bool,
    ) -> io::Result<()> {
        for annotation in Annotation::all(&document) {
            let path = run.relative(annotation.path);
            let id = &annotation.rule.id;
            // An undecided rule is no finding, so it does not share the fingerprints of one.
            let kind = if annotation.word == "undecided" { "undecided" } else { annotation.field };
            let issue = Issue {
                description: format!("{id}: {}", annotation.message),
                check_name: id,
                fingerprint: self.fingerprints.next(id, &path, kind),
                severity: severity(&annotation),
                location: Location {
                    path: &path,
                    positions: Positions { begin: annotation.from, end: annotation.to },
                },
            };
            out.write_all(if self.is_begun { b",\n  " } else { b"[\n  " })?;
            self.is_begun = true;
            serde_json::to_writer(&mut *out, &issue)?;
        }
        Ok(())
    }

    fn finish(
        &mut self,
        out: &mut dyn io::Write,
        _: &RunInfo<'_>,
        _: &Ending<'_>,
    ) -> io::Result<()> {
        out.write_all(if self.is_begun { b"\n]\n" } else { b"[]\n" })
    }
}

fn severity(annotation: &Annotation<'_>) -> &'static str {
    match annotation.severity {
        Severity::Error => "critical",
        Severity::Warning => "major",
        Severity::Info if annotation.word == "undecided" => "info",
        Severity::Info => "minor",
    }
}
