//! Files for documents that are only shown, such as the page of a rule.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use tempfile::{NamedTempFile, TempDir};

/// Files that exist until the server ends. Every editor can show a file, and few can show anything else.
#[derive(Debug, Default)]
pub(crate) struct TemporaryFiles {
    folder: Mutex<Folder>,
}

#[derive(Debug, Default)]
enum Folder {
    /// Nothing was shown yet.
    #[default]
    None,
    /// Only this user can read it.
    Some(TempDir),
    /// The server has ended.
    Removed,
}

impl TemporaryFiles {
    /// Writes a file that only this user can read, in the place of an earlier one of this name.
    pub(crate) fn write(&self, name: &str, text: &str) -> io::Result<PathBuf> {
        let mut state = self.folder.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*state, Folder::None) {
            *state = Folder::Some(private_folder()?);
        }
        let Folder::Some(folder) = &*state else {
            return Err(io::Error::other("the server has ended"));
        };
        let safe =
            |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_');
        let name: String =
            name.chars().map(|letter| if safe(letter) { letter } else { '_' }).collect();
        let path = folder.path().join(name.trim_start_matches('.'));
        let mut file = NamedTempFile::new_in(folder.path())?;
        file.write_all(text.as_bytes())?;
        file.persist(&path)?;
        Ok(path)
    }

    /// Removes all files. Threads that are still at work cannot write others.
    pub(crate) fn remove(&self) {
        let mut state = self.folder.lock().unwrap_or_else(PoisonError::into_inner);
        *state = Folder::Removed;
    }
}

/// A new folder that only this user can read.
fn private_folder() -> io::Result<TempDir> {
    let mut folder = tempfile::Builder::new();
    #[cfg(unix)]
    folder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    folder.prefix("voxlint-").tempdir()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn files_are_replaced_and_removed_for_good() {
        let files = TemporaryFiles::default();
        let first = files.write("../update-ä.json", "1").unwrap();
        assert_eq!(files.write("../update-ä.json", "2").unwrap(), first);
        assert_eq!(fs::read_to_string(&first).unwrap(), "2");
        let folder = first.parent().unwrap().to_owned();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        files.remove();
        assert!(!folder.exists());
        assert!(files.write("late.json", "3").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn only_the_user_can_read_files() {
        use std::os::unix::fs::PermissionsExt as _;

        let files = TemporaryFiles::default();
        let path = files.write("update-en.json", "{}").unwrap();
        let mode =
            |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o077;
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0, 0));
    }
}
