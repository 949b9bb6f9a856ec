//! The settings of a commit or of another checkout, which judge the files of the working tree.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use voxlint::syntax::LineIndex;
use voxlint::{DocumentKind, Origin};
use voxlint_config::{Baseline, CommentState, Configuration, SettingSource, compare_comments};
use walkdir::WalkDir;

use crate::configurations::{CONFIGURATION_NAME, Configurations};
use crate::file_set::{FileSet, related_paths};
use crate::file_status::{FileRole, FileStatus, SkipReason};
use crate::git::{CommittedFile, Contents, Git, GitError, bytes_of, path_of};
use crate::ignored_files::GIT;
use crate::input::{ReadOptions, has_document_extension};
use crate::lint_files::RunResult;
use crate::linted::LintedDocument;
use crate::paths::{absolute, absolute_path, folder_of, is_within, working_directory};
use crate::session::Session;
use crate::size_limit::SizeLimit;
use crate::walk::is_hidden_name;

/// How many symbolic links in a row are followed in a commit.
const MOST_LINKS: usize = 10;

/// The settings of a commit or of another checkout, for the same paths of the working tree. Files that git ignores are not
/// replaced: who runs voxlint has put them there.
#[derive(Debug)]
pub struct Reference {
    name: String,
    /// The root of the repository, as the working directory spells it and without links.
    roots: [PathBuf; 2],
    /// The files of the working tree that the branch may have brought.
    tracked: BTreeSet<Vec<u8>>,
    source: Source,
}

#[derive(Debug)]
enum Source {
    Folder(PathBuf),
    Commit {
        files: BTreeMap<Vec<u8>, CommittedFile>,
        contents: Contents,
        known: Mutex<BTreeMap<Vec<u8>, Arc<[u8]>>>,
    },
}

impl Reference {
    /// Opens a folder with a checkout, if there is one with this name and git tracks nothing in it, or else a commit of the repository
    /// that the working directory is in, or else `path`.
    ///
    /// # Errors
    ///
    /// If there is no such folder and no such commit.
    pub fn open(name: &str, path: &Path) -> Result<Self, GitError> {
        let here = PathBuf::from(working_directory());
        let path = absolute_path(path);
        let beside = if path.is_dir() { &*path } else { path.parent().unwrap_or(&path) };
        let git = Git::of_folder(&here).or_else(|why| Git::of_folder(beside).map_err(|_| why));
        let folder = absolute_path(Path::new(name));
        let is_there = folder.is_dir();
        let git = match git {
            Ok(git) => Some(git),
            Err(_) if is_there => None,
            Err(why) => return Err(why),
        };
        let real = git.as_ref().map_or_else(|| here.clone(), |git| git.root().to_owned());
        let is_root = |it: &&Path| fs::canonicalize(it).is_ok_and(|it| it == real);
        let spelled = here.ancestors().chain(path.ancestors()).find(is_root).unwrap_or(&real);
        let roots = [spelled.to_owned(), real.clone()];
        // A folder of the branch itself, such as `origin/main`, would let the branch choose its own settings.
        let committed = git.as_ref().map_or_else(|| Ok(Vec::new()), Git::tracked_names)?;
        let is_of_branch = |path: &Path| {
            let below = roots.iter().find_map(|root| path.strip_prefix(root).ok());
            let is_it = |below: &Path| {
                committed.iter().any(|it| it.starts_with(below) || below.starts_with(it))
            };
            below.is_some_and(is_it)
        };
        let is_of_branch =
            is_of_branch(&folder) || fs::canonicalize(&folder).is_ok_and(|it| is_of_branch(&it));
        let is_folder = is_there && !is_of_branch;
        let tracked = git.as_ref().map_or_else(|| Ok(BTreeSet::new()), Git::all_tracked)?;
        let source = match git {
            Some(git) if !is_folder => {
                let files = git.all_files(&git.commit(name)?)?;
                Source::Commit { files, contents: git.contents()?, known: Mutex::default() }
            }
            _ => Source::Folder(folder),
        };
        Ok(Self { name: name.to_owned(), roots, tracked, source })
    }

    /// The commit or folder as the caller has named it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The folder of the checkout, if it is one.
    pub fn folder(&self) -> Option<String> {
        match &self.source {
            Source::Folder(folder) => Some(absolute(folder)),
            Source::Commit { .. } => None,
        }
    }

    /// What the reference has at a path of the working tree; `None` if it says nothing about the path, and `Some(None)` if it has no
    /// such file.
    ///
    /// # Errors
    ///
    /// If its file cannot be read.
    pub(crate) fn read(&self, path: &Path) -> Option<Result<Option<Arc<[u8]>>, String>> {
        let path = absolute_path(path);
        let below = self.roots.iter().find_map(|root| path.strip_prefix(root).ok())?;
        if below.iter().any(|part| part == ".git") {
            return None;
        }
        let name = below.iter().map(bytes_of).collect::<Vec<_>>().join(&b'/');
        let found = match &self.source {
            Source::Folder(folder) => read_file(&folder.join(below)),
            Source::Commit { files, contents, known } => {
                let known = &mut *known.lock().unwrap_or_else(PoisonError::into_inner);
                read_committed(name.clone(), files, contents, known)
            }
        };
        // A configuration is never something that only this machine has.
        let may_be_local = !path.ends_with(CONFIGURATION_NAME) && !self.tracked.contains(&name);
        match found {
            Ok(None) if may_be_local && path.is_file() && !self.tracked.is_empty() => None,
            found => Some(found),
        }
    }

    /// The paths of all files, from the root.
    fn names(&self) -> Vec<PathBuf> {
        match &self.source {
            Source::Commit { files, .. } => files.keys().map(|name| path_of(name)).collect(),
            Source::Folder(folder) => {
                let all = WalkDir::new(folder).into_iter().filter_entry(|it| it.file_name() != GIT);
                let files = all.filter_map(Result::ok).filter(|it| !it.file_type().is_dir());
                files
                    .filter_map(|it| Some(it.path().strip_prefix(folder).ok()?.to_owned()))
                    .collect()
            }
        }
    }

    /// The documents that a run with these settings would check in the folders of a run, by their absolute paths in the working tree.
    fn documents(&self, run: &FileSet, settings: &Configurations) -> Vec<String> {
        let searched: Vec<String> = run.paths.iter().map(|path| absolute(path)).collect();
        let [root, _] = &self.roots;
        let mut stored = BTreeSet::new();
        let mut found = Vec::new();
        for name in self.names() {
            let path = absolute(&root.join(&name));
            if !has_document_extension(&name)
                || name.iter().any(is_hidden_name)
                || !searched.iter().any(|folder| is_within(folder, &path))
            {
                continue;
            }
            let Some(settings) = settings.nearest_settings_for(&path) else { continue };
            stored.extend(settings.stored().map(|it| it.value));
            if !settings.is_excluded() && settings.is_included() != Some(false) {
                found.push(path);
            }
        }
        found.retain(|path| !stored.contains(path) && self.has_document(Path::new(path)));
        found
    }

    /// Whether a file has a document of an agent.
    fn has_document(&self, path: &Path) -> bool {
        let Some(Ok(Some(bytes))) = self.read(path) else { return false };
        let documents = ReadOptions::default().input(path).documents(&*bytes);
        documents.iter().filter_map(|it| it.recognition().kind()).any(|kind| {
            !matches!(kind, DocumentKind::Stored | DocumentKind::Facts | DocumentKind::ApiKeys)
        })
    }

    /// Whether a file of the working tree differs from that of the reference.
    pub(crate) fn differs(&self, path: &Path) -> bool {
        match self.read(path) {
            None | Some(Err(_)) => false,
            Some(Ok(before)) => before.as_deref() != fs::read(path).ok().as_deref(),
        }
    }

    /// The text of a file before the branch; empty if there is none.
    pub(crate) fn text(&self, path: &Path) -> String {
        let read = self.read(path).and_then(Result::ok).flatten();
        read.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
    }
}

/// What the working tree loosens, compared with the reference. Each is a sentence.
pub fn loosened(
    (judge, found_files, result): (&Session, &FileSet, &RunResult),
    (own, own_files): (&Session, &FileSet),
) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let Some(reference) = judge.reference() else { return found };
    let (before, now) = (judge.configurations(), own.configurations());
    let name = reference.name();
    let rules = before.rules();
    let kept: BTreeSet<&str> = own_files.inputs.iter().map(|it| &*it.absolute).collect();
    for input in &found_files.inputs {
        let file = &*input.shown;
        let settings = now.settings_for(&input.absolute);
        let Some((settings, judging)) = settings.zip(before.settings_for(&input.absolute)) else {
            continue;
        };
        let looser = settings.looser_than(&judging, (file, name), &rules);
        if looser.iter().all(|it| !it.message.ends_with("checks"))
            && !kept.contains(&*input.absolute)
        {
            found.insert(format!("{file}, which {name} checks, is not checked"));
        }
        for looser in looser {
            let by_setting = match &looser.source {
                Some(SettingSource::File { path, .. }) => Some(&**path),
                _ => now.for_folder(folder_of(&input.absolute)).and_then(Configuration::path),
            };
            let by = by_setting.map_or(CONFIGURATION_NAME.to_owned(), |path| now.shown(path));
            found.insert(format!("{by} {}", looser.message));
        }
        for (path, role) in related_paths(input, judge.options(), before) {
            if matches!(role, FileRole::Stored | FileRole::Facts) && reference.differs(&path) {
                let shown = now.shown(&absolute(&path));
                found.insert(format!("{shown} differs from {name}, which has its own"));
            }
        }
    }
    let is_known: BTreeSet<_> = found_files
        .baselines
        .iter()
        .flat_map(|it| it.baseline.iter().flat_map(Baseline::entries))
        .collect();
    for file in &own_files.baselines {
        let entries = file.baseline.iter().flat_map(Baseline::entries);
        if entries.filter(|it| !is_known.contains(it)).count() > 0 {
            found.insert(format!("{} lists findings that {name} does not", now.shown(&file.path)));
        }
    }
    let statuses = result.statuses.by_path();
    let is_checked = |path: &str| match statuses.get(path) {
        Some(FileStatus::Checked(counts)) => counts.checked.total() > 0,
        Some(FileStatus::Used(_) | FileStatus::Skipped(SkipReason::Unchanged(_))) => true,
        Some(FileStatus::Skipped(_)) | None => false,
        Some(_) => true,
    };
    for path in reference.documents(found_files, before) {
        if !is_checked(&path) {
            let end = if Path::new(&path).exists() { "not checked" } else { "deleted" };
            found.insert(format!("{}, which {name} checks, is {end}", now.shown(&path)));
        }
    }
    found
}

impl Reference {
    /// The suppression comments of a checked document that the reference does not have. Each is a sentence.
    pub fn new_comments(&self, linted: &LintedDocument) -> Vec<String> {
        let related = linted.related.iter().filter(|(origin, _)| matches!(origin, Origin::Text(_)));
        let texts = related.map(|(_, it)| (&it.path, &it.document));
        let mut found = Vec::new();
        for (path, document) in [(&linted.path, &linted.document)].into_iter().chain(texts) {
            if !document.text().contains("voxlint") {
                continue;
            }
            for (comment, state) in compare_comments(document, &self.text(Path::new(&**path))) {
                let names: Vec<String> =
                    comment.rules.iter().map(|(name, _)| format!("`{name}`")).collect();
                let names = names.join(" and ");
                let what = match state {
                    CommentState::Former => continue,
                    CommentState::NewWithReason => {
                        format!("suppresses {names}: {}", comment.reason)
                    }
                    CommentState::NewAndVague => {
                        "is not followed: it must name one rule and give a reason".to_owned()
                    }
                };
                let text = document.text();
                let line = LineIndex::new(text).position(text, comment.span.start).line;
                found.push(format!("{path}:{line}: a new comment {what}"));
            }
        }
        found
    }
}

fn read_file(path: &Path) -> Result<Option<Arc<[u8]>>, String> {
    if !path.is_file() {
        return Ok(None);
    }
    fs::read(path).map(|bytes| Some(bytes.into())).map_err(|error| error.to_string())
}

fn read_committed(
    mut name: Vec<u8>,
    files: &BTreeMap<Vec<u8>, CommittedFile>,
    contents: &Contents,
    known: &mut BTreeMap<Vec<u8>, Arc<[u8]>>,
) -> Result<Option<Arc<[u8]>>, String> {
    for _ in 0..MOST_LINKS {
        let Some(file) = files.get(&name) else { return Ok(None) };
        let bytes = if let Some(bytes) = known.get(&name) {
            Arc::clone(bytes)
        } else {
            let shown = String::from_utf8_lossy(&name);
            let bytes = contents.read(file, &shown, Some(&SizeLimit::related()));
            Arc::from(bytes.map_err(|error| error.to_string())?)
        };
        known.insert(name.clone(), Arc::clone(&bytes));
        if !file.is_link {
            return Ok(Some(bytes));
        }
        let mut target: Vec<&[u8]> = name.split(|byte| *byte == b'/').collect();
        target.pop();
        for part in bytes.split(|byte| *byte == b'/') {
            match part {
                b"." | b"" => {}
                b".." => drop(target.pop()),
                part => target.push(part),
            }
        }
        name = target.join(&b'/');
    }
    Err("too many symbolic links in a row".to_owned())
}
