//! Logging commands of Azure Pipelines, one line per finding.

use std::fmt::Write as _;
use std::io;

use voxlint::Severity;

use crate::annotation::Annotation;
use crate::emitter::{Emitter, Output};
use crate::escape::{escape_property, escape_terminal};
use crate::located::LocatedDocument;
use crate::run::RunOutcome;

#[derive(Default)]
pub(crate) struct AzureEmitter;

impl Emitter for AzureEmitter {
    fn add(&mut self, out: &mut Output<'_>, document: LocatedDocument, _: bool) -> io::Result<()> {
        let run = out.run;
        let mut page = String::new();
        for annotation in Annotation::all(&document) {
            // Warning is the lowest type.
            let kind = if annotation.severity == Severity::Error { "error" } else { "warning" };
            let path = run.in_repository(annotation.path);
            let (line, column) = (annotation.from.line, annotation.from.column);
            // Writing to a string cannot fail.
            let _ = writeln!(
                page,
                "##vso[task.logissue type={kind};sourcepath={};linenumber={line};columnnumber={column};code={};]{}",
                property(&path),
                property(&annotation.rule.id),
                escaped(&annotation.line(&path)),
            );
        }
        out.write(&page)
    }

    fn finish(&mut self, out: &mut Output<'_>, outcome: &RunOutcome<'_>) -> io::Result<()> {
        let run = out.run;
        for failure in outcome.failed {
            let path = run.in_repository(&failure.path);
            let line = format!("{path}: {}", failure.message);
            let (path, line) = (property(&path), escaped(&escape_terminal(&line)));
            writeln!(out, "##vso[task.logissue type=error;sourcepath={path};]{line}")?;
        }
        Ok(())
    }
}

/// A property without characters that steer the terminal that shows the log.
fn property(text: &str) -> String {
    escaped(&escape_property(text))
}

/// The escapes of the Azure Pipelines agent for properties and messages.
fn escaped(text: &str) -> String {
    text.replace('%', "%AZP25")
        .replace(';', "%3B")
        .replace(']', "%5D")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}
