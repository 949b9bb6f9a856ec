//! Where the fixed text of a file is written: beside the file, which is then replaced.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use voxlint::fixes::NotApplied;

use super::write_failure;
use crate::Failure;
use crate::atomic_file::{Replacement, is_descriptor};
use crate::confinement::is_in_git;
use crate::file_set::FileSet;
use crate::paths::absolute_path;

/// Decides which files are written.
pub(super) struct Targets {
    /// The folders that links may lead into: the repository, the working directory and the given folders.
    trees: Vec<PathBuf>,
}

/// Why a file is not written.
pub(super) enum NotWritable {
    /// A link leads out of the tree, or to an open file.
    Kept(Failure, NotApplied),
    Failed(Failure),
}

impl Targets {
    pub(super) fn new(repository_root: &str, files: &FileSet) -> Self {
        let given = files.paths.iter().filter(|path| path.as_os_str() != "-").map(|path| {
            if path.is_dir() { path.clone() } else { absolute_path(path).with_file_name("") }
        });
        let trees = [PathBuf::from(repository_root), PathBuf::from(".")].into_iter().chain(given);
        Self { trees: trees.filter_map(|tree| tree.canonicalize().ok()).collect() }
    }

    /// The file that a path leads to, without symbolic links.
    pub(super) fn of(&self, shown: &str, path: &Path) -> Result<PathBuf, NotWritable> {
        // It was given to be read.
        if is_descriptor(&absolute_path(path)) {
            let message = "not fixed: this is an open file of the process: name the file by its path, or use `-` for standard input";
            return Err(NotWritable::Kept(Failure::new(shown, message), NotApplied::OpenFile));
        }
        let target = path.canonicalize();
        let target = target.map_err(|error| NotWritable::Failed(write_failure(shown, &error)))?;
        // A path without links is what somebody asked for, wherever it is.
        let is_link = target != absolute_path(path);
        let is_in_trees = self.trees.iter().any(|tree| target.starts_with(tree));
        if is_link && is_in_git(&target) {
            let message = "not fixed: the link leads into a folder of git such as `.git`, where voxlint follows no links: replace the link with a file";
            return Err(NotWritable::Kept(Failure::new(shown, message), NotApplied::LinkOutside));
        }
        if is_link && !is_in_trees {
            let target = target.display();
            let message = format!(
                "not fixed: the link leads to {target}, outside of the repository, the working directory and the given directories: to fix that file, name it by this path"
            );
            return Err(NotWritable::Kept(Failure::new(shown, message), NotApplied::LinkOutside));
        }
        if !fs::metadata(&target).is_ok_and(|file| file.is_file()) {
            return Err(NotWritable::Failed(Failure::new(shown, "not fixed: not a regular file")));
        }
        Ok(target)
    }
}

/// Replaces the text of a file, if it is still `before`.
pub(super) fn replace(
    shown: &str,
    target: &Path,
    before: &[u8],
    after: &[u8],
) -> Result<(), Failure> {
    let replaced = (|| -> io::Result<bool> {
        let mut new = Replacement::create(target)?;
        new.write_all(after)?;
        new.replace_if(|now| {
            let mut bytes = Vec::with_capacity(before.len() + 1);
            now.read_to_end(&mut bytes)?;
            Ok(bytes == before)
        })
    })();
    match replaced {
        Ok(true) => Ok(()),
        Ok(false) => Err(changed(shown)),
        Err(error) => Err(write_failure(shown, &error)),
    }
}

/// The failure of a file that somebody else has changed.
pub(super) fn changed(shown: &str) -> Failure {
    Failure::new(shown, "not fixed: the file was changed during the run; run voxlint again")
}
