//! Where the fixed text of a file is written: beside the file, which is then replaced.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use voxlint::fixes::NotApplied;

use super::write_failure;
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

/// The failure of a file that somebody else has changed.
pub(crate) fn changed(shown: &str) -> Failure {
    Failure::new(shown, "not changed: the file was changed during the run; run voxlint again")
}
