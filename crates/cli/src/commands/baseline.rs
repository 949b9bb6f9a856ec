//! `voxlint baseline`: records findings, and finds entries whose finding is gone.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use voxlint_config::{Baseline, BaselineEntry};
use voxlint_project::paths::{absolute, folder_of};
use voxlint_project::{
    BaselineFile, CONFIGURATION_NAME, FileSet, RunResult, Session, describe_io_error,
    write_atomically,
};
use voxlint_report::{escape_json, escape_terminal};

use super::after_writing;
use crate::args::{BaselineAction, BaselineCommand};
use crate::exit::Exit;
use crate::find::find_files;
use crate::findings::{ReportOptions, lint_and_report};
use crate::options::{baseline_source, lint_options, no_such_baseline};
use crate::outputs::{would_lead_elsewhere, would_mislead, would_overwrite};
use crate::progress::Progress;
use crate::terminal::{print_error, print_failures};

pub(crate) fn run(command: &BaselineCommand) -> Exit {
    act(&command.action).unwrap_or_else(|message| {
        print_error(&message);
        Exit::Failed
    })
}

/// A run that recorded all findings.
struct Recorded<'a> {
    session: &'a Session,
    files: &'a FileSet,
    result: &'a RunResult,
    is_quiet: bool,
}

/// Lints the files and changes or checks the baseline. After a failure nothing is done: a file that could not be read may
/// have findings.
fn act(action: &BaselineAction) -> Result<Exit, String> {
    let (BaselineAction::Write(options)
    | BaselineAction::Check(options)
    | BaselineAction::Prune(options)) = action;
    let is_write = matches!(action, BaselineAction::Write(_));
    let file = options.baseline.baseline.as_ref();
    if let Some(file) = file.filter(|file| !is_write && !file.exists()) {
        return Err(no_such_baseline(file));
    }
    let mut lint = lint_options(&options.input, &options.configuration);
    options.gate.apply(&mut lint.related);
    lint.selection = options.rules.selection();
    lint.baseline = baseline_source(file);
    lint.allow_empty = true;
    let mut session = Session::once(lint);
    let mut files = find_files(&mut session, &options.input, options.color.when)?;
    let named = file.filter(|_| is_write).map(|file| absolute(file));
    if let Some(message) = named.and_then(|path| would_mislead(&path, &session)) {
        return Err(message);
    }
    files.record_findings();
    let is_quiet = options.quiet.quiet;
    let progress = Progress::of(files.inputs().len(), is_quiet);
    let report_options = ReportOptions::every_finding(&progress);
    let report = lint_and_report(&session, &mut files, &options.input, report_options, &mut []);
    progress.clear();
    let result = match report {
        Ok(report) if report.result.failures.is_empty() => report.result,
        failed => {
            match failed {
                Ok(report) => print_failures(&report.result.failures),
                Err(message) => print_error(&message),
            }
            return Err("the baseline is unchanged".to_owned());
        }
    };
    let recorded = Recorded { session: &session, files: &files, result: &result, is_quiet };
    match action {
        BaselineAction::Write(_) => recorded.write(),
        BaselineAction::Check(_) => Ok(recorded.check()),
        BaselineAction::Prune(_) => recorded.prune(),
    }
}

impl Recorded<'_> {
    /// Writes the existing findings to the baseline. Entries for files that were not visited are kept.
    fn write(&self) -> Result<Exit, String> {
        let Self { session, files, result, is_quiet } = self;
        let baselines = files.baselines();
        let mut lists: BTreeMap<&str, Vec<BaselineEntry>> = BTreeMap::new();
        for (index, entry) in &result.findings.entries {
            if let Some(file) = baselines.get(*index) {
                lists.entry(&file.path).or_default().push(entry.clone());
            }
        }
        let stale = session.stale_entries(files, result).into_iter();
        let stale: BTreeSet<(&str, &BaselineEntry)> =
            stale.map(|(file, entry)| (&*file.path, entry)).collect();
        let exists = |file: &&BaselineFile| {
            lists.contains_key(&*file.path) || fs::exists(&file.path).unwrap_or(true)
        };
        let mut written: BTreeMap<&str, &BaselineFile> =
            baselines.iter().filter(exists).map(|file| (&*file.path, file)).collect();
        if written.is_empty() {
            // An empty baseline is written as well.
            written.extend(session.baseline_here(files).map(|file| (&*file.path, file)));
        }
        let objection = |path: &&str| {
            would_mislead(path, session).or_else(|| would_overwrite(path, session, files))
        };
        if let Some(message) = written.keys().find_map(objection) {
            return Err(message);
        }
        for file in written.into_values() {
            let kept = file.baseline.iter().flat_map(Baseline::entries);
            let kept = kept.filter(|entry| !stale.contains(&(&*file.path, *entry))).cloned();
            let baseline: Baseline =
                lists.remove(&*file.path).into_iter().flatten().chain(kept).collect();
            // The folder of a baseline that a configuration names may not exist yet.
            let folder = fs::create_dir_all(folder_of(&file.path));
            let path = session.configurations().shown(&file.path);
            folder
                .and_then(|()| replace_baseline(file, &baseline))
                .map_err(|error| format!("{path}: {}", describe_io_error(&error)))?;
            if !is_quiet {
                let findings = counted(baseline.len(), "finding", "findings");
                print_error(&format!("recorded {findings} in {path}; only new ones are reported"));
            }
        }
        Ok(Exit::Clean)
    }

    /// Lists the entries whose finding is gone.
    fn check(&self) -> Exit {
        let stale = self.session.stale_entries(self.files, self.result);
        if stale.is_empty() {
            return Exit::Clean;
        }
        let mut text = String::new();
        for (file, entry) in &stale {
            let path = self.session.configurations().shown(&file.document(entry));
            let (path, pointer) = (escape_terminal(&path), escape_terminal(&entry.pointer));
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{path}: {} at {pointer}", entry.rule);
        }
        if !self.is_quiet {
            let entries = counted(stale.len(), "entry matches", "entries match");
            print_error(&format!("{entries} nothing: `voxlint baseline prune` removes them"));
        }
        after_writing(io::stdout().lock().write_all(text.as_bytes()), Exit::Findings)
    }

    /// Removes the entries whose finding is gone.
    fn prune(&self) -> Result<Exit, String> {
        let mut stale: BTreeMap<&str, BTreeSet<&BaselineEntry>> = BTreeMap::new();
        for (file, entry) in self.session.stale_entries(self.files, self.result) {
            stale.entry(&file.path).or_default().insert(entry);
        }
        for file in self.files.baselines() {
            let (Some(stale), Some(baseline)) = (stale.remove(&*file.path), &file.baseline) else {
                continue;
            };
            let mut left = baseline.clone();
            left.retain(|entry| !stale.contains(entry));
            if let Some(message) = would_lead_elsewhere(&file.path, self.session) {
                return Err(message);
            }
            let path = self.session.configurations().shown(&file.path);
            replace_baseline(file, &left)
                .map_err(|error| format!("{path}: {}", describe_io_error(&error)))?;
            if !self.is_quiet {
                let entries = counted(stale.len(), "entry", "entries");
                print_error(&format!("removed {entries} from {path}; {} left", left.len()));
            }
        }
        Ok(Exit::Clean)
    }
}

fn replace_baseline(file: &BaselineFile, baseline: &Baseline) -> io::Result<()> {
    let text = baseline.to_json();
    let text = escape_json(&text);
    // No later run would read it.
    if text.len() as u64 > BaselineFile::MAX_SIZE {
        return Err(io::Error::other(format!(
            "a baseline may have at most {} MiB, and {} findings need {} bytes: switch off the rules with the most findings, or give folders a `{CONFIGURATION_NAME}` and a baseline of their own",
            BaselineFile::MAX_SIZE >> 20,
            baseline.len(),
            text.len()
        )));
    }
    write_atomically(Path::new(&file.path), text.as_bytes())
}

fn counted(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}
