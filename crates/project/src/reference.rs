//! The settings of a commit or of another checkout, which judge the files of the working tree.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use walkdir::WalkDir;

use crate::git::{Commit, CommittedFile, Contents, Git, GitError, bytes_of, path_of};
use crate::names::CONFIGURATION_NAME;
use crate::names::GIT;
use crate::paths::{absolute, absolute_path, forward_slashes, working_directory};
use crate::size_limit::SizeLimit;

/// How many symbolic links in a row are followed in a commit.
const MOST_LINKS: usize = 10;

/// The settings of a commit or of another checkout, for the same paths of the working tree. Files that git ignores are not
/// replaced: who runs voxlint has put them there.
#[derive(Debug)]
pub struct Reference {
    name: String,
    /// The root of the repository, as the working directory spells it and without links.
    pub(crate) roots: [PathBuf; 2],
    /// The files of the working tree that the branch may have brought.
    tracked: BTreeSet<Vec<u8>>,
    source: Source,
}

#[derive(Debug)]
enum Source {
    Folder(PathBuf),
    Commit {
        commit: Commit,
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
        let folder = absolute_path(Path::new(name));
        let here = PathBuf::from(working_directory());
        Self::of(name, Some(folder).filter(|folder| folder.is_dir()), &here, path)
    }

    /// Opens a commit of the repository that a folder is in.
    ///
    /// # Errors
    ///
    /// If there is no such commit.
    pub(crate) fn of_commit(name: &str, folder: &Path) -> Result<Self, GitError> {
        Self::of(name, None, &absolute_path(folder), folder)
    }

    fn of(name: &str, folder: Option<PathBuf>, here: &Path, path: &Path) -> Result<Self, GitError> {
        let path = absolute_path(path);
        let beside = if path.is_dir() { &*path } else { path.parent().unwrap_or(&path) };
        let git = Git::of_folder(here).or_else(|why| Git::of_folder(beside).map_err(|_| why));
        let git = match git {
            Ok(git) => Some(git),
            Err(_) if folder.is_some() => None,
            Err(why) => return Err(why),
        };
        let real = git.as_ref().map_or_else(|| here.to_owned(), |git| git.root().to_owned());
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
        let folder = folder.filter(|folder| {
            !is_of_branch(folder) && !fs::canonicalize(folder).is_ok_and(|it| is_of_branch(&it))
        });
        let tracked = git.as_ref().map_or_else(|| Ok(BTreeSet::new()), Git::all_tracked)?;
        let source = match (git, folder) {
            (Some(git), None) => {
                let commit = git.commit(name)?;
                let (files, contents) = (git.all_files(&commit)?, git.contents()?);
                Source::Commit { commit, files, contents, known: Mutex::default() }
            }
            (_, folder) => Source::Folder(folder.unwrap_or_default()),
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

    /// Whether both are the same commit.
    pub(crate) fn is_same_commit(&self, other: &Self) -> bool {
        match (&self.source, &other.source) {
            (Source::Commit { commit, .. }, Source::Commit { commit: other, .. }) => {
                commit == other
            }
            _ => false,
        }
    }

    /// A path of the working tree from the root of the repository.
    pub(crate) fn path_in(&self, path: &Path) -> Option<String> {
        let path = absolute_path(path);
        let below = self.roots.iter().find_map(|root| path.strip_prefix(root).ok())?;
        Some(forward_slashes(below))
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
            Source::Commit { files, contents, known, .. } => {
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
    pub(crate) fn names(&self) -> Vec<PathBuf> {
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

    /// The files below a folder that the working tree does not have.
    pub(crate) fn deleted_below(&self, folder: &Path) -> Vec<PathBuf> {
        let [root, _] = &self.roots;
        let absolute = absolute_path(folder);
        let below = |path: PathBuf| Some(folder.join(path.strip_prefix(&absolute).ok()?));
        let all = self.names().into_iter().map(|name| root.join(name));
        all.filter(|path| !path.exists()).filter_map(below).collect()
    }

    /// Whether the working tree has a file that the reference does not have.
    pub(crate) fn lacks(&self, path: &Path) -> bool {
        path.exists() && matches!(self.read(path), Some(Ok(None)))
    }

    /// Whether a file of the working tree differs from that of the reference.
    pub(crate) fn differs(&self, path: &Path) -> bool {
        match self.read(path) {
            None | Some(Err(_)) => false,
            Some(Ok(before)) => before.as_deref() != fs::read(path).ok().as_deref(),
        }
    }

    /// The text of a file of the working tree.
    pub(crate) fn text_now(path: &Path) -> Option<String> {
        fs::read_to_string(path).ok()
    }

    /// The text of a file before the branch; empty if there is none.
    pub(crate) fn text(&self, path: &Path) -> String {
        let read = self.read(path).and_then(Result::ok).flatten();
        read.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
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
