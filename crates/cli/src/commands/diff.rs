//! `voxlint diff`: prints the update between two states.

use std::io::{self, BufWriter, Write as _};

use voxlint::Difference;
use voxlint_bindings::with_update;
use voxlint_project::{Failure, LintOptions, LoadedDocument, RelatedOptions, Session};
use voxlint_report::{
    CheckedDocument, RunSummary, difference_notes, escape_json, undecided_line, write_changes,
    write_difference_json,
};

use super::{after_writing, failed};
use crate::args::{DiffOptions, TextOrJson};
use crate::exit::Exit;
use crate::options::{ONE_STDIN, configuration_source, name_stdin_twice};
use crate::terminal::{print_error, print_findings, style_of_stdout};

pub(crate) fn run(options: &DiffOptions) -> Exit {
    let paths = [&options.old, &options.new].into_iter().chain(&options.workspace.facts);
    if name_stdin_twice(paths) {
        print_error(ONE_STDIN);
        return Exit::Failed;
    }
    let done = load(options).and_then(|new| compare(&new, options));
    done.unwrap_or_else(|failures| failed(&failures, options.color.when))
}

/// Reads NEW, with OLD as the stored configuration.
fn load(options: &DiffOptions) -> Result<LoadedDocument, Vec<Failure>> {
    let mut lint = LintOptions::default();
    lint.read.jsonc = options.syntax.jsonc;
    lint.configuration = configuration_source(&options.configuration);
    lint.related = RelatedOptions {
        stored: Some(options.old.clone()),
        facts: options.workspace.facts.clone(),
        agent_id: options.workspace.agent_id.clone(),
        ..RelatedOptions::default()
    };
    lint.conventions.clone_from(&options.texts.text_files);
    let new = lint.read.input(&options.new);
    if new.location().is_none() && !lint.conventions.is_empty() {
        let message = "--text-files: name the file of NEW, because its texts are found beside it";
        return Err(vec![new.failure(message)]);
    }
    Session::once(lint).load_document(&options.new)
}

fn compare(new: &LoadedDocument, options: &DiffOptions) -> Result<Exit, Vec<Failure>> {
    let (path, related) = (&*new.input.shown, new.related.origins());
    let found = voxlint_project::difference(path, &new.inputs(), options.complete, &related)?;
    // Without a stored configuration, loading fails.
    let Some((difference, name)) = found else { return Ok(Exit::Failed) };
    Ok(with_update(&difference, &name, &related, |checked| report(&difference, checked, options)))
}

/// Prints the difference.
fn report(
    difference: &Difference,
    checked: Option<&CheckedDocument<'_>>,
    options: &DiffOptions,
) -> Exit {
    let mut out = BufWriter::new(io::stdout().lock());
    let written = match options.output.format {
        TextOrJson::Json => write_difference_json(&mut out, difference, checked),
        TextOrJson::Full => {
            for note in difference_notes(difference) {
                print_error(&note);
            }
            match checked {
                Some(checked) => print_findings(checked, options.color.when),
                None if difference.cannot_unset.is_empty() => print_error("nothing to change"),
                None => {}
            }
            if let Some(line) = undecided(difference) {
                print_error(&line);
            }
            print(&mut out, difference, options)
        }
    };
    let fails = difference.is_rejected() || !difference.cannot_unset.is_empty();
    let exit = if fails { Exit::Findings } else { Exit::Clean };
    after_writing(written.and_then(|()| out.flush()), exit)
}

/// How many checks of the update are undecided, in one line.
fn undecided(difference: &Difference) -> Option<String> {
    let mut summary = RunSummary::default();
    summary.add(difference.report.as_ref()?);
    undecided_line(&summary, "a more complete OLD")
}

/// Prints the update, or what it changes. An update that would be rejected is not printed, because it should not be sent.
fn print(
    out: &mut dyn io::Write,
    difference: &Difference,
    options: &DiffOptions,
) -> io::Result<()> {
    match &difference.update {
        _ if options.explain => {
            write_changes(out, difference, &style_of_stdout(options.color.when))
        }
        Some(update) if !difference.is_rejected() => writeln!(out, "{}", escape_json(update)),
        _ => Ok(()),
    }
}
