//! A headline and a table for the page of a job, in GitHub's Markdown.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;

use voxlint::Severity;

use crate::annotation::Annotation;
use crate::escape::escape_terminal;
use crate::located::Document;
use crate::run::{Ending, page_of};
use crate::writer::Sink;
use crate::{RenderOptions, RunInfo, summary_line};

/// How many findings and failures are listed: pages of jobs hold a megabyte.
const MOST: usize = 100;

/// How many characters of a text are shown.
const LONGEST: usize = 300;

/// The findings to list: the first of each severity.
#[derive(Default)]
pub(crate) struct Markdown {
    rows: BTreeMap<Severity, Vec<Row>>,
    count: usize,
}

struct Row {
    /// The number of the finding in the run.
    number: usize,
    line: String,
}

impl Sink for Markdown {
    fn take(
        &mut self,
        _: &mut dyn io::Write,
        run: &RunInfo<'_>,
        document: Document,
        _: bool,
    ) -> io::Result<()> {
        for annotation in Annotation::all(&document) {
            self.count += 1;
            let rows = self.rows.entry(annotation.severity).or_default();
            if rows.len() < MOST {
                rows.push(Row { number: self.count, line: row(run, &annotation) });
            }
        }
        Ok(())
    }

    fn finish(
        &mut self,
        out: &mut dyn io::Write,
        run: &RunInfo<'_>,
        ending: &Ending<'_>,
    ) -> io::Result<()> {
        let summary = summary_line(ending.summary, None, &RenderOptions::default());
        writeln!(out, "## voxlint\n\n{}", escaped(&summary))?;
        // The gravest stay, in the order of the run.
        let gravest = std::mem::take(&mut self.rows).into_iter().rev();
        let mut rows: Vec<Row> = gravest.flat_map(|(_, rows)| rows).take(MOST).collect();
        rows.sort_by_key(|row| row.number);
        if !rows.is_empty() {
            out.write_all(b"\n| place | severity | rule | message |\n|---|---|---|---|\n")?;
        }
        for row in &rows {
            out.write_all(row.line.as_bytes())?;
        }
        more(out, self.count - rows.len(), "finding")?;
        if !ending.failures.is_empty() {
            out.write_all(b"\nCould not be checked:\n\n")?;
        }
        for failure in ending.failures.iter().take(MOST) {
            let path = run.in_repository(&failure.path);
            writeln!(out, "- {}: {}", cell(&path), cell(&failure.message))?;
        }
        more(out, ending.failures.len().saturating_sub(MOST), "file")
    }
}

fn more(out: &mut dyn io::Write, count: usize, what: &str) -> io::Result<()> {
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
    let rule = match page_of(run.documentation, annotation.rule) {
        Some(page) => format!("[{rule}]({page})"),
        None => rule,
    };
    let (word, message) = (annotation.word, with_code(&cell(&annotation.message)));
    format!("| {path}&#58;{line}&#58;{column} | {word} | {rule} | {message} |\n")
}

/// A text of one line, cut to size.
fn cell(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => escaped(&format!("{}…", text.get(..end).unwrap_or_default())),
        None => escaped(text),
    }
}

const BACKTICK: &str = "&#96;";

/// A text that means nothing but itself: whatever Markdown, HTML or GitHub would read otherwise is a character reference.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in escape_terminal(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '`' => out.push_str(BACKTICK),
            '|' | '\\' | '*' | '_' | '[' | ']' | '~' | '#' | '@' | ':' | '!' | '$' | '"' | '{'
            | '}' | '^' | '+' | '=' => {
                // Writing to a string cannot fail.
                let _ = write!(out, "&#{};", u32::from(c));
            }
            // Otherwise an address that begins so would become a link.
            '.' if out.ends_with(['w', 'W']) => out.push_str("&#46;"),
            _ => out.push(c),
        }
    }
    out
}

/// Shows what stands between backticks as code.
fn with_code(escaped: &str) -> String {
    let mut pieces = escaped.split(BACKTICK);
    let mut out = pieces.next().unwrap_or_default().to_owned();
    while let Some(piece) = pieces.next() {
        if let Some(after) = pieces.next() {
            // Writing to a string cannot fail.
            let _ = write!(out, "<code>{piece}</code>{after}");
        } else {
            out.push_str(BACKTICK);
            out.push_str(piece);
        }
    }
    out
}
