//! Files for documents that are only shown, such as the page of a rule.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::{fs, io};

use tempfile::TempDir;

/// Files that exist until the server ends. Every editor can show a file, and few can show anything else.
#[derive(Debug, Default)]
pub(crate) struct TemporaryFiles {
    /// Only this user can read it.
    folder: Mutex<Option<TempDir>>,
}

impl TemporaryFiles {
    /// Removes all files.
    pub(crate) fn clear(&self) {
        drop(self.folder.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    /// Writes a file, in the place of an earlier one of this name.
    pub(crate) fn write(&self, name: &str, text: &str) -> io::Result<PathBuf> {
        let mut folder = self.folder.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = match &mut *folder {
            Some(folder) => folder,
            none => none.insert(tempfile::Builder::new().prefix("voxlint-").tempdir()?),
        };
        let safe =
            |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_');
        let name: String =
            name.chars().map(|letter| if safe(letter) { letter } else { '_' }).collect();
        let path = folder.path().join(name.trim_start_matches('.'));
        fs::write(&path, text)?;
        Ok(path)
    }
}
