//! Paths of this system. [`voxlint::syntax::file_path`] has the functions for paths as text.

use std::borrow::Cow;
use std::env;
use std::iter;
use std::path::{self, Path, PathBuf};

use voxlint::syntax::file_path::normalize;
pub use voxlint::syntax::file_path::{
    folder_of, is_within, join, parent_of, relative_or_absolute, stem,
};

/// The working directory, absolute and with forward slashes.
pub fn working_directory() -> String {
    env::current_dir().map_or_else(|_| "/".to_owned(), |path| forward_slashes(&path))
}

/// The absolute path as text, without `.` and `..` and with forward slashes.
pub fn absolute(path: &Path) -> String {
    if cfg!(unix) && path.is_absolute() {
        return normalize(&path.to_string_lossy());
    }
    normalize(&forward_slashes(&path::absolute(path).unwrap_or_else(|_| path.to_owned())))
}

/// The absolute path without `.` and `..`, byte for byte: a name that is not UTF-8 stays what it is.
pub(crate) fn absolute_path(path: &Path) -> PathBuf {
    let mut found = PathBuf::new();
    for part in path::absolute(path).unwrap_or_else(|_| path.to_owned()).components() {
        match part {
            path::Component::CurDir => {}
            path::Component::ParentDir => {
                found.pop();
            }
            part => found.push(part),
        }
    }
    found
}

/// A folder and those above it, the nearest one first.
pub(crate) fn upward(folder: &str) -> impl Iterator<Item = &str> {
    iter::successors(Some(folder), |folder| parent_of(folder))
}

/// The path without needless parts: `./agents//en.json` is `agents/en.json`.
pub fn simplified(path: &Path) -> PathBuf {
    let simple: PathBuf =
        path.components().filter(|part| *part != path::Component::CurDir).collect();
    if simple.as_os_str().is_empty() { path.to_owned() } else { simple }
}

/// A path as users see it: with forward slashes.
pub fn forward_slashes(path: &Path) -> String {
    with_forward_slashes(path).into_owned()
}

/// As [`forward_slashes`], borrowed if nothing changes.
pub(crate) fn with_forward_slashes(path: &Path) -> Cow<'_, str> {
    let shown = path.to_string_lossy();
    if cfg!(windows) { shown.replace('\\', "/").into() } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_resolved_without_the_file_system() {
        assert_eq!(absolute_path(Path::new("/a/./b/../c")), Path::new("/a/c"));
        assert_eq!(absolute_path(Path::new("/../a")), Path::new("/a"));
    }
}
