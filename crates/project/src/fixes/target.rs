//! Where the fixed text of a file is written: beside the file, which is then replaced.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use voxlint::fixes::NotApplied;

use super::{Fixer, Outcome, write_failure};
use crate::Failure;
use crate::atomic_file::{Replacement, is_descriptor};
use crate::configurations::{Configurations, WriteObjection};
use crate::paths::absolute_path;

/// Why a file is not written.
pub(crate) enum NotWritable {
    /// A link leads out of the project, or to an open file.
    Kept(Failure, NotApplied),
    Failed(Failure),
}

/// The file that a path leads to, without symbolic links.
pub(crate) fn target_of(
    shown: &str,
    path: &Path,
    configurations: &Configurations,
) -> Result<PathBuf, NotWritable> {
    let kept = |message: &str, reason| {
        Err(NotWritable::Kept(Failure::new(shown, format!("not changed: {message}")), reason))
    };
    // It was given to be read.
    if is_descriptor(&absolute_path(path)) {
        let message = "this is an open file of the process: name the file by its path, or use `-` for standard input";
        return kept(message, NotApplied::OpenFile);
    }
    let target = path.canonicalize();
    let target = target.map_err(|error| NotWritable::Failed(write_failure(shown, &error)))?;
    // A path without links is what somebody asked for, wherever it is.
    let is_link = target != absolute_path(path);
    if is_link && let Some(objection) = configurations.objection_to_fixing(path, &target) {
        let leads = match objection {
            WriteObjection::InGit => "into a folder of git such as `.git`",
            WriteObjection::LeadsOut => "out of the project",
        };
        let message = format!(
            "the link leads to {}, {leads}: to fix that file, name it by this path",
            target.display()
        );
        return kept(&message, NotApplied::LinkOutside);
    }
    if !fs::metadata(&target).is_ok_and(|file| file.is_file()) {
        return Err(NotWritable::Failed(Failure::new(shown, "not changed: not a regular file")));
    }
    Ok(target)
}

/// Replaces the text of a file, if it is still `before`.
pub(crate) fn replace(
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

/// Where the new text of a file is collected.
pub(super) enum Sink {
    File(Box<Replacement>),
    /// In the place of standard input, for the check of what is left.
    Stdin(File),
    /// Nothing is written.
    Nowhere,
}

impl Sink {
    pub(super) fn writer(&mut self) -> Option<&mut dyn Write> {
        match self {
            Self::File(file) => Some(file),
            Self::Stdin(file) => Some(file),
            Self::Nowhere => None,
        }
    }
}

impl<T> Fixer<'_, T> {
    /// Begins the new text of a file, or of standard input. Otherwise returns what becomes of the file.
    pub(super) fn begin(&self, shown: &str, path: Option<&Path>) -> Result<Sink, Outcome<T>> {
        let failed = |error: io::Error| Outcome::Failed(write_failure(shown, &error));
        let is_written = self.options.write;
        let Some(path) = path else {
            let stdin = || tempfile::tempfile().map(Sink::Stdin).map_err(failed);
            return if is_written { stdin() } else { Ok(Sink::Nowhere) };
        };
        if !is_written && self.is_unsaved(path) {
            // There need not be a file.
            return Ok(Sink::Nowhere);
        }
        let target = target_of(shown, path, self.linter.configurations());
        let target = target.map_err(|why| match why {
            NotWritable::Kept(failure, reason) => Outcome::Kept(failure, reason),
            NotWritable::Failed(failure) => Outcome::Failed(failure),
        })?;
        if !is_written {
            return Ok(Sink::Nowhere);
        }
        Replacement::create(&target).map(|file| Sink::File(Box::new(file))).map_err(failed)
    }

    /// Puts the new text in the place of the file, if that is still what was read.
    pub(super) fn end(
        &self,
        shown: &str,
        sink: Sink,
        is_unchanged: impl FnOnce(&mut dyn Read) -> io::Result<bool>,
    ) -> Outcome<T> {
        match sink {
            Sink::File(file) => match file.replace_if(is_unchanged) {
                Ok(true) => Outcome::Written,
                Ok(false) => Outcome::Failed(changed(shown)),
                Err(error) => Outcome::Failed(write_failure(shown, &error)),
            },
            Sink::Stdin(file) => {
                self.linter.file_system().set_stdin(file);
                Outcome::Written
            }
            Sink::Nowhere => Outcome::Shown(Vec::new()),
        }
    }
}

/// The failure of a file that somebody else has changed.
pub(crate) fn changed(shown: &str) -> Failure {
    Failure::new(shown, "not changed: the file was changed during the run; run voxlint again")
}
