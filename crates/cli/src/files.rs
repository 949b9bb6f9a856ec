//! Which files to read.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

use ignore::WalkBuilder;
use voxlint_report::Failure;

/// A file to read.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// Where it lies; `None` is standard input.
    pub(crate) path: Option<PathBuf>,
    /// The path as it is shown.
    pub(crate) shown: String,
    /// Whether it was named, and not found in a directory: then it is never passed over.
    pub(crate) is_named: bool,
}

impl Input {
    /// The bytes of the file, or why they cannot be had.
    pub(crate) fn read(&self) -> Result<Vec<u8>, Failure> {
        let fail = |message: String| Failure { path: self.shown.clone(), message };
        let read = if let Some(path) = &self.path {
            if let Some(format) = format_to_come(path) {
                return Err(fail(format!("{format} is not read yet: voxlint reads JSON")));
            }
            fs::read(path)
        } else {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
        };
        read.map_err(|error| fail(describe(&error)))
    }
}

/// Whether more than one of the paths stands for standard input, which can be read once.
pub(crate) fn name_stdin_twice<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> bool {
    paths.into_iter().filter(|path| path.as_os_str() == "-").count() > 1
}

/// What to say then.
pub(crate) const ONE_STDIN: &str = "standard input can stand for one file only";

/// One file that was named, or standard input.
pub(crate) fn named(path: &Path, stdin_filename: Option<&Path>) -> Input {
    if path.as_os_str() == "-" {
        let shown = stdin_filename.map_or_else(|| "<stdin>".to_owned(), show);
        return Input { path: None, shown, is_named: true };
    }
    // Whether it is there at all comes out when it is read.
    let path = tidy(path);
    Input { shown: show(&path), path: Some(path), is_named: true }
}

/// Everything that the paths of the command line stand for, sorted by the path that is shown, each file once.
pub(crate) fn find(paths: &[PathBuf], stdin_filename: Option<&Path>) -> (Vec<Input>, Vec<Failure>) {
    // By the file's own path: standard input may go by the name of a file that is checked, too.
    let mut inputs: BTreeMap<Option<PathBuf>, Input> = BTreeMap::new();
    let mut failures = Vec::new();
    for path in paths {
        if path.is_dir() {
            walk(path, &mut inputs, &mut failures);
        } else {
            let input = named(path, stdin_filename);
            inputs.insert(input.path.clone(), input);
        }
    }
    let mut inputs: Vec<Input> = inputs.into_values().collect();
    inputs.sort_by(|a, b| (&a.shown, &a.path).cmp(&(&b.shown, &b.path)));
    (inputs, failures)
}

/// The JSON files below a directory that version control does not ignore.
///
/// Only the ignore files of the repository count: those of one person's machine would give another answer elsewhere.
fn walk(
    directory: &Path,
    inputs: &mut BTreeMap<Option<PathBuf>, Input>,
    failures: &mut Vec<Failure>,
) {
    let walk =
        WalkBuilder::new(directory).require_git(false).git_global(false).git_exclude(false).build();
    for entry in walk {
        match entry {
            Ok(entry) => {
                let kind = entry.file_type();
                let path = tidy(entry.path());
                // A link to a file is one of the team's files; a link to a directory could lead in circles.
                let is_file = kind
                    .is_some_and(|kind| kind.is_file() || (kind.is_symlink() && path.is_file()));
                if is_file
                    && path
                        .extension()
                        .is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
                {
                    let input =
                        Input { path: Some(path.clone()), shown: show(&path), is_named: false };
                    inputs.entry(Some(path)).or_insert(input);
                }
            }
            Err(error) => {
                failures.push(Failure { path: show(directory), message: error.to_string() });
            }
        }
    }
}

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

/// The format that a file's name announces, if it is one that voxlint does not read yet.
fn format_to_come(path: &Path) -> Option<&'static str> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    match extension.as_str() {
        "yaml" | "yml" => Some("YAML"),
        "toml" => Some("TOML"),
        "jsonc" => Some("JSON with comments"),
        "ndjson" | "jsonl" => Some("NDJSON"),
        "hbs" | "handlebars" => Some("a template file"),
        _ => None,
    }
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
