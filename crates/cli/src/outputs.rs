//! The reports of a run: standard output and the files of `--output`.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use voxlint_project::describe_io_error;
use voxlint_project::paths::absolute;
use voxlint_project::{
    AtomicFile, CONFIGURATION_NAME, FileSet, FileSystem, IGNORE_NAME, InputFile, Session,
    resolve_links,
};

use crate::terminal::print_error;

/// Writes a report. After a write that failed, it drops the rest: the run continues for the exit code and the other reports.
pub(crate) struct ReportWriter<W: Write> {
    name: String,
    out: BufWriter<W>,
    failed: Option<io::Error>,
}

impl<W: Write> ReportWriter<W> {
    pub(crate) fn new(name: &str, out: W) -> Self {
        Self { name: name.to_owned(), out: BufWriter::new(out), failed: None }
    }

    /// Writes the rest; `None` if the reader has closed the pipe, which is not a failure.
    ///
    /// # Errors
    ///
    /// If the report is incomplete.
    pub(crate) fn finish(mut self) -> Result<Option<W>, String> {
        self.attempt(BufWriter::flush);
        // After a failure the buffer is not written again.
        let (out, _) = self.out.into_parts();
        match self.failed {
            None => Ok(Some(out)),
            Some(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(None),
            Some(error) => Err(format!("{}: {}", self.name, describe_io_error(&error))),
        }
    }

    fn attempt(&mut self, write: impl FnOnce(&mut BufWriter<W>) -> io::Result<()>) {
        if self.failed.is_none() {
            self.failed = write(&mut self.out).err();
        }
    }
}

/// The file of a report.
pub(crate) type ReportFile = ReportWriter<AtomicFile>;

impl ReportFile {
    /// Starts a report.
    ///
    /// # Errors
    ///
    /// If it cannot be created.
    fn create(path: &Path) -> Result<Self, String> {
        let name = path.to_string_lossy();
        match AtomicFile::create(path) {
            Ok(file) => Ok(Self::new(&name, file)),
            Err(error) => Err(format!("{name}: {}", describe_io_error(&error))),
        }
    }

    /// Replaces an earlier report.
    ///
    /// # Errors
    ///
    /// If it could not be written. An earlier report is unchanged then.
    pub(crate) fn replace(self) -> Result<(), String> {
        let name = self.name.clone();
        let Some(file) = self.finish()? else { return Ok(()) };
        file.commit().map_err(|error| format!("{name}: {}", describe_io_error(&error)))
    }
}

impl<W: Write> Write for ReportWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.attempt(|out| out.write_all(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.attempt(BufWriter::flush);
        Ok(())
    }
}

/// The identity of a file, independent of the links that lead to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FileId {
    /// The device and the inode.
    #[cfg(unix)]
    Inode(u64, u64),
    Path(PathBuf),
}

impl FileId {
    fn of(path: &Path) -> Self {
        #[cfg(unix)]
        if let Ok(metadata) = fs::metadata(path) {
            return Self::of_metadata(&metadata);
        }
        let target = resolve_links(path);
        let absolute = PathBuf::from(absolute(&target));
        let in_folder =
            || Some(fs::canonicalize(absolute.parent()?).ok()?.join(absolute.file_name()?));
        Self::Path(fs::canonicalize(&target).ok().or_else(in_folder).unwrap_or(absolute))
    }

    #[cfg(unix)]
    fn of_metadata(metadata: &fs::Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self::Inode(metadata.dev(), metadata.ino())
    }

    /// The file that standard output is redirected to.
    #[cfg(unix)]
    fn of_stdout() -> Option<Self> {
        stdout_metadata().filter(fs::Metadata::is_file).map(|it| Self::of_metadata(&it))
    }

    /// Unknown on other systems.
    #[cfg(not(unix))]
    fn of_stdout() -> Option<Self> {
        None
    }
}

#[cfg(unix)]
fn stdout_metadata() -> Option<fs::Metadata> {
    use std::os::fd::AsFd as _;
    let stdout = io::stdout().as_fd().try_clone_to_owned().map(fs::File::from);
    stdout.and_then(|stdout| stdout.metadata()).ok()
}

/// Whether standard output is redirected to a file.
#[cfg(unix)]
pub(crate) fn is_stdout_a_file() -> bool {
    stdout_metadata().is_some_and(|metadata| metadata.is_file())
}

/// Unknown on other systems.
#[cfg(not(unix))]
pub(crate) fn is_stdout_a_file() -> bool {
    false
}

/// A report file and the name of its format.
#[derive(Clone, Copy)]
pub(crate) struct NamedOutput<'a> {
    pub(crate) format: &'static str,
    pub(crate) path: &'a Path,
}

/// Opens the report files before anything is checked. The report of an earlier run is replaced, and not checked. `None` stands for a
/// file that cannot be created: the message is printed at once, and the run goes on for the other reports.
///
/// # Errors
///
/// If one of them must not be written, such as a file that the run reads, or if two are the same file. Nothing has been written
/// then.
pub(crate) fn open(
    outputs: &[NamedOutput<'_>],
    session: &Session,
    set: &mut FileSet,
) -> Result<Vec<Option<ReportFile>>, String> {
    let stdout = if outputs.is_empty() { None } else { FileId::of_stdout() };
    let mut names = BTreeMap::new();
    let mut files = BTreeMap::new();
    for output in outputs {
        let name = format!("--output {}={}", output.format, output.path.display());
        if let Some(objection) = session.configurations().objection_to_writing(output.path) {
            return Err(format!("{name} {objection}"));
        }
        let mut other = names.insert(absolute(output.path), name.clone());
        // Pipes and devices can have several writers.
        if fs::metadata(output.path).map_or(true, |metadata| metadata.is_file()) {
            let file = FileId::of(output.path);
            let is_stdout = stdout.as_ref() == Some(&file);
            other = other.or_else(|| is_stdout.then(|| "standard output".to_owned()));
            other = files.insert(file, name.clone()).or(other);
        }
        if let Some(other) = other {
            return Err(format!("{other} and {name} are the same file: give each report its own"));
        }
    }
    if !files.is_empty() {
        set.take_reports(|input| {
            let path = input.path.as_deref();
            match path.and_then(|path| files.get(&FileId::of(path))) {
                None => Ok(false),
                Some(name) if is_document(input, session.file_system()) => {
                    Err(overwrites(name, &input.shown))
                }
                Some(_) => Ok(true),
            }
        })?;
        let baselines = set.baselines().iter().map(|file| file.path.clone());
        for path in session.other_paths(set).chain(baselines) {
            if let Some(name) = files.get(&FileId::of(Path::new(&path))) {
                return Err(overwrites(name, &session.configurations().shown(&path)));
            }
        }
    }
    for NamedOutput { format, path } in outputs {
        if let Some(problem) = name_problem(path) {
            return Err(format!("--output {format}={} {problem}", path.display()));
        }
    }
    let create = |output: &NamedOutput<'_>| {
        ReportFile::create(output.path).map_err(|message| print_error(&message)).ok()
    };
    Ok(outputs.iter().map(create).collect())
}

/// What is wrong with the name of a file to write, as the rest of a sentence about it.
fn name_problem(path: &Path) -> Option<&'static str> {
    if is_called(path, CONFIGURATION_NAME) {
        Some("would be read as a configuration: name another file")
    } else if is_called(path, IGNORE_NAME) {
        Some("would say which files git ignores, and voxlint skips: name another file")
    } else {
        None
    }
}

/// Whether a file has a name that later runs look for.
fn is_called(path: &Path, name: &str) -> bool {
    // Some file systems ignore case.
    let has_name = |path: &Path| path.file_name().is_some_and(|it| it.eq_ignore_ascii_case(name));
    has_name(path) || has_name(&resolve_links(path))
}

/// The message if writing a baseline or a configuration to an absolute path would write outside of the project, or overwrite another
/// file that the run reads.
pub(crate) fn would_overwrite(path: &str, session: &Session, files: &FileSet) -> Option<String> {
    if let Some(message) = would_lead_elsewhere(path, session) {
        return Some(message);
    }
    let file = FileId::of(Path::new(path));
    let is_file = |other: &String| FileId::of(Path::new(other)) == file;
    let inputs = files.inputs().iter().filter(|input| input.path.is_some());
    let mut others =
        inputs.map(|input| input.absolute.to_string()).chain(session.other_paths(files));
    let other = others.find(is_file)?;
    let configurations = session.configurations();
    Some(overwrites(&configurations.shown(path), &configurations.shown(&other)))
}

/// The message if no baseline may be written to an absolute path, because of a link in it or of its name.
pub(crate) fn would_mislead(path: &str, session: &Session) -> Option<String> {
    let problem = || {
        let problem = name_problem(Path::new(path))?;
        Some(format!("{} {problem}", session.configurations().shown(path)))
    };
    would_lead_elsewhere(path, session).or_else(problem)
}

/// The message if nothing may be written to an absolute path, because a link in it leads elsewhere.
pub(crate) fn would_lead_elsewhere(path: &str, session: &Session) -> Option<String> {
    let configurations = session.configurations();
    let objection = configurations.objection_to_writing(Path::new(path))?;
    Some(format!("{} {objection}", configurations.shown(path)))
}

fn overwrites(name: &str, file: &str) -> String {
    format!("{name} would overwrite {file}, which this run reads: name another file")
}

/// Whether a file was named or contains an agent document.
fn is_document(input: &InputFile, files: &FileSystem) -> bool {
    let contains_one = |bytes: Vec<u8>| {
        let lines = bytes.split(|byte| *byte == b'\n');
        let first = lines.map(<[u8]>::trim_ascii).find(|line| !line.is_empty());
        let text = if input.has_document_per_line() { first.unwrap_or_default() } else { &bytes };
        input.documents(text).iter().any(|document| document.recognise().is_some())
    };
    // A file that cannot be read will fail when it is written.
    input.is_explicit || input.read(files).is_ok_and(contains_one)
}
