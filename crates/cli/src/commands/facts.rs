use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use voxlint::schema::Row;
use voxlint::{DocumentKind, Facts, Source, skeleton};
use voxlint_report::{
    CheckedDocument, FailedFile, OutputFormat, RunInfo, RunOutcome, escape_terminal, render,
    write_findings,
};

use super::after_writing;
use crate::Outcome;
use crate::args::{FactsOptions, SkeletonFormat};
use crate::files::Reading;
use crate::terminal::{complain, style_of_stdout};

pub(crate) fn run(options: &FactsOptions) -> Outcome {
    let Some(file) = &options.file else {
        let skeleton = match options.format {
            SkeletonFormat::Yaml => skeleton::facts_in_yaml(),
            SkeletonFormat::Toml => skeleton::facts_in_toml(),
        };
        return after_writing(io::stdout().lock().write_all(skeleton.as_bytes()), Outcome::Clean);
    };
    check(file, options).unwrap_or_else(|failure| {
        complain(&format!("{}: {}", failure.path, failure.message));
        Outcome::Failed
    })
}

/// Says whether a file can be used as facts. Here the faults are the answer, so they go to standard output.
fn check(file: &Path, options: &FactsOptions) -> Result<Outcome, FailedFile> {
    let input = Reading { stdin_filename: None, jsonc: options.syntax.jsonc }.named(file);
    let bytes = input.read()?;
    let source = Source::from_bytes(&bytes);
    let document = input.document(&source)?;
    let facts = Facts::new(document);
    let faults = facts.faults();
    let mut out = BufWriter::new(io::stdout().lock());
    if faults.diagnostics.is_empty() {
        let written = write!(out, "{}", answer(&input.shown, &facts)).and_then(|()| out.flush());
        return Ok(after_writing(written, Outcome::Clean));
    }
    let checked = CheckedDocument::new(&input.shown, source.text(), &faults);
    let rendered = render(OutputFormat::Full, &style_of_stdout(options.color.when), &checked);
    let written = write_findings(
        &mut out,
        OutputFormat::Full,
        &RunInfo::default(),
        [rendered],
        &RunOutcome::default(),
    )
    .and_then(|()| out.flush());
    complain(&format!("{}: cannot be used as workspace facts", input.shown));
    Ok(after_writing(written, Outcome::Findings))
}

/// What the facts say something of, and what they leave open.
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
