//! Finds the files to check: explicit paths, and the documents in folders.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs::FileType;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use voxlint::syntax::Format;
use voxlint::{Document, DocumentKind, Source};
use voxlint_config::FileSettings;
use walkdir::WalkDir;

use crate::Failure;
use crate::configurations::Configurations;
use crate::file_status::{FileStatus, FileTracker, SkipReason};
use crate::file_system::FileSystem;
use crate::ignored_files::IGNORE_NAME;
use crate::input::{InputFile, ReadOptions, SearchedFolder, has_document_extension};
use crate::names::CONFIGURATION_NAME;
use crate::names::GIT;
use crate::paths::{absolute, folder_of, forward_slashes, simplified};
use crate::size_limit::SizeLimit;
use crate::walk::{Step, is_hidden_name, walk};

/// What happens to files that are named, rather than found in a folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExplicitPathPolicy {
    /// Skip those that the configuration excludes.
    pub force_exclude: bool,
    /// Skip those that are not agent documents. Of a related file, check the documents that use it.
    pub only_documents: bool,
    /// Do not search for the documents that use a named file. An editor knows them, and does not search folders at each
    /// keystroke.
    pub without_users: bool,
}

/// Finds files as a run reads them.
#[derive(Clone, Copy)]
pub(crate) struct Finder<'a> {
    pub(crate) read: &'a ReadOptions,
    pub(crate) policy: ExplicitPathPolicy,
    /// The kind of all documents, if it is given.
    pub(crate) kind: Option<DocumentKind>,
}

/// The files that paths lead to.
#[derive(Default)]
pub(crate) struct FoundFiles {
    /// The files to check, sorted by the paths that users see, each once.
    pub(crate) inputs: Vec<InputFile>,
    /// The files to skip, unless one of them is the text file of a document. They have no status yet.
    pub(crate) skipped: Vec<SkippedInput>,
    /// The folders that were searched completely.
    pub(crate) folders: Vec<String>,
    pub(crate) failures: Vec<Failure>,
}

/// A file that is skipped by its name or path.
pub(crate) struct SkippedInput {
    pub(crate) input: InputFile,
    pub(crate) reason: SkipReason,
    /// Whether its path was given.
    pub(crate) is_explicit: bool,
}

/// A file that may be checked.
struct Candidate {
    input: InputFile,
    /// Whether its path was given, or an excluded folder that contains it.
    is_requested: bool,
    /// Whether its path was given, so that users expect a result for it.
    is_explicit: bool,
    /// The status of a file that cannot be checked, whatever the configuration says.
    unreadable_status: Option<FileStatus>,
    /// Why it is not checked, though it may be a document.
    left_out: Option<SkipReason>,
}

/// The files that were named or found, by their own paths: standard input may have the name of a file that is checked as
/// well.
#[derive(Default)]
struct Candidates(Vec<Candidate>);

impl Candidates {
    /// The candidates in the order of their paths, each once: as it was named last, or else as it was found first.
    fn into_sorted(self) -> Vec<Candidate> {
        let Self(mut all) = self;
        // Those of one folder are in order.
        all.sort_by(|a, b| a.input.path.cmp(&b.input.path));
        all.dedup_by(|later, kept| {
            let is_same = later.input.path == kept.input.path;
            if is_same && later.is_explicit {
                mem::swap(later, kept);
            }
            is_same
        });
        all
    }
}

impl Candidate {
    /// Why the file is skipped by its name or path; `None` if it is not.
    fn skip_reason(
        &self,
        settings: Option<&FileSettings<'_>>,
        force_exclude: bool,
    ) -> Option<SkipReason> {
        let Self { input, is_requested, .. } = self;
        let pattern = settings.and_then(FileSettings::excluded_by);
        if let Some(pattern) = pattern.filter(|_| force_exclude || !is_requested) {
            return Some(SkipReason::Excluded(pattern.text.clone()));
        }
        let is_included = settings.and_then(FileSettings::is_included);
        if input.is_explicit || self.unreadable_status.is_some() {
            None
        } else if self.left_out.is_some() {
            self.left_out.clone()
        } else if input.is_plain_text || !input.has_document_extension() && !input.is_text() {
            Some(SkipReason::Name)
        } else if is_included == Some(false) {
            Some(SkipReason::NotIncluded)
        } else {
            None
        }
    }
}

impl Finder<'_> {
    /// Finds the files of some paths. Files that cannot be checked get their status; those to skip do not yet, because they
    /// may be text files of a document.
    pub(crate) fn find(
        self,
        paths: &[PathBuf],
        configurations: &mut Configurations,
        tracker: &mut FileTracker,
    ) -> FoundFiles {
        let mut candidates = Candidates::default();
        let mut found = FoundFiles::default();
        for path in paths {
            if configurations.file_system().is_dir(path) {
                let failures = found.failures.len();
                self.walk(path, configurations, &mut candidates, &mut found.failures);
                if found.failures.len() == failures {
                    found.folders.push(absolute(path));
                }
                let deleted = configurations.file_system().deleted_below(path);
                let deleted = deleted.iter().filter(|path| has_document_extension(path));
                candidates.0.extend(deleted.map(|path| Candidate {
                    input: self.read.input(&simplified(path)),
                    is_requested: false,
                    is_explicit: false,
                    unreadable_status: None,
                    left_out: None,
                }));
            } else {
                let mut input = self.read.input(path);
                // A missing file is a failure, whatever its name.
                let exists = || configurations.file_system().exists(path) == Ok(true);
                input.is_explicit = !(self.policy.only_documents && exists());
                let files = configurations.file_system();
                let left_out = if input.is_explicit { None } else { left_out(path, false, files) };
                candidates.0.push(Candidate {
                    input,
                    is_requested: true,
                    is_explicit: true,
                    unreadable_status: None,
                    left_out,
                });
            }
        }
        let candidates = candidates.into_sorted();
        tracker.reserve(candidates.len());
        let mut last: Option<Arc<str>> = None;
        for mut candidate in candidates {
            // Files of a folder follow each other.
            let folder = folder_of(&candidate.input.absolute);
            if last.as_deref().is_none_or(|last| folder_of(last) != folder) {
                configurations.look_up(folder);
                last = Some(Arc::clone(&candidate.input.absolute));
            }
            let settings = configurations.stated_settings_for(&candidate.input.absolute);
            self.apply_kind(&mut candidate.input, settings.as_ref());
            let reason = candidate.skip_reason(settings.as_ref(), self.policy.force_exclude);
            let Candidate { mut input, is_explicit, unreadable_status, .. } = candidate;
            tracker.expect(&mut input);
            match (reason, unreadable_status) {
                (Some(reason), _) => {
                    found.skipped.push(SkippedInput { input, reason, is_explicit });
                }
                (None, None) => found.inputs.push(input),
                (None, Some(status)) => {
                    if let FileStatus::Failed(message) = &status {
                        found.failures.push(input.failure(message.clone()));
                    }
                    tracker.set_status(&input, status);
                }
            }
        }
        sort(&mut found.inputs);
        found
    }

    /// The documents below some folders that a run over these would check. Folders that cannot be read are ignored. Unless
    /// further configurations are to be read, only those count that have been read.
    pub(crate) fn find_below(
        self,
        folders: &[String],
        configurations: &mut Configurations,
        reads_configurations: bool,
    ) -> Vec<InputFile> {
        let policy = ExplicitPathPolicy {
            force_exclude: true,
            only_documents: true,
            ..ExplicitPathPolicy::default()
        };
        let finder = Self { policy, kind: None, ..self };
        let mut candidates = Candidates::default();
        for folder in folders {
            let folder = configurations.shown(folder);
            finder.walk(Path::new(&folder), configurations, &mut candidates, &mut Vec::new());
        }
        let mut inputs = Vec::new();
        for mut candidate in candidates.into_sorted() {
            let folder = folder_of(&candidate.input.absolute);
            if reads_configurations {
                configurations.look_up(folder);
            } else if !configurations.look_up_known(folder) {
                continue;
            }
            if candidate.unreadable_status.is_some() {
                continue;
            }
            let settings = configurations.stated_settings_for(&candidate.input.absolute);
            finder.apply_kind(&mut candidate.input, settings.as_ref());
            if candidate.skip_reason(settings.as_ref(), true).is_none() {
                inputs.push(candidate.input);
            }
        }
        inputs
    }

    /// Reads templates as text, whatever their extension.
    fn apply_kind(self, input: &mut InputFile, settings: Option<&FileSettings<'_>>) {
        let by_settings = || settings?.kind().map(|stated| stated.value);
        let kind = self.kind.or_else(by_settings);
        input.set_kind(kind);
    }

    /// Adds the files below a folder that have an extension of documents and that git does not ignore, and other ones with the
    /// contents of a document.
    fn walk(
        self,
        directory: &Path,
        configurations: &mut Configurations,
        candidates: &mut Candidates,
        failures: &mut Vec<Failure>,
    ) {
        let start = absolute(directory);
        configurations.look_up(&start);
        configurations.add_project(&start);
        let is_excluded = configurations.folder_filter(&start);
        // Naming an excluded folder asks for its files.
        let is_requested = is_excluded(&start) && !self.policy.force_exclude;
        let enters = |folder: &SearchedFolder, name: &Path| {
            is_requested || !is_excluded(&folder.absolute_path_of(name))
        };
        let files = configurations.shared_file_system();
        walk(SearchedFolder::new(directory, &start), &files, &enters, &mut |step| {
            let (folder, path, kind, is_hidden) = match step {
                Step::File { folder, name, kind, is_hidden } => (folder, name, kind, is_hidden),
                Step::Failed(path, why) => {
                    let failure = Failure::new(configurations.shown(&absolute(&path)), why);
                    // Folders that are named may be in one repository.
                    if failures.last() != Some(&failure) {
                        failures.push(failure);
                    }
                    return;
                }
            };
            let is_document = !is_hidden
                && (has_document_extension(path)
                    || configurations.makes_template(&folder.absolute_path_of(path)));
            let left_out = if kind.is_file() && !is_document {
                left_out(&folder.path().join(path), is_hidden, &files)
            } else {
                None
            };
            if is_hidden && left_out.is_none() {
                return;
            }
            let (unreadable_status, source) = if kind.is_file() {
                (None, None)
            } else {
                let path = folder.path().join(path);
                let is_link = kind.is_symlink();
                let source = is_link.then(|| configurations.source_of_link(&path)).flatten();
                let is_followed = !is_link || source.is_some();
                (unreadable_status(&path, kind, is_followed, configurations), source)
            };
            let is_linked_folder =
                unreadable_status == Some(FileStatus::Skipped(SkipReason::LinkedFolder));
            if is_linked_folder || is_document || left_out.is_some() {
                let mut input = self.read.found_file(folder, path);
                if let Some(source) = source {
                    input.set_source(source);
                }
                let is_explicit = false;
                candidates.0.push(Candidate {
                    input,
                    is_requested,
                    is_explicit,
                    unreadable_status,
                    left_out,
                });
            }
        });
    }
}

/// Sorts files by the paths that users see.
pub(crate) fn sort(inputs: &mut [InputFile]) {
    inputs.sort_by(|a, b| (&a.shown, &a.path).cmp(&(&b.shown, &b.path)));
}

/// The files and folders below a folder that have no status after a run, each with the reason.
pub(crate) fn unvisited(
    directory: &Path,
    configurations: &mut Configurations,
) -> Vec<(String, SkipReason)> {
    let start = absolute(directory);
    configurations.look_up(&start);
    let visited = RefCell::new(BTreeSet::from([directory.to_owned()]));
    let enters = |folder: &SearchedFolder, name: &Path| {
        !is_hidden_name(name.as_os_str()) && visited.borrow_mut().insert(folder.path().join(name))
    };
    // The run has reported what has failed. What is in these folders is not known.
    let mut failed = BTreeSet::new();
    let files = configurations.shared_file_system();
    walk(SearchedFolder::new(directory, &start), &files, &enters, &mut |step| match step {
        Step::File { is_hidden: true, .. } => {}
        Step::File { folder, name, .. } => {
            visited.borrow_mut().insert(folder.path().join(name));
        }
        Step::Failed(path, _) => {
            let is_ignore_file = path.file_name().is_some_and(|name| name == IGNORE_NAME);
            failed.insert(path.parent().filter(|_| is_ignore_file).unwrap_or(&path).to_owned());
        }
    });
    let visited = visited.into_inner();
    if failed.iter().any(|folder| !visited.contains(folder)) {
        // A folder above failed, so nothing was visited.
        return Vec::new();
    }
    let mut unvisited = Vec::new();
    let mut all = WalkDir::new(directory).sort_by_file_name().into_iter();
    while let Some(entry) = all.next() {
        let Ok(entry) = entry else { continue };
        let path = entry.path();
        let is_folder = entry.file_type().is_dir();
        if is_folder && (entry.file_name() == GIT || failed.contains(path)) {
            all.skip_current_dir();
            continue;
        }
        let excluded = if is_folder && entry.depth() > 0 {
            let absolute = absolute(path);
            configurations.look_up(&absolute);
            configurations.excluding_pattern(&absolute).map(SkipReason::Excluded)
        } else {
            None
        };
        let is_visited = excluded.is_none() && visited.contains(path);
        // Visited documents have a status already.
        if is_visited && (is_folder || has_document_extension(path)) {
            continue;
        }
        let by_name = if is_hidden_name(entry.file_name()) {
            SkipReason::Hidden
        } else if is_visited {
            SkipReason::Name
        } else {
            SkipReason::Ignored
        };
        let slash = if is_folder { "/" } else { "" };
        let shown = format!("{}{slash}", forward_slashes(&simplified(path)));
        unvisited.push((shown, excluded.unwrap_or(by_name)));
        if is_folder {
            all.skip_current_dir();
        }
    }
    unvisited
}

/// Why a file is left out whose name is not that of a document; `None` if its contents are not those of one either. A checked
/// repository must not contain a document that is not counted.
fn left_out(path: &Path, is_hidden: bool, files: &FileSystem) -> Option<SkipReason> {
    const FORMATS: [Format; 3] = [Format::Jsonc, Format::Yaml, Format::Toml];
    let has_known_name = has_document_extension(path);
    if has_known_name && !is_hidden || !(has_known_name || may_have_data(path)) {
        return None;
    }
    let bytes = files.read_limited(path, &SizeLimit::glimpse()).ok()?;
    let text = str::from_utf8(&bytes).ok()?;
    let is_document = |format| {
        let documents = Document::parse_all(Source::from(text).without_fixes(), format);
        documents.iter().any(|document| document.recognition().kind().is_some())
    };
    let why = if is_hidden { "hidden" } else { "unknown extension" };
    FORMATS.into_iter().any(is_document).then_some(SkipReason::MayBeDocument(why))
}

/// Whether the name of a file allows data: it has no extension, or a part such as `json5`, `yaml` or `json` before `bak`.
fn may_have_data(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let mut parts = name.trim_start_matches('.').split('.').skip(1).peekable();
    let is_data = |part: &str| ["json", "yaml", "yml", "toml"].iter().any(|it| part.contains(it));
    name != CONFIGURATION_NAME && (parts.peek().is_none() || parts.any(is_data))
}

/// The status of something in a folder that cannot be checked. Links to files of the project are followed. A link to a folder may
/// lead in circles, one out of the project would show a file that is none of its documents, and a dangling link hides a document.
fn unreadable_status(
    path: &Path,
    kind: FileType,
    is_followed: bool,
    configurations: &Configurations,
) -> Option<FileStatus> {
    let files = configurations.file_system();
    if kind.is_symlink() && files.is_dir(path) {
        return Some(FileStatus::Skipped(SkipReason::LinkedFolder));
    }
    match files.exists(path) {
        Ok(true) if !is_followed => Some(FileStatus::Skipped(SkipReason::LinkOutside)),
        Ok(true) => None,
        Ok(false) => Some(FileStatus::Failed("no such file or directory".to_owned())),
        Err(message) => Some(FileStatus::Failed(message)),
    }
}
