//! Workflow commands of GitHub Actions, one line per finding.

use std::fmt::Write as _;
use std::io;

use voxlint::Severity;

use crate::annotation::Annotation;
use crate::emitter::{Emitter, Output};
use crate::escape::{escape_property, escape_terminal_lines};
use crate::located::LocatedDocument;
use crate::run::{RunInfo, RunOutcome};

#[derive(Default)]
pub(crate) struct GithubEmitter;

impl Emitter for GithubEmitter {
    fn add(&mut self, out: &mut Output<'_>, document: LocatedDocument, _: bool) -> io::Result<()> {
        let run = out.run;
        let mut page = String::new();
        for annotation in Annotation::all(&document) {
            write(&mut page, run, &annotation);
        }
        out.write(&page)
    }

    fn finish(&mut self, out: &mut Output<'_>, outcome: &RunOutcome<'_>) -> io::Result<()> {
        for failure in outcome.failed {
            let file = out.run.in_repository(&failure.path);
            let line = format!("{file}: {}", failure.message);
            let (file, line) = (property(&file), data(&escape_terminal_lines(&line)));
            writeln!(out, "::error file={file},title=voxlint::{line}")?;
        }
        Ok(())
    }
}

fn write(out: &mut String, run: &RunInfo<'_>, annotation: &Annotation<'_>) {
    let command = match annotation.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let (from, to) = (annotation.from, annotation.to);
    let path = run.in_repository(annotation.path);
    let title = format!("voxlint ({})", annotation.rule.id);
    // Writing to a string cannot fail.
    let _ =
        write!(out, "::{command} file={},line={},endLine={}", property(&path), from.line, to.line);
    // GitHub rejects columns in an annotation of several lines.
    if from.line == to.line {
        let _ = write!(out, ",col={},endColumn={}", from.column, to.column);
    }
    let mut text = annotation.line(&path);
    if let Some(help) = annotation.help {
        text.push_str("\nhelp: ");
        text.push_str(&escape_terminal_lines(help));
    }
    let _ = writeln!(out, ",title={}::{}", property(&title), data(&text));
}

/// The escapes of the GitHub Actions toolkit for a message.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The escapes of the GitHub Actions toolkit for a property, without characters that steer the terminal that shows the log.
fn property(text: &str) -> String {
    data(&escape_property(text)).replace(':', "%3A").replace(',', "%2C")
}
