//! Paths as they are told apart, and as they are shown.

use std::env;
use std::fs;
use std::io;
use std::path::{self, Path, PathBuf};

use voxlint_config::normalize_path;
use voxlint_report::Repository;

/// The folder that voxlint was started in, absolute and with forward slashes.
pub(crate) fn here() -> String {
    env::current_dir().map_or_else(|_| "/".to_owned(), |path| slashes(&path))
}

/// A path that does not depend on the folder that voxlint was started in.
pub(crate) fn absolute(path: &Path) -> String {
    normalize_path(&slashes(&path::absolute(path).unwrap_or_else(|_| path.to_owned())))
}

/// The folder that a file lies in.
pub(crate) fn folder(absolute: &str) -> &str {
    match absolute.rsplit_once('/') {
        Some(("", _)) | None => "/",
        Some((folder, _)) => folder,
    }
}

/// The folder that a folder lies in.
pub(crate) fn above(folder: &str) -> Option<&str> {
    let (above, name) = folder.rsplit_once('/')?;
    match (above, name) {
        ("", "") => None,
        ("", _) => Some("/"),
        (above, _) => Some(above),
    }
}

/// A file in a folder.
pub(crate) fn join(folder: &str, name: &str) -> String {
    normalize_path(&format!("{folder}/{name}"))
}

/// The way from a folder to an absolute path, or the path itself where the two have nothing in common.
pub(crate) fn relative(folder: &str, absolute: &str) -> String {
    let from = Repository { root: folder.to_owned(), prefix: String::new() };
    let way = from.relative(absolute);
    let steps_up = way.split('/').take_while(|name| *name == "..").count();
    let depth = folder.split('/').filter(|name| !name.is_empty()).count();
    if steps_up == depth && depth > 0 { absolute.to_owned() } else { way }
}

/// The path without what says nothing: `./agents//en.json` is `agents/en.json`.
pub(crate) fn tidy(path: &Path) -> PathBuf {
    let tidy: PathBuf = path.components().filter(|part| *part != path::Component::CurDir).collect();
    if tidy.as_os_str().is_empty() { path.to_owned() } else { tidy }
}

/// A path as it is shown: with forward slashes.
pub(crate) fn slashes(path: &Path) -> String {
    let shown = path.to_string_lossy();
    if cfg!(windows) { shown.replace('\\', "/") } else { shown.into_owned() }
}

/// The absolute path without `.` and `..`, byte for byte.
pub(crate) fn lexical(path: &Path) -> PathBuf {
    let mut found = PathBuf::new();
    for part in path::absolute(path).unwrap_or_else(|_| path.to_owned()).components() {
        match part {
            path::Component::CurDir => {}
            path::Component::ParentDir => {
                found.pop();
            }
            part => found.push(part),
        }
    }
    found
}

/// Why a link cannot be followed.
const DANGLING: &str = "the link leads nowhere";

/// Whether there is a regular file, for files that nobody has named and that need not be there.
///
/// Only what is truly not there is absent. A path that leads nowhere, or to something that cannot be read to its end, such as
/// a named pipe, is an error and never waited for.
pub(crate) fn is_there(path: &Path) -> Result<bool, String> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => Ok(true),
        Ok(metadata) if metadata.is_dir() => Err("this is a directory".to_owned()),
        Ok(_) => Err("not a regular file".to_owned()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // A folder on the way may be the link that leads nowhere. One that leads to a folder is like any other folder.
            let is_link = |path: &Path| Some(fs::symlink_metadata(path).ok()?.is_symlink());
            let nearest = path.ancestors().find_map(|path| Some((path, is_link(path)?)));
            match nearest {
                Some((link, true)) if fs::metadata(link).is_err() => Err(DANGLING.to_owned()),
                _ => Ok(false),
            }
        }
        Err(error) => Err(describe(&error)),
    }
}

/// The text of a regular file; `None` where there is none. See [`is_there`].
pub(crate) fn read_if_there(path: &Path) -> Result<Option<String>, String> {
    if !is_there(path)? {
        return Ok(None);
    }
    fs::read_to_string(path).map(Some).map_err(|error| describe(&error))
}

/// What went wrong, without the number that the operating system gives it.
pub(crate) fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or directory".to_owned(),
        io::ErrorKind::IsADirectory => "this is a directory".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::NotADirectory => {
            "a part of the path is a file and not a directory".to_owned()
        }
        io::ErrorKind::InvalidData => "is not UTF-8".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_resolved_without_asking_the_file_system() {
        assert_eq!(lexical(Path::new("/a/./b/../c")), Path::new("/a/c"));
        assert_eq!(lexical(Path::new("/../a")), Path::new("/a"));
    }

    #[test]
    fn a_way_leads_up_as_far_as_there_is_something_in_common() {
        assert_eq!(relative("/home/ada/agents", "/home/ada/agents/en.json"), "en.json");
        assert_eq!(relative("/home/ada/agents", "/home/ada/voxlint.toml"), "../voxlint.toml");
        assert_eq!(relative("/home/ada", "/etc/voxlint.toml"), "/etc/voxlint.toml");
    }

    #[test]
    fn folders_end_at_the_root() {
        assert_eq!(above("/a/b"), Some("/a"));
        assert_eq!(above("/a"), Some("/"));
        assert_eq!(above("/"), None);
        assert_eq!((folder("/a"), folder("/a/b")), ("/", "/a"));
    }
}
