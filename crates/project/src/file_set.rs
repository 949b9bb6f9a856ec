//! The files of one run: those to check, their related files, and the baselines.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use voxlint_config::{FileSettings, UnknownRule};

use crate::Failure;
use crate::baselines::{BaselineFile, read_baselines};
use crate::configurations::{ConfigurationSource, Configurations};
use crate::file_status::{FileRole, FileStatus, FileTracker, SkipReason};
use crate::find::{Finder, FoundFiles, SkippedInput, sort};
use crate::git::GitError;
use crate::input::InputFile;
use crate::only_changed::{OnlyChanged, RunFiles};
use crate::options::LintOptions;
use crate::paths::{absolute, absolute_path, folder_of, is_within, working_directory};
use crate::reference::Reference;
use crate::related::{RelatedCache, RelatedFiles, RelatedReader, related_paths, related_paths_by};
use crate::text_files::{find_text_file, text_file_paths};

/// The files of one run. [`Session::find_files`](crate::Session::find_files) finds them, and
/// [`Session::lint_files`](crate::Session::lint_files) checks them.
#[derive(Debug)]
pub struct FileSet {
    /// The paths that were given.
    pub(crate) paths: Vec<PathBuf>,
    /// The files to check, in the order of their results.
    pub(crate) inputs: Vec<InputFile>,
    /// Documents that are left out because nothing that decides their result has changed.
    pub(crate) left_out: Vec<InputFile>,
    /// Related files. Those that no document uses are checked on their own.
    pub(crate) related: Vec<(InputFile, FileRole)>,
    /// The baselines, by the indexes of their configurations.
    pub(crate) baselines: Vec<BaselineFile>,
    pub(crate) tracker: FileTracker,
    /// The text files that may belong to several documents, by their absolute paths.
    pub(crate) shared_texts: BTreeSet<String>,
    /// Whether documents are checked only because they use a named text.
    pub(crate) has_users: bool,
    /// The folders that were searched completely.
    pub(crate) folders: Vec<String>,
    /// The folders whose files were taken out.
    pub(crate) taken: Vec<String>,
    pub(crate) related_files: RelatedFiles,
    pub(crate) failures: Vec<Failure>,
}

/// Roles of files by their absolute paths.
#[derive(Default)]
struct Roles {
    by_path: BTreeMap<PathBuf, FileRole>,
    /// The paths as text: most files have no role, which this tells without the path byte for byte.
    texts: HashSet<String>,
}

impl Roles {
    /// The role of a file, and its absolute path.
    fn of(&self, input: &InputFile) -> Option<(PathBuf, FileRole)> {
        let path = input.path.as_deref().filter(|_| self.texts.contains(&*input.absolute))?;
        let path = absolute_path(path);
        let role = self.by_path.get(&path).copied()?;
        Some((path, role))
    }
}

impl Extend<(PathBuf, FileRole)> for Roles {
    fn extend<I: IntoIterator<Item = (PathBuf, FileRole)>>(&mut self, roles: I) {
        for (path, role) in roles {
            self.texts.insert(absolute(&path));
            self.by_path.insert(path, role);
        }
    }
}

impl FileSet {
    /// The files to check, in the order of their results.
    pub fn inputs(&self) -> &[InputFile] {
        &self.inputs
    }

    /// How many files are checked at most: related files that no document uses are checked on their own.
    pub fn len(&self) -> usize {
        self.inputs.len() + self.related.len()
    }

    /// Whether there is nothing to check.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The baselines, by the indexes of their configurations.
    pub fn baselines(&self) -> &[BaselineFile] {
        &self.baselines
    }

    /// Compares findings with an empty baseline where there is none, so that they are recorded as a baseline lists them.
    pub fn record_findings(&mut self) {
        for file in &mut self.baselines {
            file.baseline.get_or_insert_default();
        }
    }

    /// The files that could not be read or used so far.
    pub fn failures(&self) -> &[Failure] {
        &self.failures
    }

    /// Takes files out that this run writes as reports.
    ///
    /// # Errors
    ///
    /// Whatever `is_report` returns.
    pub fn take_reports<E>(
        &mut self,
        mut is_report: impl FnMut(&InputFile) -> Result<bool, E>,
    ) -> Result<(), E> {
        let mut kept = Vec::with_capacity(self.inputs.len());
        for input in std::mem::take(&mut self.inputs) {
            if is_report(&input)? {
                self.tracker.set_status(&input, FileStatus::Used(FileRole::Report));
            } else {
                kept.push(input);
            }
        }
        self.inputs = kept;
        Ok(())
    }

    /// Takes the files below a folder out, except those that were named.
    pub fn take_folder(&mut self, folder: &str, role: FileRole) {
        self.taken.push(folder.to_owned());
        let is_taken = |input: &InputFile| !input.is_explicit && is_within(folder, &input.absolute);
        let tracker = &mut self.tracker;
        let mut take = |input: &InputFile| {
            let is_taken = is_taken(input);
            if is_taken && !tracker.has_status(input) {
                tracker.set_status(input, FileStatus::Used(role));
            }
            !is_taken
        };
        self.inputs.retain(&mut take);
        self.related.retain(|(input, _)| take(input));
        self.left_out.retain(take);
    }

    /// Leaves out the files that a reference does not have.
    pub(crate) fn leave_out_new(&mut self, reference: &Reference) {
        let reason = SkipReason::NotIn(reference.name().into());
        let is_new =
            |input: &InputFile| input.path.as_deref().is_some_and(|path| reference.lacks(path));
        let new = self.inputs.extract_if(.., |input| is_new(input));
        let new = new.map(|input| (input, FileStatus::Skipped(reason.clone())));
        // Stored configurations and facts are read where documents name them.
        let related = self.related.extract_if(.., |(input, _)| is_new(input));
        for (input, status) in new.chain(related.map(|(it, role)| (it, FileStatus::Used(role)))) {
            if !self.tracker.has_status(&input) {
                self.tracker.set_status(&input, status);
            }
        }
    }

    /// Finds the files of some paths.
    pub(crate) fn find(
        paths: &[PathBuf],
        options: &LintOptions,
        configurations: &mut Configurations,
        cache: &RelatedCache,
        repository_root: &mut String,
    ) -> Result<Self, SessionError> {
        let finder =
            Finder { read: &options.read, policy: options.explicit_paths, kind: options.kind };
        let mut tracker = FileTracker::default();
        let found = finder.find(paths, configurations, &mut tracker);
        let FoundFiles { mut inputs, skipped, folders, failures: not_found } = found;
        if !options.conventions.is_empty() && inputs.iter().any(|input| input.location().is_none())
        {
            return Err(SessionError::NoFileName);
        }
        if options.changed_since.is_some() && reads_stdin(paths, options) {
            return Err(SessionError::StdinWithoutHistory);
        }
        *repository_root = configurations.repository_root();
        configurations.check_selection().map_err(SessionError::UnknownRule)?;
        let mut unusable = Vec::new();
        let baselines =
            read_baselines(&options.baseline, configurations, repository_root, &mut unusable);
        let mut failures = configurations.take_failures();
        failures.extend(unusable.into_iter().chain(not_found));
        if let ConfigurationSource::File(file) = &options.configuration {
            failures.extend(pattern_failure(file, configurations, &inputs));
        }

        let mut roles = named_roles(options, &baselines);
        if options.explicit_paths.only_documents && !options.explicit_paths.without_users {
            let explicit = skipped.iter().filter(|file| file.is_explicit).map(|file| &file.input);
            // Standard input is not what is in the file, which its documents use.
            let is_file = |input: &&InputFile| input.path.is_some();
            let explicit: Vec<&InputFile> = inputs.iter().chain(explicit).filter(is_file).collect();
            let mut further = documents_of(&explicit, &mut roles, options, finder, configurations);
            for document in &mut further {
                tracker.expect(document);
            }
            inputs.extend(further);
            sort(&mut inputs);
        }
        let named = NamedTexts { options, finder, configurations };
        let has_users = named.apply(&mut inputs, &mut roles);
        fail_unnamed_texts(&mut inputs, &mut tracker, &mut failures);
        for document in inputs.iter_mut().filter(|input| input.number.is_none()) {
            tracker.expect(document);
        }
        let mut configured_facts = BTreeSet::new();
        let may_have_related = !options.conventions.is_empty()
            || configurations.iter().any(|(_, it)| it.names_related_files());
        for input in inputs.iter().filter(|_| may_have_related) {
            let settings = configurations.settings_for(&input.absolute);
            roles.extend(related_paths_by(settings.as_ref(), input, options));
            let facts = settings.as_ref().and_then(FileSettings::facts);
            configured_facts.extend(facts.map(|facts| facts.value.clone()));
        }
        let mut split = RelatedSplit {
            roles: &roles,
            configurations,
            tracker: &mut tracker,
            failures: &mut failures,
            related: Vec::new(),
            found: BTreeSet::new(),
        };
        split.take_inputs(&mut inputs);
        split.take_skipped(skipped);
        split.take_texts();
        let related = split.related;

        let shared_texts = if may_have_related {
            shared_texts(&inputs, options, configurations)
        } else {
            BTreeSet::new()
        };
        let mut found = RunFiles { inputs, left_out: Vec::new(), related };
        if let Some(name) = &options.changed_since {
            let configurations = &*configurations;
            let baselines = &*baselines;
            OnlyChanged { name, repository_root, options, configurations, baselines }
                .apply(&mut found, &mut tracker)
                .map_err(SessionError::Git)?;
            // Facts that no changed document uses need not be read.
            configured_facts = facts_of(&found.inputs, configurations);
        }
        let RunFiles { inputs, left_out, related } = found;
        let reader = RelatedReader { configurations, cache };
        let related_files = RelatedFiles::read(
            &options.related,
            &options.read,
            &configured_facts,
            reader,
            &mut failures,
        );
        Ok(Self {
            paths: paths.to_vec(),
            inputs,
            left_out,
            related,
            baselines,
            tracker,
            shared_texts,
            folders,
            has_users,
            taken: Vec::new(),
            related_files,
            failures,
        })
    }
}

/// The failure of a configuration that is used for files of other folders than its patterns are about: none of them would match.
fn pattern_failure(
    file: &Path,
    configurations: &Configurations,
    inputs: &[InputFile],
) -> Option<Failure> {
    let input = inputs.iter().find(|input| input.location().is_some())?;
    let configuration = configurations.for_folder(folder_of(&input.absolute))?;
    let is_about = |folder: &str| inputs.iter().any(|it| is_within(folder, &it.absolute));
    let matches_nothing = configuration.has_patterns()
        && configuration.files().all(|(path, _)| !is_about(folder_of(path)));
    let why = "its patterns are relative to its folder, and no file of the run is in there: use `check --settings-from`, or move the file";
    matches_nothing.then(|| Failure::new(configurations.shown(&absolute(file)), why))
}

/// Texts that no document names fail the run: nothing says what they are.
fn fail_unnamed_texts(
    inputs: &mut Vec<InputFile>,
    tracker: &mut FileTracker,
    failures: &mut Vec<Failure>,
) {
    for text in inputs.extract_if(.., |input| input.is_plain_text) {
        let message = "no document names this text: list it in `text_files`, or check it with `--kind template`";
        tracker.set_status(&text, FileStatus::Failed(message.to_owned()));
        failures.push(text.failure(message));
    }
}

fn reads_stdin(paths: &[PathBuf], options: &LintOptions) -> bool {
    paths.iter().chain(options.related.paths()).any(|path| path.as_os_str() == "-")
}

/// The roles of files that the command line names, and of baselines. The role that is given last counts: the one that is
/// nearest to a document.
fn named_roles(options: &LintOptions, baselines: &[BaselineFile]) -> Roles {
    let explicit = &options.related;
    let stored = explicit.stored.iter().map(|path| (absolute_path(path), FileRole::Stored));
    let facts = explicit.facts.iter().map(|path| (absolute_path(path), FileRole::Facts));
    let baselines = baselines.iter();
    let baselines =
        baselines.map(|file| (absolute_path(Path::new(&file.path)), FileRole::Baseline));
    let mut roles = Roles::default();
    roles.extend(stored.chain(facts).chain(baselines));
    roles
}

/// The facts that configurations name for some files.
fn facts_of(inputs: &[InputFile], configurations: &Configurations) -> BTreeSet<String> {
    let settings = inputs.iter().filter_map(|input| configurations.settings_for(&input.absolute));
    settings.filter_map(|settings| Some(settings.facts()?.value.clone())).collect()
}

/// Why the files of a run cannot be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionError {
    /// Standard input has no file name, so that no text file can be found beside it.
    NoFileName,
    /// A selected rule does not exist.
    UnknownRule(UnknownRule),
    /// Standard input has no earlier version to be compared with.
    StdinWithoutHistory,
    /// A session that reads only some folders does not ask git.
    Confined,
    /// The commit of [`LintOptions::changed_since`] cannot be read.
    Git(GitError),
}

impl std::fmt::Display for SessionError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoFileName => formatter
                .write_str("standard input needs a file name, so that its text files can be found"),
            Self::UnknownRule(error) => error.fmt(formatter),
            Self::StdinWithoutHistory => formatter.write_str(
                "standard input cannot be compared with a commit: name a file, or leave out --changed-since",
            ),
            Self::Confined => formatter.write_str(
                "files cannot be compared with a commit where only some folders may be read",
            ),
            Self::Git(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for SessionError {}

/// Splits the files that were found into documents and related files.
struct RelatedSplit<'a> {
    roles: &'a Roles,
    configurations: &'a Configurations,
    tracker: &'a mut FileTracker,
    failures: &'a mut Vec<Failure>,
    related: Vec<(InputFile, FileRole)>,
    /// The related files that were found.
    found: BTreeSet<PathBuf>,
}

impl RelatedSplit<'_> {
    /// The role of a file that was found.
    fn take_role(&mut self, input: &InputFile) -> Option<FileRole> {
        let (path, role) = self.roles.of(input)?;
        self.found.insert(path);
        Some(role)
    }

    /// Takes related files out of the inputs, except those that were named.
    fn take_inputs(&mut self, inputs: &mut Vec<InputFile>) {
        for input in std::mem::take(inputs) {
            match self.take_role(&input).filter(|_| !input.is_explicit) {
                None => inputs.push(input),
                Some(FileRole::Text) => {
                    if let Some(path) = &input.path {
                        let mut text = InputFile::text(path, self.configurations);
                        text.shown.clone_from(&input.shown);
                        self.related.push((text, FileRole::Text));
                    }
                }
                Some(role) => self.related.push((input, role)),
            }
        }
    }

    /// Sets the status of skipped files, except text files: those are checked with any name, even if they are excluded as
    /// documents.
    fn take_skipped(&mut self, skipped: Vec<SkippedInput>) {
        for SkippedInput { input, reason, .. } in skipped {
            match (self.take_role(&input), input.path.as_deref()) {
                (Some(FileRole::Text), Some(path)) => {
                    if !self.take_text(path, Some(&input.shown)) {
                        self.tracker.set_status(&input, FileStatus::Skipped(reason));
                    }
                }
                (role, _) => {
                    self.tracker.set_status(&input, FileStatus::Skipped(reason));
                    self.related.extend(role.map(|role| (input, role)));
                }
            }
        }
    }

    /// Adds the text files that were not found in a folder.
    fn take_texts(&mut self) {
        for (path, role) in &self.roles.by_path {
            if *role == FileRole::Text && !self.found.contains(path) {
                self.take_text(path, None);
            }
        }
    }

    /// Adds a text file, if it exists. Returns whether it does.
    fn take_text(&mut self, path: &Path, shown: Option<&Arc<str>>) -> bool {
        let found = find_text_file(path, self.configurations);
        let mut text = InputFile::text(path, self.configurations);
        if let Some(shown) = shown {
            text.shown = Arc::clone(shown);
        }
        match found {
            Ok(Some(_)) => {
                self.tracker.expect(&mut text);
                self.related.push((text, FileRole::Text));
            }
            Ok(None) => return false,
            Err(failure) => {
                self.tracker.expect(&mut text);
                // A file that was found in a folder has failed already.
                if !self.tracker.has_status(&text) {
                    self.tracker.set_status(&text, FileStatus::Failed(failure.message.clone()));
                }
                if !self.failures.contains(&failure) {
                    self.failures.push(failure);
                }
            }
        }
        true
    }
}

/// The text files that may belong to several documents: those whose pattern does not contain `{stem}`, and those of two
/// documents of the run.
fn shared_texts(
    inputs: &[InputFile],
    options: &LintOptions,
    configurations: &Configurations,
) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut shared = BTreeSet::new();
    for input in inputs {
        let settings = configurations.settings_for(&input.absolute);
        for file in text_file_paths(input, &options.conventions, settings.as_ref()) {
            let path = absolute(&file.path);
            if !file.has_stem || !all.insert(path.clone()) {
                shared.insert(path);
            }
        }
    }
    shared
}

/// The documents that use a file as a related file, as far as the configuration of its folder finds them.
pub(crate) fn users_of(
    file: &Path,
    options: &LintOptions,
    configurations: &mut Configurations,
) -> Vec<PathBuf> {
    let input = options.read.input(file);
    configurations.look_up(folder_of(&input.absolute));
    let policy = options.explicit_paths;
    let finder = Finder { read: &options.read, policy, kind: options.kind };
    let documents = documents_of(&[&input], &mut Roles::default(), options, finder, configurations);
    // The caller may name the same file by its absolute path.
    documents.iter().filter_map(|document| document.path.as_deref()).map(absolute_path).collect()
}

/// Named files that may be texts of documents.
struct NamedTexts<'a> {
    options: &'a LintOptions,
    finder: Finder<'a>,
    configurations: &'a mut Configurations,
}

impl NamedTexts<'_> {
    /// Reads named files that documents use as texts as such, and adds the documents to the inputs. Returns whether there are any.
    fn apply(self, inputs: &mut Vec<InputFile>, roles: &mut Roles) -> bool {
        let Self { options, finder, configurations } = self;
        let is_named = |input: &&InputFile| input.is_explicit && input.may_be_text();
        let named: Vec<&InputFile> = inputs.iter().filter(is_named).collect();
        if named.is_empty() || options.explicit_paths.without_users {
            return false;
        }
        let mut found = Roles::default();
        let mut documents = documents_of(&named, &mut found, options, finder, configurations);
        let is_text = |input: &InputFile| {
            let path = input.location().map(absolute_path);
            path.is_some_and(|path| found.by_path.get(&path) == Some(&FileRole::Text))
        };
        let mut has_file = false;
        for input in inputs.iter_mut().filter(|input| input.is_explicit && input.may_be_text()) {
            if is_text(input) {
                input.read_as_text();
                // The text is checked with its documents, unless it is on standard input.
                input.is_explicit = input.path.is_none();
                has_file |= input.path.is_some();
            }
        }
        if !has_file {
            return false;
        }
        let known: HashSet<&str> = inputs.iter().map(|input| &*input.absolute).collect();
        documents.retain(|document| !known.contains(&*document.absolute));
        roles.extend(found.by_path);
        let has_users = !documents.is_empty();
        inputs.extend(documents);
        sort(inputs);
        has_users
    }
}

/// The documents with an explicit file as a related file, except explicit ones: a hook that names every changed file wants
/// to know what the change does to them. Adds the roles of the explicit files.
fn documents_of(
    explicit: &[&InputFile],
    roles: &mut Roles,
    options: &LintOptions,
    finder: Finder<'_>,
    configurations: &mut Configurations,
) -> Vec<InputFile> {
    let mut folders = configurations.covered_folders();
    if !options.conventions.is_empty() {
        folders.push(working_directory());
    }
    let paths: BTreeSet<PathBuf> =
        explicit.iter().filter_map(|input| input.location()).map(absolute_path).collect();
    let names: BTreeSet<&str> = explicit.iter().map(|input| &*input.absolute).collect();
    // Folders may contain each other.
    let mut seen = BTreeSet::new();
    let mut documents = finder.find_below(&folders, configurations, false);
    documents.retain_mut(|document| {
        document.shown = configurations.shown(&document.absolute).into();
        let related = related_paths(document, options, configurations);
        let mut explicit = related.into_iter().filter(|(path, _)| paths.contains(path)).peekable();
        let is_selected = explicit.peek().is_some();
        roles.extend(explicit);
        is_selected
            && !names.contains(&*document.absolute)
            && seen.insert(Arc::clone(&document.absolute))
    });
    documents
}
