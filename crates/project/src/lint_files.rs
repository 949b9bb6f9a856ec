//! Lints the files of a run in parallel, and collects the results in order.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use voxlint::{DocumentKind, Unrecognised};
use voxlint_config::{BaselineEntry, FileBaseline, FileReport, SuppressionUsage, VisitedPaths};

use crate::Failure;
use crate::baselines::RecordedFindings;
use crate::file_set::FileSet;
use crate::file_status::{
    DocumentCounts, FileRole, FileStatus, FileStatuses, FileTracker, KindCounts, SkipReason,
};
use crate::input::InputFile;
use crate::line_reader::{Batch, LineReader};
use crate::linter::{
    CheckedFile, DocumentOutcome, FileContext, FileOutcome, Linter, Renderer, recognise_line,
};
use crate::notice::{Notice, PendingNotice};
use crate::parallel;
use crate::paths::{absolute, absolute_path, forward_slashes};
use crate::text_files::text_file_paths;

/// The result of a run.
#[derive(Debug)]
pub struct RunResult {
    /// The files that could not be read, used or checked.
    pub failures: Vec<Failure>,
    /// The status of every file.
    pub statuses: FileStatuses,
    /// Remarks that do not fail the run.
    pub notices: Vec<Notice>,
    /// All findings as a baseline lists them.
    pub findings: RecordedFindings,
    /// The files and folders that were visited. Without a configuration or a baseline nothing asks for them, and it is empty.
    pub(crate) visited: VisitedPaths,
    /// The files that were checked, in their order.
    pub files: Vec<FileStats>,
    /// The suppressions that were used.
    pub(crate) used: SuppressionUsage,
    /// The secrets in the workspace facts that documents were checked with.
    pub(crate) secrets_in_facts: Vec<FileReport>,
}

/// The numbers of documents and findings in a file that was checked.
#[derive(Clone, Debug, Default)]
pub struct FileStats {
    /// The absolute path.
    pub absolute: Arc<str>,
    /// How many documents of each kind the file contains.
    pub kinds: KindCounts,
    /// How many findings they have, suppressed ones included.
    pub findings: u32,
}

impl FileStats {
    /// The kind of the only document of the file; `None` if it has several.
    pub fn only_kind(&self) -> Option<DocumentKind> {
        let mut kinds = self.kinds.iter();
        let (kind, count) = kinds.next()?;
        (kinds.next().is_none() && count == 1).then_some(kind)
    }
}

/// Takes the results of a run, in the order of the files and their documents.
pub trait Collector<T> {
    /// Takes the result of a document, and whether the document is the first one of its file.
    fn document(&mut self, result: T, is_first: bool);

    /// A line of a file with one document per line has no result.
    fn unchecked_line(&mut self, line: &UncheckedLine<'_>) {
        let _ = line;
    }

    /// Every document that was read has been taken, and standard input has no further ones at the moment. The program that writes to
    /// it may wait for the results before it goes on.
    fn pause(&mut self) {}
}

/// A line of a file with one document per line that was not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UncheckedLine<'a> {
    /// The path of the file for display.
    pub path: &'a str,
    /// The number of the line's document in the file, counted from 0.
    pub index: u64,
    /// Why it was not checked.
    pub why: &'a str,
}

/// The collector of a caller that only wants the results.
pub(crate) struct OnlyDocuments<'c, T>(pub(crate) &'c mut dyn FnMut(T, bool));

impl<T> Collector<T> for OnlyDocuments<'_, T> {
    fn document(&mut self, result: T, is_first: bool) {
        (self.0)(result, is_first);
    }
}

/// Lints the files of a run.
pub(crate) fn lint_files<R: Renderer>(
    linter: &Linter<'_, R>,
    files: &FileSet,
    mut tracker: FileTracker,
    failures: Vec<Failure>,
    collect: &mut dyn Collector<R::Output>,
) -> RunResult {
    let outcomes = lint_whole_files(linter, files, &mut tracker);
    let mut collector = ResultCollector {
        linter,
        collect,
        tracker,
        failures,
        notices: Vec::new(),
        findings: RecordedFindings::default(),
        used: SuppressionUsage::default(),
        files: Vec::new(),
        documents: 0,
    };
    for (input, outcome) in outcomes {
        match outcome {
            Some(outcome) => collector.take(input, outcome),
            None => collector.lint_lines(input),
        }
    }
    collector.finish(files)
}

/// Checks every file that is read as a whole. A file with one document per line is checked when its results are due, so that
/// nothing of it is kept.
///
/// Related files come last: only then is it known which of them were checked as a part of a document.
fn lint_whole_files<'i, R: Renderer>(
    linter: &Linter<'_, R>,
    files: &'i FileSet,
    tracker: &mut FileTracker,
) -> Vec<(&'i InputFile, Option<FileOutcome<R::Output>>)> {
    let mut outcomes = lint_some(linter, files.inputs.iter());
    let explicit = linter.options.related.paths();
    let mut used: BTreeSet<PathBuf> = explicit.map(|path| absolute_path(path)).collect();
    add_used(linter, &outcomes, &mut used);
    // A stored configuration that is checked on its own may have text files.
    for is_text in [false, true] {
        let mut alone = Vec::new();
        for (input, role) in &files.related {
            if (*role == FileRole::Text) != is_text {
                continue;
            }
            let path = input.path.as_deref();
            let is_used = || path.is_some_and(|path| used.contains(&absolute_path(path)));
            let left_out = linter.options.related.leaving_out(*role).filter(|_| !is_used());
            if let Some(option) = left_out {
                tracker.set_status(input, FileStatus::Skipped(SkipReason::LeftOut(option)));
            } else if *role == FileRole::Baseline || is_used() {
                tracker.set_status(input, FileStatus::Used(*role));
            } else if !tracker.has_status(input) {
                alone.push(input);
            }
        }
        let alone = lint_some(linter, alone.into_iter());
        add_used(linter, &alone, &mut used);
        outcomes.extend(alone);
    }
    outcomes.sort_by(|(a, _), (b, _)| (&a.shown, &a.path).cmp(&(&b.shown, &b.path)));
    outcomes
}

fn lint_some<'i, R: Renderer>(
    linter: &Linter<'_, R>,
    inputs: impl Iterator<Item = &'i InputFile>,
) -> Vec<(&'i InputFile, Option<FileOutcome<R::Output>>)> {
    let inputs: Vec<&InputFile> = inputs.collect();
    parallel::map(&inputs, |buffer, input| {
        (*input, (!input.has_document_per_line()).then(|| linter.lint_file(input, buffer)))
    })
}

/// Adds the related files that were used.
fn add_used<R: Renderer>(
    linter: &Linter<'_, R>,
    outcomes: &[(&InputFile, Option<FileOutcome<R::Output>>)],
    used: &mut BTreeSet<PathBuf>,
) {
    for (input, outcome) in outcomes {
        match outcome {
            Some(FileOutcome::Checked(checked)) => used.extend(checked.used.iter().cloned()),
            Some(FileOutcome::Skipped(_) | FileOutcome::Unconfigured | FileOutcome::Failed(_)) => {}
            // Its lines have not been read yet, but its facts have.
            None => used.extend(linter.context(input).and_then(|file| linter.used_facts(&file))),
        }
    }
}

/// Collects the results of a run in the order of the files.
struct ResultCollector<'c, R: Renderer> {
    linter: &'c Linter<'c, R>,
    collect: &'c mut dyn Collector<R::Output>,
    tracker: FileTracker,
    failures: Vec<Failure>,
    notices: Vec<PendingNotice>,
    findings: RecordedFindings,
    used: SuppressionUsage,
    files: Vec<FileStats>,
    /// How many documents were checked.
    documents: u64,
}

/// The number of a line's document, counted from 0, and its results; none if it was skipped.
type LineOutcome<T> = (u64, Result<Option<DocumentOutcome<T>>, Failure>);

/// The results of a file, document by document.
#[derive(Default)]
struct FileProgress {
    configuration: usize,
    has_documents: bool,
    /// The ids of rules that are undecided in one of the documents.
    undecided: BTreeSet<String>,
    stats: FileStats,
    counts: DocumentCounts,
}

impl FileProgress {
    fn new<R: Renderer>(input: &InputFile, linter: &Linter<'_, R>) -> Self {
        Self {
            configuration: linter.reader.configurations.index_for(&input.absolute).unwrap_or(0),
            stats: FileStats { absolute: Arc::clone(&input.absolute), ..FileStats::default() },
            ..Self::default()
        }
    }
}

impl<R: Renderer> ResultCollector<'_, R> {
    fn fail(&mut self, input: &InputFile, failure: Failure) {
        self.tracker.set_status(input, FileStatus::Failed(failure.message.clone()));
        self.add_failure(failure);
    }

    /// Adds a failure once: documents may share a file that cannot be used.
    fn add_failure(&mut self, failure: Failure) {
        if !self.failures.contains(&failure) {
            self.failures.push(failure);
        }
    }

    fn take(&mut self, input: &InputFile, outcome: FileOutcome<R::Output>) {
        match outcome {
            FileOutcome::Checked(checked) => {
                let CheckedFile { documents, counts, findings, failures, notices, .. } = *checked;
                let mut file = FileProgress::new(input, self.linter);
                file.counts = counts;
                for document in documents {
                    self.take_document(document, &mut file);
                }
                self.notices.extend(notices);
                for failure in failures {
                    self.add_failure(failure);
                }
                self.close(input, file, findings);
            }
            FileOutcome::Skipped(reason) => {
                self.tracker.set_status(input, FileStatus::Skipped(reason));
            }
            // A faulty configuration is one failure, however many files it has.
            FileOutcome::Unconfigured => self.tracker.set_status(input, FileStatus::Unconfigured),
            FileOutcome::Failed(failure) => self.fail(input, failure),
        }
    }

    /// Checks a file with one document per line.
    fn lint_lines(&mut self, input: &InputFile) {
        let linter = self.linter;
        match linter.context(input) {
            None => self.tracker.set_status(input, FileStatus::Unconfigured),
            Some(context) => match kind_of_other_lines(linter, &context) {
                Ok(LinesKind::Checked { others }) => self.lint_batches(input, &context, others),
                Ok(LinesKind::Skipped(reason)) => {
                    self.tracker.set_status(input, FileStatus::Skipped(reason));
                }
                Err(failure) => self.fail(input, failure),
            },
        }
        linter.renderer.file_done();
    }

    fn lint_batches(
        &mut self,
        input: &InputFile,
        context: &FileContext<'_>,
        others: Option<DocumentKind>,
    ) {
        let linter = self.linter;
        let opened = linter.non_utf8_path_failure(context, false);
        let opened = opened.map_or_else(|| input.open(linter.file_system()), Err);
        // The program that writes to standard input may wait for the findings of a line before it writes the next one.
        let is_live = input.path.is_none();
        let mut lines = match opened {
            Ok(bytes) if is_live => LineReader::live(bytes),
            Ok(bytes) => LineReader::new(bytes),
            Err(failure) => return self.fail(input, failure),
        };
        let mut file = FileProgress::new(input, linter);
        let mut truncated = None;
        let next = || {
            let read = lines.next_batch().map_err(|error| input.io_failure(&error));
            read.unwrap_or_else(|failure| {
                truncated = Some(failure);
                None
            })
        };
        // A baseline distinguishes equal findings by their order, so it needs the lines one by one.
        let mut baseline = linter.baseline(input);
        if baseline.is_some() {
            self.lint_in_order(next, (input, context), others, &mut file, baseline.as_mut());
        } else {
            let work = |batch: Batch| -> Vec<LineOutcome<R::Output>> {
                let lint = |line| linter.lint_line(context, others, (&batch, line), None);
                batch.lines.iter().map(|line| (line.index, lint(line))).collect()
            };
            parallel::stream(next, work, |outcomes| match outcomes {
                Some(outcomes) => {
                    for outcome in outcomes {
                        self.take_line(input, outcome, &mut file);
                    }
                }
                None if is_live => self.collect.pause(),
                None => {}
            });
        }
        file.counts.documents = lines.count();
        let findings = baseline.map(FileBaseline::into_entries).unwrap_or_default();
        let is_empty = file.counts.documents == 0;
        if is_empty && input.is_explicit && !linter.options.allow_empty && truncated.is_none() {
            truncated = Some(input.failure("the file contains no documents"));
        }
        if let Some(failure) = truncated {
            self.truncate(input, file, failure);
        } else if is_empty {
            self.tracker.set_status(input, FileStatus::Skipped(SkipReason::Empty));
        } else {
            self.notices.extend(linter.notices_about_several(context));
            self.close(input, file, findings);
        }
    }

    /// Checks lines one by one.
    fn lint_in_order(
        &mut self,
        mut next: impl FnMut() -> Option<Batch>,
        (input, context): (&InputFile, &FileContext<'_>),
        others: Option<DocumentKind>,
        file: &mut FileProgress,
        mut baseline: Option<&mut FileBaseline<'_>>,
    ) {
        loop {
            self.collect.pause();
            let Some(batch) = next() else { return };
            for line in &batch.lines {
                let baseline = baseline.as_deref_mut();
                let outcome = self.linter.lint_line(context, others, (&batch, line), baseline);
                self.take_line(input, (line.index, outcome), file);
            }
        }
    }

    fn take_line(
        &mut self,
        input: &InputFile,
        (index, outcome): LineOutcome<R::Output>,
        file: &mut FileProgress,
    ) {
        let path = &*input.shown;
        match outcome {
            Ok(Some(document)) => self.take_document(document, file),
            Ok(None) => {
                let why = "not an agent document";
                self.collect.unchecked_line(&UncheckedLine { path, index, why });
                file.counts.skip(index + 1);
            }
            Err(failure) => {
                let why = &failure.message;
                self.collect.unchecked_line(&UncheckedLine { path, index, why });
                file.counts.failed += 1;
                self.add_failure(failure);
            }
        }
    }

    /// Ends a file that could not be read to its end. The results before that point have been collected.
    fn truncate(&mut self, input: &InputFile, file: FileProgress, failure: Failure) {
        let FileProgress { stats, mut counts, .. } = file;
        counts.checked = stats.kinds;
        self.tracker.set_status(input, FileStatus::Truncated(counts, failure.message.clone()));
        self.add_failure(failure);
    }

    /// Ends a file that was checked.
    fn close(&mut self, input: &InputFile, file: FileProgress, findings: Vec<BaselineEntry>) {
        let FileProgress { configuration, undecided, stats, mut counts, .. } = file;
        self.findings.entries.extend(findings.into_iter().map(|entry| (configuration, entry)));
        if !undecided.is_empty() {
            self.findings.undecided.insert(stats.absolute.to_string(), undecided);
        }
        counts.checked = stats.kinds;
        self.tracker.set_status(input, FileStatus::Checked(counts));
        self.files.push(stats);
    }

    fn take_document(&mut self, document: DocumentOutcome<R::Output>, file: &mut FileProgress) {
        self.documents += 1;
        file.stats.findings += document.findings;
        file.stats.kinds.add(document.kind);
        self.used.add(document.used);
        file.undecided.extend(document.undecided);
        for failure in document.unchecked {
            self.add_failure(failure);
        }
        let is_first = !std::mem::replace(&mut file.has_documents, true);
        self.collect.document(document.rendered, is_first);
    }

    /// The result of the run, with the status of every file.
    fn finish(self, files: &FileSet) -> RunResult {
        let Self {
            linter,
            tracker,
            mut failures,
            notices,
            findings,
            used,
            files: stats,
            documents,
            ..
        } = self;
        let statuses = tracker.finish().unwrap_or_else(|(statuses, contradictions)| {
            failures.extend(contradictions);
            statuses
        });
        if statuses.documents() != documents {
            let message = format!(
                "internal error: {documents} documents were checked, and {} have a status",
                statuses.documents()
            );
            failures.push(Failure::new("voxlint", message));
        }
        let has_configuration =
            linter.reader.configurations.iter().any(|(_, it)| it.path().is_some());
        let has_baseline = files.baselines.iter().any(|file| file.baseline.is_some());
        let visited = if has_configuration || has_baseline {
            visited(linter, files, &stats, &statuses, failures.is_empty())
        } else {
            VisitedPaths::default()
        };
        let by_path = if notices.is_empty() { BTreeMap::new() } else { statuses.by_path() };
        let notices = notices.into_iter().map(|notice| notice.resolve(&by_path));
        // A run over changed documents cannot tell whether a pattern matches one of the others.
        let is_whole = linter.options.changed_since.is_none();
        let about_all = || {
            let patterns = notices_about_settings(linter, files, &statuses, &visited);
            patterns.into_iter().chain(empty_folders(linter, files, &statuses))
        };
        let about_all = is_whole.then(about_all).into_iter().flatten();
        let notices = notices.chain(about_all).collect();
        drop(by_path);
        let secrets_in_facts = files.related_files.secrets_in_facts(linter.configurations());
        let files = stats;
        RunResult { failures, statuses, notices, findings, visited, files, used, secrets_in_facts }
    }
}

/// The files and folders that were visited. After a failure, the content of the folders is not known.
fn visited<R: Renderer>(
    linter: &Linter<'_, R>,
    files: &FileSet,
    stats: &[FileStats],
    statuses: &FileStatuses,
    is_complete: bool,
) -> VisitedPaths {
    let folders = if is_complete { files.folders.clone() } else { Vec::new() };
    let checked: BTreeSet<String> = stats.iter().map(|file| file.absolute.to_string()).collect();
    let mut others = statuses.unchecked();
    for (_, configuration) in linter.reader.configurations.iter() {
        let exists = |file: &str| linter.file_system().exists(Path::new(file)) != Ok(false);
        let named = configuration.suppressed_files();
        let unchecked = named.filter(|file| !checked.contains(*file) && exists(file));
        // A folder that is named was visited or not like any other.
        others.extend(
            unchecked
                .filter(|file| !linter.file_system().is_dir(Path::new(file)))
                .map(str::to_owned),
        );
    }
    VisitedPaths { folders, files: checked, unchecked: others }
}

/// Notices about named folders without agent documents: one may be misspelled.
fn empty_folders<R: Renderer>(
    linter: &Linter<'_, R>,
    files: &FileSet,
    statuses: &FileStatuses,
) -> Vec<Notice> {
    if statuses.documents() == 0 || linter.options.explicit_paths.only_documents {
        return Vec::new();
    }
    let is_dir = |path: &Path| linter.file_system().is_dir(path);
    let is_empty = |path: &&PathBuf| is_dir(path) && !statuses.has_any_below(&absolute(path));
    let empty = files.paths.iter().filter(is_empty);
    empty.map(|path| Notice::EmptyFolder(forward_slashes(path))).collect()
}

/// Notices about removed rules, and about patterns that match no file, as far as the run visited all files that they could match.
fn notices_about_settings<R: Renderer>(
    linter: &Linter<'_, R>,
    files: &FileSet,
    statuses: &FileStatuses,
    visited: &VisitedPaths,
) -> Vec<Notice> {
    let configurations = linter.reader.configurations;
    let of_service = configurations.files_of_the_service();
    let all = [linter.file_system(), of_service, configurations.settings_files()];
    let exists = |path: &Path| all.iter().any(|files| files.exists(path) != Ok(false));
    let mut notices = Vec::new();
    for (index, configuration) in configurations.iter() {
        for removed in configuration.removed_rules() {
            let place = configurations.shown_place(&removed.source);
            notices.push(Notice::RemovedRule { place, rule: removed.value.clone() });
        }
        if configuration.path().is_none() || visited.folders.is_empty() {
            continue;
        }
        let applies = |path: &&str| configurations.index_for(path) == Some(index);
        let related = files
            .inputs
            .iter()
            .filter(|input| applies(&&*input.absolute))
            .flat_map(|input| configuration.for_file(&input.absolute).related_files())
            .filter(|(path, _)| exists(Path::new(path)))
            .map(|(_, pattern)| pattern)
            .collect();
        let paths = statuses.paths().filter(applies);
        for unmatched in configuration.unmatched(paths, &related, &visited.folders) {
            notices.push(Notice::UnmatchedPattern {
                place: configurations.shown_place(&unmatched.source),
                setting: unmatched.setting,
                pattern: unmatched.pattern,
            });
        }
    }
    // A hook names only some of the files.
    if !linter.options.explicit_paths.only_documents {
        for convention in &linter.options.conventions {
            let one = std::slice::from_ref(convention);
            let has_text = |input: &InputFile| {
                text_file_paths(input, one, None).iter().any(|text| exists(&text.path))
            };
            if !files.inputs.iter().any(has_text) {
                notices.push(Notice::UnmatchedConvention(convention.clone()));
            }
        }
    }
    notices
}

/// What is done with a file with one document per line.
pub(crate) enum LinesKind {
    /// Its documents are checked. Lines that are not recognised are checked as `others`, or else skipped.
    Checked {
        others: Option<DocumentKind>,
    },
    Skipped(SkipReason),
}

/// Searches a file for an agent document, unless it is always checked: the kind of the other lines depends on it, and the
/// lines before it are checked as well. The file is read again afterwards, so that nothing of it is kept.
pub(crate) fn kind_of_other_lines<R: Renderer>(
    linter: &Linter<'_, R>,
    file: &FileContext<'_>,
) -> Result<LinesKind, Failure> {
    if file.settings.is_always_checked() {
        return Ok(LinesKind::Checked { others: file.settings.kind_of_others([]) });
    }
    let input = file.input;
    let mut lines = LineReader::new(input.open(linter.file_system())?);
    let mut failure = None;
    let is_known = AtomicBool::new(false);
    let next = || {
        let read = lines.next_batch().map_err(|error| input.io_failure(&error));
        let batch = read.unwrap_or_else(|why| {
            failure = Some(why);
            None
        });
        batch.filter(|_| !is_known.load(Ordering::Relaxed))
    };
    let mut all = Ok(LineKinds::default());
    parallel::stream(
        next,
        |batch: Batch| line_kinds(file, &batch),
        |kinds| {
            let Some(kinds) = kinds else { return };
            if let Ok(known) = &mut all
                && known.others.is_none()
            {
                match kinds {
                    Ok(kinds) => known.add(kinds),
                    Err(failure) => all = Err(failure),
                }
            }
            let is_last = all.as_ref().map_or(true, |known| known.others.is_some());
            is_known.fetch_or(is_last, Ordering::Relaxed);
        },
    );
    let LineKinds { has_documents, others, closest } = all?;
    Ok(if others.is_some() {
        LinesKind::Checked { others }
    } else if let Some(failure) = failure {
        return Err(failure);
    } else if has_documents {
        LinesKind::Checked { others: None }
    } else if lines.count() == 0 {
        LinesKind::Skipped(SkipReason::Empty)
    } else {
        LinesKind::Skipped(SkipReason::NotADocument(closest))
    })
}

/// What lines are recognised as.
#[derive(Default)]
struct LineKinds {
    has_documents: bool,
    /// The kind of lines that are not recognised, as soon as one decides it.
    others: Option<DocumentKind>,
    /// Why the line that is closest to a document is none.
    closest: Option<Unrecognised>,
}

impl LineKinds {
    /// Adds the lines that follow.
    fn add(&mut self, next: Self) {
        self.has_documents |= next.has_documents;
        self.others = self.others.or(next.others);
        let both = next.closest.into_iter().chain(self.closest.take());
        self.closest = both.max_by_key(|why| (why.resembles().is_some(), why.to_string()));
    }
}

/// Recognises the lines of a batch, up to the one that decides the kind of the others.
fn line_kinds(file: &FileContext<'_>, batch: &Batch) -> Result<LineKinds, Failure> {
    let mut all = LineKinds::default();
    for line in &batch.lines {
        let recognised = recognise_line(file.input, batch.bytes(line))?;
        let kind = recognised.kind();
        let others = file.settings.kind_of_others([kind]);
        let closest = recognised.into_unrecognised();
        all.add(LineKinds { has_documents: kind.is_some(), others, closest });
        if others.is_some() {
            break;
        }
    }
    Ok(all)
}
