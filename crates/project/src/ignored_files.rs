//! What the `.gitignore` files of a repository say.

use std::borrow::Cow;
use std::fs::FileType;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::confinement::is_in_git;
use crate::file_system::FileSystem;
use crate::names::{GIT, JJ};
use crate::size_limit::SizeLimit;

/// The name of the file that says what git ignores in a folder.
pub const IGNORE_NAME: &str = ".gitignore";

const NOT_FOLLOWED: &str = "a symbolic link that leads to no file of the repository, so it is not followed: replace it with a file";

const TOO_LARGE: &str = "a pattern is too long: use several shorter ones";

/// The `.gitignore` files of a repository that apply to a folder: that of the folder, and those above.
///
/// Only those from the root of the repository on count, as in git. Personal ignore files, and those above the root, would give
/// another result on another machine.
pub(crate) struct Ignored {
    /// The root of the repository, without links.
    root: Arc<Path>,
    /// The patterns of the folder in groups. Later ones count more.
    rules: Vec<Gitignore>,
    above: Option<Arc<Self>>,
}

/// What matters of the names in a folder.
#[derive(Clone, Copy, Default)]
pub(crate) struct FolderContents {
    pub(crate) has_git: bool,
    pub(crate) has_jj: bool,
    /// What its `.gitignore` is.
    pub(crate) ignore_file: Option<FileType>,
}

impl FolderContents {
    /// Whether the folder is the root of a repository.
    pub(crate) fn is_repository(self, is_in_repository: bool) -> bool {
        self.has_git || (self.has_jj && !is_in_repository)
    }
}

impl Ignored {
    /// What is ignored in a folder, by its path without links and what is ignored in the folder above; `None` if it is in no
    /// repository.
    ///
    /// # Errors
    ///
    /// Why its `.gitignore` cannot be used.
    pub(crate) fn in_folder(
        folder: &Path,
        contents: FolderContents,
        above: Option<&Arc<Self>>,
        files: &FileSystem,
    ) -> Result<Option<Arc<Self>>, String> {
        let is_repository = contents.is_repository(above.is_some());
        let above = above.filter(|_| !is_repository).cloned();
        let root = match &above {
            Some(above) => Arc::clone(&above.root),
            None if is_repository || ignores_all(folder, contents, files) => Arc::from(folder),
            None => return Ok(None),
        };
        let text = match contents.ignore_file {
            Some(kind) => read(&folder.join(IGNORE_NAME), kind, &root, files)?,
            None => None,
        };
        let rules = match (text, &above) {
            (Some(text), _) => rules(folder, &text)?,
            (None, Some(above)) => return Ok(Some(Arc::clone(above))),
            (None, None) => Vec::new(),
        };
        Ok(Some(Arc::new(Self { root, rules, above })))
    }

    /// What the folders above one say about it, by its path without links; `None` if they are not in its repository.
    ///
    /// # Errors
    ///
    /// The `.gitignore` that cannot be used, and why.
    pub(crate) fn above(
        folder: &Path,
        files: &FileSystem,
    ) -> Result<Option<Arc<Self>>, (PathBuf, String)> {
        let folders: Vec<&Path> = folder.ancestors().take_while(|it| files.has_real(it)).collect();
        let has = |folder: &Path, name| files.kind(&folder.join(name)).is_some();
        let with_git = folders.iter().position(|it| has(it, GIT));
        let root = with_git.or_else(|| folders.iter().rposition(|it| has(it, JJ)));
        let Some(root) = root else { return Ok(None) };
        let mut ignored = None;
        for (index, above) in folders.into_iter().enumerate().take(root + 1).skip(1).rev() {
            let path = above.join(IGNORE_NAME);
            let contents = FolderContents {
                has_git: index == root,
                has_jj: false,
                ignore_file: files.kind(&path),
            };
            ignored = Self::in_folder(above, contents, ignored.as_ref(), files)
                .map_err(|why| (path, why))?;
        }
        Ok(ignored)
    }

    /// The root of the repository, without links.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Whether something is ignored, by its path without links.
    pub(crate) fn contains(&self, path: &Path, is_folder: bool) -> bool {
        for rules in self.rules.iter().rev() {
            match rules.matched(path, is_folder) {
                Match::None => {}
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
            }
        }
        self.above.as_ref().is_some_and(|above| above.contains(path, is_folder))
    }
}

/// Whether a folder leaves out everything in it, as the folder of a saved plan does. This counts outside of repositories, too.
fn ignores_all(folder: &Path, contents: FolderContents, files: &FileSystem) -> bool {
    let is_file = contents.ignore_file.is_some_and(|kind| kind.is_file());
    let text = || files.read_limited(&folder.join(IGNORE_NAME), &SizeLimit::ignore_file()).ok();
    is_file && text().is_some_and(|text| text.trim_ascii() == b"*")
}

/// The text of a `.gitignore`; `None` if it does not count. git follows no link, but one to a file of the repository is meant as a
/// copy of it. What is said about other links does not tell whether something is there.
fn read(
    path: &Path,
    kind: FileType,
    root: &Path,
    files: &FileSystem,
) -> Result<Option<String>, String> {
    let (path, kind) = if kind.is_symlink() {
        let real = files.real(path).ok().filter(|it| it.starts_with(root) && !is_in_git(it));
        let real = real.ok_or(NOT_FOLLOWED)?;
        let kind = files.kind(&real).ok_or(NOT_FOLLOWED)?;
        (Cow::Owned(real), kind)
    } else {
        (Cow::Borrowed(path), kind)
    };
    if kind.is_dir() {
        return Ok(None);
    }
    if !kind.is_file() {
        return Err("not a regular file".to_owned());
    }
    match files.read_limited(&path, &SizeLimit::ignore_file()) {
        Ok(text) => Ok(Some(String::from_utf8_lossy(&text).into_owned())),
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => Err(error.to_string()),
        // What cannot be read does not count, as in git.
        Err(_) => Ok(None),
    }
}

/// The patterns of a `.gitignore`, in groups that are compared at once. Too many in one group could not be.
fn rules(folder: &Path, text: &str) -> Result<Vec<Gitignore>, String> {
    const LARGEST_GROUP: usize = 64 << 10;
    let mut lines = text.strip_prefix('\u{feff}').unwrap_or(text).lines().peekable();
    let mut groups = Vec::new();
    while lines.peek().is_some() {
        let mut rules = GitignoreBuilder::new(folder);
        let mut size = 0;
        while size < LARGEST_GROUP
            && let Some(line) = lines.next()
        {
            // Each pattern has a cost, however short it is.
            size += line.len() + 16;
            // git ignores a line that is not a pattern.
            let _ = rules.add_line(None, &without_alternatives(line));
        }
        groups.push(rules.build().map_err(|_| TOO_LARGE.to_owned())?);
    }
    Ok(groups)
}

/// The pattern with escaped braces. For git they are letters, but for the library `{a,b}` is `a` or `b`.
fn without_alternatives(line: &str) -> Cow<'_, str> {
    if !line.contains(['{', '}']) {
        return Cow::Borrowed(line);
    }
    let mut pattern = String::with_capacity(line.len() + 8);
    let mut is_escaped = false;
    // The characters of the class so far, behind its bracket.
    let mut class: Option<usize> = None;
    for character in line.chars() {
        class = match (character, class) {
            // A bracket that comes first is one of the characters.
            (']', Some(1..)) => None,
            ('!' | '^', Some(0)) => Some(0),
            (_, Some(length)) => Some(length + 1),
            ('[', None) if !is_escaped => Some(0),
            _ => None,
        };
        if matches!(character, '{' | '}') && !is_escaped && class.is_none() {
            pattern.push('\\');
        }
        is_escaped = character == '\\' && !is_escaped;
        pattern.push(character);
    }
    Cow::Owned(pattern)
}
