//! Paths as they are told apart, and as they are shown.

use std::env;
use std::io;
use std::path::{self, Path, PathBuf};

use voxlint_config::normalised;
use voxlint_report::Repository;

/// The folder that voxlint was started in, absolute and with forward slashes.
pub(crate) fn here() -> String {
    env::current_dir().map_or_else(|_| "/".to_owned(), |path| slashes(&path))
}

/// A path that does not depend on the folder that voxlint was started in.
pub(crate) fn absolute(path: &Path) -> String {
    normalised(&slashes(&path::absolute(path).unwrap_or_else(|_| path.to_owned())))
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
    normalised(&format!("{folder}/{name}"))
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

/// What went wrong, without the number that the operating system gives it.
pub(crate) fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or directory".to_owned(),
        io::ErrorKind::IsADirectory => "this is a directory".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::InvalidData => "is not UTF-8".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
