//! What became of every file that a run was given or found, and of every document in it.
//!
//! Each file is expected once and settled once. [`Accounting::finish`] says what does not add up, so that no run can end well
//! with a file or a record that nobody has looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{self, Path, PathBuf};

use voxlint::{DocumentKind, Unrecognised};
use voxlint_report::{FailedFile, SkippedFile};

use crate::files::Input;

/// A file, or standard input.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Subject {
    StandardInput,
    /// The absolute path, byte for byte: a name that is not UTF-8 is a name as well.
    File(PathBuf),
}

impl Subject {
    pub(crate) fn of(path: Option<&Path>) -> Self {
        match path {
            Some(path) => Self::File(path::absolute(path).unwrap_or_else(|_| path.to_owned())),
            None => Self::StandardInput,
        }
    }
}

impl From<&Input> for Subject {
    fn from(input: &Input) -> Self {
        Self::of(input.path.as_deref())
    }
}

/// What became of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Its documents were checked.
    Checked(Contents),
    /// It was read for the check of a document.
    Used(Relation),
    Skipped(Reason),
    /// It should have been checked and could not be.
    Failed(String),
    /// Its configuration cannot be used, which fails the run once for all of its files.
    Unconfigured,
    /// It could not be read to its end: what comes before was checked.
    BrokenOff(Contents, String),
}

/// The documents of a file that was checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Contents {
    /// How many documents the file has.
    pub(crate) documents: u64,
    /// How many of them were checked, by their kinds.
    pub(crate) checked: BTreeMap<DocumentKind, u32>,
    /// How many are not ours, and the number of the first of them, from 1.
    pub(crate) foreign: u64,
    pub(crate) first_foreign: Option<u64>,
    /// How many could not be checked.
    pub(crate) failed: u64,
}

impl Contents {
    /// One more document that is not ours. `number` counts from 1.
    pub(crate) fn skip(&mut self, number: u64) {
        self.foreign += 1;
        self.first_foreign.get_or_insert(number);
    }

    fn checked(&self) -> u64 {
        self.checked.values().map(|count| u64::from(*count)).sum()
    }

    /// Why some of the documents were skipped; `None` where none were.
    fn why_skipped(&self) -> Option<String> {
        let first = self.first_foreign?;
        Some(match self.foreign {
            1 => format!("document {first} in it is not an agent document"),
            count => format!(
                "{count} documents in it are not agent documents (the first is document {first})"
            ),
        })
    }
}

/// What a file is to the documents that it was read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Relation {
    /// A text of a document, checked as a part of it.
    Text,
    /// The stored state of a document.
    Stored,
    /// Facts of the workspace.
    Facts,
    Baseline,
    /// The findings of this run are written to it.
    Report,
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text => "text of a document",
            Self::Stored => "stored state of a document",
            Self::Facts => "workspace facts",
            Self::Baseline => "baseline",
            Self::Report => "report of this run",
        })
    }
}

/// Why a file was skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The configuration excludes it, with this pattern.
    Excluded(String),
    /// The configuration lists what it includes, and this is not in the list.
    NotIncluded,
    /// Its name is not that of a document.
    Name,
    /// A link to a folder: it could lead in circles.
    LinkedFolder,
    /// It does not look like one of our documents, for this reason where one is known.
    Foreign(Option<Unrecognised>),
    /// There is nothing in it.
    Empty,
    /// Its name begins with a dot.
    Hidden,
    /// A `.gitignore` file lists it.
    Ignored,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Excluded(pattern) => return write!(f, "excluded by `{pattern}`"),
            Self::NotIncluded => "not included by the configuration",
            Self::Name => "not the name of a document",
            Self::LinkedFolder => "a link to a folder, which is not followed",
            Self::Foreign(Some(why)) => return why.fmt(f),
            Self::Foreign(None) => "not an agent document",
            Self::Empty => "the file is empty",
            Self::Hidden => "hidden",
            Self::Ignored => "listed in .gitignore",
        })
    }
}

/// Why the files of a configuration that cannot be used are not checked.
const UNCONFIGURED: &str = "its configuration cannot be used";

/// See the module.
#[derive(Debug, Default)]
pub(crate) struct Accounting {
    entries: BTreeMap<Subject, Entry>,
    /// What does not add up already.
    contradictions: Vec<FailedFile>,
}

#[derive(Debug)]
struct Entry {
    /// The path as it is shown.
    shown: String,
    absolute: String,
    outcome: Option<Outcome>,
}

impl Accounting {
    /// A file that has to be settled before the run ends. To expect it again changes nothing.
    pub(crate) fn expect(&mut self, input: &Input) {
        self.entries.entry(input.into()).or_insert_with(|| Entry {
            shown: input.shown.clone(),
            absolute: input.absolute.clone(),
            outcome: None,
        });
    }

    /// Whether it is known what became of a file.
    pub(crate) fn is_settled(&self, input: &Input) -> bool {
        self.entries.get(&input.into()).is_some_and(|entry| entry.outcome.is_some())
    }

    /// Says what became of a file.
    pub(crate) fn settle(&mut self, input: &Input, outcome: Outcome) {
        let contradiction =
            |why: &str| input.failure(format!("internal error: {why} ({outcome:?})"));
        match self.entries.get_mut(&input.into()) {
            None => self.contradictions.push(contradiction("nobody has expected this file")),
            // A document may use what the configuration excludes.
            Some(Entry { outcome: slot @ Some(Outcome::Skipped(_)), .. })
                if matches!(outcome, Outcome::Used(_)) =>
            {
                *slot = Some(outcome);
            }
            Some(Entry { outcome: Some(_), .. }) => {
                self.contradictions.push(contradiction("this file is settled twice"));
            }
            Some(entry) => entry.outcome = Some(outcome),
        }
    }

    /// What became of everything.
    ///
    /// # Errors
    ///
    /// What does not add up: files that were neither checked nor skipped, and documents that were lost.
    pub(crate) fn finish(self) -> Result<Accounts, (Accounts, Vec<FailedFile>)> {
        let Self { entries, mut contradictions } = self;
        let mut accounts = Accounts::default();
        for Entry { shown, absolute, outcome } in entries.into_values() {
            let mut fail = |why: String| {
                let message = format!("internal error: {why}");
                contradictions.push(FailedFile { path: shown.clone(), message });
            };
            let Some(outcome) = outcome else {
                fail("this file was neither checked nor skipped".to_owned());
                continue;
            };
            if let Outcome::Checked(contents) | Outcome::BrokenOff(contents, _) = &outcome {
                let seen = contents.checked() + contents.foreign + contents.failed;
                if seen != contents.documents {
                    fail(format!("{seen} of {} documents were seen", contents.documents));
                }
            }
            accounts.files.push(Account { shown, absolute, outcome });
        }
        accounts.files.sort_by(|a, b| a.shown.cmp(&b.shown));
        if contradictions.is_empty() { Ok(accounts) } else { Err((accounts, contradictions)) }
    }
}

/// What became of one file.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    /// The path as it is shown.
    pub(crate) shown: String,
    pub(crate) absolute: String,
    pub(crate) outcome: Outcome,
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { shown, outcome, .. } = self;
        match outcome {
            Outcome::Checked(contents) => {
                write!(f, "checked {shown}: ")?;
                for (index, (kind, count)) in contents.checked.iter().enumerate() {
                    let comma = if index > 0 { ", " } else { "" };
                    match count {
                        1 => write!(f, "{comma}1 document ({})", kind.name())?,
                        _ => write!(f, "{comma}{count} documents ({})", kind.name())?,
                    }
                }
                if contents.checked.is_empty() {
                    f.write_str("no documents")?;
                }
                contents.why_skipped().map_or(Ok(()), |why| write!(f, "; {why}"))
            }
            Outcome::Used(relation) => write!(f, "used    {shown}: {relation}"),
            Outcome::Skipped(reason) => write!(f, "skipped {shown}: {reason}"),
            Outcome::Failed(why) | Outcome::BrokenOff(_, why) => {
                write!(f, "failed  {shown}: {why}")
            }
            Outcome::Unconfigured => write!(f, "failed  {shown}: {UNCONFIGURED}"),
        }
    }
}

/// What became of everything, by the path that is shown.
#[derive(Clone, Debug, Default)]
pub(crate) struct Accounts {
    pub(crate) files: Vec<Account>,
}

impl Accounts {
    /// How many documents were checked.
    pub(crate) fn documents(&self) -> u64 {
        self.contents().map(Contents::checked).sum()
    }

    /// How many documents were skipped in files of which others were checked.
    pub(crate) fn foreign_documents(&self) -> u64 {
        self.contents().map(|contents| contents.foreign).sum()
    }

    fn contents(&self) -> impl Iterator<Item = &Contents> {
        self.files.iter().filter_map(|file| match &file.outcome {
            Outcome::Checked(contents) | Outcome::BrokenOff(contents, _) => Some(contents),
            _ => None,
        })
    }

    /// Whether a file below a folder was checked, or read for the check of a document, or failed.
    pub(crate) fn has_any_below(&self, folder: &str) -> bool {
        let is_below = |file: &Account| Path::new(&file.absolute).starts_with(folder);
        let is_skipped = |file: &Account| matches!(file.outcome, Outcome::Skipped(_));
        self.files.iter().any(|file| is_below(file) && !is_skipped(file))
    }

    /// How many files failed: those that should have been checked, and others that the run needs.
    pub(crate) fn failed(&self, failures: &[FailedFile]) -> u32 {
        let is_failed = |file: &&Account| {
            use Outcome::{BrokenOff, Failed, Unconfigured};
            matches!(file.outcome, Failed(_) | BrokenOff(..) | Unconfigured)
        };
        let own = self.files.iter().filter(is_failed);
        let own = own.map(|file| &*file.shown);
        let all: BTreeSet<&str> = own.chain(failures.iter().map(|it| &*it.path)).collect();
        all.len() as u32
    }

    /// How many files were skipped.
    pub(crate) fn skipped_files(&self) -> usize {
        self.files.iter().filter(|file| file.is_skipped()).count()
    }

    /// What was skipped, for reports: files, and documents beside others.
    pub(crate) fn skipped(&self) -> Vec<SkippedFile> {
        let why = |file: &Account| match &file.outcome {
            Outcome::Skipped(reason) => Some(reason.to_string()),
            Outcome::Unconfigured => Some(UNCONFIGURED.to_owned()),
            Outcome::Checked(contents) => contents.why_skipped(),
            Outcome::Used(_) | Outcome::Failed(_) | Outcome::BrokenOff(..) => None,
        };
        self.files
            .iter()
            .filter_map(|file| Some(SkippedFile { path: file.shown.clone(), why: why(file)? }))
            .collect()
    }

    /// What became of each file, by its absolute path.
    pub(crate) fn outcomes(&self) -> BTreeMap<&str, &Outcome> {
        self.files.iter().map(|file| (&*file.absolute, &file.outcome)).collect()
    }

    /// The files that were seen, whatever became of them.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|file| &*file.absolute)
    }

    /// The files that are there and in which nothing was checked.
    pub(crate) fn unchecked(&self) -> BTreeSet<String> {
        let others = self.files.iter().filter(|it| !matches!(it.outcome, Outcome::Checked(_)));
        others.map(|file| file.absolute.clone()).collect()
    }
}

impl Account {
    fn is_skipped(&self) -> bool {
        matches!(self.outcome, Outcome::Skipped(_))
    }
}
