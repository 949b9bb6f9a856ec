//! What the `.gitignore` files of a repository say.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::confinement::{Place, is_in_git, is_outside, link_objection};
use crate::file_system::FileSystem;
use crate::size_limit::SizeLimit;

/// The name of the file that says what git ignores in a folder.
pub const IGNORE_NAME: &str = ".gitignore";

/// What is in the root of a repository.
pub(crate) const REPOSITORIES: [&str; 2] = [".git", ".jj"];

/// The `.gitignore` files of a repository that apply to a folder: that of the folder, and those above.
///
/// Only those from the root of the repository on count, as in git. Personal ignore files, and those above the root, would give
/// another result on another machine.
pub(crate) struct Ignored {
    /// The root of the repository, without links.
    root: Arc<Path>,
    rules: Gitignore,
    above: Option<Arc<Self>>,
}

/// A `.gitignore` that cannot be used, and why.
pub(crate) type UnusableFile = (PathBuf, String);

impl Ignored {
    /// What is ignored in a folder, by its path without links and what is ignored in the folder above; `None` if it is in no
    /// repository.
    ///
    /// # Errors
    ///
    /// If its `.gitignore` cannot be used.
    pub(crate) fn in_folder(
        folder: &Path,
        contents: FolderContents,
        above: Option<&Arc<Self>>,
        files: &FileSystem,
    ) -> Result<Option<Arc<Self>>, UnusableFile> {
        let above = above.filter(|_| !contents.is_repository).cloned();
        let root = match &above {
            Some(above) => Arc::clone(&above.root),
            None if contents.is_repository => Arc::from(folder),
            None => return Ok(None),
        };
        let path = folder.join(IGNORE_NAME);
        let text = if contents.has_ignore_file {
            read(&path, &root, files).map_err(|why| (path.clone(), why))?
        } else {
            None
        };
        let rules = match (text, &above) {
            (Some(text), _) => rules(folder, &text).map_err(|why| (path, why))?,
            (None, Some(above)) => return Ok(Some(Arc::clone(above))),
            (None, None) => Gitignore::empty(),
        };
        Ok(Some(Arc::new(Self { root, rules, above })))
    }

    /// What the folders above one say about it, by its path without links; `None` if they are not in its repository.
    ///
    /// # Errors
    ///
    /// If one of the `.gitignore` files cannot be used.
    pub(crate) fn above(
        folder: &Path,
        files: &FileSystem,
    ) -> Result<Option<Arc<Self>>, UnusableFile> {
        let folders: Vec<&Path> =
            folder.ancestors().take_while(|it| !files.is_outside(it)).collect();
        let is_root = |it: &&Path| REPOSITORIES.iter().any(|name| files.is_there(&it.join(name)));
        let Some(root) = folders.iter().position(is_root) else { return Ok(None) };
        let mut ignored = None;
        for (index, above) in folders.into_iter().enumerate().take(root + 1).skip(1).rev() {
            let contents = FolderContents { is_repository: index == root, has_ignore_file: true };
            ignored = Self::in_folder(above, contents, ignored.as_ref(), files)?;
        }
        Ok(ignored)
    }

    /// Whether something is ignored, by its path without links.
    pub(crate) fn contains(&self, path: &Path, is_folder: bool) -> bool {
        match self.rules.matched(path, is_folder) {
            Match::None => self.above.as_ref().is_some_and(|above| above.contains(path, is_folder)),
            Match::Ignore(_) => true,
            Match::Whitelist(_) => false,
        }
    }
}

/// What matters of the names in a folder.
#[derive(Clone, Copy, Default)]
pub(crate) struct FolderContents {
    /// Whether it is the root of a repository.
    pub(crate) is_repository: bool,
    /// Whether it may contain a `.gitignore`.
    pub(crate) has_ignore_file: bool,
}

/// The text of a `.gitignore`; `None` if it does not count. A link must lead to a file of the repository. git itself follows none.
fn read(path: &Path, root: &Path, files: &FileSystem) -> Result<Option<String>, String> {
    let real = match files.real(path) {
        Ok(real) => real,
        Err(error) if is_outside(&error) => return Err(link_objection(Place::Outside, "")),
        // As in git, neither a missing file nor a broken link counts.
        Err(_) => return Ok(None),
    };
    if real != path {
        if !real.starts_with(root) {
            return Err(link_objection(Place::Outside, ""));
        }
        if is_in_git(&real) {
            return Err(link_objection(Place::Git, ""));
        }
    }
    match files.metadata(&real).map(|it| it.file_type()) {
        Ok(kind) if kind.is_file() => {}
        Ok(kind) if !kind.is_dir() => return Err("not a regular file".to_owned()),
        _ => return Ok(None),
    }
    match files.read_limited(&real, &SizeLimit::ignore_file()) {
        Ok(text) => Ok(Some(String::from_utf8_lossy(&text).into_owned())),
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => Err(error.to_string()),
        // What cannot be read does not count, as in git.
        Err(_) => Ok(None),
    }
}

fn rules(folder: &Path, text: &str) -> Result<Gitignore, String> {
    let mut rules = GitignoreBuilder::new(folder);
    for line in text.strip_prefix('\u{feff}').unwrap_or(text).lines() {
        // git ignores a line that is not a pattern.
        let _ = rules.add_line(None, line);
    }
    rules.build().map_err(|error| error.to_string())
}
