//! Which files to read.

use std::collections::BTreeMap;
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

/// Everything that the paths of the command line stand for, sorted by the path that is shown, each file once.
pub(crate) fn find(paths: &[PathBuf], stdin_filename: Option<&Path>) -> (Vec<Input>, Vec<Failure>) {
    // By the file's own path: standard input may go by the name of a file that is checked, too.
    let mut inputs: BTreeMap<Option<PathBuf>, Input> = BTreeMap::new();
    let mut failures = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" {
            let shown = stdin_filename.map_or_else(|| "<stdin>".to_owned(), show);
            inputs.insert(None, Input { path: None, shown, is_named: true });
        } else if path.is_dir() {
            walk(path, &mut inputs, &mut failures);
        } else {
            // Whether it is there at all comes out when it is read.
            let path = tidy(path);
            let input = Input { path: Some(path.clone()), shown: show(&path), is_named: true };
            inputs.insert(Some(path), input);
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
    path.components().filter(|part| *part != Component::CurDir).collect()
}

/// A path as it is shown: with forward slashes.
fn show(path: &Path) -> String {
    let shown = path.to_string_lossy();
    if cfg!(windows) { shown.replace('\\', "/") } else { shown.into_owned() }
}
