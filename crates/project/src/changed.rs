//! Which files of a run have changed since a commit, and which documents that concerns.
//!
//! Files are compared byte by byte with those of the commit, and not by `git diff`: that could run filters of the repository,
//! and trusts marks of the index that hide changes.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::git::{Commit, CommittedFile, Contents, Git, GitError, bytes_of};
use crate::parallel;

/// How many symbolic links in a row are followed. It is the limit of Linux.
const MOST_LINKS: usize = 40;

/// A file, compared with a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// It is as it was.
    Unchanged,
    /// It is new, deleted or different.
    Changed,
    /// It is neither there nor in the commit.
    Absent,
    /// Git knows nothing about it: it is ignored, or is not in the repository.
    Unknown,
}

/// The files of a run, compared with a commit, by their absolute paths.
#[derive(Debug, Default)]
pub(crate) struct Compared(BTreeMap<PathBuf, Comparison>);

impl Compared {
    /// Compares files with a commit. The paths are absolute and contain no `..`.
    pub(crate) fn with(
        git: &Git,
        commit: &Commit,
        paths: &BTreeSet<PathBuf>,
    ) -> Result<Self, GitError> {
        let mut roots = RepositoryPaths::of(git);
        let traces: Vec<(&PathBuf, Option<Trace>)> =
            paths.iter().map(|path| (path, roots.trace(path))).collect();
        let all = traces.iter().filter_map(|(_, trace)| trace.as_ref());
        let wanted: BTreeSet<Vec<u8>> =
            all.flat_map(|trace| trace.names().map(<[u8]>::to_owned)).collect();
        let files = git.files(commit, &wanted)?;
        let new: BTreeSet<Vec<u8>> =
            wanted.into_iter().filter(|name| !files.contains_key(name)).collect();
        let tracked = if new.is_empty() { BTreeSet::new() } else { git.tracked(&new)? };
        let (contents, converts) = (git.contents()?, git.converts_line_breaks()?);
        let comparer = Comparer { files, tracked, contents, converts };
        let results = parallel::map(&traces, |(): &mut (), (path, trace)| {
            let comparison = match trace {
                None => Ok(Comparison::Unknown),
                Some(trace) => comparer.compare(trace),
            };
            comparison.map(|comparison| ((*path).clone(), comparison))
        });
        results.into_iter().collect::<Result<_, _>>().map(Self)
    }

    /// The comparison of a file.
    pub(crate) fn of(&self, path: &Path) -> Comparison {
        self.0.get(path).copied().unwrap_or(Comparison::Unknown)
    }
}

/// Where a path leads in a repository. The paths are those of git.
struct Trace {
    /// The links on the way, with the paths that they contain.
    links: Vec<(Vec<u8>, Vec<u8>)>,
    /// The file at the end.
    name: Vec<u8>,
    path: PathBuf,
}

impl Trace {
    fn names(&self) -> impl Iterator<Item = &[u8]> {
        self.links.iter().map(|(name, _)| &**name).chain([&*self.name])
    }
}

/// Finds out where paths are in a repository.
pub(crate) struct RepositoryPaths<'g> {
    root: &'g Path,
    /// The folders that paths begin with, and which of them is the root of the repository.
    of_folder: BTreeMap<PathBuf, Option<PathBuf>>,
}

impl<'g> RepositoryPaths<'g> {
    pub(crate) fn of(git: &'g Git) -> Self {
        Self { root: git.root(), of_folder: BTreeMap::new() }
    }

    /// The root of the repository as a folder spells it; `None` outside.
    fn root_of(&mut self, folder: &Path) -> Option<PathBuf> {
        if let Some(known) = self.of_folder.get(folder) {
            return known.clone();
        }
        let is_root =
            folder == self.root || fs::canonicalize(folder).is_ok_and(|it| it == self.root);
        let found = if is_root {
            Some(folder.to_owned())
        } else {
            folder.parent().and_then(|above| self.root_of(above))
        };
        self.of_folder.insert(folder.to_owned(), found.clone());
        found
    }

    /// Follows a path from the root of the repository; `None` if it leads out of it.
    fn trace(&mut self, path: &Path) -> Option<Trace> {
        let root = self.root_of(path.parent()?)?;
        let mut left: Vec<OsString> = components(path.strip_prefix(&root).ok()?)?;
        left.reverse();
        let mut links = Vec::new();
        let mut at: Vec<OsString> = Vec::new();
        while let Some(part) = left.pop() {
            if part == ".." {
                at.pop()?;
                continue;
            }
            at.push(part);
            let here = at.iter().fold(root.clone(), |path, part| path.join(part));
            let Ok(target) = fs::read_link(&here) else { continue };
            if links.len() >= MOST_LINKS {
                return None;
            }
            links.push((git_path(&at), bytes_of(target.as_os_str())));
            at.pop();
            let target =
                match target.strip_prefix(&root).or_else(|_| target.strip_prefix(self.root)) {
                    Ok(below) if target.is_absolute() => {
                        at.clear();
                        below.to_owned()
                    }
                    _ if target.is_absolute() => return None,
                    _ => target,
                };
            left.extend(components(&target)?.into_iter().rev());
        }
        let path = at.iter().fold(root.clone(), |path, part| path.join(part));
        Some(Trace { links, name: git_path(&at), path })
    }
}

/// The parts of a relative path.
fn components(path: &Path) -> Option<Vec<OsString>> {
    let mut parts = Vec::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => parts.push("..".into()),
            Component::Normal(part) => parts.push(part.to_owned()),
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(parts)
}

/// A path as git writes it.
fn git_path(parts: &[OsString]) -> Vec<u8> {
    parts.iter().map(|part| bytes_of(part)).collect::<Vec<_>>().join(&b'/')
}

/// Compares files with those of a commit.
struct Comparer {
    files: BTreeMap<Vec<u8>, CommittedFile>,
    /// Those that are not in the commit and that git tracks or would track.
    tracked: BTreeSet<Vec<u8>>,
    contents: Contents,
    /// Whether line breaks differ between the commit and the working tree.
    converts: bool,
}

impl Comparer {
    fn compare(&self, trace: &Trace) -> Result<Comparison, GitError> {
        for (name, target) in &trace.links {
            let is_same = match self.files.get(name) {
                Some(file) if file.is_link => self.read(file, name)? == *target,
                _ => false,
            };
            if !is_same {
                // A link that git ignores leads to files that it knows nothing about.
                let is_known = self.files.contains_key(name) || self.tracked.contains(name);
                return Ok(if is_known { Comparison::Changed } else { Comparison::Unknown });
            }
        }
        let now = fs::read(&trace.path).ok();
        Ok(match (self.files.get(&trace.name), now) {
            (None, None) => Comparison::Absent,
            (None, Some(_)) if self.tracked.contains(&trace.name) => Comparison::Changed,
            (None, Some(_)) => Comparison::Unknown,
            (Some(_), None) => Comparison::Changed,
            (Some(file), Some(now)) => {
                let before = self.read(file, &trace.name)?;
                let is_same = !file.is_link && self.is_same(&before, &now);
                if is_same { Comparison::Unchanged } else { Comparison::Changed }
            }
        })
    }

    fn read(&self, file: &CommittedFile, name: &[u8]) -> Result<Vec<u8>, GitError> {
        self.contents.read(file, &String::from_utf8_lossy(name), None)
    }

    fn is_same(&self, before: &[u8], now: &[u8]) -> bool {
        if before == now {
            return true;
        }
        if !self.converts {
            return false;
        }
        let mut lines = now.split(|byte| *byte == b'\n').peekable();
        let mut converted = Vec::with_capacity(now.len());
        while let Some(line) = lines.next() {
            let is_last = lines.peek().is_none();
            let without = if is_last { None } else { line.strip_suffix(b"\r") };
            converted.extend_from_slice(without.unwrap_or(line));
            if !is_last {
                converted.push(b'\n');
            }
        }
        before == converted
    }
}
