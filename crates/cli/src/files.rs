//! Which files to read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

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
    let mut inputs: BTreeMap<String, Input> = BTreeMap::new();
    let mut failures = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" {
            let shown = stdin_filename.map_or_else(|| "<stdin>".to_owned(), show);
            inputs.insert(shown.clone(), Input { path: None, shown, is_named: true });
        } else if path.is_dir() {
            walk(path, &mut inputs, &mut failures);
        } else {
            // Whether it is there at all comes out when it is read.
            let shown = show(path);
            inputs.insert(shown.clone(), Input { path: Some(path.clone()), shown, is_named: true });
        }
    }
    (inputs.into_values().collect(), failures)
}

/// The JSON files below a directory that version control does not ignore.
///
/// Only the ignore files of the repository count: those of one person's machine would give another answer elsewhere.
fn walk(directory: &Path, inputs: &mut BTreeMap<String, Input>, failures: &mut Vec<Failure>) {
    let walk =
        WalkBuilder::new(directory).require_git(false).git_global(false).git_exclude(false).build();
    for entry in walk {
        match entry {
            Ok(entry) => {
                let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
                let path = entry.into_path();
                if is_file
                    && path
                        .extension()
                        .is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
                {
                    let shown = show(&path);
                    let input = Input { path: Some(path), shown: shown.clone(), is_named: false };
                    inputs.entry(shown).or_insert(input);
                }
            }
            Err(error) => {
                failures.push(Failure { path: show(directory), message: error.to_string() });
            }
        }
    }
}

/// A path as it is shown: with forward slashes, and without the `./` that says nothing.
fn show(path: &Path) -> String {
    let shown = path.to_string_lossy();
    let shown = if cfg!(windows) { shown.replace('\\', "/") } else { shown.into_owned() };
    match shown.strip_prefix("./") {
        Some(rest) if !rest.is_empty() => rest.to_owned(),
        _ => shown,
    }
}
