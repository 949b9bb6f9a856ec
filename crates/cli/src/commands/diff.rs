use std::io::{self, BufWriter, Write as _};

use voxlint::{DiffError, Difference, Origin, Source, diff};
use voxlint_config::FileSettings;
use voxlint_report::{
    CheckedDocument, FailedFile, RelatedFile, RunSummary, difference_notes, escape_json,
    undecided_line, write_changes, write_difference_json,
};

use super::after_writing;
use crate::Outcome;
use crate::args::{ContextOptions, DiffOptions, TextOrJson};
use crate::files::{self, Input, Reading};
use crate::judge;
use crate::partners::{PartnerFiles, Partners, refuse, show};
use crate::paths::folder;
use crate::project::Project;
use crate::terminal::{complain, style_of_stdout};
use crate::texts::{self, Texts};

pub(crate) fn run(options: &DiffOptions) -> Outcome {
    if files::name_stdin_twice(
        [&options.old, &options.new].into_iter().chain(&options.workspace.facts),
    ) {
        complain(files::ONE_STDIN);
        return Outcome::Failed;
    }

    let mut failures = Vec::new();
    let partners =
        ContextOptions { stored: Some(options.old.clone()), workspace: options.workspace.clone() };
    let reading = Reading { stdin_filename: None, jsonc: options.syntax.jsonc };
    let new = reading.named(&options.new);
    let mut project = Project::new(&options.configuration, options.color.when);
    project.look_up(folder(&new.absolute));
    failures.append(&mut project.failures);
    let settings = project.settings(&new.absolute);
    let stated = settings.as_ref().and_then(FileSettings::facts);
    let facts = stated.map(|facts| facts.value.clone()).into_iter().collect();
    let files = PartnerFiles::read(&partners, reading, facts, &project, &mut failures);
    let sources = files.sources();
    let partners = Partners::parse(&sources, &partners, options.color.when, &mut failures);
    let bytes = new.read().map_err(|failure| failures.push(failure)).unwrap_or_default();
    let texts = texts_of(&new, options, settings.as_ref(), &project);
    let texts = texts.map_err(|failure| failures.push(failure)).ok();
    let texts = texts.as_ref().map(Texts::sources).unwrap_or_default();
    if !failures.is_empty() {
        return fail(&failures);
    }

    let source = Source::from_bytes(&bytes);
    let document = match new.document(&source) {
        Ok(document) => document,
        Err(failure) => return fail(&[failure]),
    };
    let inputs = partners.diff_inputs(&document, settings.as_ref());
    // Without a stored state there was a failure.
    let Some(mut inputs) = inputs else { return Outcome::Failed };
    if options.partial {
        inputs = inputs.partial();
    }
    let inputs = inputs.texts(texts::inputs(&texts));
    match diff(&inputs) {
        Ok(difference) => {
            let beside = partners.list(settings.as_ref(), None);
            tell(&difference, [&reading.named(&options.old).shown, &new.shown], options, &beside)
        }
        Err(DiffError::NewUnusable(faults)) => {
            let texts: Vec<_> = texts::partners(&texts).collect();
            let checked =
                CheckedDocument::new(&new.shown, source.text(), &faults).related_files(&texts);
            fail(&[refuse(&checked, "the wanted settings", options.color.when)])
        }
        Err(error @ DiffError::NewNotSettings(_)) => {
            fail(&[FailedFile { path: new.shown, message: error.to_string() }])
        }
        Err(error) => {
            complain(&error.to_string());
            Outcome::Failed
        }
    }
}

/// The texts of NEW that are kept in files of their own.
fn texts_of(
    new: &Input,
    options: &DiffOptions,
    settings: Option<&FileSettings<'_>>,
    project: &Project,
) -> Result<Texts, FailedFile> {
    if new.location.is_none() && !options.texts.text_files.is_empty() {
        let message = "--text-files: name the file of NEW, because its texts are found beside it";
        return Err(new.failure(message.to_owned()));
    }
    let has_some = settings.is_some_and(|settings| !settings.text_files().is_empty());
    if let Some(failure) = new.lost(has_some).filter(|_| has_some || project.looks_above()) {
        return Err(failure);
    }
    Texts::read(&texts::beside(new, &options.texts.text_files, settings), project)
}

fn tell(
    difference: &Difference,
    [old, new]: [&str; 2],
    options: &DiffOptions,
    beside: &[(Origin, RelatedFile<'_>)],
) -> Outcome {
    let name = format!("the update from {old} to {new}");
    let checked = difference.update.as_ref().zip(difference.report.as_ref());
    let checked = checked
        .map(|(update, report)| CheckedDocument::new(&name, update, report).related_files(beside));
    let unread = checked.as_ref().map(judge::unread).unwrap_or_default();
    if !unread.is_empty() {
        return fail(&unread);
    }

    let mut out = BufWriter::new(io::stdout().lock());
    let written = match options.output.format {
        TextOrJson::Json => write_difference_json(&mut out, difference, checked.as_ref()),
        TextOrJson::Full => {
            for remark in difference_notes(difference) {
                complain(&remark);
            }
            match &checked {
                Some(checked) => show(checked, options.color.when),
                None if difference.cannot_unset.is_empty() => complain("nothing to change"),
                None => {}
            }
            if let Some(line) = undecided(difference) {
                complain(&line);
            }
            print(&mut out, difference, options)
        }
    };
    let fails = difference.is_rejected() || !difference.cannot_unset.is_empty();
    let outcome = if fails { Outcome::Findings } else { Outcome::Clean };
    after_writing(written.and_then(|()| out.flush()), outcome)
}

/// What the check of the update could not decide, in one line.
fn undecided(difference: &Difference) -> Option<String> {
    let mut summary = RunSummary::default();
    summary.add(difference.report.as_ref()?);
    undecided_line(&summary, "a fuller OLD")
}

/// What goes to standard output for people: the update to be sent, or what it changes. What would be refused is not to be
/// sent; what it would have changed may still be asked for.
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

fn fail(failures: &[FailedFile]) -> Outcome {
    for failure in failures {
        complain(&format!("{}: {}", failure.path, failure.message));
    }
    Outcome::Failed
}
