//! A walk over the files that git does not ignore, where all folders may be read.

use std::fs;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::{DirEntry, WalkBuilder};

use crate::confinement::{Place, is_in_git, link_objection};
use crate::size_limit::SizeLimit;

/// The name of the file that says what git ignores in a folder.
pub const IGNORE_NAME: &str = ".gitignore";

/// What is in the root of a repository.
pub(crate) const REPOSITORIES: [&str; 2] = [".git", ".jj"];

/// What is wrong with the `.gitignore` files of folders that a walk does not enter.
#[derive(Clone, Default)]
pub(crate) struct Unusable(Arc<Mutex<Vec<UnusableFile>>>);

/// A `.gitignore` and what is wrong with it.
pub(crate) type UnusableFile = (PathBuf, String);

impl Unusable {
    fn add(&self, file: UnusableFile) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(file);
    }

    pub(crate) fn take(&self) -> Vec<UnusableFile> {
        mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A walk over the files that git does not ignore, below the folders that `is_entered` accepts.
///
/// Only the `.gitignore` files of the repository count, from its root on, as in git. Personal ignore files, and those above
/// the root, would give another result on another machine. The walk reads these files itself, and would read a device to its end,
/// so it does not enter a folder with one that may not be read. It reads even those above the root.
///
/// # Errors
///
/// If that is so for the directory itself or one above.
pub(crate) fn not_ignored(
    directory: &Path,
    is_entered: impl Fn(&Path) -> bool + Send + Sync + 'static,
) -> Result<(WalkBuilder, Unusable), UnusableFile> {
    let real = fs::canonicalize(directory).unwrap_or_else(|_| directory.to_owned());
    let is_root = |it: &&Path| REPOSITORIES.iter().any(|marker| it.join(marker).exists());
    let root = real.ancestors().find(is_root).map(Path::to_owned);
    for folder in real.ancestors() {
        let is_inside = root.as_ref().is_some_and(|root| folder.starts_with(root));
        check_ignore_file(folder, root.as_deref().filter(|_| is_inside))?;
    }
    let unusable = Unusable::default();
    let found = unusable.clone();
    let is_usable = move |folder: &Path| {
        let checked = check_ignore_file(folder, root.as_deref());
        checked.map_err(|file| found.add(file)).is_ok()
    };
    let mut walk = WalkBuilder::new(directory);
    walk.ignore(false).require_git(true).git_global(false).git_exclude(false);
    walk.filter_entry(move |entry: &DirEntry| {
        let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        let is_below = is_folder && entry.depth() > 0;
        !is_below || (is_entered(entry.path()) && is_usable(entry.path()))
    });
    Ok((walk, unusable))
}

/// Checks the `.gitignore` of a folder before it is read. A link must lead to a file of the repository. git itself follows none.
fn check_ignore_file(folder: &Path, root: Option<&Path>) -> Result<(), UnusableFile> {
    let path = folder.join(IGNORE_NAME);
    let Ok(link) = fs::symlink_metadata(&path) else { return Ok(()) };
    let objection = |why: String| Err((path.clone(), why));
    let mut file = link;
    if file.is_symlink() {
        // A broken link does not count, as in git.
        let Ok(real) = fs::canonicalize(&path) else { return Ok(()) };
        if root.is_some_and(|root| !real.starts_with(root)) {
            return objection(link_objection(Place::Outside, ""));
        }
        if root.is_some() && is_in_git(&real) {
            return objection(link_objection(Place::Git, ""));
        }
        file = match fs::metadata(&real) {
            Ok(file) => file,
            Err(_) => return Ok(()),
        };
    }
    if file.is_dir() {
        return Ok(());
    }
    if !file.is_file() {
        return objection("not a regular file".to_owned());
    }
    SizeLimit::ignore_file().check(file.len()).or_else(|error| objection(error.to_string()))
}
