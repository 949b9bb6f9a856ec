//! Which files to read.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use voxlint::syntax::Format;
use voxlint::{Document, DocumentKind, Source};
use voxlint_config::FileSettings;
use voxlint_report::FailedFile;
use walkdir::WalkDir;

use crate::accounting::{Accounting, Outcome, Reason};
use crate::paths::{absolute, describe, folder, is_there, join, slashes, tidy};
use crate::project::{CONFIGURATION_NAME, Project};

/// How the documents of a file are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// The whole file is one text, of one document or more.
    Text(Format),
    /// JSON, a document a line.
    Lines,
}

/// The layouts by the extensions of file names. What is called otherwise and was named is JSON.
const LAYOUTS: [(&str, Layout); 9] = [
    ("json", Layout::Text(Format::Json)),
    ("jsonc", Layout::Text(Format::Jsonc)),
    ("ndjson", Layout::Lines),
    ("jsonl", Layout::Lines),
    ("yaml", Layout::Text(Format::Yaml)),
    ("yml", Layout::Text(Format::Yaml)),
    ("toml", Layout::Text(Format::Toml)),
    ("hbs", Layout::Text(Format::Text)),
    ("handlebars", Layout::Text(Format::Text)),
];

/// What standard input is called without another name.
const STDIN: &str = "<stdin>";

/// How the command line wants files to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading<'a> {
    /// The name that standard input goes by.
    pub(crate) stdin_filename: Option<&'a Path>,
    /// Whether what would be JSON may have comments and trailing commas.
    pub(crate) jsonc: bool,
}

/// A file to read.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// Where it lies; `None` is standard input.
    pub(crate) path: Option<PathBuf>,
    /// The path as it is shown.
    pub(crate) shown: String,
    /// The path wherever voxlint was started: configurations speak of it. Standard input has that of the name that it goes by.
    pub(crate) absolute: String,
    /// The path that related files are looked for from: that of the name that standard input goes by; `None` where it has none.
    pub(crate) location: Option<PathBuf>,
    /// Whether it is never skipped: it was named, and not found in a directory.
    pub(crate) is_named: bool,
    /// The kind of its documents, where what it is to another document says so.
    pub(crate) kind: Option<DocumentKind>,
    /// How it is written.
    layout: Layout,
}

impl Input {
    /// A text that is kept in a file of its own, whatever that is called.
    pub(crate) fn text(path: &Path, project: &Project) -> Self {
        let absolute = absolute(path);
        Self {
            shown: path.to_str().map_or_else(|| slashes(path), |_| project.shown(&absolute)),
            absolute,
            path: Some(path.to_owned()),
            location: Some(path.to_owned()),
            is_named: false,
            kind: Some(DocumentKind::Template),
            layout: Layout::Text(Format::Text),
        }
    }

    /// Whether the file has a document on each line, and may be longer than what fits into memory.
    pub(crate) fn is_lines(&self) -> bool {
        self.layout == Layout::Lines
    }

    /// Whether this is standard input without a name that tells its format.
    pub(crate) fn is_unnamed_stdin(&self) -> bool {
        self.path.is_none() && self.shown == STDIN
    }

    /// Whether the file is one text.
    pub(crate) fn is_text(&self) -> bool {
        self.layout == Layout::Text(Format::Text)
    }

    /// The bytes of the file, or why they cannot be had.
    pub(crate) fn read(&self) -> Result<Vec<u8>, FailedFile> {
        let read = if let Some(path) = &self.path {
            fs::read(path)
        } else {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
        };
        read.map_err(|error| self.fail(&error))
    }

    /// The bytes of the file, one after the other.
    pub(crate) fn open(&self) -> Result<Box<dyn Read>, FailedFile> {
        Ok(match &self.path {
            Some(path) => Box::new(File::open(path).map_err(|error| self.fail(&error))?),
            None => Box::new(io::stdin().lock()),
        })
    }

    /// The documents of the file's text.
    pub(crate) fn documents(&self, source: &Source) -> Vec<Document> {
        Document::parse_all(source.clone(), self.format())
    }

    /// The one document of the file's text, or why there is none.
    pub(crate) fn document(&self, source: &Source) -> Result<Document, FailedFile> {
        let mut documents = self.documents(source);
        let count = if self.is_lines() {
            source.text().lines().filter(|line| !line.trim_ascii().is_empty()).count()
        } else {
            documents.len()
        };
        match documents.pop() {
            Some(document) if count <= 1 => Ok(document),
            _ => Err(self.failure(format!("contains {count} documents, but only one is allowed"))),
        }
    }

    /// Whether the file is called as documents are, and not as a configuration.
    pub(crate) fn is_called_as_documents_are(&self) -> bool {
        self.path.as_deref().is_some_and(is_called_as_documents_are)
    }

    /// A template is text, whatever its file is called.
    fn read_templates_as_text(&mut self, project: &Project, naming: Naming) {
        let by_settings = || project.settings(&self.absolute)?.kind().map(|stated| stated.value);
        if naming.kind.or_else(by_settings) == Some(DocumentKind::Template) {
            self.layout = Layout::Text(Format::Text);
        }
    }

    /// The format of the text; of a file of lines, that of a line.
    fn format(&self) -> Format {
        match self.layout {
            Layout::Text(format) => format,
            Layout::Lines => Format::Json,
        }
    }

    /// What could not be done with the file.
    pub(crate) fn failure(&self, message: String) -> FailedFile {
        FailedFile { path: self.shown.clone(), message }
    }

    /// Why what belongs to the file cannot be found: configurations know paths as text. `needs_name`: some of it goes by the
    /// name of the file, and not by its folder alone.
    pub(crate) fn lost(&self, needs_name: bool) -> Option<FailedFile> {
        let path = self.location.as_deref()?;
        let needed = if needs_name { Some(path) } else { path.parent() };
        needed.filter(|path| path.to_str().is_none()).map(|_| {
            let why =
                "the path is not UTF-8, so the configuration and related files cannot be found";
            self.failure(format!("{why}: rename it"))
        })
    }

    /// Why the file cannot be read.
    pub(crate) fn fail(&self, error: &io::Error) -> FailedFile {
        self.failure(describe(error))
    }
}

/// What the paths of the command line stand for.
#[derive(Default)]
pub(crate) struct Found {
    /// The files to check, sorted by the path that is shown, each once.
    pub(crate) inputs: Vec<Input>,
    /// The files that are skipped for their names or paths, unless a document has them as its text. They are not settled yet.
    pub(crate) left_out: Vec<LeftOut>,
    /// The folders in which everything was found.
    pub(crate) folders: Vec<String>,
    pub(crate) failures: Vec<FailedFile>,
}

/// A file that is skipped for its name or path.
pub(crate) struct LeftOut {
    pub(crate) input: Input,
    pub(crate) reason: Reason,
    /// Whether it is listed on the command line by itself.
    pub(crate) is_listed: bool,
}

/// What becomes of files that are named.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Naming {
    /// The configuration leaves them out as it does those that are found.
    pub(crate) force_exclude: bool,
    /// Those that are not documents are skipped, as they are where they are found.
    pub(crate) only_documents: bool,
    /// The kind of all of them, where the command line states it.
    pub(crate) kind: Option<DocumentKind>,
}

/// A file that the command line stands for.
struct Candidate {
    input: Input,
    /// Whether somebody has named it, or an excluded folder that it lies in.
    is_asked_for: bool,
    /// Whether it is listed on the command line by itself, so that somebody should hear of it when it is not checked.
    is_listed: bool,
    /// Why it cannot be checked, whatever the configuration says of it.
    obstacle: Option<Outcome>,
}

/// Candidates by the files' own paths: standard input may go by the name of a file that is checked as well.
type Candidates = BTreeMap<Option<PathBuf>, Candidate>;

impl Candidate {
    /// Why the file is skipped, as far as its name says so; `None` where it is checked.
    fn skipped(&self, project: &Project, naming: Naming) -> Option<Reason> {
        let Self { input, is_asked_for, .. } = self;
        let settings = project.settings(&input.absolute);
        let pattern = settings.as_ref().and_then(FileSettings::excluded_by);
        if let Some(pattern) = pattern.filter(|_| naming.force_exclude || !is_asked_for) {
            return Some(Reason::Excluded(pattern.text.clone()));
        }
        let is_included = settings.as_ref().and_then(FileSettings::is_included);
        if input.is_named || self.obstacle.is_some() {
            None
        } else if !input.is_called_as_documents_are() && !input.is_text() {
            Some(Reason::Name)
        } else if is_included == Some(false) {
            Some(Reason::NotIncluded)
        } else {
            None
        }
    }
}

impl Reading<'_> {
    /// One file that was named, or standard input.
    pub(crate) fn named(self, path: &Path) -> Input {
        if path.as_os_str() == "-" {
            let shown = self.stdin_filename.map_or_else(|| STDIN.to_owned(), slashes);
            let layout = self.layout(self.stdin_filename.unwrap_or(path));
            let absolute = absolute(self.stdin_filename.unwrap_or(Path::new(STDIN)));
            let location = self.stdin_filename.map(tidy);
            let (path, is_named, kind) = (None, true, None);
            return Input { path, shown, absolute, location, is_named, kind, layout };
        }
        // Whether it is there at all comes out when it is read.
        self.file(path, true)
    }

    /// Everything that the paths of the command line stand for. What cannot be checked is settled, but for what is left out: a
    /// document may have it as its text. A file that is named is skipped only where somebody insists on it.
    pub(crate) fn find(
        self,
        paths: &[PathBuf],
        project: &mut Project,
        naming: Naming,
        accounting: &mut Accounting,
    ) -> Found {
        let mut candidates = Candidates::new();
        let mut found = Found::default();
        for path in paths {
            if path.is_dir() {
                let failures = found.failures.len();
                let is_left_alone = naming.force_exclude;
                self.walk(path, is_left_alone, project, &mut candidates, &mut found.failures);
                if found.failures.len() == failures {
                    found.folders.push(absolute(path));
                }
            } else {
                let mut input = self.named(path);
                // What is not there is told of, whatever it is called.
                input.is_named = !(naming.only_documents && path.is_file());
                let key = input.path.clone();
                let (is_asked_for, is_listed, obstacle) = (true, true, None);
                let candidate = Candidate { input, is_asked_for, is_listed, obstacle };
                candidates.insert(key, candidate);
            }
        }
        for mut candidate in candidates.into_values() {
            project.look_up(folder(&candidate.input.absolute));
            candidate.input.read_templates_as_text(project, naming);
            let skipped = candidate.skipped(project, naming);
            let Candidate { input, is_listed, obstacle, .. } = candidate;
            accounting.expect(&input);
            match (skipped, obstacle) {
                (Some(reason), _) => found.left_out.push(LeftOut { input, reason, is_listed }),
                (None, None) => found.inputs.push(input),
                (None, Some(outcome)) => {
                    if let Outcome::Failed(message) = &outcome {
                        found.failures.push(input.failure(message.clone()));
                    }
                    accounting.settle(&input, outcome);
                }
            }
        }
        found.inputs.sort_by(|a, b| (&a.shown, &a.path).cmp(&(&b.shown, &b.path)));
        found
    }

    /// Everything below some folders that a run over them would check, as far as the configurations that have been read
    /// speak of it. No other is read, and folders that cannot be entered are left alone here.
    pub(crate) fn around(self, folders: &[String], project: &mut Project) -> Vec<Input> {
        let mut candidates = Candidates::new();
        for folder in folders {
            let shown = project.shown(folder);
            let folder = Path::new(if shown.is_empty() { "." } else { &shown });
            self.walk(folder, true, project, &mut candidates, &mut Vec::new());
        }
        let naming = Naming { force_exclude: true, only_documents: true, kind: None };
        let mut inputs = Vec::new();
        for mut candidate in candidates.into_values() {
            if candidate.obstacle.is_some()
                || !project.look_up_known(folder(&candidate.input.absolute))
            {
                continue;
            }
            candidate.input.read_templates_as_text(project, naming);
            if candidate.skipped(project, naming).is_none() {
                inputs.push(candidate.input);
            }
        }
        inputs
    }

    /// The files below a directory that are called as documents are and that version control does not ignore.
    ///
    /// Only the `.gitignore` files of the repository count, from its root on, as in git. Those of one person's machine, and
    /// those above the root, would give another answer elsewhere.
    fn walk(
        self,
        directory: &Path,
        force_exclude: bool,
        project: &mut Project,
        candidates: &mut Candidates,
        failures: &mut Vec<FailedFile>,
    ) {
        let start = absolute(directory);
        project.look_up(&start);
        let leaves_out = project.leaves_out(&start);
        // Who names a folder that is left out wants to see what is in it.
        let is_asked_for = leaves_out(&start) && !force_exclude;
        let top = start.clone();
        let above = directory.to_owned();
        let enters = move |entry: &ignore::DirEntry| {
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            let Ok(way) = entry.path().strip_prefix(&above) else { return true };
            is_asked_for || !is_folder || !leaves_out(&join(&top, &slashes(way)))
        };
        for entry in tracked(directory).filter_entry(enters).build() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    failures
                        .push(FailedFile { path: slashes(directory), message: error.to_string() });
                    continue;
                }
            };
            let path = entry.path();
            let obstacle = obstacle(&entry);
            let is_file = entry.file_type().is_some_and(|kind| !kind.is_dir());
            let is_candidate =
                is_file && (is_called_as_documents_are(path) || project.makes_template(path));
            if is_candidate || obstacle == Some(Outcome::Skipped(Reason::LinkedFolder)) {
                let input = self.file(path, false);
                let key = input.path.clone();
                let candidate = Candidate { input, is_asked_for, is_listed: false, obstacle };
                candidates.entry(key).or_insert(candidate);
            }
        }
    }

    fn file(self, path: &Path, is_named: bool) -> Input {
        let path = tidy(path);
        let layout = self.layout(&path);
        let absolute = absolute(&path);
        let (shown, location) = (slashes(&path), Some(path.clone()));
        Input { shown, absolute, path: Some(path), location, is_named, kind: None, layout }
    }

    fn layout(self, name: &Path) -> Layout {
        match by_extension(name).unwrap_or(Layout::Text(Format::Json)) {
            Layout::Text(Format::Json) if self.jsonc => Layout::Text(Format::Jsonc),
            layout => layout,
        }
    }
}

/// What lies below a directory and is not even looked at: the files that are called as documents are, and whole folders,
/// each with the reason.
pub(crate) fn unvisited(directory: &Path, project: &mut Project) -> Vec<(String, Reason)> {
    let start = absolute(directory);
    project.look_up(&start);
    let seen: BTreeSet<PathBuf> =
        tracked(directory).build().flatten().map(ignore::DirEntry::into_path).collect();
    let mut unvisited = Vec::new();
    let mut all = WalkDir::new(directory).sort_by_file_name().into_iter();
    while let Some(entry) = all.next() {
        let Ok(entry) = entry else { continue };
        let path = entry.path();
        let is_folder = entry.file_type().is_dir();
        if is_folder && entry.file_name() == ".git" {
            all.skip_current_dir();
            continue;
        }
        let name = entry.file_name().as_encoded_bytes();
        let reason = if is_folder && entry.depth() > 0 {
            let absolute = absolute(path);
            project.look_up(&absolute);
            project.excludes_all_in(&absolute).map(Reason::Excluded)
        } else if !is_called_as_documents_are(path) {
            continue;
        } else {
            None
        };
        // What has been looked at is in the account.
        if reason.is_none() && seen.contains(path) {
            continue;
        }
        let by_name = if name.starts_with(b".") { Reason::Hidden } else { Reason::Ignored };
        let reason = reason.unwrap_or(by_name);
        let slash = if is_folder { "/" } else { "" };
        unvisited.push((format!("{}{slash}", slashes(&tidy(path))), reason));
        if is_folder {
            all.skip_current_dir();
        }
    }
    unvisited
}

/// Walks over what version control does not ignore.
fn tracked(directory: &Path) -> WalkBuilder {
    let mut walk = WalkBuilder::new(directory);
    walk.ignore(false).require_git(true).git_global(false).git_exclude(false);
    walk
}

/// Why something that was found in a folder cannot be read: a link to a file is one of the team's files, but a link to a
/// folder could lead in circles, and one that leads nowhere hides a document.
fn obstacle(entry: &ignore::DirEntry) -> Option<Outcome> {
    let kind = entry.file_type()?;
    if kind.is_file() || kind.is_dir() {
        return None;
    }
    if kind.is_symlink() && entry.path().is_dir() {
        // The folder that was asked for is followed.
        return (entry.depth() > 0).then_some(Outcome::Skipped(Reason::LinkedFolder));
    }
    match is_there(entry.path()) {
        Ok(true) => None,
        Ok(false) => Some(Outcome::Failed("no such file or directory".to_owned())),
        Err(message) => Some(Outcome::Failed(message)),
    }
}

fn by_extension(path: &Path) -> Option<Layout> {
    let extension = path.extension()?;
    let (_, layout) = LAYOUTS.iter().find(|(known, _)| extension.eq_ignore_ascii_case(known))?;
    Some(*layout)
}

fn is_called_as_documents_are(path: &Path) -> bool {
    let is_configuration = path.file_name().is_some_and(|name| name == CONFIGURATION_NAME);
    !is_configuration && by_extension(path).is_some()
}

/// Whether more than one of the paths stands for standard input, which can be read once.
pub(crate) fn name_stdin_twice<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> bool {
    paths.into_iter().filter(|path| path.as_os_str() == "-").count() > 1
}

/// What to say then.
pub(crate) const ONE_STDIN: &str = "only one file can be standard input";
