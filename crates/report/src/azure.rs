//! Logging commands of Azure Pipelines, one line a finding.

use std::io;

use voxlint::Severity;

use crate::RunInfo;
use crate::annotation::Annotation;
use crate::escape::{escape_property, escape_terminal};
use crate::located::Document;
use crate::run::Ending;
use crate::writer::Sink;

pub(crate) struct Azure;

impl Sink for Azure {
    fn take(
        &mut self,
        out: &mut dyn io::Write,
        run: &RunInfo<'_>,
        document: Document,
        _: bool,
    ) -> io::Result<()> {
        Annotation::all(&document).try_for_each(|annotation| {
            // There is no quieter type than a warning.
            let kind = if annotation.severity == Severity::Error { "error" } else { "warning" };
            let path = run.in_repository(annotation.path);
            let (line, column) = (annotation.from.line, annotation.from.column);
            writeln!(
                out,
                "##vso[task.logissue type={kind};sourcepath={};linenumber={line};columnnumber={column};code={};]{}",
                property(&path),
                property(&annotation.rule.id),
                escaped(&annotation.line(&path)),
            )
        })
    }

    fn finish(
        &mut self,
        out: &mut dyn io::Write,
        run: &RunInfo<'_>,
        ending: &Ending<'_>,
    ) -> io::Result<()> {
        for failure in ending.failures {
            let path = run.in_repository(&failure.path);
            let line = format!("{path}: {}", failure.message);
            let (path, line) = (property(&path), escaped(&escape_terminal(&line)));
            writeln!(out, "##vso[task.logissue type=error;sourcepath={path};]{line}")?;
        }
        Ok(())
    }
}

/// A property, with nothing that steers the terminal that shows the log.
fn property(text: &str) -> String {
    escaped(&escape_property(text))
}

/// As the agent of Azure Pipelines reads properties and messages.
fn escaped(text: &str) -> String {
    text.replace('%', "%AZP25")
        .replace(';', "%3B")
        .replace(']', "%5D")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}
