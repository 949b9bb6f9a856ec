//! Walks over the files below a folder that git does not ignore, in the order of their paths.
//!
//! What the `.gitignore` files of a repository list is left out, unless git tracks it. Hidden files are marked, because they are not
//! documents. The patterns are compared by the crate `ignore`. Its walk is not used, because it would read every `.gitignore` to its end, even a device, and those of all
//! folders above, even if they may not be read.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs::{DirEntry, FileType};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::vec;

use crate::contents::describe_io_error;
use crate::file_system::FileSystem;
use crate::git::Git;
use crate::ignored_files::{FolderContents, IGNORE_NAME, Ignored};
use crate::input::SearchedFolder;
use crate::names::{GIT, JJ};

/// How deep folders may be nested below the first one. To open each of them takes time in proportion to its depth, or more, and
/// a change of a few bytes can add thousands.
const MAX_DEPTH: usize = 128;

/// What a walk comes across.
pub(crate) enum Step<'w> {
    /// Something other than a folder, such as a file or a link.
    File { folder: &'w SearchedFolder, name: &'w Path, kind: FileType, is_hidden: bool },
    /// A folder that cannot be read or is too deep, or a `.gitignore` that cannot be used, and why.
    Failed(PathBuf, String),
}

/// A folder whose names are being visited.
struct OpenFolder {
    folder: SearchedFolder,
    /// The path without links.
    real: PathBuf,
    ignored: Option<Arc<Ignored>>,
    /// Whether the folder itself is ignored, so that only what git tracks in it is visited.
    is_ignored: bool,
    /// Whether its name or that of a folder above is hidden.
    is_hidden: bool,
    names: vec::IntoIter<Entry>,
}

/// Something in a folder.
struct Entry {
    name: OsString,
    kind: FileType,
    is_hidden: bool,
}

/// Walks over the files below a folder, in the order of their paths. `enters` tells by its folder and name whether a folder is entered;
/// the first one is in any case.
pub(crate) fn walk(
    folder: SearchedFolder,
    files: &FileSystem,
    enters: &dyn Fn(&SearchedFolder, &Path) -> bool,
    visit: &mut dyn FnMut(Step<'_>),
) {
    let failed = |folder: &SearchedFolder, error: &io::Error| {
        Step::Failed(folder.path().to_owned(), describe_io_error(error))
    };
    let real = match files.real(folder.path()) {
        Ok(real) => real,
        Err(error) => return visit(failed(&folder, &error)),
    };
    let above = match Ignored::above(&real, files) {
        Ok(above) => above,
        Err((path, why)) => return visit(Step::Failed(path, why)),
    };
    let mut open = Vec::new();
    let mut tracked = Tracked::default();
    let mut next = Some((folder, real, above, false, false));
    loop {
        if let Some((folder, real, above, is_ignored, is_hidden)) = next.take() {
            match OpenFolder::new(folder, real, above.as_ref(), is_ignored, files) {
                Ok(it) => open.push(OpenFolder { is_hidden, ..it }),
                // What is hidden is not checked, so it need not be readable.
                Err(_) if is_hidden => {}
                Err((path, why)) => visit(Step::Failed(path, why)),
            }
        }
        let depth = open.len();
        let Some(OpenFolder { folder, real, ignored, is_ignored, is_hidden, names }) =
            open.last_mut()
        else {
            return;
        };
        let Some(Entry { name, kind, is_hidden: has_hidden_name }) = names.next() else {
            open.pop();
            continue;
        };
        let is_hidden = *is_hidden || has_hidden_name;
        let is_folder = kind.is_dir();
        let real_path = || real.join(&name);
        let mut is_below_ignored = *is_ignored;
        if let Some(ignored) = ignored {
            is_below_ignored |= ignored.contains(&real_path(), is_folder);
            if is_below_ignored && !tracked.contains(ignored.root(), &real_path(), files) {
                continue;
            }
        }
        let name = Path::new(&name);
        if !is_folder {
            visit(Step::File { folder, name, kind, is_hidden });
        } else if enters(folder, name) {
            if depth > MAX_DEPTH && is_hidden {
                continue;
            }
            if depth > MAX_DEPTH {
                let why = format!("more than {MAX_DEPTH} folders deep: exclude it");
                visit(Step::Failed(folder.path().join(name), why));
                continue;
            }
            let below = folder.below(name.as_os_str());
            next = Some((below, real_path(), ignored.clone(), is_below_ignored, is_hidden));
        }
    }
}

impl OpenFolder {
    /// Reads a folder. What is wrong is told with the path of the file or folder.
    fn new(
        folder: SearchedFolder,
        real: PathBuf,
        above: Option<&Arc<Ignored>>,
        is_ignored: bool,
        files: &FileSystem,
    ) -> Result<Self, (PathBuf, String)> {
        let (mut names, contents) = names(folder.path(), files)
            .map_err(|error| (folder.path().to_owned(), describe_io_error(&error)))?;
        let ignored = Ignored::in_folder(&real, contents, above, files)
            .map_err(|why| (folder.path().join(IGNORE_NAME), why))?;
        // An ignored folder may be a repository with files of its own.
        let is_repository = contents.is_repository(above.is_some());
        let is_ignored = is_ignored && !is_repository;
        names.retain(|it| !(is_repository && it.name == JJ));
        let names = names.into_iter();
        Ok(Self { folder, real, ignored, is_ignored, is_hidden: false, names })
    }
}

/// What git tracks below the roots of repositories, with the folders. Git is asked where something is ignored, once for a repository.
#[derive(Default)]
struct Tracked(BTreeMap<PathBuf, BTreeSet<PathBuf>>);

impl Tracked {
    /// Whether git tracks something or something in it, by its path without links. Nothing, if git cannot be asked: a session that reads
    /// only some folders does not run it.
    fn contains(&mut self, root: &Path, path: &Path, files: &FileSystem) -> bool {
        if !self.0.contains_key(root) {
            let git = if files.is_confined() { None } else { Git::of_folder(root).ok() };
            let mut tracked = BTreeSet::new();
            if let Some(git) = git
                && let Ok(names) = git.tracked_names()
            {
                for path in names.iter().map(|name| git.root().join(name)) {
                    let folders = path.ancestors().take_while(|it| *it != git.root());
                    for path in folders {
                        if !tracked.insert(path.to_owned()) {
                            break;
                        }
                    }
                }
            }
            self.0.insert(root.to_owned(), tracked);
        }
        self.0.get(root).is_some_and(|tracked| tracked.contains(path))
    }
}

/// The names in a folder in order, without those of the repository itself.
fn names(folder: &Path, files: &FileSystem) -> io::Result<(Vec<Entry>, FolderContents)> {
    let mut names = Vec::new();
    let mut contents = FolderContents::default();
    for entry in files.read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if name == IGNORE_NAME {
            contents.ignore_file = Some(entry.file_type()?);
        } else if name == GIT {
            contents.has_git = true;
        } else {
            contents.has_jj |= name == JJ;
            let is_hidden = is_hidden_name(&name) || has_hidden_attribute(&entry);
            names.push(Entry { name, kind: entry.file_type()?, is_hidden });
        }
    }
    names.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    Ok((names, contents))
}

/// Whether a name hides a file or folder.
pub(crate) fn is_hidden_name(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// Whether Windows hides a file or folder, as it does with those of the system.
#[cfg(windows)]
fn has_hidden_attribute(entry: &DirEntry) -> bool {
    use std::os::windows::fs::MetadataExt as _;

    const FILE_ATTRIBUTE_HIDDEN: u32 = 2;
    entry.metadata().is_ok_and(|it| it.file_attributes() & FILE_ATTRIBUTE_HIDDEN != 0)
}

/// Elsewhere, only the name tells whether something is hidden.
#[cfg(not(windows))]
const fn has_hidden_attribute(_: &DirEntry) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use ignore::WalkBuilder;

    use super::*;
    use crate::confinement::Confinement;

    /// The files of a walk, each with whether it is a link.
    fn walked(root: &Path, files: &FileSystem) -> Vec<(PathBuf, bool)> {
        let mut found = Vec::new();
        let enters = |_: &SearchedFolder, name: &Path| name != Path::new("excluded");
        let folder = SearchedFolder::new(root, root.to_str().unwrap());
        walk(folder, files, &enters, &mut |step| match step {
            Step::File { is_hidden: true, .. } => {}
            Step::File { folder, name, kind, .. } => {
                let absolute = folder.absolute_path_of(name);
                assert_eq!(folder.path().join(name), Path::new(&absolute));
                found.push((PathBuf::from(absolute), kind.is_symlink()));
            }
            Step::Failed(path, message) => panic!("{}: {message}", path.display()),
        });
        found
    }

    /// The same as the crate `ignore` finds it.
    fn expected(root: &Path) -> Vec<(PathBuf, bool)> {
        let mut walk = WalkBuilder::new(root);
        walk.ignore(false).require_git(true).git_global(false).git_exclude(false);
        walk.filter_entry(|entry| !entry.path().ends_with("excluded"));
        let entries = walk.sort_by_file_name(OsStr::cmp).build().map(Result::unwrap);
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
        let mut errors = Vec::new();
        walk(folder, &confined, &|_, _| true, &mut |step| match step {
            Step::File { name, .. } => panic!("{}", name.display()),
            Step::Failed(_, message) => errors.push(message),
        });
        assert_eq!(errors, ["outside of the folders that may be read"]);
    }

    #[test]
    fn outside_of_a_repository_a_saved_plan_is_left_out_by_its_own_ignore_file() {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        for (name, ignored) in [("plan", "*\n"), ("agents", "*.tmp\n")] {
            fs::create_dir(root.join(name)).unwrap();
            fs::write(root.join(name).join("001-en.json"), "{}").unwrap();
            fs::write(root.join(name).join(".gitignore"), ignored).unwrap();
        }
        let found = walked(&root, &FileSystem::default());
        assert_eq!(found.len(), 1, "{found:?}");
    }

    const NAMES: [&str; 7] = ["a", "b", "c.json", "d e.json", "x{1,2}.json", "x1.json", "!f"];

    const PATTERNS: [&str; 31] = [
        "a",
        "a/",
        "/a",
        "b/",
        "/b/",
        "*.json",
        "!*.json",
        "!c.json",
        "/c.json",
        "a/b",
        "a/**",
        "**/b/c.json",
        "b/*",
        "!b",
        "!a/",
        "d\\ e.json",
        "[ab]",
        "[!a]",
        "[",
        "# a",
        "c.json  ",
        "x{1,2}.json",
        "x\\{1,2\\}.json",
        "x[{1]*",
        "\\!f",
        "a/**/c.json",
        "?",
        "**/a/**",
        "*",
        "!*/",
        "x[0-9].json",
    ];

    /// A tree with random names and patterns.
    struct RandomTree {
        _folder: tempfile::TempDir,
        root: PathBuf,
        folders: Vec<PathBuf>,
        /// The number of files.
        files: usize,
    }

    fn random_tree(dice: &mut dyn FnMut(usize) -> usize, has_repositories: bool) -> RandomTree {
        let temporary = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(temporary.path()).unwrap();
        let mut folders = vec![(root.clone(), 0)];
        let (mut made, mut files) = (Vec::new(), 0);
        while let Some((folder, depth)) = folders.pop() {
            fs::create_dir_all(&folder).unwrap();
            if has_repositories && dice(if depth == 0 { 2 } else { 8 }) == 0 {
                fs::create_dir(folder.join(".git")).unwrap();
            }
            let lines: Vec<&str> = (0..dice(5)).map(|_| PATTERNS[dice(PATTERNS.len())]).collect();
            if !lines.is_empty() {
                let mark = if dice(4) == 0 { "\u{feff}" } else { "" };
                fs::write(folder.join(IGNORE_NAME), mark.to_owned() + &lines.join("\n")).unwrap();
            }
            for name in NAMES {
                match dice(4) {
                    0 => {}
                    1 if depth < 3 => folders.push((folder.join(name), depth + 1)),
                    _ => {
                        fs::write(folder.join(name), "").unwrap();
                        files += 1;
                    }
                }
            }
            made.push(folder);
        }
        RandomTree { _folder: temporary, root, folders: made, files }
    }

    fn dice() -> impl FnMut(usize) -> usize {
        let mut state = 1_u64;
        move |sides| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % sides
        }
    }

    #[test]
    fn repositories_in_folders_count_as_in_the_crate_ignore() {
        let mut dice = dice();
        let mut ignored = 0;
        for _ in 0..40 {
            let tree = random_tree(&mut dice, true);
            let RandomTree { root, folders, files, .. } = &tree;
            let all = FileSystem::default();
            let confined = Confinement::new(std::slice::from_ref(root)).unwrap();
            let confined = FileSystem::confined(Arc::new(confined));
            let is_about_braces = |path: &Path| path.to_string_lossy().contains(['{', 'x']);
            let without = |found: Vec<(PathBuf, bool)>| {
                found.into_iter().filter(|(path, _)| !is_about_braces(path)).collect::<Vec<_>>()
            };
            for start in [root, &folders[dice(folders.len())]] {
                let (found, expected) = (walked(start, &all), expected(start));
                assert_eq!(found, walked(start, &confined), "{}", start.display());
                if start == root {
                    ignored += files - found.len();
                }
                // git has no alternatives in braces, as the next test shows.
                assert_eq!(without(found), without(expected), "{}", start.display());
            }
        }
        assert!(ignored > 100, "only {ignored} files were ignored");
    }

    #[test]
    fn patterns_mean_the_same_as_in_git() {
        let mut dice = dice();
        let mut ignored = 0;
        for _ in 0..40 {
            let tree = random_tree(&mut dice, false);
            let RandomTree { root, folders, files, .. } = &tree;
            let git = |arguments: &[&str]| {
                let mut git = Command::new("git");
                git.args(arguments).current_dir(root).env_remove("GIT_DIR");
                git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
                git.output().map(|output| String::from_utf8(output.stdout).unwrap())
            };
            if git(&["init", "--quiet", "--template="]).is_err() {
                eprintln!("skipped: there is no git");
                return;
            }
            let listed = git(&["ls-files", "--others", "--exclude-standard", "-z"]).unwrap();
            let listed = listed.split_terminator('\0').map(PathBuf::from);
            let mut listed: Vec<PathBuf> =
                listed.filter(|path| !path.ends_with(IGNORE_NAME)).collect();
            listed.sort();
            let found = walked(root, &FileSystem::default());
            let found: Vec<&Path> =
                found.iter().map(|(path, _)| path.strip_prefix(root).unwrap()).collect();
            let patterns = folders.iter().map(|folder| {
                let text = fs::read_to_string(folder.join(IGNORE_NAME));
                (folder.strip_prefix(root).unwrap(), text.unwrap_or_default())
            });
            assert_eq!(found, listed, "{:#?}", patterns.collect::<Vec<_>>());
            ignored += files - listed.len();
        }
        assert!(ignored > 100, "only {ignored} files were ignored");
    }

    #[test]
    fn folders_are_searched_down_to_the_greatest_depth() {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        fs::create_dir_all(root.join("d/".repeat(MAX_DEPTH + 2))).unwrap();
        let deepest = root.join("d/".repeat(MAX_DEPTH));
        fs::write(deepest.join("a.json"), "").unwrap();
        let (mut found, mut failed) = (Vec::new(), Vec::new());
        let start = SearchedFolder::new(&root, root.to_str().unwrap());
        walk(start, &FileSystem::default(), &|_, _| true, &mut |step| match step {
            Step::File { folder, name, .. } => found.push(folder.path().join(name)),
            Step::Failed(path, _) => failed.push(path),
        });
        assert_eq!((found, failed), (vec![deepest.join("a.json")], vec![deepest.join("d")]));
    }

    #[test]
    fn every_group_of_many_patterns_counts() {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        fs::create_dir(root.join(".git")).unwrap();
        for name in ["first.json", "last.json", "kept.json", "between.json"] {
            fs::write(root.join(name), "").unwrap();
        }
        let many: Vec<String> = (0..20_000).map(|at| format!("*{at}*abc*def\n")).collect();
        let many = many.concat();
        let text = format!("/*.json\n{many}!between.json\n!kept.json\n{many}between.json\n");
        fs::write(root.join(IGNORE_NAME), text).unwrap();
        let found = walked(&root, &FileSystem::default());
        assert_eq!(found, [(root.join("kept.json"), false)]);
    }
}
