//! Reads of files, with unsaved text in the place of what is on the disk.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{self, File, FileType, Metadata};
use std::io::{self, Cursor, Read, Seek as _, SeekFrom};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, SystemTime};

use crate::buffer::{Buffer, read_rest};
use crate::confinement::{Confinement, is_outside};
use crate::contents::{LFS_POINTER, check_contents, describe_io_error};
use crate::paths::absolute_path;
use crate::reference::Reference;
use crate::size_limit::SizeLimit;

/// The files of a project. Unsaved text of an editor can stand in for a file.
///
/// ```
/// use std::path::Path;
/// use voxlint_project::FileSystem;
///
/// let files = FileSystem::default();
/// files.set_overlay(Path::new("agents/en.json"), "{}");
/// assert_eq!(files.read(Path::new("agents/en.json"))?, b"{}");
/// files.remove_overlay(Path::new("agents/en.json"));
/// assert!(files.read(Path::new("agents/en.json")).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct FileSystem {
    overlays: RwLock<Overlays>,
    /// What standard input contained, if it is read more than once.
    stdin: RwLock<Option<Arc<Mutex<File>>>>,
    /// What was read of standard input to see how it begins.
    stdin_start: Mutex<Vec<u8>>,
    /// The folders that may be read; `None` is all.
    confinement: Option<Arc<Confinement>>,
    /// What is read in the place of the files.
    reference: Option<Arc<Reference>>,
}

/// An unsaved text. Its bytes need not be UTF-8, as those of a file.
#[derive(Clone, Debug)]
pub struct Overlay(Arc<[u8]>);

impl From<Arc<str>> for Overlay {
    fn from(text: Arc<str>) -> Self {
        Self(text.into())
    }
}

impl From<&str> for Overlay {
    fn from(text: &str) -> Self {
        text.as_bytes().into()
    }
}

impl From<&[u8]> for Overlay {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.into())
    }
}

/// Unsaved texts by their absolute paths.
#[derive(Debug, Default)]
struct Overlays {
    texts: BTreeMap<PathBuf, (Overlay, u64)>,
    /// How many texts were ever set: tells an old text from a new one.
    count: u64,
}

/// The state of a file: equal stamps mean that the file has not been changed in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stamp {
    /// A file on the disk, by its length and the time of the last change.
    Saved { length: u64, modified: Option<SystemTime> },
    /// Unsaved text, by its number.
    Unsaved(u64),
}

/// A file that was changed less than this before it was read can change again without a new time of change: file systems
/// round the time.
const RECENT: Duration = Duration::from_secs(2);

/// The reason why a dangling link cannot be followed.
const DANGLING: &str = "broken symbolic link";

impl FileSystem {
    /// Files in some folders only. Others cannot be read, and standard input is empty.
    pub fn confined(confinement: Arc<Confinement>) -> Self {
        Self { confinement: Some(confinement), ..Self::default() }
    }

    /// The files of a reference, and others where it says nothing.
    pub(crate) fn of_reference(reference: Arc<Reference>) -> Self {
        Self { reference: Some(reference), ..Self::default() }
    }

    /// What the reference has at a path. See [`Reference::read`].
    fn referred(&self, path: &Path) -> Option<Result<Option<Arc<[u8]>>, String>> {
        self.reference.as_ref()?.read(path)
    }

    /// The files below a folder that a reference has and the disk does not.
    pub(crate) fn deleted_below(&self, folder: &Path) -> Vec<PathBuf> {
        self.reference.as_ref().map(|it| it.deleted_below(folder)).unwrap_or_default()
    }

    /// Whether only the files in some folders may be read.
    pub(crate) fn is_confined(&self) -> bool {
        self.confinement.is_some()
    }

    /// The folders that may be read; `None` is all.
    pub(crate) fn confinement(&self) -> Option<&Confinement> {
        self.confinement.as_deref()
    }

    /// Whether a symbolic link is at a path, where all folders may be read.
    pub(crate) fn is_link(&self, path: &Path) -> bool {
        !self.is_confined()
            && fs::symlink_metadata(path).is_ok_and(|it| it.is_symlink())
            && self.referred(path).is_none()
    }

    /// Whether a path leads out of the folders that may be read.
    pub(crate) fn is_outside(&self, path: &Path) -> bool {
        let resolved = |confinement: &Arc<Confinement>| confinement.resolve(path);
        self.confinement
            .as_ref()
            .map(resolved)
            .is_some_and(|it| it.is_err_and(|it| is_outside(&it)))
    }

    /// The path without links.
    pub(crate) fn real(&self, path: &Path) -> io::Result<PathBuf> {
        match &self.confinement {
            None => fs::canonicalize(path),
            Some(confinement) => confinement.resolve(path),
        }
    }

    /// The file that a path leads to, without links if only some folders may be read.
    fn resolve<'p>(&self, path: &'p Path) -> io::Result<Cow<'p, Path>> {
        match &self.confinement {
            None => Ok(Cow::Borrowed(path)),
            Some(confinement) => confinement.resolve(path).map(Cow::Owned),
        }
    }

    fn open_file(&self, path: &Path) -> io::Result<File> {
        if self.referred(path).is_some() {
            return Err(io::ErrorKind::NotFound.into());
        }
        match &self.confinement {
            None => File::open(path),
            Some(confinement) => confinement.open(path),
        }
    }

    /// The metadata of what a path leads to.
    pub(crate) fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        fs::metadata(self.resolve(path)?)
    }

    /// What is at a path, whose folder has no links in its own path. A link is not followed.
    pub(crate) fn kind(&self, path: &Path) -> Option<FileType> {
        let metadata = self.has_real(path).then(|| fs::symlink_metadata(path))?;
        metadata.ok().map(|it| it.file_type())
    }

    /// Whether a path without links is in the folders that may be read.
    pub(crate) fn has_real(&self, real: &Path) -> bool {
        self.confinement.as_ref().is_none_or(|it| it.has_real(real))
    }

    /// Whether a path leads to a folder.
    pub(crate) fn is_dir(&self, path: &Path) -> bool {
        self.metadata(path).is_ok_and(|it| it.is_dir())
    }

    /// Whether a path leads to anything.
    pub(crate) fn is_there(&self, path: &Path) -> bool {
        self.metadata(path).is_ok()
    }

    /// The entries of a folder.
    pub(crate) fn read_dir(&self, path: &Path) -> io::Result<fs::ReadDir> {
        match &self.confinement {
            None => fs::read_dir(path),
            Some(confinement) => confinement.read_dir(path),
        }
    }

    /// Lets reads of a path return this text, until [`Self::remove_overlay`]. Returns the text that was set before.
    pub fn set_overlay(&self, path: &Path, text: impl Into<Overlay>) -> Option<Overlay> {
        let mut overlays = self.overlays.write().unwrap_or_else(PoisonError::into_inner);
        overlays.count += 1;
        let number = overlays.count;
        let former = overlays.texts.insert(absolute_path(path), (text.into(), number));
        former.map(|(text, _)| text)
    }

    /// Lets reads of a path return the file again.
    pub fn remove_overlay(&self, path: &Path) {
        let mut overlays = self.overlays.write().unwrap_or_else(PoisonError::into_inner);
        overlays.texts.remove(&absolute_path(path));
    }

    /// Whether a text is set for a path.
    pub(crate) fn has_overlay(&self, path: &Path) -> bool {
        self.overlay(path).is_some()
    }

    /// Reads standard input to its end into a temporary file, so that it can be read again and again.
    ///
    /// # Errors
    ///
    /// If standard input cannot be read, or no temporary file can be written.
    pub fn keep_stdin(&self) -> io::Result<()> {
        let mut kept = tempfile::tempfile()?;
        io::copy(&mut self.stdin(), &mut kept)?;
        self.set_stdin(kept);
        Ok(())
    }

    /// Says that the first bytes of standard input have been read. The next read of it begins with them.
    pub fn give_back_stdin(&self, start: Vec<u8>) {
        *self.stdin_start.lock().unwrap_or_else(PoisonError::into_inner) = start;
    }

    /// Replaces the contents of standard input for all further reads.
    pub(crate) fn set_stdin(&self, contents: File) {
        *self.stdin.write().unwrap_or_else(PoisonError::into_inner) =
            Some(Arc::new(Mutex::new(contents)));
    }

    /// A reader of standard input: of what was kept of it, from the beginning, or else of the stream itself.
    pub fn stdin(&self) -> Box<dyn Read + Send> {
        match &*self.stdin.read().unwrap_or_else(PoisonError::into_inner) {
            Some(file) => Box::new(KeptStdin { file: Arc::clone(file), at: 0 }),
            None if self.is_confined() => Box::new(io::empty()),
            None => {
                let mut start = self.stdin_start.lock().unwrap_or_else(PoisonError::into_inner);
                Box::new(Cursor::new(mem::take(&mut *start)).chain(io::stdin()))
            }
        }
    }

    fn overlays(&self) -> RwLockReadGuard<'_, Overlays> {
        self.overlays.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn overlay(&self, path: &Path) -> Option<(Overlay, u64)> {
        if let Some(Ok(Some(bytes))) = self.referred(path) {
            return Some((Overlay(bytes), 0));
        }
        let overlays = self.overlays();
        if overlays.texts.is_empty() {
            return None;
        }
        overlays.texts.get(&absolute_path(path)).cloned()
    }

    /// The bytes of a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        match self.overlay(path) {
            Some((text, _)) => bytes.extend_from_slice(&text.0),
            None => read_rest(self.open_file(path)?, &mut bytes)?,
        }
        check_contents(&bytes)?;
        Ok(bytes)
    }

    /// The bytes of a file of limited size.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is too large.
    pub(crate) fn read_limited(&self, path: &Path, limit: &SizeLimit) -> io::Result<Vec<u8>> {
        if let Some((text, _)) = self.overlay(path) {
            limit.check(text.0.len() as u64)?;
            return limit.read(&*text.0);
        }
        let file = self.open_file(path)?;
        limit.check(file.metadata().map_or(0, |it| it.len()))?;
        let bytes = limit.read(file)?;
        check_contents(&bytes)?;
        Ok(bytes)
    }

    /// Reads a file into a buffer, in the place of what it contained.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    pub(crate) fn read_into(&self, path: &Path, buffer: &mut Buffer) -> io::Result<()> {
        match self.overlay(path) {
            Some((text, _)) => *buffer = text.0.to_vec().into(),
            None => buffer.read_file(self.open_file(path)?)?,
        }
        check_contents(buffer.bytes())
    }

    /// A reader of a file, for files that may be too large for memory.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened.
    pub fn open(&self, path: &Path) -> io::Result<Box<dyn Read + Send>> {
        if let Some((text, _)) = self.overlay(path) {
            return Ok(Box::new(Cursor::new(text.0.to_vec())));
        }
        let mut file = self.open_file(path)?;
        let mut start = Vec::new();
        (&mut file).take(LFS_POINTER.len() as u64).read_to_end(&mut start)?;
        check_contents(&start)?;
        Ok(Box::new(Cursor::new(start).chain(file)))
    }

    /// Whether a regular file is there, for optional files.
    ///
    /// # Errors
    ///
    /// If the path leads to something else: only a missing file counts as absent. A dangling link, a directory or a named
    /// pipe is an error, and is never waited for.
    pub fn exists(&self, path: &Path) -> Result<bool, String> {
        self.stamp(path).map(|stamp| stamp.is_some())
    }

    /// The state of a regular file; `None` if there is none.
    ///
    /// # Errors
    ///
    /// As [`Self::exists`].
    pub(crate) fn stamp(&self, path: &Path) -> Result<Option<Stamp>, String> {
        if let Some((_, number)) = self.overlay(path) {
            return Ok(Some(Stamp::Unsaved(number)));
        }
        match self.referred(path) {
            None => {}
            Some(Ok(_)) => return Ok(None),
            Some(Err(why)) => return Err(why),
        }
        let resolved = match self.resolve(path) {
            Ok(path) => path,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(describe_io_error(&error)),
        };
        let path = &*resolved;
        let link = fs::symlink_metadata(path);
        let is_link = link.as_ref().is_ok_and(Metadata::is_symlink);
        match if is_link { fs::metadata(path) } else { link } {
            Ok(metadata) if metadata.is_file() => Ok(Some(Stamp::of(&metadata))),
            Ok(metadata) if metadata.is_dir() => Err("this is a directory".to_owned()),
            Ok(_) => Err("not a regular file".to_owned()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if is_link || is_below_dangling_link(path) {
                    return Err(DANGLING.to_owned());
                }
                Ok(None)
            }
            Err(error) => Err(describe_io_error(&error)),
        }
    }

    /// The text of a file, which may be a pipe.
    pub(crate) fn read_text(&self, path: &Path, limit: &SizeLimit) -> Result<String, String> {
        let bytes = self.read_limited(path, limit).map_err(|error| describe_io_error(&error))?;
        String::from_utf8(bytes).map_err(|_| "is not UTF-8".to_owned())
    }

    /// The text of a regular file; `None` if there is none. See [`Self::exists`].
    pub(crate) fn read_text_if_exists(
        &self,
        path: &Path,
        limit: &SizeLimit,
    ) -> Result<Option<String>, String> {
        if !self.exists(path)? {
            return Ok(None);
        }
        self.read_text(path, limit).map(Some)
    }
}

/// Reads a file from a position of its own: several readers share the file.
struct KeptStdin {
    file: Arc<Mutex<File>>,
    at: u64,
}

impl Read for KeptStdin {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.at))?;
        let count = file.read(into)?;
        self.at += count as u64;
        Ok(count)
    }
}

/// Whether the nearest folder above a path is a link that leads nowhere. A link to a folder is like any other folder.
fn is_below_dangling_link(path: &Path) -> bool {
    let is_link = |path: &Path| Some(fs::symlink_metadata(path).ok()?.is_symlink());
    let nearest = path.ancestors().skip(1).find_map(|path| Some((path, is_link(path)?)));
    nearest.is_some_and(|(folder, is_link)| is_link && fs::metadata(folder).is_err())
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        Self::Saved { length: metadata.len(), modified: metadata.modified().ok() }
    }

    /// Whether a later change of the file will change the stamp.
    pub(crate) fn is_reliable(self) -> bool {
        match self {
            Self::Unsaved(_) => true,
            Self::Saved { modified, .. } => {
                modified.and_then(|time| time.elapsed().ok()).is_some_and(|age| age >= RECENT)
            }
        }
    }
}
