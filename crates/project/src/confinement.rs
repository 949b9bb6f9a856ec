//! Folders that all reads are confined to, for programs that read files on behalf of somebody who should see no others.

use std::collections::BTreeMap;
use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{self, Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::Failure;
use crate::contents::describe_io_error;
use crate::paths::{absolute_path, forward_slashes};

/// More links than this in one path count as a circle, as in operating systems.
const MAX_LINKS: u32 = 40;

/// Folders that reads are confined to.
///
/// Every path is resolved here, name by name, as the operating system does: `..` behind a link leads to the folder above its target.
/// A link is followed only if it stays in the folders. Nothing outside is even looked at, so that messages about a path outside are
/// the same whether something is there or not.
#[derive(Clone, Debug)]
pub struct Confinement {
    roots: Vec<Root>,
    /// Whether links may lead through other folders, such as another name of one of these, if they end in these.
    looks_outside: bool,
    /// Whether folders are in a folder of git, as far as it was asked: thousands of files may be in one. A project is that of one run.
    git_folders: Option<Arc<Mutex<BTreeMap<PathBuf, bool>>>>,
}

/// One of the folders.
#[derive(Clone, Debug)]
struct Root {
    /// The path as it was given, absolute.
    given: PathBuf,
    /// The path without links.
    real: PathBuf,
    /// The folder itself, whatever its path leads to later. The folders of a project have none, because there may be thousands.
    #[cfg(target_os = "linux")]
    handle: Option<Arc<File>>,
}

/// Where a path leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathReach {
    Inside,
    /// Into a folder that git keeps its own files in, which is not part of the project. It may contain credentials.
    Git,
    Outside,
}

/// A path that was followed.
#[derive(Debug)]
pub(crate) struct Followed {
    /// Where it leads, or would lead if something were there.
    pub(crate) place: PathReach,
    /// The path without links, as far as it can be followed.
    pub(crate) real: PathBuf,
    /// Whether a link in one of the folders was followed.
    pub(crate) by_link: bool,
    /// Why it cannot be followed to its end.
    pub(crate) ended: io::Result<()>,
}

/// The reason why a file is not read.
#[derive(Debug)]
struct Outside;

impl fmt::Display for Outside {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("outside of the folders that may be read")
    }
}

impl Error for Outside {}

/// The error for a path that leads out of the folders.
fn outside() -> io::Error {
    io::Error::other(Outside)
}

/// Whether git keeps its own files under this name. On Windows, `git~1` and names with dots, spaces or a colon behind them can
/// mean the same file, and many file systems ignore case. A folder `.jj` contains such a folder.
fn is_git_name(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let name = name.split(':').next().unwrap_or_default().trim_end_matches(['.', ' ']);
    [".git", "git~1", ".jj"].iter().any(|git| name.eq_ignore_ascii_case(git))
}

/// Whether a folder contains what git recognizes its own folders by. They may have any name: a file `.git` can name one.
fn is_git_folder(path: &Path) -> bool {
    fs::symlink_metadata(path.join("HEAD")).is_ok()
        && path.join("objects").is_dir()
        && path.join("refs").is_dir()
}

/// Whether a path without links leads into a folder of git. A working tree may be in such a folder, so the nearest of both counts.
pub(crate) fn is_in_git(real: &Path) -> bool {
    real.ancestors().find_map(is_of_git).unwrap_or(false)
}

/// Whether a path without links is a folder of git; `false` if it is a working tree, `None` if it is neither.
fn is_of_git(path: &Path) -> Option<bool> {
    if path.file_name().is_some_and(is_git_name) || is_git_folder(path) {
        return Some(true);
    }
    fs::symlink_metadata(path.join(".git")).is_ok().then_some(false)
}

/// Why a link that leads elsewhere is not followed. `way_out` continues the sentence.
pub(crate) fn link_objection(place: PathReach, way_out: &str) -> String {
    let leads = match place {
        PathReach::Git => "into a folder of git such as `.git`",
        PathReach::Inside | PathReach::Outside => "out of the project",
    };
    format!(
        "a symbolic link that leads {leads}, so it is not followed: replace it with a file{way_out}"
    )
}

/// Whether a file is not read because it is outside.
pub(crate) fn is_outside(error: &io::Error) -> bool {
    error.get_ref().is_some_and(<dyn Error + Send + Sync>::is::<Outside>)
}

impl Confinement {
    /// Confines reads to some folders and everything below them.
    ///
    /// # Errors
    ///
    /// If one of them is not a folder.
    pub fn new(folders: &[PathBuf]) -> Result<Self, Failure> {
        let roots = folders.iter().map(|folder| {
            let root = Root::new(folder).and_then(Root::held);
            root.map_err(|error| Failure::new(forward_slashes(folder), describe_io_error(&error)))
        });
        Ok(Self {
            roots: roots.collect::<Result<_, _>>()?,
            looks_outside: false,
            git_folders: None,
        })
    }

    /// Nothing is in a project yet, and links in it may lead through other folders.
    pub(crate) fn empty_project() -> Self {
        Self { roots: Vec::new(), looks_outside: true, git_folders: Some(Arc::default()) }
    }

    /// Adds a folder. One that is not there allows nothing.
    pub(crate) fn add(&mut self, folder: &Path) {
        if let Ok(root) = Root::new(folder)
            && !self.has_real(&root.real)
        {
            self.roots.push(root);
        }
    }

    /// The absolute paths of the folders, as they were given.
    pub fn folders(&self) -> impl Iterator<Item = &Path> {
        self.roots.iter().map(|root| &*root.given)
    }

    /// Whether a path leads to something in the folders, or would if it were there.
    pub fn contains(&self, path: &Path) -> bool {
        self.resolve(path).map_or_else(|error| !is_outside(&error), |_| true)
    }

    /// Whether a path without links is in the folders.
    pub(crate) fn has_real(&self, real: &Path) -> bool {
        self.roots.iter().any(|root| real.starts_with(&root.real))
    }

    /// Whether a path leads to a folder in the folders.
    pub fn is_dir(&self, path: &Path) -> bool {
        self.resolve(path).and_then(fs::symlink_metadata).is_ok_and(|it| it.is_dir())
    }

    /// The path without links.
    ///
    /// # Errors
    ///
    /// If nothing is there, or the path leads out of the folders.
    pub(crate) fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        let Followed { real, ended, .. } = self.follow(path);
        ended.map(|()| real)
    }

    /// Follows a path as far as possible.
    pub(crate) fn follow(&self, path: &Path) -> Followed {
        let absolute = if self.looks_outside {
            path::absolute(path).unwrap_or_else(|_| path.to_owned())
        } else {
            absolute_path(path)
        };
        let mut by_link = false;
        let (real, ended) = self.walk(&absolute, &mut by_link);
        if !self.has_real(&real) {
            return Followed { place: PathReach::Outside, real, by_link, ended: Err(outside()) };
        }
        let place = if self.is_in_git(&real) { PathReach::Git } else { PathReach::Inside };
        Followed { place, real, by_link, ended }
    }

    /// As [`is_in_git`], asked once for each folder if only one run asks.
    fn is_in_git(&self, real: &Path) -> bool {
        let Some((known, folder)) = self.git_folders.as_ref().zip(real.parent()) else {
            return is_in_git(real);
        };
        is_of_git(real).unwrap_or_else(|| {
            let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(is_git) = known.get(folder) {
                return *is_git;
            }
            let is_git = is_in_git(folder);
            known.insert(folder.to_owned(), is_git);
            is_git
        })
    }

    /// The path without links, as far as it can be followed, and why it cannot be followed to its end. It may be outside.
    fn walk(&self, path: &Path, by_link: &mut bool) -> (PathBuf, io::Result<()>) {
        let (mut real, mut names) = self.start(path);
        let mut links = 0;
        // How many names of the path were left when the last link in it was followed.
        let mut behind_link = None;
        while let Some(name) = names.pop() {
            if behind_link.is_some_and(|left| names.len() < left) {
                behind_link = None;
            }
            if name == ".." {
                real.pop();
                continue;
            }
            let next = real.join(name);
            let is_inside = self.has_real(&next);
            if !is_inside && !self.looks_outside {
                // The way to one of the folders contains no links.
                if self.roots.iter().any(|root| root.real.starts_with(&next)) {
                    real = next;
                    continue;
                }
                return (next, Err(outside()));
            }
            let target = match link_target(&next) {
                Ok(None) => {
                    real = next;
                    continue;
                }
                Ok(Some(target)) => target,
                Err(error) => {
                    let is_missing = error.kind() == io::ErrorKind::NotFound;
                    let is_broken = is_missing && behind_link.is_some();
                    let broken = || io::Error::other("broken symbolic link");
                    let error = if is_broken { broken() } else { error };
                    let rest = names.iter().rev().fold(next, |path, name| path.join(name));
                    return (absolute_path(&rest), Err(error));
                }
            };
            links += 1;
            if links > MAX_LINKS {
                return (next, Err(io::Error::other("too many symbolic links")));
            }
            *by_link |= is_inside;
            behind_link = behind_link.or(Some(names.len()));
            if target.has_root() {
                let (root, below) = self.start(&real.join(target));
                names.extend(below);
                real = root;
            } else {
                names.extend(names_of(&target));
            }
        }
        (real, Ok(()))
    }

    /// Where to begin to follow an absolute path, and the names below it, the last one first.
    fn start(&self, path: &Path) -> (PathBuf, Vec<OsString>) {
        let known = self.roots.iter().find_map(|root| {
            let below = path.strip_prefix(&root.given).or_else(|_| path.strip_prefix(&root.real));
            Some((root.real.clone(), names_of(below.ok()?)))
        });
        known.unwrap_or_else(|| {
            let is_top =
                |it: &Component<'_>| matches!(it, Component::Prefix(_) | Component::RootDir);
            let top: PathBuf = path.components().take_while(is_top).collect();
            // On Windows, paths without links begin in another way.
            (fs::canonicalize(&top).unwrap_or(top), names_of(path))
        })
    }

    /// Opens a regular file. A link that takes its place in the meantime is not followed.
    ///
    /// # Errors
    ///
    /// As [`Self::resolve`], and for everything that is not a regular file: to open a named pipe could wait forever.
    pub(crate) fn open(&self, path: &Path) -> io::Result<File> {
        let real = self.resolve(path)?;
        let file = self.open_resolved(&real)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            Err(io::ErrorKind::IsADirectory.into())
        } else if metadata.is_file() {
            Ok(file)
        } else {
            Err(not_regular())
        }
    }

    /// Opens what is at a path without links.
    #[cfg(target_os = "linux")]
    fn open_resolved(&self, real: &Path) -> io::Result<File> {
        use rustix::fs::{Mode, OFlags, ResolveFlags, openat2};
        use rustix::io::Errno;

        let below = self.roots.iter().find_map(|root| {
            let name = real.strip_prefix(&root.real).ok()?;
            Some((name, root))
        });
        let (name, root) = below.ok_or_else(outside)?;
        if name.as_os_str().is_empty() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
        let handle = root.handle.as_ref().ok_or_else(outside)?;
        match openat2(handle, name, flags, Mode::empty(), resolve) {
            Ok(file) => Ok(file.into()),
            Err(Errno::LOOP | Errno::XDEV) => Err(outside()),
            // Old kernels do not have this call, and some sandboxes forbid it.
            Err(Errno::NOSYS | Errno::PERM) => self.open_and_look_again(real),
            Err(error) => Err(error.into()),
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn open_resolved(&self, real: &Path) -> io::Result<File> {
        self.open_and_look_again(real)
    }

    /// Opens what is at a path without links, and gives it only if there are still none.
    fn open_and_look_again(&self, real: &Path) -> io::Result<File> {
        let metadata = fs::symlink_metadata(real)?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if !metadata.is_file() {
            return Err(not_regular());
        }
        let file = File::open(real)?;
        if self.resolve(real)? == real { Ok(file) } else { Err(outside()) }
    }

    /// The entries of a folder.
    ///
    /// # Errors
    ///
    /// As [`Self::resolve`], and if it is not a folder.
    pub(crate) fn read_dir(&self, path: &Path) -> io::Result<fs::ReadDir> {
        let real = self.resolve(path)?;
        let entries = fs::read_dir(&real)?;
        // A link may have taken its place.
        if self.resolve(&real)? == real { Ok(entries) } else { Err(outside()) }
    }
}

/// The names in a path, the last one first.
fn names_of(path: &Path) -> Vec<OsString> {
    let is_name = |it: &Component<'_>| matches!(it, Component::Normal(_) | Component::ParentDir);
    let names = path.components().rev().filter(is_name);
    names.map(|name| name.as_os_str().to_owned()).collect()
}

/// What a link contains; `None` if it is something else.
fn link_target(path: &Path) -> io::Result<Option<PathBuf>> {
    if !fs::symlink_metadata(path)?.is_symlink() {
        return Ok(None);
    }
    fs::read_link(path).map(Some)
}

fn not_regular() -> io::Error {
    io::Error::other("not a regular file")
}

impl Root {
    fn new(folder: &Path) -> io::Result<Self> {
        let given = absolute_path(folder);
        let real = fs::canonicalize(folder)?;
        if !fs::metadata(&real)?.is_dir() {
            return Err(io::Error::other("not a directory"));
        }
        Ok(Self {
            given,
            real,
            #[cfg(target_os = "linux")]
            handle: None,
        })
    }

    /// Opens the folder where that helps to read what is in it.
    #[cfg_attr(
        not(target_os = "linux"),
        expect(clippy::unnecessary_wraps, reason = "it opens nothing")
    )]
    fn held(self) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        return Ok(Self { handle: Some(Arc::new(File::open(&self.real)?)), ..self });
        #[cfg(not(target_os = "linux"))]
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that may be read, beside one that may not, both with a file.
    fn folders() -> (tempfile::TempDir, Confinement) {
        let folder = tempfile::tempdir().unwrap();
        for name in ["inside/below", "outside"] {
            fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        for name in ["inside/a.json", "inside/below/b.json", "outside/c.json"] {
            fs::write(folder.path().join(name), name).unwrap();
        }
        let confinement = Confinement::new(&[folder.path().join("inside")]).unwrap();
        (folder, confinement)
    }

    fn read(confinement: &Confinement, path: &Path) -> Result<String, String> {
        let read = confinement.open(path).and_then(io::read_to_string);
        read.map_err(|error| describe_io_error(&error))
    }

    const OUTSIDE: &str = "outside of the folders that may be read";

    #[test]
    fn files_in_the_folders_are_read() {
        let (folder, confinement) = folders();
        let inside = folder.path().join("inside");
        for name in ["a.json", "below/../a.json", "./a.json", "../inside/a.json"] {
            assert_eq!(read(&confinement, &inside.join(name)).unwrap(), "inside/a.json", "{name}");
        }
        assert_eq!(
            read(&confinement, &inside.join("x.json")).unwrap_err(),
            "no such file or directory"
        );
        assert_eq!(read(&confinement, &inside).unwrap_err(), "this is a directory");
        assert_eq!(read(&confinement, &inside.join("below")).unwrap_err(), "this is a directory");
    }

    #[test]
    fn a_path_that_leads_out_has_the_same_message_whether_something_is_there_or_not() {
        let (folder, confinement) = folders();
        let inside = folder.path().join("inside");
        for name in [
            "../outside/c.json",
            "../outside/x.json",
            "..",
            "below/../../outside",
            "/etc/passwd",
            "/x",
        ] {
            assert_eq!(read(&confinement, &inside.join(name)).unwrap_err(), OUTSIDE, "{name}");
            assert!(!confinement.contains(&inside.join(name)), "{name}");
        }
        // The name of the folder begins the same.
        let beside = folder.path().join("inside-too/a.json");
        assert_eq!(read(&confinement, &beside).unwrap_err(), OUTSIDE);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_as_far_as_they_stay_inside() {
        use std::os::unix::fs::symlink;
        let (folder, confinement) = folders();
        let inside = folder.path().join("inside");
        let link = |target: &Path, name: &str| symlink(target, inside.join(name)).unwrap();
        link(Path::new("below/b.json"), "near.json");
        link(&inside.join("below"), "far");
        link(Path::new("near.json"), "twice.json");
        for name in ["near.json", "far/b.json", "twice.json"] {
            assert_eq!(read(&confinement, &inside.join(name)).unwrap(), "inside/below/b.json");
        }
        link(Path::new("../outside/c.json"), "out.json");
        link(Path::new("../outside/x.json"), "nothing.json");
        link(&folder.path().join("outside"), "folder");
        link(Path::new("folder/c.json"), "through.json");
        for name in ["out.json", "nothing.json", "folder/c.json", "folder/x.json", "through.json"] {
            assert_eq!(read(&confinement, &inside.join(name)).unwrap_err(), OUTSIDE, "{name}");
        }
        assert!(is_outside(&confinement.read_dir(&inside.join("folder")).unwrap_err()));
        link(Path::new("gone.json"), "dangling.json");
        assert_eq!(
            read(&confinement, &inside.join("dangling.json")).unwrap_err(),
            "broken symbolic link"
        );
        link(Path::new("circle"), "circle");
        assert_eq!(
            read(&confinement, &inside.join("circle")).unwrap_err(),
            "too many symbolic links"
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_as_the_operating_system_follows_them() {
        use std::os::unix::fs::symlink;
        let (folder, confinement) = folders();
        let inside = fs::canonicalize(folder.path().join("inside")).unwrap();
        fs::create_dir_all(folder.path().join("outside/deep")).unwrap();
        symlink(inside.parent().unwrap(), inside.join("above")).unwrap();
        let mut project = Confinement::empty_project();
        project.add(&inside);
        let links = [
            ("far", "../outside/deep"),
            ("secret", "far/../c.json"),
            ("near", "below/../a.json"),
            ("round", "../inside/below/../../inside/a.json"),
            ("missing", "far/../x/../../inside/x.json"),
            ("other-name", "above/inside/a.json"),
            ("detour", "above/outside/../inside/a.json"),
        ];
        for (name, target) in links {
            symlink(target, inside.join(name)).unwrap();
        }
        for (name, place, strict) in [
            ("secret", PathReach::Outside, PathReach::Outside),
            ("near", PathReach::Inside, PathReach::Inside),
            ("round", PathReach::Inside, PathReach::Inside),
            ("missing", PathReach::Inside, PathReach::Outside),
            ("other-name", PathReach::Inside, PathReach::Inside),
            // The way to a file of the project may lead through other folders, unless these may not be looked at.
            ("detour", PathReach::Inside, PathReach::Outside),
        ] {
            let path = inside.join(name);
            let followed = project.follow(&path);
            assert_eq!(followed.place, place, "{name}");
            if let Ok(real) = fs::canonicalize(&path) {
                assert_eq!(followed.real, real, "{name}");
                assert!(followed.by_link, "{name}");
            }
            assert_eq!(confinement.follow(&path).place, strict, "{name}");
        }
        assert!(!project.follow(&inside.join("../outside/../inside/a.json")).by_link);
    }

    #[test]
    fn folders_below_others_add_nothing_to_a_project() {
        let (folder, _) = folders();
        let mut project = Confinement::empty_project();
        for name in ["inside", "inside/below", "inside/below/../below", "outside", "nowhere"] {
            project.add(&folder.path().join(name));
        }
        assert_eq!(project.roots.len(), 2);
        // There may be more folders than files that a process may open.
        #[cfg(target_os = "linux")]
        assert!(project.roots.iter().all(|root| root.handle.is_none()));
    }

    #[cfg(unix)]
    #[test]
    fn another_name_of_a_folder_of_the_project_leads_into_it() {
        use std::os::unix::fs::symlink;
        let (folder, _) = folders();
        let inside = fs::canonicalize(folder.path().join("inside")).unwrap();
        symlink(&inside, folder.path().join("alias")).unwrap();
        symlink(folder.path().join("alias/below/b.json"), inside.join("link")).unwrap();
        symlink(folder.path().join("outside/c.json"), inside.join("out")).unwrap();
        let mut project = Confinement::empty_project();
        project.add(&inside);
        assert_eq!(project.follow(&inside.join("link")).real, inside.join("below/b.json"));
        let alias = folder.path().join("alias");
        assert_eq!(project.follow(&alias.join("link")).place, PathReach::Inside);
        let out = project.follow(&alias.join("out"));
        assert!(out.place == PathReach::Outside && out.by_link);
    }

    #[test]
    fn what_git_keeps_does_not_count_as_inside() {
        let (folder, _) = folders();
        let inside = folder.path().join("inside");
        fs::create_dir_all(inside.join(".git/trees/one")).unwrap();
        fs::create_dir_all(inside.join("below/.git")).unwrap();
        fs::write(inside.join(".git/trees/one/.git"), "gitdir: ../../worktrees/one").unwrap();
        for name in ["bare/objects", "bare/refs", "bare/hooks", "not-bare/objects"] {
            fs::create_dir_all(inside.join(name)).unwrap();
        }
        fs::write(inside.join("bare/HEAD"), "ref: refs/heads/main").unwrap();
        fs::write(inside.join("not-bare/HEAD"), "").unwrap();
        let confinement = Confinement::new(std::slice::from_ref(&inside)).unwrap();
        for (name, place) in [
            (".git", PathReach::Git),
            (".git/config", PathReach::Git),
            (".git/nothing/config", PathReach::Git),
            (".Git/config", PathReach::Git),
            (".git. /config", PathReach::Git),
            (".git::$INDEX_ALLOCATION/config", PathReach::Git),
            ("GIT~1/config", PathReach::Git),
            ("below/.git/config", PathReach::Git),
            (".git/trees/two/a.json", PathReach::Git),
            (".git/trees/one/a.json", PathReach::Inside),
            (".git/trees/one/.git", PathReach::Git),
            (".jj/repo/store/git/config", PathReach::Git),
            ("bare", PathReach::Git),
            ("bare/config", PathReach::Git),
            ("bare/hooks/new/x", PathReach::Git),
            ("not-bare/config", PathReach::Inside),
            (".gitignore", PathReach::Inside),
            (".github/a.json", PathReach::Inside),
            ("a.git/a.json", PathReach::Inside),
            ("git/a.json", PathReach::Inside),
            ("nothing/a.json", PathReach::Inside),
            ("../outside/.git/config", PathReach::Outside),
        ] {
            assert_eq!(confinement.follow(&inside.join(name)).place, place, "{name}");
        }
        #[cfg(unix)]
        for (target, name) in [(".git", "into"), (".git/gone", "gone"), ("into/gone", "twice")] {
            std::os::unix::fs::symlink(target, inside.join(name)).unwrap();
            for path in [inside.join(name), inside.join(name).join("nothing")] {
                assert_eq!(confinement.follow(&path).place, PathReach::Git, "{}", path.display());
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_takes_the_place_of_a_file_is_not_followed() {
        use std::os::unix::fs::symlink;
        let (folder, confinement) = folders();
        let inside = fs::canonicalize(folder.path().join("inside")).unwrap();
        let path = inside.join("below/b.json");
        let real = confinement.resolve(&path).unwrap();
        // Between the two steps of `open`, a link to another folder takes the place of the folder.
        fs::rename(inside.join("below"), inside.join("former")).unwrap();
        fs::write(folder.path().join("outside/b.json"), "secret").unwrap();
        symlink(folder.path().join("outside"), inside.join("below")).unwrap();
        for opened in [confinement.open_resolved(&real), confinement.open_and_look_again(&real)] {
            assert!(is_outside(&opened.unwrap_err()));
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_named_pipe_is_not_waited_for() {
        let (folder, confinement) = folders();
        let path = folder.path().join("inside/pipe.json");
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, rustix::fs::Mode::RUSR).unwrap();
        assert_eq!(read(&confinement, &path).unwrap_err(), "not a regular file");
        let real = confinement.resolve(&path).unwrap();
        assert!(confinement.open_and_look_again(&real).is_err());
    }

    #[test]
    fn only_folders_confine() {
        let (folder, _) = folders();
        for name in ["inside/a.json", "nowhere"] {
            assert!(Confinement::new(&[folder.path().join(name)]).is_err(), "{name}");
        }
    }
}
