//! Atomic writes: a file is replaced when all of its new contents have been written, or not at all.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// How many symbolic links in a row are followed. It is the limit of Linux.
const MOST_LINKS: usize = 40;

/// Begins the names of the files that take the place of others. They are hidden, so no run reads one that an interrupted run
/// has left.
const PREFIX: &str = ".voxlint-";

/// A file whose new contents replace the old ones when it is committed.
///
/// ```
/// use std::io::Write as _;
/// use voxlint_project::AtomicFile;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("report.txt");
/// let mut file = AtomicFile::create(&path)?;
/// file.write_all(b"complete")?;
/// assert!(!path.exists());
/// file.commit()?;
/// assert_eq!(std::fs::read(&path)?, b"complete");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct AtomicFile {
    /// The file to replace. Symbolic links are resolved.
    target: PathBuf,
    contents: Contents,
}

#[derive(Debug)]
enum Contents {
    /// A temporary file without a name, so that an interrupted run leaves nothing behind.
    Temporary(File),
    /// A pipe or a device, which cannot be replaced.
    InPlace(File),
}

impl AtomicFile {
    /// Starts the new contents of a file. The file itself is not changed, but a pipe or a device is opened.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        let old = match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if old.as_ref().is_some_and(|old| !old.is_file() || is_descriptor(path)) {
            let file = OpenOptions::new().append(true).open(path)?;
            return Ok(Self { target: path.to_owned(), contents: Contents::InPlace(file) });
        }
        let target = resolve_links(path);
        if old.is_some() {
            // A write-protected file is not replaced, even if its folder allows it.
            OpenOptions::new().write(true).open(&target)?;
        }
        let collected = unnamed(folder(&target));
        // The folder may not allow new files.
        let collected =
            if old.is_some() { collected.or_else(|_| tempfile::tempfile()) } else { collected };
        Ok(Self { target, contents: Contents::Temporary(collected?) })
    }

    /// Replaces the old contents.
    ///
    /// # Errors
    ///
    /// If that is not possible. The file is unchanged then.
    pub fn commit(self) -> io::Result<()> {
        let mut contents = match self.contents {
            Contents::InPlace(mut file) => return file.flush(),
            Contents::Temporary(contents) => contents,
        };
        let old = fs::metadata(&self.target).ok();
        let new = TemporaryFile::new(&mut contents, &self.target, old.as_ref());
        match new.and_then(|mut new| new.persist(&self.target)) {
            // The folder does not allow new files, or the file is a mount point.
            Err(error)
                if old.is_some()
                    && matches!(
                        error.kind(),
                        io::ErrorKind::PermissionDenied
                            | io::ErrorKind::ReadOnlyFilesystem
                            | io::ErrorKind::ResourceBusy
                            | io::ErrorKind::CrossesDevices
                    ) =>
            {
                contents.rewind()?;
                let mut file = OpenOptions::new().write(true).truncate(true).open(&self.target)?;
                io::copy(&mut contents, &mut file).map(drop)
            }
            replaced => replaced,
        }
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let (Contents::Temporary(file) | Contents::InPlace(file)) = &mut self.contents;
        file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        let (Contents::Temporary(file) | Contents::InPlace(file)) = &mut self.contents;
        file.flush()
    }
}

/// Replaces a file.
///
/// # Errors
///
/// If that is not possible. The file is unchanged then.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("report.txt");
/// voxlint_project::write_atomically(&path, b"complete")?;
/// assert_eq!(std::fs::read(&path)?, b"complete");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_atomically(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(contents)?;
    file.commit()
}

/// Writes a new file. One that is already there is not replaced.
///
/// # Errors
///
/// If that is not possible. No file is left then.
pub fn write_new(path: &Path, contents: &[u8]) -> io::Result<()> {
    let new = copied(&mut io::Cursor::new(contents), path, None)?;
    new.persist_noclobber(path).map(drop).map_err(|error| error.error)
}

/// The new contents of an existing file, which take its place at once. Interrupted at any moment, the file has either its old
/// contents or all of the new ones: unlike an [`AtomicFile`], it is never written in place.
#[derive(Debug)]
pub(crate) struct Replacement {
    /// The file to replace, without symbolic links.
    target: PathBuf,
    old: Metadata,
    contents: File,
}

impl Replacement {
    /// Starts the new contents of a regular file. `target` contains no symbolic links.
    ///
    /// # Errors
    ///
    /// If the file cannot be replaced.
    pub(crate) fn create(target: &Path) -> io::Result<Self> {
        let old = fs::symlink_metadata(target)?;
        if !old.is_file() {
            return Err(io::Error::other("not a regular file"));
        }
        // A write-protected file is not replaced, even if its folder allows it.
        OpenOptions::new().write(true).open(target)?;
        let contents = unnamed(folder(target))?;
        Ok(Self { target: target.to_owned(), old, contents })
    }

    /// Replaces the file, unless it has been changed since it was read. Returns whether it was replaced.
    ///
    /// # Errors
    ///
    /// If that is not possible. The file is unchanged then.
    pub(crate) fn replace_if(
        mut self,
        is_unchanged: impl FnOnce(&mut dyn Read) -> io::Result<bool>,
    ) -> io::Result<bool> {
        self.contents.flush()?;
        let mut new = TemporaryFile::new(&mut self.contents, &self.target, Some(&self.old))?;
        // This comes last: nothing that takes long may happen between the comparison and the renaming.
        if !is_unchanged(&mut File::open(&self.target)?)? {
            return Ok(false);
        }
        new.persist(&self.target)?;
        Ok(true)
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.contents.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.contents.flush()
    }
}

/// A complete file with a name beside the file that it replaces. It is removed unless it is renamed.
enum TemporaryFile {
    /// The temporary file itself, which was given a name.
    #[cfg(target_os = "linux")]
    Linked(NamedTempFile<()>),
    Copied(NamedTempFile),
    Renamed,
}

impl TemporaryFile {
    /// Gives the contents a name beside the target. Where a file without a name can get one, a run that is killed while it
    /// writes leaves nothing behind.
    fn new(contents: &mut File, target: &Path, old: Option<&Metadata>) -> io::Result<Self> {
        if let Some(old) = old {
            keep_access(target, old, contents)?;
        }
        contents.sync_all()?;
        #[cfg(target_os = "linux")]
        if let Ok(linked) = linked(contents, target) {
            return Ok(Self::Linked(linked));
        }
        copied(contents, target, old).map(Self::Copied)
    }

    fn persist(&mut self, target: &Path) -> io::Result<()> {
        match std::mem::replace(self, Self::Renamed) {
            #[cfg(target_os = "linux")]
            Self::Linked(file) => file.persist(target).map_err(|error| error.error),
            Self::Copied(file) => file.persist(target).map(drop).map_err(|error| error.error),
            Self::Renamed => Ok(()),
        }
    }
}

/// Gives a temporary file without a name a name beside the target.
#[cfg(target_os = "linux")]
fn linked(contents: &File, target: &Path) -> io::Result<NamedTempFile<()>> {
    use std::os::fd::AsRawFd as _;

    use rustix::fs::{AtFlags, CWD, linkat};

    let source = format!("/proc/self/fd/{}", contents.as_raw_fd());
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).make_in(folder(target), |path| {
        linkat(CWD, source.as_str(), CWD, path, AtFlags::SYMLINK_FOLLOW).map_err(io::Error::from)
    })
}

/// A new file without a name, which can get one in this folder where the system allows it. The umask applies.
fn unnamed(folder: &Path) -> io::Result<File> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{Mode, OFlags, open};

        let flags = OFlags::RDWR | OFlags::TMPFILE | OFlags::CLOEXEC;
        if let Ok(file) = open(folder, flags, Mode::from_raw_mode(0o666)) {
            return Ok(file.into());
        }
    }
    tempfile::tempfile_in(folder)
}

/// Copies the contents into a new file beside the target.
fn copied(
    contents: &mut (impl Read + Seek),
    target: &Path,
    old: Option<&Metadata>,
) -> io::Result<NamedTempFile> {
    contents.rewind()?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // The umask applies, as for every new file.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut new = builder.tempfile_in(folder(target))?;
    io::copy(contents, new.as_file_mut())?;
    if let Some(old) = old {
        keep_access(target, old, new.as_file())?;
    }
    new.as_file().sync_all()?;
    Ok(new)
}

/// Gives a file the permissions of the one that it replaces, and on Linux its extended attributes. The owner, the group and most
/// attributes are kept if this user is allowed to set them.
///
/// # Errors
///
/// If others could have another access to the file than to the old one.
fn keep_access(target: &Path, old: &Metadata, new: &File) -> io::Result<()> {
    keep_owner(old, new);
    #[cfg(target_os = "linux")]
    keep_attributes(target, new)?;
    #[cfg(not(target_os = "linux"))]
    let _ = target;
    new.set_permissions(old.permissions())
}

/// The attribute with the access control list.
#[cfg(target_os = "linux")]
const ACCESS_LIST: &str = "system.posix_acl_access";

/// Gives a file the extended attributes of another one. Its access control list belongs to them: without it, the permissions mean
/// something else.
#[cfg(target_os = "linux")]
fn keep_attributes(old: &Path, new: &File) -> io::Result<()> {
    use rustix::fs::{XattrFlags, fremovexattr, fsetxattr, getxattr, listxattr};

    /// The maximum length of an attribute, and of all names.
    const MAX_LENGTH: usize = 1 << 16;

    // A new file may have the default list of its folder. If it has none, this fails, which does not matter.
    let _ = fremovexattr(new, ACCESS_LIST);
    let mut names = vec![0; MAX_LENGTH];
    // Not every file system has attributes.
    let Ok(length) = listxattr(old, names.as_mut_slice()) else { return Ok(()) };
    let mut value = vec![0; MAX_LENGTH];
    let names = names.get(..length).unwrap_or_default().split(|byte| *byte == 0);
    for name in names.filter(|name| !name.is_empty()) {
        let set = getxattr(old, name, value.as_mut_slice()).and_then(|length| {
            let value = value.get(..length).unwrap_or_default();
            fsetxattr(new, name, value, XattrFlags::empty())
        });
        if name == ACCESS_LIST.as_bytes() {
            set?;
        }
    }
    Ok(())
}

/// Gives a file the owner and the group of the old one, if this user is allowed to.
#[cfg(unix)]
fn keep_owner(old: &Metadata, new: &File) {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    let is_other = |new: Metadata| (new.uid(), new.gid()) != (old.uid(), old.gid());
    if new.metadata().is_ok_and(is_other) {
        let _ = fchown(new, Some(old.uid()), Some(old.gid()));
    }
}

/// Other systems have no such owner.
#[cfg(not(unix))]
fn keep_owner(_: &Metadata, _: &File) {}

/// Whether an absolute path stands for a file that a process has open, such as `/dev/stdout`.
pub(crate) fn is_descriptor(path: &Path) -> bool {
    let is_of_process =
        || path.starts_with("/proc") && path.parent().is_some_and(|folder| folder.ends_with("fd"));
    ["/dev/stdin", "/dev/stdout", "/dev/stderr"].iter().any(|name| path == Path::new(name))
        || path.starts_with("/dev/fd")
        || is_of_process()
}

/// The file that a path leads to through symbolic links. It need not exist.
///
/// ```
/// use std::path::Path;
///
/// let path = Path::new("no/such/file.json");
/// assert_eq!(voxlint_project::resolve_links(path), path);
/// ```
pub fn resolve_links(path: &Path) -> PathBuf {
    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(link) = fs::read_link(&target) else { break };
        target = folder(&target).join(link);
    }
    target
}

/// The file that is written under a path, without links. Neither it nor its folder need exist.
pub(crate) fn written_path(path: &Path) -> PathBuf {
    let target = resolve_links(path);
    let mut missing = Vec::new();
    let mut next = Some(&*target);
    while let Some(path) = next {
        let existing = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        if let Ok(real) = existing.canonicalize() {
            return missing.iter().rev().fold(real, |real, name| real.join(name));
        }
        missing.extend(path.file_name());
        next = path.parent();
    }
    target
}

/// The folder of a file.
fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        fs::write(&path, text).unwrap();
        (folder, path)
    }

    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap();
        names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[cfg(unix)]
    #[test]
    fn only_open_files_are_descriptors() {
        let of = |path: &str| is_descriptor(Path::new(path));
        for path in ["/dev/stdin", "/dev/stdout", "/dev/fd/3", "/proc/self/fd/0", "/proc/7/fd/1"] {
            assert!(of(path), "{path}");
        }
        for path in ["/dev/shm/agents/a.json", "/dev/null", "/home/dev/stdin", "/srv/fd/0"] {
            assert!(!of(path), "{path}");
        }
    }

    #[test]
    fn a_new_file_is_written_as_a_whole_and_replaces_nothing() {
        let (folder, path) = file("old");
        let error = write_new(&path, b"new").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        write_new(&folder.path().join("b.toml"), b"new").unwrap();
        assert_eq!(fs::read(folder.path().join("b.toml")).unwrap(), b"new");
        let mut names = names(folder.path());
        names.sort();
        assert_eq!(names, ["a.json", "b.toml"]);
    }

    /// A run that is killed must leave nothing: until the file takes the place of the old one, its contents have no name.
    #[cfg(target_os = "linux")]
    #[test]
    fn contents_get_a_name_only_when_they_are_complete() {
        use std::os::unix::fs::MetadataExt as _;
        for name in ["a.json", "new.json"] {
            let (folder, path) = file("old");
            let mut new = AtomicFile::create(&folder.path().join(name)).unwrap();
            new.write_all(b"complete").unwrap();
            assert_eq!(names(folder.path()), ["a.json"]);
            let Contents::Temporary(contents) = &new.contents else { panic!() };
            let inode = contents.metadata().unwrap().ino();
            new.commit().unwrap();
            let written = fs::metadata(folder.path().join(name)).unwrap();
            // The same file, so there was no copy of it.
            assert_eq!(written.ino(), inode);
            if name == "new.json" {
                // As every new file.
                let mode = fs::metadata(&path).unwrap().mode();
                assert_eq!(written.mode(), mode);
            }
        }
    }

    #[test]
    fn a_file_is_replaced_with_its_permissions_and_nothing_else_is_left() {
        let (folder, path) = file("old");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        }
        let permissions = fs::metadata(&path).unwrap().permissions();
        let mut new = Replacement::create(&path).unwrap();
        new.write_all(b"new").unwrap();
        assert_eq!(names(folder.path()), ["a.json"]);
        assert!(new.replace_if(|_| Ok(true)).unwrap());
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::metadata(&path).unwrap().permissions(), permissions);
        assert_eq!(names(folder.path()), ["a.json"]);
    }

    #[test]
    fn a_file_that_was_changed_meanwhile_is_kept() {
        let (folder, path) = file("old");
        let mut new = Replacement::create(&path).unwrap();
        new.write_all(b"new").unwrap();
        fs::write(&path, "edited").unwrap();
        let is_old = |file: &mut dyn Read| {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).map(|_| bytes == b"old")
        };
        assert!(!new.replace_if(is_old).unwrap());
        assert_eq!(fs::read(&path).unwrap(), b"edited");
        assert_eq!(names(folder.path()), ["a.json"]);
    }

    /// Also the access control list, which is an attribute, and none that the folder would add.
    #[cfg(target_os = "linux")]
    #[test]
    fn extended_attributes_are_kept() {
        use rustix::fs::{XattrFlags, getxattr, setxattr};

        const NAME: &str = "user.reviewed";
        const DEFAULT_LIST: &str = "system.posix_acl_default";
        /// A list in the form of Linux: its version, then a tag, permissions and a user for each entry.
        fn list(of_user: u16) -> Vec<u8> {
            let anyone = u32::MAX;
            let entries = [
                (1, 6, anyone),
                (2, of_user, 12_345),
                (4, 0, anyone),
                (16, 6, anyone),
                (32, 0, anyone),
            ];
            let entries =
                entries.into_iter().flat_map(|(tag, permissions, user): (u16, u16, u32)| {
                    [&tag.to_le_bytes()[..], &permissions.to_le_bytes(), &user.to_le_bytes()]
                        .concat()
                });
            2_u32.to_le_bytes().into_iter().chain(entries).collect()
        }
        let attribute = |path: &Path, name: &str| {
            let mut value = vec![0; 1_000];
            let length = getxattr(path, name, value.as_mut_slice()).ok()?;
            value.truncate(length);
            Some(value)
        };

        let (folder, path) = file("old");
        let set = |path: &Path, name: &str, value: &[u8]| {
            setxattr(path, name, value, XattrFlags::empty())
        };
        if set(&path, NAME, b"yes").is_err() || set(&path, ACCESS_LIST, &list(4)).is_err() {
            println!(
                "skipped: this file system has no extended attributes or access control lists"
            );
            return;
        }
        set(folder.path(), DEFAULT_LIST, &list(6)).unwrap();
        let plain = folder.path().join("plain.json");
        fs::write(&plain, "old").unwrap();
        rustix::fs::removexattr(&plain, ACCESS_LIST).unwrap();
        for (path, expected) in [(&path, Some(list(4))), (&plain, None)] {
            for in_one_go in [true, false] {
                let before = fs::metadata(path).unwrap().permissions();
                if in_one_go {
                    let mut new = Replacement::create(path).unwrap();
                    new.write_all(b"new").unwrap();
                    assert!(new.replace_if(|_| Ok(true)).unwrap());
                } else {
                    write_atomically(path, b"newer").unwrap();
                }
                assert_eq!(attribute(path, ACCESS_LIST), expected, "{in_one_go}");
                assert_eq!(fs::metadata(path).unwrap().permissions(), before);
            }
        }
        assert_eq!(attribute(&path, NAME).as_deref(), Some(&b"yes"[..]));
    }

    #[test]
    fn a_copy_replaces_a_file_where_the_temporary_file_cannot_get_a_name() {
        let (folder, path) = file("old");
        let mut contents = tempfile::tempfile().unwrap();
        contents.write_all(b"new").unwrap();
        let old = fs::metadata(&path).unwrap();
        TemporaryFile::new(&mut contents, &path, Some(&old)).unwrap().persist(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["a.json"]);
    }
}
