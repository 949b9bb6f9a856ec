//! `voxlint init`: writes a configuration that fits the repository.

mod messages;
mod proposal;

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use voxlint_config::Configuration;
use voxlint_project::paths::{absolute, forward_slashes, join, simplified};
use voxlint_project::{
    BaselineSource, CONFIGURATION_NAME, ConfigurationSource, Failure, FileSet, LintOptions,
    Session, SuppressionMode, WriteObjection, describe_io_error, read_configuration,
    write_atomically, write_new,
};
use voxlint_report::escape_terminal;

use self::messages::{found, next};
use self::proposal::Proposal;
use super::after_writing;
use crate::args::{ColorArgument, InitOptions, InputOptions};
use crate::exit::Exit;
use crate::find::find_files;
use crate::findings::{ReportOptions, RunReport, lint_and_report};
use crate::outputs::would_overwrite;
use crate::progress::Progress;
use crate::terminal::{print_error, print_failures};

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

    let trial = Trial { directory: &options.directory };
    let (session, files, first) = trial.without_configuration()?;
    let objection = session.configurations().objection_to_writing(&file);
    if objection == Some(WriteObjection::LeadsOut) && !options.print {
        return Err(format!(
            "{shown}: a symbolic link leads out of the project, so nothing is written there: remove the link"
        ));
    }
    let overwritten = || would_overwrite(&absolute(&file), &session, &files);
    if let Some(message) = (!options.print).then(overwritten).flatten() {
        return Err(message);
    }
    let top = absolute(&directory);
    let above = session.configurations().configuration_above(&top);
    let mut proposal = Proposal::of(&top, above.as_deref(), &files, &first.result);
    let mut text = proposal.text(&top, &first.result);
    let mut after = trial.with_configuration(&top, &text);
    let known: BTreeSet<&str> = first.result.failures.iter().map(|it| &*it.path).collect();
    let objection = match &after {
        Ok(after) => {
            let mut failures = after.result.failures.iter();
            failures.find(|failure| !known.contains(&*failure.path)).map(Failure::to_string)
        }
        Err(message) => Some(message.clone()),
    };
    if let Some(objection) = objection.filter(|_| proposal.has_settings()) {
        proposal.comment_out_all(&format!("the run would fail ({objection})"));
        text = proposal.text(&top, &first.result);
        after = trial.with_configuration(&top, &text);
    }
    let after = after?;

    let exit = if options.print {
        after_writing(io::stdout().lock().write_all(text.as_bytes()), Exit::Clean)
    } else {
        write(&file, &text, options.force)
            .map_err(|error| format!("{shown}: {}", describe_io_error(&error)))?;
        Exit::Clean
    };
    print_failures(&after.result.failures);
    let done = if options.print { "found".to_owned() } else { format!("wrote {shown}:") };
    let mut message = format!("{done} {}\n", found(&first.result));
    message += &proposal.summary();
    message += &next(&after.summary, &directory);
    for line in message.lines() {
        // A failure to write to standard error cannot be reported.
        let _ = writeln!(io::stderr(), "{}", escape_terminal(line));
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

/// A check of a directory that prints nothing.
#[derive(Clone, Copy)]
struct Trial<'o> {
    directory: &'o Path,
}

impl Trial<'_> {
    fn check(self, session: &mut Session) -> Result<(FileSet, RunReport), String> {
        let input = InputOptions::of_directory(self.directory);
        let mut files = find_files(session, &input, ColorArgument::Auto)?;
        let progress = Progress::of(files.inputs().len(), false);
        let options = ReportOptions::every_finding(&progress);
        let report = lint_and_report(session, &mut files, &input, options, &mut [])?;
        Ok((files, report))
    }

    /// All findings, without any configuration.
    fn without_configuration(self) -> Result<(Session, FileSet, RunReport), String> {
        let mut options = trial_options();
        options.configuration = ConfigurationSource::BuiltIn;
        options.suppressions = SuppressionMode::Ignore;
        let mut session = Session::once(options);
        let (files, report) = self.check(&mut session)?;
        Ok((session, files, report))
    }

    /// The findings with a configuration that is not written yet.
    fn with_configuration(self, top: &str, text: &str) -> Result<RunReport, String> {
        let path = join(top, CONFIGURATION_NAME);
        let mut read = |asked: &str| {
            if asked == path { Ok(text.to_owned()) } else { read_configuration(asked) }
        };
        let configuration =
            Configuration::load(&path, &mut read).map_err(|error| error.to_string())?;
        let mut session = Session::once(trial_options());
        session.configurations_mut().insert_virtual(configuration);
        self.check(&mut session).map(|(_, report)| report)
    }
}

fn trial_options() -> LintOptions {
    LintOptions { baseline: BaselineSource::None, allow_empty: true, ..LintOptions::default() }
}
