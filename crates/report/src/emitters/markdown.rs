//! A heading and a table for the summary of a job, in GitHub's Markdown.

use std::collections::BTreeMap;
use std::io;

use voxlint::Severity;

use crate::annotation::Annotation;
use crate::documentation::page_url;
use crate::emitter::{Emitter, Output};
use crate::located::LocatedDocument;
use crate::markdown::{cell, escaped, with_code};
use crate::options::RenderOptions;
use crate::run::{RunInfo, RunOutcome};
use crate::summary::summary_line;

/// The number of findings and failures that are listed: a job summary is limited to a megabyte.
const MAX_ROWS: usize = 100;

/// Keeps the first findings of each severity.
#[derive(Default)]
pub(crate) struct MarkdownEmitter {
    rows: BTreeMap<Severity, Vec<TableRow>>,
    count: usize,
}

struct TableRow {
    /// The number of the finding in the run.
    number: usize,
    line: String,
}

impl Emitter for MarkdownEmitter {
    fn add(&mut self, out: &mut Output<'_>, document: LocatedDocument, _: bool) -> io::Result<()> {
        let run = out.run;

        for annotation in Annotation::all(&document) {
            self.count += 1;
            let rows = self.rows.entry(annotation.severity).or_default();
            if rows.len() < MAX_ROWS {
                rows.push(TableRow { number: self.count, line: row(run, &annotation) });
            }
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Output<'_>, outcome: &RunOutcome<'_>) -> io::Result<()> {
        let run = out.run;
        let summary = summary_line(&outcome.summary, None, &RenderOptions::default());
        writeln!(out, "## voxlint\n\n{}", escaped(&summary))?;
        // The most severe findings are listed, in the order of the run.
        let by_severity = std::mem::take(&mut self.rows).into_iter().rev();
        let mut rows: Vec<TableRow> =
            by_severity.flat_map(|(_, rows)| rows).take(MAX_ROWS).collect();
        rows.sort_by_key(|row| row.number);
        if !rows.is_empty() {
            out.write("\n| place | severity | rule | message |\n|---|---|---|---|\n")?;
        }
        for row in &rows {
            out.write(&row.line)?;
        }
        more(out, self.count - rows.len(), "finding")?;
        if !outcome.failed.is_empty() {
            out.write("\nCould not be checked:\n\n")?;
        }
        for failure in outcome.failed.iter().take(MAX_ROWS) {
            let path = run.in_repository(&failure.path);
            writeln!(out, "- {}: {}", cell(&path), cell(&failure.message))?;
        }
        more(out, outcome.failed.len().saturating_sub(MAX_ROWS), "file")
    }
}

fn more(out: &mut Output<'_>, count: usize, what: &str) -> io::Result<()> {
    match count {
        0 => Ok(()),
        1 => writeln!(out, "\n1 more {what} is not listed here."),
        _ => writeln!(out, "\n{count} more {what}s are not listed here."),
    }
}

fn row(run: &RunInfo<'_>, annotation: &Annotation<'_>) -> String {
    let path = cell(&run.in_repository(annotation.path));
    let (line, column) = (annotation.from.line, annotation.from.column);
    let rule = cell(&annotation.rule.id);
    let rule = match page_url(run.documentation, annotation.rule) {
        Some(page) => format!("[{rule}]({page})"),
        None => rule,
    };
    let (word, message) = (annotation.word(), with_code(&cell(&annotation.message)));
    format!("| {path}&#58;{line}&#58;{column} | {word} | {rule} | {message} |\n")
}
