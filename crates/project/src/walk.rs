//! Walks over the files below a folder, in the order of their paths.
//!
//! Where no repository is in sight, no `.gitignore` counts, and folders are simply read, which takes a fraction of the time of
//! a walk that looks for such files. Hidden files and folders are left out either way.

use std::ffi::{OsStr, OsString};
use std::fs::{self, FileType};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::vec;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::file_system::{FileSystem, describe_io_error};
use crate::ignored_files::{IGNORE_NAME, REPOSITORIES, UnusableFile, not_ignored};
use crate::input::SearchedFolder;
use crate::paths::parent_of;
use crate::size_limit::SizeLimit;

/// What a walk comes across.
pub(crate) enum Step<'w> {
    /// Something other than a folder, such as a file or a link.
    File {
        folder: &'w SearchedFolder,
        /// The path from the folder.
        path: &'w Path,
        kind: FileType,
        /// Whether this is where the walk began.
        is_root: bool,
    },
    /// A folder or something in it cannot be read.
    Error(String),
    /// A `.gitignore` cannot be used.
    Unusable(UnusableFile),
}

/// Whether a folder is entered, by its absolute path.
pub(crate) type FolderFilter = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// Walks over the files below a folder, in the order of their paths. The folder itself is entered in any case.
pub(crate) fn walk(
    folder: SearchedFolder,
    files: &FileSystem,
    enters: &FolderFilter,
    visit: &mut dyn FnMut(Step<'_>),
) {
    if files.is_confined() {
        return walk_confined(folder, files, enters, visit);
    }
    if is_in_repository(folder.path()) {
        return walk_repository(&folder, enters, visit);
    }
    let mut open = Vec::new();
    enter(folder, enters, &mut open, visit);
    while let Some((folder, names)) = open.last_mut() {
        let Some((name, kind)) = names.next() else {
            open.pop();
            continue;
        };
        if kind.is_dir() {
            if enters(&folder.absolute_path_of(Path::new(&name))) {
                let below = folder.below(&name);
                enter(below, enters, &mut open, visit);
            }
        } else {
            let path = Path::new(&name);
            visit(Step::File { folder, path, kind, is_root: false });
        }
    }
}

/// Reads a folder. One with a repository is walked at once, and so is one that cannot be read: that tells why.
fn enter(
    folder: SearchedFolder,
    enters: &FolderFilter,
    open: &mut Vec<(SearchedFolder, vec::IntoIter<(OsString, FileType)>)>,
    visit: &mut dyn FnMut(Step<'_>),
) {
    match names(folder.path()) {
        Some(names) => open.push((folder, names.into_iter())),
        None => walk_repository(&folder, enters, visit),
    }
}

/// The names in a folder that are not hidden, in order; `None` if it is the root of a repository or cannot be read.
fn names(folder: &Path) -> Option<Vec<(OsString, FileType)>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).ok()? {
        let entry = entry.ok()?;
        let name = entry.file_name();
        if marks_repository(&name) {
            return None;
        }
        if !name.as_encoded_bytes().starts_with(b".") {
            names.push((name, entry.file_type().ok()?));
        }
    }
    names.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    Some(names)
}

fn marks_repository(name: &OsStr) -> bool {
    REPOSITORIES.iter().any(|marker| name == *marker)
}

/// Whether a folder is in a repository, as far as that can be found out. On Windows, the name alone does not tell whether a
/// file is hidden.
fn is_in_repository(folder: &Path) -> bool {
    let Ok(folder) = fs::canonicalize(folder) else { return true };
    let is_root = |it: &Path| REPOSITORIES.iter().any(|marker| it.join(marker).exists());
    cfg!(windows) || folder.ancestors().any(is_root)
}

/// Walks over the files below a folder that git does not ignore.
fn walk_repository(
    folder: &SearchedFolder,
    enters: &FolderFilter,
    visit: &mut dyn FnMut(Step<'_>),
) {
    let (is_wanted, top) = (Arc::clone(enters), folder.clone());
    let is_entered = move |entry: &Path| {
        let path = entry.strip_prefix(top.path());
        path.map_or(true, |path| is_wanted(&top.absolute_path_of(path)))
    };
    let (mut walk, unusable) = match not_ignored(folder.path(), is_entered) {
        Ok(walk) => walk,
        Err(file) => return visit(Step::Unusable(file)),
    };
    walk.sort_by_file_name(OsStr::cmp);
    for entry in walk.build() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                visit(Step::Error(error.to_string()));
                continue;
            }
        };
        let path = entry.path().strip_prefix(folder.path());
        if let (Some(kind), Ok(path)) = (entry.file_type().filter(|kind| !kind.is_dir()), path) {
            visit(Step::File { folder, path, kind, is_root: entry.depth() == 0 });
        }
    }
    for file in unusable.take() {
        visit(Step::Unusable(file));
    }
}

/// The `.gitignore` files of a repository that apply to a folder: that of the folder, then those above.
struct Ignored {
    rules: Gitignore,
    above: Option<Arc<Self>>,
}

impl Ignored {
    /// What is ignored in a folder, by its absolute path; `None` if it is in no repository.
    ///
    /// # Errors
    ///
    /// If its `.gitignore` cannot be used.
    fn of(
        folder: &str,
        above: Option<&Arc<Self>>,
        files: &FileSystem,
    ) -> Result<Option<Arc<Self>>, UnusableFile> {
        let path = Path::new(folder);
        let is_root = REPOSITORIES.iter().any(|marker| files.is_there(&path.join(marker)));
        let above = above.filter(|_| !is_root).cloned();
        if !is_root && above.is_none() {
            return Ok(None);
        }
        let mut rules = GitignoreBuilder::new(path);
        let file = path.join(IGNORE_NAME);
        let text = match files.read_limited(&file, &SizeLimit::ignore_file()) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                return Err((file, error.to_string()));
            }
            // What cannot be read does not count.
            Err(_) => Vec::new(),
        };
        for line in String::from_utf8_lossy(&text).lines() {
            // git ignores a line that is not a pattern.
            let _ = rules.add_line(None, line);
        }
        let rules = rules.build().unwrap_or_else(|_| Gitignore::empty());
        Ok(Some(Arc::new(Self { rules, above })))
    }

    /// What the folders above one ignore.
    fn above(folder: &str, files: &FileSystem) -> Result<Option<Arc<Self>>, UnusableFile> {
        let parent = parent_of(folder).filter(|parent| !files.is_outside(Path::new(parent)));
        let Some(parent) = parent else { return Ok(None) };
        Self::of(parent, Self::above(parent, files)?.as_ref(), files)
    }

    fn contains(&self, path: &str, is_folder: bool) -> bool {
        match self.rules.matched(path, is_folder) {
            Match::None => self.above.as_ref().is_some_and(|above| above.contains(path, is_folder)),
            Match::Ignore(_) => true,
            Match::Whitelist(_) => false,
        }
    }
}

/// Walks where only some folders may be read. The crate `ignore` would read the `.gitignore` files of all folders above.
fn walk_confined(
    folder: SearchedFolder,
    files: &FileSystem,
    enters: &FolderFilter,
    visit: &mut dyn FnMut(Step<'_>),
) {
    type Open = (SearchedFolder, Option<Arc<Ignored>>, vec::IntoIter<(OsString, FileType)>);
    let enter = |folder: SearchedFolder,
                 above: Option<&Arc<Ignored>>,
                 open: &mut Vec<Open>,
                 visit: &mut dyn FnMut(Step<'_>)| {
        match visible_names(&folder, files) {
            Ok(names) => match Ignored::of(folder.absolute(), above, files) {
                Ok(ignored) => open.push((folder, ignored, names.into_iter())),
                Err(file) => visit(Step::Unusable(file)),
            },
            Err(error) => visit(Step::Error(describe_io_error(&error))),
        }
    };
    let mut open = Vec::new();
    let above = match Ignored::above(folder.absolute(), files) {
        Ok(above) => above,
        Err(file) => return visit(Step::Unusable(file)),
    };
    enter(folder, above.as_ref(), &mut open, visit);
    while let Some((folder, ignored, names)) = open.last_mut() {
        let Some((name, kind)) = names.next() else {
            open.pop();
            continue;
        };
        let absolute = folder.absolute_path_of(Path::new(&name));
        if ignored.as_ref().is_some_and(|it| it.contains(&absolute, kind.is_dir())) {
            continue;
        }
        if !kind.is_dir() {
            visit(Step::File { folder, path: Path::new(&name), kind, is_root: false });
        } else if enters(&absolute) {
            let (below, above) = (folder.below(&name), ignored.clone());
            enter(below, above.as_ref(), &mut open, visit);
        }
    }
}

/// The names in a folder that are not hidden, in order.
fn visible_names(
    folder: &SearchedFolder,
    files: &FileSystem,
) -> io::Result<Vec<(OsString, FileType)>> {
    let mut names = Vec::new();
    for entry in files.read_dir(folder.path())? {
        let entry = entry?;
        if !entry.file_name().as_encoded_bytes().starts_with(b".") {
            names.push((entry.file_name(), entry.file_type()?));
        }
    }
    names.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    Ok(names)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::confinement::Confinement;

    /// The files of a walk, each with whether it is a link.
    fn walked(root: &Path, files: &FileSystem) -> Vec<(PathBuf, bool)> {
        let mut found = Vec::new();
        let enters: FolderFilter = Arc::new(|folder| !folder.ends_with("/excluded"));
        let folder = SearchedFolder::new(root, root.to_str().unwrap());
        walk(folder, files, &enters, &mut |step| match step {
            Step::File { folder, path, kind, .. } => {
                let absolute = folder.absolute_path_of(path);
                assert_eq!(folder.path().join(path), Path::new(&absolute));
                found.push((PathBuf::from(absolute), kind.is_symlink()));
            }
            Step::Error(message) | Step::Unusable((_, message)) => panic!("{message}"),
        });
        found
    }

    /// The same as the crate `ignore` finds it.
    fn expected(root: &Path) -> Vec<(PathBuf, bool)> {
        let (mut builder, _) = not_ignored(root, |folder| !folder.ends_with("excluded")).unwrap();
        let entries = builder.sort_by_file_name(OsStr::cmp).build().map(Result::unwrap);
        let files = entries.filter(|entry| !entry.file_type().unwrap().is_dir());
        files.map(|entry| (entry.path().to_owned(), entry.path_is_symlink())).collect()
    }

    #[test]
    fn a_walk_finds_what_git_does_not_ignore_in_the_order_of_the_paths() {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        let files = [
            "a/b.json",
            "a/b/c.json",
            "a-b.json",
            "a.json",
            "a/excluded/d.json",
            ".hidden.json",
            ".hidden/e.json",
            "ignored.json",
            "z/ignored.json",
            "repository/ignored.json",
            "repository/kept.json",
            "repository/a/excluded/x.json",
            "repository/a/ignored.json",
            "repository/a/y.json",
        ];
        for file in files {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::write(root.join(file), "{}").unwrap();
        }
        for folder in ["", "repository"] {
            fs::write(root.join(folder).join(".gitignore"), "ignored.json\n").unwrap();
        }
        fs::create_dir(root.join("repository/.git")).unwrap();
        #[cfg(unix)]
        for (target, link) in [("a", "link"), ("a.json", "link.json"), ("nowhere", "z/x.json")] {
            std::os::unix::fs::symlink(root.join(target), root.join(link)).unwrap();
        }
        let all = FileSystem::default();
        let confined = Confinement::new(std::slice::from_ref(&root)).unwrap();
        let confined = FileSystem::confined(Arc::new(confined));
        for start in ["", "a", "repository", "repository/a", "z"] {
            let start = root.join(start);
            for files in [&all, &confined] {
                assert_eq!(walked(&start, files), expected(&start), "{}", start.display());
            }
        }
        // From here on, the whole folder is a repository.
        let without = walked(&root, &all).len();
        fs::create_dir(root.join(".git")).unwrap();
        for start in ["", "a", "repository/a", "z"] {
            let start = root.join(start);
            for files in [&all, &confined] {
                assert_eq!(walked(&start, files), expected(&start), "{}", start.display());
            }
        }
        assert_eq!(walked(&root, &all).len(), without - 2);
        // The repository is above the folder that may be read, so its files do not count.
        let confined = Confinement::new(&[root.join("z")]).unwrap();
        let confined = FileSystem::confined(Arc::new(confined));
        assert_eq!(
            walked(&root.join("z"), &all).len() + 1,
            walked(&root.join("z"), &confined).len()
        );
        // Nothing outside is listed.
        let folder = SearchedFolder::new(&root, root.to_str().unwrap());
        let enters: FolderFilter = Arc::new(|_| true);
        let mut errors = Vec::new();
        walk(folder, &confined, &enters, &mut |step| match step {
            Step::File { path, .. } => panic!("{}", path.display()),
            Step::Error(message) | Step::Unusable((_, message)) => errors.push(message),
        });
        assert_eq!(errors, ["outside of the folders that may be read"]);
    }
}
