//! A session: options, configurations and caches for any number of runs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use voxlint::{Diagnostic, DocumentKind, secrets};
use voxlint_config::{BaselineEntry, Date, FileReport, SuppressionMode};

use crate::Failure;
use crate::baselines::{BaselineFile, stale_entries};
use crate::configurations::Configurations;
use crate::confinement::Confinement;
use crate::document_related::{DocumentRelated, LoadedDocument};
use crate::file_set::{FileSet, SessionError, users_of};
use crate::file_status::{FileRole, SkipReason};
use crate::file_system::FileSystem;
use crate::find::{ExplicitPathPolicy, unvisited};
use crate::fixes::{FileChange, FixOptions, FixResult, fix_files};
use crate::input::ReadOptions;
use crate::lint_files::{Collector, OnlyDocuments, RunResult, lint_files};
use crate::linted::LintedDocument;
use crate::linter::{Keep, Linter, Renderer};
use crate::loose_templates::LooseTemplates;
use crate::names::CONFIGURATION_NAME;
use crate::options::LintOptions;
use crate::paths::{absolute, absolute_path, folder_of, is_within, join, working_directory};
use crate::reference::Reference;
use crate::related::related_paths;
use crate::related::{RelatedCache, RelatedFiles, RelatedReader};
use crate::size_limit::SizeLimit;
use crate::text_files::text_file_paths;

/// Lints the documents of a project, once or again and again.
///
/// A session keeps parsed configurations and related files. Before each run it compares the state of their files, and reads
/// only those that have changed.
///
/// ```
/// use voxlint_project::{LintOptions, Session};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("en.json");
/// std::fs::write(&path, r#"{ "version_number": 3, "kb_max_chunks": 12 }"#)?;
///
/// // One path.
/// let mut session = Session::new(LintOptions::default());
/// let linted = session.lint_path(&path)?;
/// assert_eq!(linted.documents[0].report.diagnostics[0].rule.id, "out-of-range");
///
/// // Text that was never saved.
/// let linted = session.lint_text(&path, r#"{ "version_number": 3, "kb_max_chunks": 8 }"#)?;
/// assert!(linted.documents[0].report.diagnostics.is_empty());
///
/// // Again, with a configuration that is new.
/// std::fs::write(folder.path().join("voxlint.toml"), "[rules]\nout-of-range = 'off'\n")?;
/// assert!(session.lint_path(&path)?.documents[0].report.diagnostics.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Session {
    options: LintOptions,
    files: Arc<FileSystem>,
    configurations: Configurations,
    cache: RelatedCache,
    repository_root: String,
    /// The day of the run, so that a suppression does not expire while it is applied.
    today: Date,
    is_fresh: bool,
    reference: Option<Arc<Reference>>,
    stored_from: Option<Arc<Reference>>,
    documents_from: Option<Arc<Reference>>,
}

/// The results of linting a path.
#[derive(Debug)]
pub struct LintedPath {
    /// The documents, in the order of their files and texts.
    pub documents: Vec<LintedDocument>,
    /// The status of every file, failures and notices.
    pub result: RunResult,
}

/// A session with the settings of a reference, beside another one with those of the working tree.
#[derive(Clone, Copy, Debug)]
pub struct Judge<'a> {
    /// The session with the settings of the reference.
    pub session: &'a Session,
    /// The files that it has checked.
    pub files: &'a FileSet,
    /// The files that were checked with the settings of the working tree.
    pub own_files: &'a FileSet,
}

impl Session {
    /// A session that keeps parsed related files for later runs.
    pub fn new(options: LintOptions) -> Self {
        Self::with_cache(options, RelatedCache::new())
    }

    /// A session for one run. It needs less memory.
    pub fn once(options: LintOptions) -> Self {
        Self::with_cache(options, RelatedCache::default())
    }

    /// A session for one run that reads nothing outside of some folders, whatever paths, links and configurations say. It
    /// writes nothing and runs no git: it fixes no file, and the base of a plan is a folder.
    pub fn confined(options: LintOptions, folders: Arc<Confinement>) -> Self {
        Self::with_files(options, RelatedCache::default(), FileSystem::confined(folders))
    }

    fn with_cache(options: LintOptions, cache: RelatedCache) -> Self {
        Self::with_files(options, cache, FileSystem::default())
    }

    fn with_files(options: LintOptions, cache: RelatedCache, files: FileSystem) -> Self {
        let files = Arc::new(files);
        let (source, selection) = (options.configuration.clone(), options.selection.clone());
        let configurations = Configurations::new(Arc::clone(&files), source, selection);
        let repository_root = working_directory();
        let today = options.today.unwrap_or_else(today);
        Self {
            options,
            files,
            configurations,
            cache,
            repository_root,
            today,
            is_fresh: true,
            reference: None,
            stored_from: None,
            documents_from: None,
        }
    }

    /// The options.
    pub fn options(&self) -> &LintOptions {
        &self.options
    }

    /// From now on, files that are named are treated like this. An editor needs it for a document that is no longer recognized as
    /// one while it is half-written.
    pub fn set_explicit_paths(&mut self, policy: ExplicitPathPolicy) {
        self.options.explicit_paths = policy;
    }

    /// From now on, a configuration file with faults counts as it was before them, as far as this session has read it then. Its
    /// faults are still [failures](FileSet::failures). An editor needs this while a configuration is half-written.
    ///
    /// ```
    /// use voxlint_project::{LintOptions, Session};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("en.json");
    /// std::fs::write(&path, r#"{ "version_number": 3, "kb_max_chunks": 12 }"#)?;
    /// let configuration = folder.path().join("voxlint.toml");
    /// std::fs::write(&configuration, "root = true\n[rules]\nout-of-range = 'off'\n")?;
    /// let mut session = Session::new(LintOptions::default());
    /// session.keep_usable_configurations();
    /// assert!(session.lint_path(&path)?.documents[0].report.diagnostics.is_empty());
    ///
    /// std::fs::write(&configuration, "root = true\n[rules]\nout-of-range = 'off'\nb")?;
    /// let linted = session.lint_path(&path)?;
    /// assert!(linted.documents[0].report.diagnostics.is_empty());
    /// assert_eq!(linted.result.failures.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn keep_usable_configurations(&mut self) {
        self.configurations.keep_usable();
    }

    /// From now on, the settings of a reference judge the files: its configurations, baselines, stored configurations and facts. Of
    /// the suppression comments that it does not have, those count that name one rule and give a reason.
    pub fn refer_to(&mut self, reference: Arc<Reference>) {
        self.configurations.refer_to(Arc::clone(&reference));
        self.reference = Some(reference);
    }

    /// From now on, the stored configurations are those of a reference, for the same paths.
    pub fn take_stored_from(&mut self, reference: Arc<Reference>) {
        self.configurations.take_stored_from(Arc::clone(&reference));
        self.stored_from = Some(reference);
    }

    /// From now on, the documents and their text files are those of a reference, and documents that it does not have are left out.
    /// Configurations, stored configurations and facts are still those of the working tree.
    pub fn take_documents_from(&mut self, reference: Arc<Reference>) {
        self.files = Arc::new(FileSystem::of_reference(Arc::clone(&reference)));
        self.configurations.take_documents_from(Arc::clone(&self.files));
        self.documents_from = Some(reference);
    }

    /// The reference that the documents are those of, if they are not those of the working tree.
    pub(crate) fn documents_from(&self) -> Option<&Reference> {
        self.documents_from.as_deref()
    }

    /// The reference whose stored configurations count, if they are not those of the working tree.
    pub(crate) fn stored_from(&self) -> Option<&Reference> {
        self.stored_from.as_deref()
    }

    /// The reference whose settings apply.
    pub(crate) fn reference(&self) -> Option<&Reference> {
        self.reference.as_deref()
    }

    /// The files of the project. Unsaved text can be set here.
    pub fn file_system(&self) -> &FileSystem {
        &self.files
    }

    /// The configurations that the last run found.
    pub fn configurations(&self) -> &Configurations {
        &self.configurations
    }

    /// The configurations, to look one up or to add one.
    pub fn configurations_mut(&mut self) -> &mut Configurations {
        &mut self.configurations
    }

    /// The root of the repository of the last run.
    pub fn repository_root(&self) -> &str {
        &self.repository_root
    }

    pub(crate) fn cache(&self) -> &RelatedCache {
        &self.cache
    }

    /// The day on which suppressions are applied.
    pub(crate) fn today(&self) -> Date {
        self.today
    }

    /// Prepares another run: configurations are looked up again.
    fn restart(&mut self) {
        if !std::mem::take(&mut self.is_fresh) {
            self.configurations.restart();
            self.today = self.options.today.unwrap_or_else(today);
        }
    }

    /// Finds the files of some paths, with their configurations and related files.
    ///
    /// # Errors
    ///
    /// If an option does not fit the files. Files that cannot be read or used are [failures](FileSet::failures) instead.
    pub fn find_files(&mut self, paths: &[PathBuf]) -> Result<FileSet, SessionError> {
        if self.files.is_confined() && self.options.changed_since.is_some() {
            return Err(SessionError::Confined);
        }
        self.restart();
        self.configurations.look_up(&working_directory());
        let Self { options, configurations, cache, repository_root, .. } = self;
        let mut files = FileSet::find(paths, options, configurations, cache, repository_root)?;
        if let Some(reference) = &self.documents_from {
            files.leave_out_new(reference);
        }
        if let Some(folder) = self.reference().and_then(Reference::folder) {
            files.take_folder(&folder, FileRole::Base);
        }
        Ok(files)
    }

    /// Checks files on all cores. `renderer` runs in the worker threads; `collect` takes the results one by one in the order
    /// of the files, and whether each is the first one of its file. A file with one document per line is read in batches, whatever its length.
    pub fn lint_files<R: Renderer>(
        &self,
        files: &mut FileSet,
        renderer: &R,
        collect: &mut dyn FnMut(R::Output, bool),
    ) -> RunResult {
        self.lint_files_into(files, renderer, &mut OnlyDocuments(collect))
    }

    /// As [`Self::lint_files`], for a collector that also wants to know when standard input pauses: a file with one document
    /// per line is checked as it comes then.
    pub fn lint_files_into<R: Renderer>(
        &self,
        files: &mut FileSet,
        renderer: &R,
        collect: &mut dyn Collector<R::Output>,
    ) -> RunResult {
        let mut failures = std::mem::take(&mut files.failures);
        let tracker = std::mem::take(&mut files.tracker);
        failures.shrink_to_fit();
        lint_files(&self.linter(files, renderer), files, tracker, failures, collect)
    }

    pub(crate) fn linter<'a, R>(&'a self, files: &'a FileSet, renderer: &'a R) -> Linter<'a, R> {
        let reader = RelatedReader { configurations: &self.configurations, cache: &self.cache };
        Linter {
            options: &self.options,
            reader,
            related: &files.related_files,
            baselines: &files.baselines,
            shared_texts: &files.shared_texts,
            loose_templates: LooseTemplates::new(&self.repository_root),
            today: self.today(),
            reference: self.reference(),
            renderer,
        }
    }

    /// Applies the fixes of the findings in some files, in rounds until nothing changes. A finding that is switched off,
    /// suppressed or in the baseline is not fixed, and neither are stored configurations, facts and baselines of the run.
    ///
    /// `show` is called for each change in the threads that fix the files, unless the files are written; `collect` takes
    /// what it returns in the order of the files. If standard input was [kept](FileSystem::keep_stdin), it is fixed there.
    ///
    /// ```
    /// use voxlint::{Safety, Severity};
    /// use voxlint_project::{FixOptions, LintOptions, Session};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("en.json");
    /// std::fs::write(&path, r#"{ "version_number": 3, "promt_text": "Be kind." }"#)?;
    /// let mut session = Session::new(LintOptions::default());
    /// let files = session.find_files(&[path.clone()])?;
    /// let min_severity = Severity::Info;
    /// let options = FixOptions { safety: Safety::Unsafe, write: true, min_severity };
    /// let result = session.fix_files(&files, options, &|_| (), &mut |()| {});
    /// assert_eq!((result.problems, result.files), (1, 1));
    /// assert_eq!(std::fs::read_to_string(&path)?, r#"{ "version_number": 3, "prompt_text": "Be kind." }"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fix_files<T: Send>(
        &self,
        files: &FileSet,
        options: FixOptions,
        show: &(dyn Fn(&FileChange<'_>) -> T + Sync),
        collect: &mut dyn FnMut(T),
    ) -> FixResult {
        if self.files.is_confined() {
            return FixResult::default();
        }
        let linter = self.linter(files, &Keep);
        fix_files(linter, files, options, show, collect)
    }

    /// Checks the files of one path, a file or a folder.
    ///
    /// # Errors
    ///
    /// As [`Self::find_files`].
    pub fn lint_path(&mut self, path: &Path) -> Result<LintedPath, SessionError> {
        let mut files = self.find_files(&[path.to_owned()])?;
        let mut documents = Vec::new();
        let result =
            self.lint_files(&mut files, &Keep, &mut |document, _| documents.push(document));
        Ok(LintedPath { documents, result })
    }

    /// Checks a text as if it were saved at a path.
    ///
    /// # Errors
    ///
    /// As [`Self::find_files`].
    pub fn lint_text(&mut self, path: &Path, text: &str) -> Result<LintedPath, SessionError> {
        let former = self.files.set_overlay(path, text);
        let linted = self.lint_path(path);
        match former {
            Some(former) => drop(self.files.set_overlay(path, former)),
            None => self.files.remove_overlay(path),
        }
        linted
    }

    /// The documents that use a file as their stored configuration, facts or text, as far as the configuration of its folder
    /// finds them. It searches folders, so the caller should keep the result until files appear or disappear.
    pub fn users_of(&mut self, file: &Path) -> Vec<PathBuf> {
        self.restart();
        let users = users_of(file, &self.options, &mut self.configurations);
        // The run that follows reports them.
        drop(self.configurations.take_failures());
        users
    }

    /// Reads one document with everything that it is checked with.
    ///
    /// # Errors
    ///
    /// Every file that cannot be read or used: the result of a part of them would be another one.
    pub fn load_document(&mut self, path: &Path) -> Result<LoadedDocument, Vec<Failure>> {
        self.restart();
        let input = self.options.read.input(path);
        let mut failures = Vec::new();
        let bytes = input.read(&self.files).map_err(|failure| failures.push(failure)).ok();
        self.configurations.look_up(folder_of(&input.absolute));
        failures.extend(self.configurations.take_failures());
        let settings = self.configurations.settings_for(&input.absolute);
        let built_in = voxlint_config::Configuration::built_in();
        let settings = settings.unwrap_or_else(|| built_in.for_file(&input.absolute));
        let configured = settings.facts().map(|facts| facts.value.clone()).into_iter().collect();
        let Self { options, configurations, cache, .. } = &*self;
        let reader = RelatedReader { configurations, cache };
        let related =
            RelatedFiles::read(&options.related, &options.read, &configured, reader, &mut failures);
        let mut document_related = DocumentRelated::of_file(&settings, &related);
        if !related.has_stored() {
            let stored = reader.configured_stored(&settings, document_related.agent_id());
            document_related.stored =
                stored.map_err(|failure| failures.push(failure)).ok().flatten();
        }
        let Some(bytes) = bytes.filter(|_| failures.is_empty()) else { return Err(failures) };
        let document = input.document(bytes).map_err(|failure| vec![failure])?;
        let has_stored = !related.has_stored() && settings.stored().is_some();
        let by_name = has_stored || !settings.text_files().is_empty();
        let failure = input.non_utf8_path_failure(by_name);
        if let Some(failure) = failure.filter(|_| by_name || configurations.uses_nearest()) {
            return Err(vec![failure]);
        }
        let paths = text_file_paths(&input, &options.conventions, Some(&settings));
        document_related.texts = reader.text_files(&paths).map_err(|failure| vec![failure])?;
        let kind = settings.kind().map(|stated| stated.value);
        let variables = settings.variables();
        let variables = variables.map(|all| all.into_iter().map(|it| it.value.clone()).collect());
        let readings = Arc::new(settings.known_readings());
        Ok(LoadedDocument { input, document, kind, variables, readings, related: document_related })
    }

    /// The findings after a run in the files that it read beside its documents, one report per file: secrets in configurations and
    /// workspace facts, and suppressions that are unused or have expired. A secret has the higher level of this session and of a judge,
    /// whose settings also apply to the files, and to the stored configurations that it has in another state.
    pub fn check_other_files(
        &self,
        result: &RunResult,
        judge: Option<&Judge<'_>>,
    ) -> Vec<FileReport> {
        let mut secrets = result.secrets_in_facts.clone();
        for (_, it) in self.configurations.iter() {
            secrets.extend(it.check_secrets(None));
            let judge =
                judge.and_then(|judge| judge.session.configurations.for_folder(it.folder()));
            secrets.extend(judge.into_iter().flat_map(|judge| it.check_secrets(Some(judge))));
        }
        secrets.extend(judge.into_iter().flat_map(|judge| self.secrets_in_related(judge)));
        let suppressions = if self.options.suppressions == SuppressionMode::Apply {
            self.check_suppressions(result)
        } else {
            Vec::new()
        };
        // What is said about a former state of a file has no place in its text.
        secrets.retain(|report| !self.configurations.is_faulty(&report.path));
        let mut reports: Vec<FileReport> = Vec::new();
        for report in secrets.into_iter().chain(suppressions) {
            let Some(known) = reports.iter_mut().find(|known| known.path == report.path) else {
                reports.push(report);
                continue;
            };
            // Several others may extend a file.
            for found in report.report.diagnostics {
                let all = &mut known.report.diagnostics;
                let is_it = |it: &Diagnostic| {
                    (it.span, &it.rule.id, &it.message)
                        == (found.span, &found.rule.id, &found.message)
                };
                match all.iter_mut().find(|it| is_it(it)) {
                    Some(known) => known.severity = known.severity.max(found.severity),
                    None => all.push(found),
                }
            }
        }
        for report in &mut reports {
            report.report.diagnostics.sort_by_key(|found| found.span);
        }
        reports
    }

    /// The secrets in the facts of the working tree, and in its stored configurations that the reference has in another state: documents
    /// are checked with those of the reference.
    fn secrets_in_related(&self, judge: &Judge<'_>) -> Vec<FileReport> {
        let Some(reference) = judge.session.reference() else { return Vec::new() };
        let given = &self.options.related;
        let given = [(&given.stored, FileRole::Stored), (&given.facts, FileRole::Facts)];
        let given = given
            .into_iter()
            .filter_map(|(path, role)| Some((absolute_path(path.as_ref()?), role)));
        let mut found: BTreeSet<(PathBuf, FileRole)> = given.collect();
        for (session, files) in [(self, judge.own_files), (judge.session, judge.files)] {
            for input in &files.inputs {
                found.extend(related_paths(input, &session.options, &session.configurations));
            }
        }
        // A named pipe has been read once.
        found.retain(|(path, _)| self.files.metadata(path).is_ok_and(|it| it.is_file()));
        let mut reports = Vec::new();
        for (path, role) in found {
            let kind = match role {
                FileRole::Stored if reference.differs(&path) => DocumentKind::Stored,
                FileRole::Facts => DocumentKind::Facts,
                _ => continue,
            };
            let input = ReadOptions::default().input(&path);
            // The check with the settings of the working tree says what cannot be read.
            let read = input.read_limited(&self.files, &SizeLimit::related());
            for document in read.map(|bytes| input.documents(bytes)).unwrap_or_default() {
                for session in [self, judge.session] {
                    let mut report = secrets::findings(&document, kind);
                    if let Some(settings) = session.configurations.settings_for(&input.absolute) {
                        settings.apply_levels(&mut report);
                    }
                    let path = Arc::clone(&input.absolute);
                    reports.push(FileReport::new(path, document.text(), report));
                }
            }
        }
        reports.retain(|it| !it.report.diagnostics.is_empty());
        reports
    }

    /// The findings about the suppressions of the configurations after a run, such as unused ones; one report per file.
    fn check_suppressions(&self, result: &RunResult) -> Vec<FileReport> {
        let mut reports: Vec<FileReport> = Vec::new();
        for (_, configuration) in self.configurations.iter() {
            let found =
                configuration.check_suppressions(&result.used, &result.visited, self.today());
            for report in found {
                // What is said about a former state of a file has no place in its text.
                if self.configurations.is_faulty(&report.path) {
                    continue;
                }
                // A file that several others extend is reported once.
                if reports.iter().all(|known| known.path != report.path) {
                    reports.push(report);
                }
            }
        }
        reports
    }

    /// The baseline entries whose finding is gone, as far as a run can tell.
    pub fn stale_entries<'f>(
        &self,
        files: &'f FileSet,
        result: &RunResult,
    ) -> Vec<(&'f BaselineFile, &'f BaselineEntry)> {
        let (found, visited) = (&result.findings, &result.visited);
        stale_entries(&files.baselines, &self.configurations, found, visited)
    }

    /// The baseline for files in the working directory.
    pub fn baseline_here<'f>(&self, files: &'f FileSet) -> Option<&'f BaselineFile> {
        // Any file name will do.
        let file = join(&working_directory(), CONFIGURATION_NAME);
        files.baselines.get(self.configurations.index_for(&file)?)
    }

    /// The files and folders below the paths of a run that it did not visit at all, each with the reason.
    pub fn unvisited(&mut self, files: &FileSet) -> Vec<(String, SkipReason)> {
        // The walk over what is left out does not ask which folders may be read.
        let is_searched = |path: &&PathBuf| !self.files.is_confined() && path.is_dir();
        let folders: Vec<&PathBuf> = files.paths.iter().filter(is_searched).collect();
        folders.into_iter().flat_map(|folder| unvisited(folder, &mut self.configurations)).collect()
    }

    /// Why a run over the working directory, or over the folder of a file outside of it, does not visit a file; `None` if it does.
    pub fn why_unvisited(&mut self, path: &Path) -> Option<SkipReason> {
        let file = absolute(path);
        let is_below = is_within(&working_directory(), &file);
        let folder = if is_below { Path::new(".") } else { path.parent()? };
        let all = unvisited(folder, &mut self.configurations).into_iter();
        let mut own = all.filter(|(it, _)| is_within(&absolute(Path::new(it)), &file));
        // A file with any name may be the text of a document.
        own.next().map(|(_, why)| why).filter(|why| *why != SkipReason::Name)
    }

    /// The absolute paths of the files that a run reads beside its documents, without the baselines.
    pub fn other_paths<'f>(&'f self, files: &'f FileSet) -> impl Iterator<Item = String> + use<'f> {
        let is_file = |path: &&PathBuf| path.as_os_str() != "-";
        let explicit = self.options.related.paths().filter(is_file).map(|path| absolute(path));
        let related = files.inputs.iter().flat_map(move |input| {
            let related = related_paths(input, &self.options, &self.configurations);
            related.into_iter().map(|(path, _)| absolute(&path))
        });
        // Some belong to a document that is not checked: they are checked on their own.
        let alone = files.related.iter().filter(|(_, role)| *role != FileRole::Baseline);
        let alone = alone.map(|(input, _)| input.absolute.to_string());
        explicit.chain(related).chain(alone).chain(self.configurations.paths())
    }
}

/// The current day in UTC, so that suppressions expire at the same time everywhere.
pub fn today() -> Date {
    const SECONDS: u64 = 24 * 60 * 60;
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Date::from_days(since.as_secs() / SECONDS)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_day_is_asked_for_once_in_a_run() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("en.json");
        fs::write(&path, r#"{ "version_number": 3, "kb_max_chunks": 12 }"#).unwrap();
        let toml = "root = true\n[[suppressions]]\nfiles = '*'\nrules = 'out-of-range'\nreason = 'decided'\nexpires = 2020-01-01\n";
        fs::write(folder.path().join("voxlint.toml"), toml).unwrap();
        let mut session = Session::new(LintOptions::default());
        // The run began on the last day, and it is long past midnight.
        session.today = Date::new(2020, 1, 1).unwrap();
        let linted = session.lint_path(&path).unwrap();
        assert!(linted.documents[0].report.diagnostics.is_empty());
        assert!(session.check_suppressions(&linted.result).is_empty());
        // The next run has a day of its own.
        let linted = session.lint_path(&path).unwrap();
        assert_eq!(linted.documents[0].report.diagnostics.len(), 1);
        assert_eq!(session.check_suppressions(&linted.result).len(), 1);
    }
}
