//! `voxlint init`: writes a configuration that fits the repository.

mod proposal;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use voxlint::DocumentKind;
use voxlint_config::Configuration;
use voxlint_project::paths::{
    absolute, folder_of, forward_slashes, join, relative_or_absolute, simplified,
};
use voxlint_project::{
    BaselineSource, CONFIGURATION_NAME, ConfigurationSource, FileSet, LintOptions, RunResult,
    Session, WriteObjection, describe_io_error, read_configuration, write_atomically, write_new,
};
use voxlint_report::escape_terminal;

use self::proposal::{Setting, extension, propose};
use super::after_writing;
use crate::args::{InitOptions, InputOptions};
use crate::exit::Exit;
use crate::findings::{ReportOptions, RunReport, lint_and_report};
use crate::outputs::would_overwrite;
use crate::progress::Progress;
use crate::terminal::print_error;

/// What every configuration begins with.
const HEAD: &str = "\
# Settings of voxlint. `voxlint schema configuration` describes every key.
# Patterns in `files` are relative to this file. `stored` and `text_files` are relative to the
# folder of each document, and `{stem}` is its file name without the extension.
";

/// How many settings are proposed. With these, the configuration has at most 30 lines, and at most ten are printed.
const SETTINGS: usize = 6;

/// How many places of documents are named.
const PLACES: usize = 4;

pub(crate) fn run(options: &InitOptions) -> Exit {
    match init(options) {
        Ok(outcome) => outcome,
        Err(message) => {
            print_error(&message);
            Exit::Failed
        }
    }
}

fn init(options: &InitOptions) -> Result<Exit, String> {
    let directory = simplified(&options.directory);
    let file = directory.join(CONFIGURATION_NAME);
    let shown = forward_slashes(&simplified(&file));
    let metadata = fs::metadata(&directory);
    let metadata = metadata
        .map_err(|it| format!("{}: {}", forward_slashes(&directory), describe_io_error(&it)))?;
    if !metadata.is_dir() {
        return Err(format!("{}: not a directory", forward_slashes(&directory)));
    }
    let exists = fs::symlink_metadata(&file).is_ok();
    if exists && !options.force && !options.print {
        return Err(format!(
            "{shown}: already exists, so there is nothing to do: change it by hand, or see what would be proposed with --print and replace it with --force"
        ));
    }

    let top = absolute(&directory);
    let (session, files, mut after) = check(&options.directory, &top, HEAD)?;
    let objection = session.configurations().objection_to_writing(&file);
    if objection == Some(WriteObjection::LeadsOut) && !options.print {
        return Err(format!(
            "{shown}: a symbolic link leads out of the project, so nothing is written there: remove the link"
        ));
    }
    // The file itself is none of those that the run reads.
    let configuration = ConfigurationSource::BuiltIn;
    let without = Session::once(LintOptions { configuration, ..LintOptions::default() });
    let overwritten = || would_overwrite(&absolute(&file), &without, &files);
    if let Some(message) = (!options.print).then(overwritten).flatten() {
        return Err(message);
    }
    let found = found(&top, &after.result);
    let known: BTreeSet<String> = after.result.failures.iter().map(|it| it.path.clone()).collect();
    let (mut text, mut entry) = (HEAD.to_owned(), None);
    let (mut active, mut left_out) = (Vec::new(), Vec::new());
    for Setting { files: documents, line, objection } in
        propose(&top, &session, &files, &after.result.files)
    {
        let heading = match &documents {
            Some(_) if documents == entry => String::new(),
            Some(documents) => format!("\n[[documents]]\nfiles = {documents}\n"),
            None => "\n".to_owned(),
        };
        let with = format!("{text}{heading}{line}\n");
        let objection = objection
            .or_else(|| (active.len() == SETTINGS).then(|| "there are enough others".to_owned()));
        let tried = objection.map_or_else(|| check(&options.directory, &top, &with), Err);
        let tried = tried.and_then(|(_, _, report)| {
            let failure = report.result.failures.iter().find(|it| !known.contains(&it.path));
            failure.map(|it| Err(it.to_string())).unwrap_or(Ok(report))
        });
        let shown =
            documents.iter().fold(line, |line, documents| format!("{line} for {documents}"));
        match tried {
            Ok(report) => {
                active.push(format!("active: {shown}"));
                (text, after, entry) = (with, report, documents);
            }
            Err(objection) => left_out.push(format!("left out: {shown} ({objection})")),
        }
    }

    let exit = if options.print {
        after_writing(io::stdout().lock().write_all(text.as_bytes()), Exit::Clean)
    } else {
        write(&file, &text, options.force)
            .map_err(|error| format!("{shown}: {}", describe_io_error(&error)))?;
        Exit::Clean
    };
    let done = if options.print { "found".to_owned() } else { format!("wrote {shown}:") };
    let mut lines = vec![format!("{done} {found}")];
    let more = left_out.split_off(left_out.len().min(SETTINGS.saturating_sub(active.len()))).len();
    lines.append(&mut active);
    lines.append(&mut left_out);
    lines.extend((more > 0).then(|| format!("left out: {}", counted(more, "other setting"))));
    lines.extend(next(&after, &directory));
    for line in lines {
        // A failure to write to standard error cannot be reported.
        let _ = writeln!(io::stderr(), "{}", escape_terminal(&line));
    }
    Ok(exit)
}

/// Writes the file. Without `force`, a file that was created in the meantime is not overwritten.
fn write(file: &Path, text: &str, force: bool) -> io::Result<()> {
    if force {
        return write_atomically(file, text.as_bytes());
    }
    write_new(file, text.as_bytes())
}

/// A check of a directory with a configuration that is not written yet. It prints nothing.
fn check(directory: &Path, top: &str, text: &str) -> Result<(Session, FileSet, RunReport), String> {
    let path = join(top, CONFIGURATION_NAME);
    let mut read =
        |asked: &str| if asked == path { Ok(text.to_owned()) } else { read_configuration(asked) };
    let configuration = Configuration::load(&path, &mut read).map_err(|it| it.to_string())?;
    let baseline = BaselineSource::None;
    let options = LintOptions { baseline, allow_empty: true, ..LintOptions::default() };
    let mut session = Session::once(options);
    session.configurations_mut().insert_virtual(configuration);
    let input = InputOptions::of_directory(directory);
    let mut files = session.find_files(&input.paths()).map_err(|error| error.to_string())?;
    let progress = Progress::of(files.inputs().len(), false);
    let options = ReportOptions::every_finding(&progress);
    let report = lint_and_report(&session, &mut files, &input, options, &mut [])?;
    Ok((session, files, report))
}

/// The documents that were found, and where.
fn found(top: &str, result: &RunResult) -> String {
    let mut kinds: BTreeMap<DocumentKind, u32> = BTreeMap::new();
    let mut places = BTreeSet::new();
    for file in &result.files {
        for (kind, count) in file.kinds.iter() {
            *kinds.entry(kind).or_default() += count;
        }
        let folder = relative_or_absolute(top, folder_of(&file.absolute));
        places.insert(join(&folder, &format!("*{}", extension(&file.absolute))));
    }
    let count = result.statuses.documents() as usize;
    if count == 0 {
        return "no agent documents found".to_owned();
    }
    let kinds: Vec<String> =
        kinds.iter().map(|(kind, count)| counted(*count as usize, kind.noun())).collect();
    let more = places.len().saturating_sub(PLACES);
    let more = (more > 0).then(|| format!("{more} more"));
    let places: Vec<String> = places.into_iter().take(PLACES).chain(more).collect();
    format!("{} ({}) in {}", counted(count, "document"), kinds.join(", "), places.join(", "))
}

fn counted(count: usize, what: &str) -> String {
    match what.strip_suffix('y') {
        _ if count == 1 => format!("1 {what}"),
        Some(beginning) => format!("{count} {beginning}ies"),
        None => format!("{count} {what}s"),
    }
}

/// What is next for the user.
fn next(after: &RunReport, directory: &Path) -> Vec<String> {
    let place = forward_slashes(directory);
    let is_plain = |it: char| it.is_alphanumeric() || "._/-".contains(it);
    let place = match place.as_str() {
        "." => String::new(),
        place if place.chars().all(is_plain) => format!(" {place}"),
        place => format!(" '{}'", place.replace('\'', r"'\''")),
    };
    let failures = after.result.failures.len();
    let failed = format!(
        "{} could not be checked: `voxlint check{place}` says why",
        counted(failures, "file")
    );
    let mut lines = Vec::from_iter((failures > 0).then_some(failed));
    let findings = (after.summary.errors + after.summary.warnings + after.summary.infos) as usize;
    lines.push(match (after.summary.documents, findings) {
        (0, _) => "One typical field at the top level, such as `prompt_text`, makes a file an agent document. Use \
            `kind` in [[documents]] to declare others."
            .to_owned(),
        (_, 0) => format!("nothing to report: run `voxlint check{place}` in CI"),
        (_, count) => {
            let them = if count == 1 { "it" } else { "them" };
            format!(
                "{}: `voxlint baseline write{place}` records {them}, so that only new ones fail the gate",
                counted(count, "finding")
            )
        }
    });
    lines
}
