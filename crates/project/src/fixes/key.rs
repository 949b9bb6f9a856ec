//! Which files are one file.

use std::path::{Path, PathBuf};

use crate::file_status::FileRole;
use crate::file_system::FileSystem;
use crate::input::InputFile;

/// The identity of a file, whatever links lead to it; `None` for standard input.
pub(super) type Key = Option<PathBuf>;

pub(super) fn key_of(input: &InputFile) -> Key {
    input.path.as_deref().map(real_path)
}

/// A path without symbolic links, as far as it leads to a file.
pub(crate) fn real_path(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Whether a file can be read again after it was fixed, unlike a pipe. Standard input was kept for that.
pub(super) fn is_readable_twice(input: &InputFile, files: &FileSystem) -> bool {
    input.path.as_deref().is_none_or(|path| path.is_file() || files.has_overlay(path))
}

/// Whether a file is only read to check others: nothing of it is fixed.
pub(super) fn is_context(role: FileRole) -> bool {
    role != FileRole::Text
}
