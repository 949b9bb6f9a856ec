//! Which files to read.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use ignore::WalkBuilder;
use voxlint::syntax::Format;
use voxlint::{Document, Source};
use voxlint_report::Failure;

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
    /// Whether it was named, and not found in a directory: then it is never passed over.
    pub(crate) is_named: bool,
    /// How it is written.
    layout: Layout,
}

impl Input {
    /// Whether the file has a document on each line, and may be longer than what fits into memory.
    pub(crate) fn is_lines(&self) -> bool {
        self.layout == Layout::Lines
    }

    /// Whether the file is one text.
    pub(crate) fn is_text(&self) -> bool {
        self.layout == Layout::Text(Format::Text)
    }

    /// The bytes of the file, or why they cannot be had.
    pub(crate) fn read(&self) -> Result<Vec<u8>, Failure> {
        let read = if let Some(path) = &self.path {
            fs::read(path)
        } else {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
        };
        read.map_err(|error| self.fail(&error))
    }

    /// The bytes of the file, one after the other.
    pub(crate) fn open(&self) -> Result<Box<dyn Read>, Failure> {
        Ok(match &self.path {
            Some(path) => Box::new(File::open(path).map_err(|error| self.fail(&error))?),
            None => Box::new(io::stdin().lock()),
        })
    }

    /// The documents of the file's text.
    pub(crate) fn documents<'a>(&self, source: &'a Source<'_>) -> Vec<Document<'a>> {
        Document::parse_all(source, self.format())
    }

    /// The one document of the file's text, or why there is none.
    pub(crate) fn document<'a>(&self, source: &'a Source<'_>) -> Result<Document<'a>, Failure> {
        let mut documents = self.documents(source);
        let count = if self.is_lines() {
            source.text().lines().filter(|line| !line.trim_ascii().is_empty()).count()
        } else {
            documents.len()
        };
        match documents.pop() {
            Some(document) if count <= 1 => Ok(document),
            _ => Err(self.failure(format!("holds {count} documents, and one is wanted"))),
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
    pub(crate) fn failure(&self, message: String) -> Failure {
        Failure { path: self.shown.clone(), message }
    }

    /// Why the file cannot be read.
    pub(crate) fn fail(&self, error: &io::Error) -> Failure {
        self.failure(describe(error))
    }
}

impl Reading<'_> {
    /// One file that was named, or standard input.
    pub(crate) fn named(self, path: &Path) -> Input {
        if path.as_os_str() == "-" {
            let shown = self.stdin_filename.map_or_else(|| "<stdin>".to_owned(), show);
            let layout = self.layout(self.stdin_filename.unwrap_or(path));
            return Input { path: None, shown, is_named: true, layout };
        }
        // Whether it is there at all comes out when it is read.
        self.file(path, true)
    }

    /// Everything that the paths of the command line stand for, sorted by the path that is shown, each file once.
    pub(crate) fn find(self, paths: &[PathBuf]) -> (Vec<Input>, Vec<Failure>) {
        // By the file's own path: standard input may go by the name of a file that is checked, too.
        let mut inputs: BTreeMap<Option<PathBuf>, Input> = BTreeMap::new();
        let mut failures = Vec::new();
        for path in paths {
            if path.is_dir() {
                self.walk(path, &mut inputs, &mut failures);
            } else {
                let input = self.named(path);
                inputs.insert(input.path.clone(), input);
            }
        }
        let mut inputs: Vec<Input> = inputs.into_values().collect();
        inputs.sort_by(|a, b| (&a.shown, &a.path).cmp(&(&b.shown, &b.path)));
        (inputs, failures)
    }

    /// The files below a directory that are called as documents are and that version control does not ignore.
    ///
    /// Only the ignore files of the repository count: those of one person's machine would give another answer elsewhere.
    fn walk(
        self,
        directory: &Path,
        inputs: &mut BTreeMap<Option<PathBuf>, Input>,
        failures: &mut Vec<Failure>,
    ) {
        let walk = WalkBuilder::new(directory)
            .require_git(false)
            .git_global(false)
            .git_exclude(false)
            .build();
        for entry in walk {
            match entry {
                Ok(entry) => {
                    let kind = entry.file_type();
                    let path = entry.path();
                    // A link to a file is one of the team's files; a link to a directory could lead in circles.
                    let is_file = kind.is_some_and(|kind| {
                        kind.is_file() || (kind.is_symlink() && path.is_file())
                    });
                    if is_file && by_extension(path).is_some() {
                        let input = self.file(path, false);
                        inputs.entry(input.path.clone()).or_insert(input);
                    }
                }
                Err(error) => {
                    failures.push(Failure { path: show(directory), message: error.to_string() });
                }
            }
        }
    }

    fn file(self, path: &Path, is_named: bool) -> Input {
        let path = tidy(path);
        let layout = self.layout(&path);
        Input { shown: show(&path), path: Some(path), is_named, layout }
    }

    fn layout(self, name: &Path) -> Layout {
        match by_extension(name).unwrap_or(Layout::Text(Format::Json)) {
            Layout::Text(Format::Json) if self.jsonc => Layout::Text(Format::Jsonc),
            layout => layout,
        }
    }
}

fn by_extension(path: &Path) -> Option<Layout> {
    let extension = path.extension()?;
    let (_, layout) = LAYOUTS.iter().find(|(known, _)| extension.eq_ignore_ascii_case(known))?;
    Some(*layout)
}

/// Whether more than one of the paths stands for standard input, which can be read once.
pub(crate) fn name_stdin_twice<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> bool {
    paths.into_iter().filter(|path| path.as_os_str() == "-").count() > 1
}

/// What to say then.
pub(crate) const ONE_STDIN: &str = "standard input can stand for one file only";

/// The path without what says nothing: `./agents//en.json` is `agents/en.json`.
fn tidy(path: &Path) -> PathBuf {
    let tidy: PathBuf = path.components().filter(|part| *part != Component::CurDir).collect();
    if tidy.as_os_str().is_empty() { path.to_owned() } else { tidy }
}

/// A path as it is shown: with forward slashes.
fn show(path: &Path) -> String {
    let shown = path.to_string_lossy();
    if cfg!(windows) { shown.replace('\\', "/") } else { shown.into_owned() }
}

/// What went wrong, without the number that the operating system gives it.
fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or directory".to_owned(),
        io::ErrorKind::IsADirectory => "this is a directory".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}
