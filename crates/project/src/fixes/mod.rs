//! Fixes the files of a run: applies the fixes of their findings, and writes what has changed.
//!
//! Nothing of this is lasting before a file is renamed. Files that share a text, or are links to each other, are fixed
//! together (`group.rs`), so that a change is proven for all documents that it concerns.

mod group;
pub(crate) mod key;
mod lines;
mod scope;
mod state;
pub(crate) mod target;
mod whole;

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use voxlint::fixes::NotApplied;
use voxlint::syntax::Span;
use voxlint::{Report, Safety, Severity};

use crate::Failure;
use crate::file_set::FileSet;
use crate::input::InputFile;
use crate::linter::{Keep, Linter};
use crate::parallel;

use self::group::{Group, context, groups};
use self::key::{Key, is_readable_twice, key_of, real_path};
use self::scope::Scope;

/// Which fixes are applied, and whether the files are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixOptions {
    /// The most that is allowed: with [`Safety::Safe`] only safe fixes are applied.
    pub safety: Safety,
    /// Whether the files are written. Otherwise the changes are only shown.
    pub write: bool,
    /// Findings below this severity are not fixed.
    pub min_severity: Severity,
}

impl FixOptions {
    /// Takes the fixes from the findings that are not fixed.
    fn leave_hidden(self, report: &mut Report) {
        for finding in &mut report.diagnostics {
            if finding.severity < self.min_severity {
                finding.fixes.clear();
            }
        }
    }
}

/// A changed text: a whole file, or a line of a file with one document per line.
#[derive(Clone, Copy, Debug)]
pub struct FileChange<'a> {
    /// The path of the file as users see it.
    pub path: &'a str,
    /// Whether the file has one document per line, and this is one of its lines, with its line break.
    pub is_line: bool,
    /// How many lines of the file come before the text.
    pub lines_before: u64,
    /// The text before and after the fixes.
    pub before: &'a str,
    /// The text after the fixes.
    pub after: &'a str,
    /// The places of secrets in the text before the fixes.
    pub secrets_before: &'a [Span],
    /// The places of secrets in the text after the fixes.
    pub secrets_after: &'a [Span],
}

/// The result of fixing the files of a run.
#[derive(Debug, Default)]
pub struct FixResult {
    /// How many findings the documents had before that are gone, or would be, in the files that were changed. A finding in a text
    /// that several documents share counts for each of them, as in a check.
    pub problems: u32,
    /// How many files were changed, or would be. Standard input counts as a file.
    pub files: u32,
    /// The files that could not be written.
    pub failures: Vec<Failure>,
    /// The files that are not written, although the run does not fail: links to files outside of the tree.
    pub kept: Vec<Failure>,
    /// Why fixes of a file were not applied.
    not_applied: Reasons,
}

/// Why fixes of some files were not applied.
type Reasons = BTreeMap<Key, NotApplied>;

impl FixResult {
    /// Why fixes of a file were not applied, as far as the file itself is the reason. Any other path is that of
    /// standard input.
    pub fn not_applied(&self, path: &str) -> Option<NotApplied> {
        if self.not_applied.is_empty() {
            return None;
        }
        let key = Some(real_path(Path::new(path)));
        self.not_applied.get(&key).or_else(|| self.not_applied.get(&None)).copied()
    }

    /// Whether there were more fixes than one run applies.
    pub fn is_unfinished(&self) -> bool {
        self.not_applied.values().any(|reason| *reason == NotApplied::RunAgain)
    }
}

/// Shows a change, in the threads that fix the files.
pub(crate) type Show<'s, T> = &'s (dyn Fn(&FileChange<'_>) -> T + Sync);

/// Fixes files for one run.
pub(crate) struct Fixer<'a, T> {
    linter: Linter<'a, Keep>,
    options: FixOptions,
    scope: Scope,
    show: Show<'a, T>,
}

/// What was done with a file.
struct FixedFile<T> {
    key: Key,
    /// The path as users see it.
    shown: String,
    /// How many findings are gone by its changes, or by those of its group.
    problems: u32,
    outcome: Outcome<T>,
}

/// How a file with changes ended.
enum Outcome<T> {
    /// Nothing had to be fixed.
    Unchanged,
    Written,
    Shown(Vec<T>),
    /// It is not written, for this reason.
    Kept(Failure, NotApplied),
    Failed(Failure),
}

impl FixResult {
    fn add<T>(&mut self, file: FixedFile<T>, collect: &mut dyn FnMut(T)) {
        match file.outcome {
            Outcome::Failed(failure) => {
                self.not_applied.insert(file.key, NotApplied::NotWritten);
                return self.failures.push(failure);
            }
            Outcome::Kept(failure, reason) => {
                self.not_applied.insert(file.key, reason);
                return self.kept.push(failure);
            }
            Outcome::Unchanged => return,
            Outcome::Shown(shown) => shown.into_iter().for_each(collect),
            Outcome::Written => {}
        }
        self.files += 1;
        self.problems += file.problems;
    }
}

/// Fixes the files of a run. `collect` takes what `show` returns, in the order of the files.
pub(crate) fn fix_files<'l, T: Send>(
    linter: Linter<'l, Keep>,
    files: &FileSet,
    options: FixOptions,
    show: Show<'l, T>,
    collect: &mut dyn FnMut(T),
) -> FixResult {
    let scope = Scope::new(&linter, files);
    let fixer = Fixer { linter, options, scope, show };
    let groups = groups(&fixer.linter, files);
    let groups: Vec<&Group<'_>> = groups.iter().collect();
    let outcomes = parallel::map(&groups, |(): &mut (), group| fixer.fix_group(group));
    let mut done: Vec<Work<'_, T>> = Vec::new();
    let mut result = FixResult::default();
    for (group, GroupFixes { files, failures, reasons }) in groups.iter().zip(outcomes) {
        let shown = group.members.first().map_or("", |member| &member.input.shown).to_owned();
        result.not_applied.extend(reasons);
        done.push(Work { shown, lines: None, files, failures });
    }
    let context = context(&fixer.linter, files).into_iter();
    result.not_applied.extend(context.map(|key| (key, NotApplied::Context)));
    let disk = fixer.linter.file_system();
    let once = files.inputs.iter().filter(|input| !is_readable_twice(input, disk));
    result.not_applied.extend(once.map(|input| (key_of(input), NotApplied::OpenFile)));
    for input in files
        .inputs
        .iter()
        .filter(|input| input.has_document_per_line() && is_readable_twice(input, disk))
    {
        let shown = input.shown.to_string();
        done.push(Work { shown, lines: Some(input), files: Vec::new(), failures: Vec::new() });
    }
    done.sort_by(|a, b| a.shown.cmp(&b.shown));
    let mut seen = std::collections::BTreeSet::new();
    for work in done {
        result.failures.extend(work.failures);
        for file in work.files {
            result.add(file, collect);
        }
        let Some(input) = work.lines else { continue };
        let key = key_of(input);
        if !fixer.scope.contains(&key) {
            result.not_applied.insert(key, NotApplied::NotNamed);
        } else if seen.insert(key.clone()) {
            // Two paths may lead to the same file.
            let (file, is_complete) = fixer.fix_lines(input, collect);
            if !is_complete {
                result.not_applied.insert(key, NotApplied::RunAgain);
            }
            result.add(file, collect);
        }
    }
    result
}

/// What was done with the files of a group.
struct GroupFixes<T> {
    files: Vec<FixedFile<T>>,
    failures: Vec<Failure>,
    reasons: Reasons,
}

/// A group that was fixed, or a file with one document per line that is fixed when it is its turn.
struct Work<'i, T> {
    shown: String,
    lines: Option<&'i InputFile>,
    files: Vec<FixedFile<T>>,
    failures: Vec<Failure>,
}

impl<T> Fixer<'_, T> {
    /// Whether the text of a file is that of an editor. There may be no such file yet.
    fn is_unsaved(&self, path: &Path) -> bool {
        self.linter.file_system().has_overlay(path)
    }
}

/// A failure to write a file.
fn write_failure(shown: &str, error: &io::Error) -> Failure {
    let why = crate::describe_io_error(error);
    Failure::new(shown, format!("cannot be written, so it is unchanged: {why}"))
}
