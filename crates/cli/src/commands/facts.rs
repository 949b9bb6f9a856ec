//! `voxlint facts`: checks a file of workspace facts.

use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use voxlint::docs::example_file;
use voxlint::schema::Row;
use voxlint::{DocumentKind, Facts, Faults as _};
use voxlint_project::{Failure, FileSystem, ReadOptions};
use voxlint_report::{
    CheckedDocument, OutputFormat, RunInfo, RunOutcome, escape_terminal, render, write_findings,
};

use super::after_writing;
use crate::args::FactsOptions;
use crate::exit::Exit;
use crate::terminal::{print_error, style_of_stdout};

pub(crate) fn run(options: &FactsOptions) -> Exit {
    let Some(file) = &options.file else {
        let example = example_file::facts_in_yaml();
        return after_writing(io::stdout().lock().write_all(example.as_bytes()), Exit::Clean);
    };
    check(file, options).unwrap_or_else(|failure| {
        print_error(&failure.to_string());
        Exit::Failed
    })
}

/// Prints whether a file can be used as facts. The faults are the result of this command, so they go to standard output.
fn check(file: &Path, options: &FactsOptions) -> Result<Exit, Failure> {
    let input = ReadOptions { jsonc: options.syntax.jsonc, ..ReadOptions::default() }.input(file);
    let facts = Facts::new(input.document(&input.read(&FileSystem::default())?)?);
    let faults = facts.faults();
    let mut out = BufWriter::new(io::stdout().lock());
    if faults.diagnostics.is_empty() {
        let written = write!(out, "{}", answer(&input.shown, &facts)).and_then(|()| out.flush());
        return Ok(after_writing(written, Exit::Clean));
    }
    let checked = CheckedDocument::new(&input.shown, facts.document().text(), &faults);
    let (info, outcome) = (RunInfo::default(), RunOutcome::default());
    let style = style_of_stdout(options.color.when);
    let rendered = render(OutputFormat::Full, &style, &checked);
    let written = write_findings(&mut out, OutputFormat::Full, &info, [rendered], &outcome)
        .and_then(|()| out.flush());
    print_error(&format!("{}: cannot be used as workspace facts", input.shown));
    Ok(after_writing(written, Exit::Findings))
}

/// The facts that the file states, and those that it does not.
fn answer(path: &str, facts: &Facts) -> String {
    let rows = DocumentKind::Facts.table().rows.iter().copied();
    let (known, unknown): (Vec<&Row>, Vec<&Row>) = rows.partition(|row| facts.contains(row));
    let names = |rows: &[&Row]| {
        let names: Vec<&str> = rows.iter().map(|row| row.name).collect();
        if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
    };
    format!(
        "{}: can be used as workspace facts\n  known    {}\n  unknown  {}\n",
        escape_terminal(path),
        names(&known),
        names(&unknown)
    )
}
