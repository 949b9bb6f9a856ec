//! The status of every file that was given or found, and the number of its documents.
//!
//! Each file is expected once and gets one status. [`FileTracker::finish`] returns contradictions, so that no run can pass if a
//! file or a document was overlooked.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::path::{self, Path, PathBuf};
use std::sync::Arc;

use crate::Failure;
use crate::input::{FileNumber, InputFile};
use voxlint::{DocumentKind, Unrecognised};

/// The identity of a file in a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum FileKey {
    StandardInput,
    /// The absolute path as text.
    Text(Arc<str>),
    /// The absolute path, byte for byte, if the text differs from it: a path may not be UTF-8, and `..` leads elsewhere
    /// where a folder is a link.
    Bytes(PathBuf),
}

impl From<&InputFile> for FileKey {
    fn from(input: &InputFile) -> Self {
        let Some(path) = &input.path else { return Self::StandardInput };
        let has_parent = memchr::memmem::find(path.as_os_str().as_encoded_bytes(), b"..").is_some();
        if has_parent || input.absolute.contains(char::REPLACEMENT_CHARACTER) {
            return Self::Bytes(path::absolute(path).unwrap_or_else(|_| path.clone()));
        }
        Self::Text(Arc::clone(&input.absolute))
    }
}

/// How many documents there are of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KindCounts([u32; DocumentKind::ALL.len()]);

impl KindCounts {
    /// Counts one more document.
    pub(crate) fn add(&mut self, kind: DocumentKind) {
        let mut counts = DocumentKind::ALL.into_iter().zip(&mut self.0);
        if let Some((_, count)) = counts.find(|(other, _)| *other == kind) {
            *count += 1;
        }
    }

    /// The kinds of which there are documents, each with their number.
    pub fn iter(&self) -> impl Iterator<Item = (DocumentKind, u32)> {
        DocumentKind::ALL.into_iter().zip(self.0).filter(|(_, count)| *count > 0)
    }

    /// The number of all documents.
    pub fn total(&self) -> u64 {
        self.0.iter().map(|count| u64::from(*count)).sum()
    }
}

/// The status of a file after a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileStatus {
    /// Its documents were checked.
    Checked(DocumentCounts),
    /// It was read for the check of a document.
    Used(FileRole),
    /// It was not checked, for this reason.
    Skipped(SkipReason),
    /// It could not be checked, though it should have been.
    Failed(String),
    /// Its configuration cannot be used, which fails the run once for all of its files.
    Unconfigured,
    /// It could not be read to its end. The documents before that point were checked.
    Truncated(DocumentCounts, String),
}

/// The numbers of documents in a file that was checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentCounts {
    /// How many documents the file has.
    pub documents: u64,
    /// How many documents of each kind were checked.
    pub checked: KindCounts,
    /// How many are not agent documents.
    pub skipped: u64,
    /// The number of the first of those, counted from 1.
    pub first_skipped: Option<u64>,
    /// How many could not be checked.
    pub failed: u64,
}

impl DocumentCounts {
    /// Counts one more document that is not an agent document. `number` counts from 1.
    pub(crate) fn skip(&mut self, number: u64) {
        self.skipped += 1;
        self.first_skipped.get_or_insert(number);
    }

    fn checked(&self) -> u64 {
        self.checked.total()
    }

    /// Why documents were skipped; `None` if none were.
    fn why_skipped(&self) -> Option<String> {
        let first = self.first_skipped?;
        Some(match self.skipped {
            1 => format!("document {first} in it is not an agent document"),
            count => format!(
                "{count} documents in it are not agent documents (the first is document {first})"
            ),
        })
    }
}

/// The use of a file other than as a document to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileRole {
    /// The text of a field, checked as a part of its document.
    Text,
    /// The stored configuration of a document.
    Stored,
    /// Workspace facts.
    Facts,
    /// A baseline.
    Baseline,
    /// A report of this run.
    Report,
    /// A file of the base of a plan.
    Base,
}

impl fmt::Display for FileRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text => "text of a document",
            Self::Stored => "stored configuration of a document",
            Self::Facts => "workspace facts",
            Self::Baseline => "baseline",
            Self::Report => "report of this run",
            Self::Base => "base of the plan",
        })
    }
}

/// Why a file was skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// This pattern of the configuration excludes it.
    Excluded(String),
    /// The configuration has `include`, and no pattern of it matches.
    NotIncluded,
    /// Its extension is not that of a document.
    Name,
    /// It is a link to a folder, which may lead in circles.
    LinkedFolder,
    /// It is a link to a file outside of the project.
    LinkOutside,
    /// It does not contain an agent document, for this reason if one is known.
    NotADocument(Option<Unrecognised>),
    /// It is empty.
    Empty,
    /// Its name begins with a dot.
    Hidden,
    /// Its name is not that of a document, for this reason, but its contents are.
    MayBeDocument(&'static str),
    /// A `.gitignore` file lists it.
    Ignored,
    /// Nothing is checked with it, because of this option.
    LeftOut(&'static str),
    /// Nothing that decides its result has changed since this commit.
    Unchanged(Arc<str>),
    /// The documents are those of this commit or checkout, which does not have it.
    NotIn(Arc<str>),
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Excluded(pattern) => return write!(f, "excluded by `{pattern}`"),
            Self::NotIncluded => "not included by the configuration",
            Self::Name => "unknown extension",
            Self::LinkedFolder => "a link to a folder, which is not followed",
            Self::LinkOutside => "a link out of the project, which is not followed",
            Self::NotADocument(Some(why)) => return why.fmt(f),
            Self::NotADocument(None) => "not an agent document",
            Self::Empty => "the file is empty",
            Self::Hidden => "hidden",
            Self::MayBeDocument(why) => {
                return write!(f, "{why}, but it looks like an agent document");
            }
            Self::Ignored => "listed in .gitignore",
            Self::LeftOut(option) => return write!(f, "left out by `{option}`"),
            Self::Unchanged(commit) => return write!(f, "unchanged since `{commit}`"),
            Self::NotIn(commit) => return write!(f, "not in `{commit}`"),
        })
    }
}

/// Why a file is not checked if its configuration cannot be used.
const UNCONFIGURED: &str = "its configuration cannot be used";

/// The files of a run that is not finished.
#[derive(Clone, Debug, Default)]
pub(crate) struct FileTracker {
    /// The files by their numbers.
    files: Vec<PendingFile>,
    numbers: HashMap<FileKey, FileNumber>,
    /// Files that were not expected, or got two statuses.
    contradictions: Vec<Failure>,
}

#[derive(Clone, Debug)]
struct PendingFile {
    /// The path as users see it.
    shown: Arc<str>,
    absolute: Arc<str>,
    status: Option<FileStatus>,
}

impl FileTracker {
    /// Makes room for files.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.files.reserve(count);
        self.numbers.reserve(count);
    }

    /// Adds a file that needs a status before the run ends. Adding it again has no effect.
    pub(crate) fn expect(&mut self, input: &mut InputFile) {
        let next = FileNumber(self.files.len());
        let number = *self.numbers.entry((&*input).into()).or_insert(next);
        input.number = Some(number);
        if number == next {
            let (shown, absolute) = (Arc::clone(&input.shown), Arc::clone(&input.absolute));
            self.files.push(PendingFile { shown, absolute, status: None });
        }
    }

    fn number(&self, input: &InputFile) -> Option<FileNumber> {
        input.number.or_else(|| self.numbers.get(&input.into()).copied())
    }

    /// Whether a file has its status.
    pub(crate) fn has_status(&self, input: &InputFile) -> bool {
        let file = self.number(input).and_then(|FileNumber(number)| self.files.get(number));
        file.is_some_and(|file| file.status.is_some())
    }

    /// Sets the status of a file.
    pub(crate) fn set_status(&mut self, input: &InputFile, status: FileStatus) {
        let contradiction =
            |why: &str| input.failure(format!("internal error: {why} ({status:?})"));
        let number = self.number(input);
        match number.and_then(|FileNumber(number)| self.files.get_mut(number)) {
            None => self.contradictions.push(contradiction("this file was not expected")),
            // A document may use a file that the configuration excludes.
            Some(PendingFile { status: slot @ Some(FileStatus::Skipped(_)), .. })
                if matches!(status, FileStatus::Used(_)) =>
            {
                *slot = Some(status);
            }
            Some(PendingFile { status: Some(_), .. }) => {
                self.contradictions.push(contradiction("this file has two statuses"));
            }
            Some(entry) => entry.status = Some(status),
        }
    }

    /// The status of every file.
    ///
    /// # Errors
    ///
    /// The contradictions, with the statuses: files without a status, and documents that were neither checked nor skipped.
    pub(crate) fn finish(self) -> Result<FileStatuses, (FileStatuses, Vec<Failure>)> {
        let Self { files, mut contradictions, .. } = self;
        let mut statuses = FileStatuses::default();
        statuses.files.reserve(files.len());
        for PendingFile { shown, absolute, status } in files {
            let mut fail = |why: String| {
                contradictions.push(Failure::new(&*shown, format!("internal error: {why}")));
            };
            let Some(status) = status else {
                fail("this file was neither checked nor skipped".to_owned());
                continue;
            };
            if let FileStatus::Checked(counts) | FileStatus::Truncated(counts, _) = &status {
                let seen = counts.checked() + counts.skipped + counts.failed;
                if seen != counts.documents {
                    fail(format!("{seen} of {} documents were seen", counts.documents));
                }
            }
            statuses.files.push(FileEntry { shown, absolute, status });
        }
        statuses.files.sort_by(|a, b| a.shown.cmp(&b.shown));
        if contradictions.is_empty() { Ok(statuses) } else { Err((statuses, contradictions)) }
    }
}

/// A file and its status.
#[derive(Clone, Debug)]
pub struct FileEntry {
    /// The path as users see it.
    pub shown: Arc<str>,
    /// The absolute path.
    pub absolute: Arc<str>,
    /// The status.
    pub status: FileStatus,
}

impl fmt::Display for FileEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { shown, status, .. } = self;
        match status {
            FileStatus::Checked(counts) => {
                write!(f, "checked {shown}: ")?;
                for (index, (kind, count)) in counts.checked.iter().enumerate() {
                    let comma = if index > 0 { ", " } else { "" };
                    match count {
                        1 => write!(f, "{comma}1 document ({})", kind.name())?,
                        _ => write!(f, "{comma}{count} documents ({})", kind.name())?,
                    }
                }
                if counts.checked() == 0 {
                    f.write_str("no documents")?;
                }
                counts.why_skipped().map_or(Ok(()), |why| write!(f, "; {why}"))
            }
            FileStatus::Used(role) => write!(f, "used    {shown}: {role}"),
            FileStatus::Skipped(reason) => write!(f, "skipped {shown}: {reason}"),
            FileStatus::Failed(why) | FileStatus::Truncated(_, why) => {
                write!(f, "failed  {shown}: {why}")
            }
            FileStatus::Unconfigured => write!(f, "failed  {shown}: {UNCONFIGURED}"),
        }
    }
}

/// The status of every file of a run, sorted by the paths that users see.
#[derive(Clone, Debug, Default)]
pub struct FileStatuses {
    /// The files.
    pub files: Vec<FileEntry>,
}

impl FileStatuses {
    /// How many documents were checked.
    pub fn documents(&self) -> u64 {
        self.counts().map(DocumentCounts::checked).sum()
    }

    /// How many documents were skipped in files with other documents that were checked.
    pub fn skipped_documents(&self) -> u64 {
        self.counts().map(|counts| counts.skipped).sum()
    }

    fn counts(&self) -> impl Iterator<Item = &DocumentCounts> {
        self.files.iter().filter_map(|file| match &file.status {
            FileStatus::Checked(counts) | FileStatus::Truncated(counts, _) => Some(counts),
            _ => None,
        })
    }

    /// Whether a file below a folder was checked, was read for a document, or failed.
    pub(crate) fn has_any_below(&self, folder: &str) -> bool {
        let is_below = |file: &FileEntry| Path::new(&*file.absolute).starts_with(folder);
        let is_skipped = |file: &FileEntry| matches!(file.status, FileStatus::Skipped(_));
        self.files.iter().any(|file| is_below(file) && !is_skipped(file))
    }

    /// How many files failed, with those of `failures` that no document was expected in, such as configurations.
    pub fn failed(&self, failures: &[Failure]) -> u32 {
        let is_failed = |file: &&FileEntry| {
            use FileStatus::{Failed, Truncated, Unconfigured};
            matches!(file.status, Failed(_) | Truncated(..) | Unconfigured)
        };
        let own = self.files.iter().filter(is_failed);
        let own = own.map(|file| &*file.shown);
        let all: BTreeSet<&str> = own.chain(failures.iter().map(|it| &*it.path)).collect();
        all.len() as u32
    }

    /// How many files were skipped.
    pub fn skipped_files(&self) -> usize {
        self.files.iter().filter(|file| file.is_skipped()).count()
    }

    /// The absolute paths of the files that were left out because they have not changed.
    pub fn unchanged(&self) -> impl Iterator<Item = &str> {
        self.files.iter().filter(|file| file.is_unchanged()).map(|file| &*file.absolute)
    }

    /// How many files were skipped by their names although they look like documents.
    pub fn possible_documents(&self) -> usize {
        let is_possible = |file: &&FileEntry| {
            matches!(file.status, FileStatus::Skipped(SkipReason::MayBeDocument(_)))
        };
        self.files.iter().filter(is_possible).count()
    }

    /// How many files were left out because they have not changed. They do not count as skipped.
    pub fn unchanged_files(&self) -> usize {
        self.files.iter().filter(|file| file.is_unchanged()).count()
    }

    /// The skipped files and the files with skipped documents, each with the reason.
    pub fn skipped(&self) -> Vec<(String, String)> {
        let why = |file: &FileEntry| match &file.status {
            FileStatus::Skipped(reason) if !file.is_unchanged() => Some(reason.to_string()),
            FileStatus::Unconfigured => Some(UNCONFIGURED.to_owned()),
            FileStatus::Checked(counts) => counts.why_skipped(),
            FileStatus::Skipped(_)
            | FileStatus::Used(_)
            | FileStatus::Failed(_)
            | FileStatus::Truncated(..) => None,
        };
        self.files.iter().filter_map(|file| Some((file.shown.to_string(), why(file)?))).collect()
    }

    /// The status of each file by its absolute path.
    pub(crate) fn by_path(&self) -> BTreeMap<&str, &FileStatus> {
        self.files.iter().map(|file| (&*file.absolute, &file.status)).collect()
    }

    /// The absolute paths of all files.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|file| &*file.absolute)
    }

    /// The files that exist and were not checked.
    pub(crate) fn unchecked(&self) -> BTreeSet<String> {
        let others = self.files.iter().filter(|it| !matches!(it.status, FileStatus::Checked(_)));
        others.map(|file| file.absolute.to_string()).collect()
    }
}

impl FileEntry {
    fn is_skipped(&self) -> bool {
        matches!(self.status, FileStatus::Skipped(_)) && !self.is_unchanged()
    }

    fn is_unchanged(&self) -> bool {
        matches!(self.status, FileStatus::Skipped(SkipReason::Unchanged(_)))
    }
}
