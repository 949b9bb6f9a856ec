//! The code quality report of GitLab: one array of issues.

use std::io;

use serde_json::json;
use voxlint::Severity;

use crate::annotation::Annotation;
use crate::emitter::{Emitter, Output};
use crate::fingerprint::Fingerprints;
use crate::json_text::compact;
use crate::located::LocatedDocument;
use crate::run::RunOutcome;

#[derive(Default)]
pub(crate) struct GitlabEmitter {
    fingerprints: Fingerprints,
    is_begun: bool,
}

impl Emitter for GitlabEmitter {
    fn add(&mut self, out: &mut Output<'_>, document: LocatedDocument, _: bool) -> io::Result<()> {
        for annotation in Annotation::all(&document) {
            let path = out.run.relative(annotation.path);
            let id = &annotation.rule.id;
            // An undecided rule must not share the fingerprint of a finding.
            let kind = if annotation.is_undecided { "undecided" } else { annotation.field };
            let issue = json!({
                // Begins with the rule, because GitLab does not show `check_name`.
                "description": format!("{id}: {}", annotation.message),
                "check_name": &**id,
                "fingerprint": self.fingerprints.next(id, &path, kind),
                "severity": severity(&annotation),
                "location": {
                    "path": &*path,
                    "positions": { "begin": annotation.from, "end": annotation.to },
                },
            });
            let is_first = !std::mem::replace(&mut self.is_begun, true);
            let gap = if is_first { "[\n  " } else { ",\n  " };
            write!(out, "{gap}{}", compact(&issue))?;
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Output<'_>, _: &RunOutcome<'_>) -> io::Result<()> {
        out.write(if self.is_begun { "\n]\n" } else { "[]\n" })
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
