//! Atomic writes: a file is replaced when all of its new contents have been written, or not at all.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Seek as _, Write};
use std::path::{Path, PathBuf};

/// How many symbolic links in a row are followed. It is the limit of Linux.
const MOST_LINKS: usize = 40;

/// A file whose new contents replace the old ones when it is committed.
#[derive(Debug)]
pub(crate) struct AtomicFile {
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
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
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
        let collected = tempfile::tempfile_in(folder(&target));
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
    pub(crate) fn commit(self) -> io::Result<()> {
        let mut contents = match self.contents {
            Contents::InPlace(mut file) => return file.flush(),
            Contents::Temporary(contents) => contents,
        };
        let old = fs::metadata(&self.target).ok();
        match replace(&mut contents, &self.target, old.as_ref()) {
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
pub(crate) fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(contents)?;
    file.commit()
}

/// Copies the contents into a new file beside the target, and renames it.
fn replace(contents: &mut File, target: &Path, old: Option<&Metadata>) -> io::Result<()> {
    contents.rewind()?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".voxlint-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // The umask applies, as for every new file.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut new = builder.tempfile_in(folder(target))?;
    io::copy(contents, new.as_file_mut())?;
    if let Some(old) = old {
        keep_owner(old, new.as_file());
        new.as_file().set_permissions(old.permissions())?;
    }
    new.as_file().sync_all()?;
    new.persist(target).map(drop).map_err(|error| error.error)
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

/// Whether a path stands for a file that this process has open, such as `/dev/stdout`.
fn is_descriptor(path: &Path) -> bool {
    let is_of_process =
        || path.starts_with("/proc") && path.parent().is_some_and(|folder| folder.ends_with("fd"));
    ["/dev/stdin", "/dev/stdout", "/dev/stderr"].iter().any(|name| path == Path::new(name))
        || path.starts_with("/dev/fd")
        || is_of_process()
}

/// The file that a path leads to through symbolic links. It need not exist.
pub(crate) fn resolve_links(path: &Path) -> PathBuf {
    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(link) = fs::read_link(&target) else { break };
        target = folder(&target).join(link);
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
