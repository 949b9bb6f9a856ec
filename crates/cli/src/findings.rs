//! Lints files and writes the findings in every requested format.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::mem;
use std::path::{Path, PathBuf};

use voxlint::fixes::NotApplied;
use voxlint::{Diagnostic, DocumentKind, Origin, Report, Safety, Severity};
use voxlint_bindings::{failed_file, related_file, skipped_files};
use voxlint_project::paths::forward_slashes;
use voxlint_project::{
    Collector, Failure, FileSet, FixResult, Judge, LintedDocument, Renderer, RunResult, Session,
    UncheckedLine, suggest_stdin_format,
};
use voxlint_report::{
    CheckedDocument, FailedFile, FindingsWriter, OutputFormat, RenderOptions, RenderedDocument,
    Repository, RunInfo, RunOutcome, RunSummary, UnappliedFixes, render,
};

use crate::args::InputOptions;
use crate::judge::Own;
use crate::progress::Progress;
use crate::terminal::documentation;

/// The message for a run in which nothing was checked.
pub(crate) const NOTHING: &str = "no agent documents found, so nothing was checked";

/// A format of the findings, and the stream that they are written to.
pub(crate) struct OutputSpec<'o> {
    pub(crate) format: OutputFormat,
    pub(crate) style: RenderOptions,
    pub(crate) out: &'o mut dyn Write,
}

/// How findings are shown.
#[derive(Clone, Copy)]
pub(crate) struct ReportOptions<'p> {
    /// Findings below this severity are not written.
    pub(crate) min_severity: Severity,
    /// Whether a run in which nothing was checked may pass.
    pub(crate) allow_empty: bool,
    pub(crate) progress: &'p Progress,
    /// What the settings of the working tree report, if others judge it.
    pub(crate) own: Option<&'p Own>,
    /// What was fixed before, if the run was to fix files.
    pub(crate) fixes: Option<&'p FixResult>,
    /// The most that was fixed; `None` if nothing was written.
    pub(crate) fixed_safety: Option<Safety>,
}

impl<'p> ReportOptions<'p> {
    /// For a run that collects findings of all severities, and may find nothing to check.
    pub(crate) const fn every_finding(progress: &'p Progress) -> Self {
        let min_severity = Severity::Info;
        let (allow_empty, own, fixes, fixed_safety) = (true, None, None, None);
        Self { min_severity, allow_empty, progress, own, fixes, fixed_safety }
    }
}

/// The result of a run whose findings have been written.
pub(crate) struct RunReport {
    pub(crate) result: RunResult,
    pub(crate) summary: RunSummary,
    /// What the working tree loosens, in sentences.
    pub(crate) loosened: Vec<String>,
    pub(crate) written: io::Result<()>,
}

/// Lints files and writes the findings.
///
/// # Errors
///
/// If `--stored` was given for several documents. No findings are written then.
pub(crate) fn lint_and_report(
    session: &Session,
    files: &mut FileSet,
    input: &InputOptions,
    options: ReportOptions<'_>,
    specs: &mut [OutputSpec<'_>],
) -> Result<RunReport, String> {
    let ReportOptions { min_severity, progress, own, fixes, fixed_safety, .. } = options;
    let formats: Vec<_> = specs.iter().map(|spec| (spec.format, spec.style)).collect();
    let mut rules = session.configurations().rules();
    rules.extend(own.map(|own| own.rules_beside(&rules)).unwrap_or_default());
    let repository = repository(session);
    let info =
        RunInfo { rules: &rules, repository: Some(&repository), documentation: documentation() };
    let fixing = fixes.zip(fixed_safety);
    let renderer = DocumentRenderer { formats: &formats, min_severity, progress, own, fixing };
    let writers =
        specs.iter_mut().map(|spec| FindingsWriter::new(spec.out, spec.format, info)).collect();
    let mut collector = FindingsCollector::new(writers, input.context.stored.is_some());
    collector.lists_unchecked = formats.iter().any(|(_, style)| style.document_lines);
    let mut result = session.lint_files_into(files, &renderer, &mut collector);
    let (settings, visited) = own.map_or((session, &result), |own| (&own.session, &own.result));
    let judge = own.map(|own| Judge { session, files, own_files: &own.files });
    let others = settings.check_other_files(visited, judge.as_ref());
    if let Some(own) = own {
        for (document, counted) in own.left() {
            let Some(mut document) = document else {
                collector.summary.documents += 1;
                continue;
            };
            own.leave_out(&mut document, &others);
            let RenderedInAll { mut counts, formats, .. } = renderer.render_all(document);
            // The reference has counted it.
            if let Some(is_faulty) = counted {
                (counts.documents, counts.faulty) = (0, u32::from(!is_faulty));
            }
            collector.write(counts, formats, true);
        }
        let is_new = |failure: &&Failure| !result.failures.contains(failure);
        let failures: Vec<Failure> = own.result.failures.iter().filter(is_new).cloned().collect();
        result.failures.extend(failures);
        let known: BTreeSet<&str> = result.files.iter().map(|file| &*file.absolute).collect();
        let more = own.result.files.iter().filter(|file| !known.contains(&*file.absolute));
        let more: Vec<_> = more.cloned().collect();
        result.files.extend(more);
    }
    let conflict = collector.stored_conflict();
    if conflict.is_none() {
        for mut file in others {
            let path = settings.configurations().shown(&file.path);
            // A configuration is not a document, and `--fix` does not change it.
            let mut counts = RunSummary::default();
            counts.add(&file.report);
            let counts =
                RunSummary { documents: 0, faulty: 0, fixable: 0, unsafe_fixable: 0, ..counts };
            file.report.diagnostics.retain(|found| found.severity >= min_severity);
            let checked = CheckedDocument::new(&path, &file.text, &file.report);
            collector.write(counts, renderer.formats(&checked), true);
        }
    }
    progress.clear();
    if let Some(conflict) = conflict {
        return Err(conflict);
    }
    let FindingsCollector { writers, waiting, mut summary, mut written, .. } = collector;
    if let Some(fixes) = fixes {
        summary.is_fixing = true;
        (summary.fixed, summary.fixed_files) = (fixes.problems, fixes.files);
        result.failures.extend(fixes.failures.iter().cloned());
    }
    let loosened = own.map(|own| own.loosened(session, files, &result));
    summary.loosened = loosened.as_ref().map(|all| all.len() as u32);
    summary.files = result.files.len() as u32;
    summary.possible_documents = result.statuses.possible_documents() as u32;
    summary.skipped = result.statuses.skipped_files() as u32;
    summary.unchanged = result.statuses.unchanged_files() as u32;
    summary.skipped_documents = result.statuses.skipped_documents() as u32;
    summary.failed = result.statuses.failed(&result.failures);
    let mut failed: Vec<FailedFile> = result.failures.iter().map(failed_file).collect();
    if is_empty(&summary) && failed.is_empty() && !options.allow_empty {
        // Without this, the report of a run in which nothing was checked would look like a good one.
        let path = input.paths().first().map_or(String::new(), |path| forward_slashes(path));
        failed.push(FailedFile { path, message: NOTHING.to_owned() });
    }
    let skipped = skipped_files(&result);
    if written.is_ok() {
        let loosened = loosened.as_deref();
        let outcome = RunOutcome { skipped: &skipped, failed: &failed, loosened, summary };
        written = finish(writers, waiting, &outcome);
    }
    Ok(RunReport { result, summary, loosened: loosened.unwrap_or_default(), written })
}

/// Whether nothing was found that could have been checked.
pub(crate) const fn is_empty(summary: &RunSummary) -> bool {
    summary.documents == 0 && summary.unchanged == 0
}

/// The repository of a session, for the paths in reports.
fn repository(session: &Session) -> Repository {
    let root = session.repository_root().to_owned();
    let repository = Repository { root, prefix: String::new() };
    let prefix = repository.relative(&voxlint_project::paths::working_directory());
    Repository { prefix, ..repository }
}

/// Renders documents in the worker threads.
struct DocumentRenderer<'a> {
    formats: &'a [(OutputFormat, RenderOptions)],
    min_severity: Severity,
    progress: &'a Progress,
    own: Option<&'a Own>,
    /// What was fixed before, and the most that was.
    fixing: Option<(&'a FixResult, Safety)>,
}

/// A document, rendered in each format.
struct RenderedInAll {
    /// The file without symbolic links, after a run that fixes files.
    file: Option<PathBuf>,
    formats: Vec<RenderedDocument>,
    counts: RunSummary,
    kind: DocumentKind,
}

impl Renderer for DocumentRenderer<'_> {
    type Output = RenderedInAll;

    fn render(&self, mut document: LintedDocument) -> RenderedInAll {
        if let Some(own) = self.own {
            own.join(&mut document);
        }
        self.render_all(document)
    }

    fn file_done(&self) {
        self.progress.file();
    }

    fn line_done(&self) {
        self.progress.line();
    }
}

impl DocumentRenderer<'_> {
    fn render_all(&self, mut document: LintedDocument) -> RenderedInAll {
        if document.is_unnamed_stdin {
            suggest_file_name(&mut document.report, document.document.text());
        }
        // Findings that are not shown are counted, but `--fix` does not fix them.
        let is_shown = |found: &Diagnostic| found.severity >= self.min_severity;
        for found in document.report.diagnostics.iter_mut().filter(|found| !is_shown(found)) {
            found.fixes.clear();
        }
        let mut counts = RunSummary::default();
        counts.add(&document.report);
        document.report.diagnostics.retain(is_shown);
        let LintedDocument { path, document, position, lines, report, related, kind, .. } =
            &document;
        let related: Vec<_> = related.iter().map(related_file).collect();
        let has = |wanted| related.iter().any(|(origin, _)| *origin == wanted);
        counts.add_decidable(report, has(Origin::Stored), has(Origin::Facts));
        let mut checked =
            CheckedDocument::new(path, document.text(), report).related_files(&related);
        checked.position = *position;
        checked.lines = lines.as_deref();
        let reasons = self.reasons(&checked);
        let unapplied = |(_, safety)| UnappliedFixes { safety, reasons: &reasons };
        checked.unapplied = self.fixing.map(unapplied);
        if let Some(unapplied) = checked.unapplied {
            let reasons = report.diagnostics.iter().filter_map(|it| unapplied.reason_of(it));
            reasons.for_each(|reason| counts.unapplied.add(reason));
        }
        let file = self.fixing.and_then(|_| Path::new(&**path).canonicalize().ok());
        RenderedInAll { file, formats: self.formats(&checked), counts, kind: *kind }
    }

    /// Why the fixes of a document and its texts were not applied, as far as the files are the reason.
    fn reasons(&self, checked: &CheckedDocument<'_>) -> Vec<(Origin, NotApplied)> {
        let Some((fixes, _)) = self.fixing else { return Vec::new() };
        let paths = checked.related_files.iter().map(|(origin, file)| (*origin, file.path));
        let paths = paths.chain([(Origin::Document, checked.path)]);
        paths
            .filter(|(origin, _)| {
                let mut fixes = checked.report.diagnostics.iter().flat_map(|it| &it.fixes);
                fixes.any(|fix| fix.origin == *origin)
            })
            .filter_map(|(origin, path)| Some((origin, fixes.not_applied(path)?)))
            .collect()
    }

    fn formats(&self, checked: &CheckedDocument<'_>) -> Vec<RenderedDocument> {
        self.formats.iter().map(|(format, style)| render(*format, style, checked)).collect()
    }
}

/// Adds how standard input can be read in another format, if its text is valid there.
fn suggest_file_name(report: &mut Report, text: &str) {
    let fault = report.diagnostics.iter_mut().find(|found| found.rule.is_syntax());
    if let Some(fault) = fault
        && let Some(suggestion) = suggest_stdin_format(text)
    {
        fault.help = Some(suggestion);
        fault.fixes.clear();
    }
}

/// Writes rendered documents in order, and counts.
struct FindingsCollector<'o> {
    writers: Vec<FindingsWriter<'o>>,
    /// Whether the formats that have a line for each document have one for those that are not checked.
    lists_unchecked: bool,
    /// The documents that wait until it is known whether `--stored` was given for only one, each with whether it is the
    /// first of its file; `None` if `--stored` was not given.
    waiting: Option<Vec<(Vec<RenderedDocument>, bool)>>,
    /// How many documents are checked against the stored configuration, and in how many files.
    changes: u64,
    changed_files: u64,
    /// Whether the current file has such a document.
    has_changes: bool,
    /// The files so far, and whether the current one was among them: another path has led to it.
    files: BTreeSet<PathBuf>,
    is_known: bool,
    summary: RunSummary,
    written: io::Result<()>,
}

impl<'o> FindingsCollector<'o> {
    fn new(writers: Vec<FindingsWriter<'o>>, has_stored: bool) -> Self {
        Self {
            writers,
            lists_unchecked: false,
            waiting: has_stored.then(Vec::new),
            changes: 0,
            changed_files: 0,
            has_changes: false,
            files: BTreeSet::new(),
            is_known: false,
            summary: RunSummary::default(),
            written: Ok(()),
        }
    }

    /// Does something with the writers, unless one has failed or they have to wait.
    fn attempt(&mut self, write: impl FnOnce(&mut [FindingsWriter<'o>]) -> io::Result<()>) {
        if self.waiting.is_none() && self.written.is_ok() {
            self.written = write(&mut self.writers);
        }
    }

    fn take(&mut self, mut document: RenderedInAll, is_first: bool) {
        if is_first {
            self.has_changes = false;
            self.is_known = document.file.take().is_some_and(|file| !self.files.insert(file));
        }
        if self.is_known {
            // The same document, which is fixed once.
            (document.counts.documents, document.counts.faulty) = (0, 0);
        }
        if document.kind.has_settings() {
            self.changes += 1;
            self.changed_files += u64::from(!mem::replace(&mut self.has_changes, true));
        }
        self.write(document.counts, document.formats, is_first);
    }

    /// Writes a rendered document, or keeps it until it can be written.
    fn write(&mut self, counts: RunSummary, rendered: Vec<RenderedDocument>, is_first: bool) {
        self.summary += counts;
        match &mut self.waiting {
            // The run ends with an error message instead.
            Some(waiting) if self.changes > 1 => waiting.clear(),
            Some(waiting) => waiting.push((rendered, is_first)),
            None if self.written.is_ok() => {
                self.written = add(&mut self.writers, rendered, is_first);
            }
            None => {}
        }
    }

    /// The message if `--stored` was given for several documents.
    fn stored_conflict(&self) -> Option<String> {
        self.waiting.as_ref()?;
        stored_conflict(self.changes, self.changed_files)
    }
}

impl Collector<RenderedInAll> for FindingsCollector<'_> {
    fn document(&mut self, document: RenderedInAll, is_first: bool) {
        self.take(document, is_first);
    }

    fn unchecked_line(&mut self, line: &UncheckedLine<'_>) {
        if self.lists_unchecked {
            self.attempt(|writers| {
                let mut writers = writers.iter_mut();
                writers.try_for_each(|it| it.add_unchecked(line.path, line.index, line.why))
            });
        }
    }

    fn pause(&mut self) {
        self.attempt(|writers| writers.iter_mut().try_for_each(FindingsWriter::pause));
    }
}

/// The message if `--stored` was given for several documents. `files` is the number of their files.
pub(crate) fn stored_conflict(documents: u64, files: u64) -> Option<String> {
    let way_out = if files > 1 { "name one of them" } else { "keep one in a file" };
    let message =
        || format!("--stored applies to one document, but {documents} were found: {way_out}");
    (documents > 1).then(message)
}

/// Hands a rendered document to each writer.
fn add(
    writers: &mut [FindingsWriter<'_>],
    rendered: Vec<RenderedDocument>,
    is_first: bool,
) -> io::Result<()> {
    writers.iter_mut().zip(rendered).try_for_each(|(writer, rendered)| {
        if is_first { writer.add(rendered) } else { writer.add_record(rendered) }
    })
}

/// Writes what remains.
fn finish(
    mut writers: Vec<FindingsWriter<'_>>,
    waiting: Option<Vec<(Vec<RenderedDocument>, bool)>>,
    outcome: &RunOutcome<'_>,
) -> io::Result<()> {
    for (rendered, is_first) in waiting.into_iter().flatten() {
        add(&mut writers, rendered, is_first)?;
    }
    writers.into_iter().try_for_each(|writer| writer.finish(outcome))
}
