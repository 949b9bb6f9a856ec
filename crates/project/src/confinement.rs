//! Folders that all reads are confined to, for programs that read files on behalf of somebody who should see no others.

use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::Failure;
use crate::file_system::describe_io_error;
use crate::paths::{absolute_path, forward_slashes};

/// More links than this in one path count as a circle, as in operating systems.
const MAX_LINKS: u32 = 40;

/// Folders that reads are confined to.
///
/// Every path is resolved here, name by name, and a link is followed only if it stays in the folders. Nothing outside is even
/// looked at, so that messages about a path outside are the same whether something is there or not.
#[derive(Debug)]
pub struct Confinement {
    roots: Vec<Root>,
}

/// One of the folders.
#[derive(Debug)]
struct Root {
    /// The path as it was given, absolute.
    given: PathBuf,
    /// The path without links.
    real: PathBuf,
    /// The folder itself, whatever its path leads to later.
    #[cfg(target_os = "linux")]
    handle: File,
}

/// Where a path leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Inside,
    /// Into the `.git` of one of the folders, which is not part of the project. It may contain credentials.
    Git,
    Outside,
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
/// mean the same file, and many file systems ignore case.
fn is_git_name(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let name = name.split(':').next().unwrap_or_default().trim_end_matches(['.', ' ']);
    [".git", "git~1"].iter().any(|git| name.eq_ignore_ascii_case(git))
}

/// Whether a path without links leads into a folder of git.
pub(crate) fn has_git_name(path: &Path) -> bool {
    path.components().any(|name| is_git_name(name.as_os_str()))
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
            Root::new(folder)
                .map_err(|error| Failure::new(forward_slashes(folder), describe_io_error(&error)))
        });
        Ok(Self { roots: roots.collect::<Result<_, _>>()? })
    }

    /// Nothing may be read yet.
    pub(crate) const fn none() -> Self {
        Self { roots: Vec::new() }
    }

    /// Allows reads in another folder. One that is not there allows nothing.
    pub(crate) fn add(&mut self, folder: &Path) {
        if self.folders().all(|known| known != folder)
            && let Ok(root) = Root::new(folder)
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

    /// Whether a path as it is written is in the folders, wherever links in it lead.
    pub(crate) fn names(&self, path: &Path) -> bool {
        self.locate(&absolute_path(path)).is_some()
    }

    /// Whether a path without links is in the folders.
    pub(crate) fn has_real(&self, real: &Path) -> bool {
        self.roots.iter().any(|root| real.starts_with(&root.real))
    }

    /// Where a path leads, or would lead if something were there.
    pub(crate) fn place_of(&self, path: &Path) -> Place {
        let (real, followed) = self.follow(path);
        match followed {
            Err(error) if is_outside(&error) => Place::Outside,
            _ if self.is_in_git(&real) => Place::Git,
            _ => Place::Inside,
        }
    }

    /// Whether a path without links leads into a `.git`. A folder that is itself in a `.git` may still be a working tree.
    pub(crate) fn is_in_git(&self, real: &Path) -> bool {
        let mut below = self.roots.iter().filter_map(|root| real.strip_prefix(&root.real).ok());
        has_git_name(real) && below.all(has_git_name)
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
        let (real, followed) = self.follow(path);
        followed.map(|()| real)
    }

    /// The path without links, as far as it can be followed, and why it cannot be followed to its end.
    fn follow(&self, path: &Path) -> (PathBuf, io::Result<()>) {
        let Some((mut real, mut names)) = self.locate(&absolute_path(path)) else {
            return (PathBuf::new(), Err(outside()));
        };
        let mut links = 0;
        // How many names of the path were left when the last link in it was followed.
        let mut behind_link = None;
        while let Some(name) = names.pop() {
            let next = real.join(name);
            if behind_link.is_some_and(|left| names.len() < left) {
                behind_link = None;
            }
            let target = match link_target(&real, &next) {
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
                    return (
                        names.iter().rev().fold(next, |path, name| path.join(name)),
                        Err(error),
                    );
                }
            };
            links += 1;
            if links > MAX_LINKS {
                return (next, Err(io::Error::other("too many symbolic links")));
            }
            let Some((root, below)) = self.locate(&target) else {
                return (next, Err(outside()));
            };
            behind_link = behind_link.or(Some(names.len()));
            names.extend(below);
            real = root;
        }
        (real, Ok(()))
    }

    /// The folder that a path without `..` is in, and the names below it, the last one first.
    fn locate(&self, path: &Path) -> Option<(PathBuf, Vec<OsString>)> {
        self.roots.iter().find_map(|root| {
            let below = path.strip_prefix(&root.given).or_else(|_| path.strip_prefix(&root.real));
            let names = below.ok()?.components().rev();
            let names = names.map(|name| name.as_os_str().to_owned()).collect();
            Some((root.real.clone(), names))
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
        match openat2(&root.handle, name, flags, Mode::empty(), resolve) {
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

/// The absolute path that something in a folder leads to; `None` if it is not a link.
fn link_target(folder: &Path, path: &Path) -> io::Result<Option<PathBuf>> {
    if !fs::symlink_metadata(path)?.is_symlink() {
        return Ok(None);
    }
    Ok(Some(absolute_path(&folder.join(fs::read_link(path)?))))
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
        #[cfg(target_os = "linux")]
        let handle = File::open(&real)?;
        Ok(Self {
            given,
            real,
            #[cfg(target_os = "linux")]
            handle,
        })
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

    #[test]
    fn what_git_keeps_does_not_count_as_inside() {
        let (folder, _) = folders();
        let inside = folder.path().join("inside");
        fs::create_dir_all(inside.join(".git/trees/one")).unwrap();
        fs::create_dir_all(inside.join("below/.git")).unwrap();
        let confinement =
            Confinement::new(&[inside.clone(), inside.join(".git/trees/one")]).unwrap();
        for (name, place) in [
            (".git", Place::Git),
            (".git/config", Place::Git),
            (".git/nothing/config", Place::Git),
            (".Git/config", Place::Git),
            (".git. /config", Place::Git),
            (".git::$INDEX_ALLOCATION/config", Place::Git),
            ("GIT~1/config", Place::Git),
            ("below/.git/config", Place::Git),
            (".git/trees/two/a.json", Place::Git),
            (".git/trees/one/a.json", Place::Inside),
            (".git/trees/one/.git", Place::Git),
            (".gitignore", Place::Inside),
            (".github/a.json", Place::Inside),
            ("a.git/a.json", Place::Inside),
            ("git/a.json", Place::Inside),
            ("nothing/a.json", Place::Inside),
            ("../outside/.git/config", Place::Outside),
        ] {
            assert_eq!(confinement.place_of(&inside.join(name)), place, "{name}");
        }
        #[cfg(unix)]
        for (target, name) in [(".git", "into"), (".git/gone", "gone"), ("into/gone", "twice")] {
            std::os::unix::fs::symlink(target, inside.join(name)).unwrap();
            for path in [inside.join(name), inside.join(name).join("nothing")] {
                assert_eq!(confinement.place_of(&path), Place::Git, "{}", path.display());
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
