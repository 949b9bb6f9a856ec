//! Paths as text: absolute, relative, and with forward slashes.

use std::env;
use std::path::{self, Path, PathBuf};

use voxlint_config::normalize_path;

/// The working directory, absolute and with forward slashes.
pub fn working_directory() -> String {
    env::current_dir().map_or_else(|_| "/".to_owned(), |path| forward_slashes(&path))
}

/// The absolute path as text, without `.` and `..` and with forward slashes.
pub fn absolute(path: &Path) -> String {
    normalize_path(&forward_slashes(&path::absolute(path).unwrap_or_else(|_| path.to_owned())))
}

/// The absolute path without `.` and `..`, byte for byte: a name that is not UTF-8 stays what it is.
pub fn absolute_path(path: &Path) -> PathBuf {
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

/// The folder of a file, by the file's absolute path.
pub fn folder_of(file: &str) -> &str {
    match file.rsplit_once('/') {
        Some(("", _)) | None => "/",
        Some((folder, _)) => folder,
    }
}

/// The parent of a folder; `None` for the root.
pub fn parent_of(folder: &str) -> Option<&str> {
    let (parent, name) = folder.rsplit_once('/')?;
    match (parent, name) {
        ("", "") => None,
        ("", _) => Some("/"),
        (parent, _) => Some(parent),
    }
}

/// A file in a folder.
pub fn join(folder: &str, name: &str) -> String {
    normalize_path(&format!("{folder}/{name}"))
}

/// Whether an absolute path is a folder or lies in it.
pub fn is_within(folder: &str, path: &str) -> bool {
    folder == "/"
        || path.strip_prefix(folder).is_some_and(|it| it.is_empty() || it.starts_with('/'))
}

/// The path of an absolute path as seen from a folder. It is the absolute path itself where the two share no folder.
pub fn relative(folder: &str, absolute: &str) -> String {
    let names = |path: &'_ str| -> Vec<String> {
        path.split('/').filter(|name| !matches!(*name, "" | ".")).map(str::to_owned).collect()
    };
    let absolute = normalize_path(absolute);
    let (from, to) = (names(folder), names(&absolute));
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    if shared == 0 && !from.is_empty() {
        return absolute;
    }
    let up = std::iter::repeat_n("..", from.len() - shared);
    let names: Vec<&str> = up.chain(to.iter().skip(shared).map(String::as_str)).collect();
    if names.is_empty() { ".".to_owned() } else { names.join("/") }
}

/// The path without needless parts: `./agents//en.json` is `agents/en.json`.
pub fn simplified(path: &Path) -> PathBuf {
    let simple: PathBuf =
        path.components().filter(|part| *part != path::Component::CurDir).collect();
    if simple.as_os_str().is_empty() { path.to_owned() } else { simple }
}

/// A path as users see it: with forward slashes.
pub fn forward_slashes(path: &Path) -> String {
    let shown = path.to_string_lossy();
    if cfg!(windows) { shown.replace('\\', "/") } else { shown.into_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_resolved_without_the_file_system() {
        assert_eq!(absolute_path(Path::new("/a/./b/../c")), Path::new("/a/c"));
        assert_eq!(absolute_path(Path::new("/../a")), Path::new("/a"));
    }

    #[test]
    fn a_relative_path_leads_up_as_far_as_a_folder_is_shared() {
        assert_eq!(relative("/home/ada/agents", "/home/ada/agents/en.json"), "en.json");
        assert_eq!(relative("/home/ada/agents", "/home/ada/voxlint.toml"), "../voxlint.toml");
        assert_eq!(relative("/home/ada", "/etc/voxlint.toml"), "/etc/voxlint.toml");
        assert_eq!(relative("/", "/etc/voxlint.toml"), "etc/voxlint.toml");
        assert_eq!(relative("/home", "/home"), ".");
        assert_eq!(relative("C:/work", "C:/work/a.json"), "a.json");
    }

    #[test]
    fn folders_end_at_the_root() {
        assert_eq!(parent_of("/a/b"), Some("/a"));
        assert_eq!(parent_of("/a"), Some("/"));
        assert_eq!(parent_of("/"), None);
        assert_eq!((folder_of("/a"), folder_of("/a/b")), ("/", "/a"));
    }
}
