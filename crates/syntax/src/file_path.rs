//! File paths as text, with forward slashes. Nothing here reads the file system.

use std::iter::repeat_n;

/// Splits a path into its root, `/` or a drive such as `C:/`, and the rest. The root of a relative path is empty.
fn split_root(path: &str) -> (&str, &str) {
    let has_drive = path.len() > 2 && is_absolute(path) && path.get(2..3) == Some("/");
    let root = if path.starts_with('/') {
        1
    } else if has_drive {
        3
    } else {
        0
    };
    path.split_at_checked(root).unwrap_or(("", path))
}

fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|name| !matches!(*name, "" | "."))
}

/// The path without `.`, `..` and empty names, as far as the text alone tells. A relative path can begin with `..`.
///
/// ```
/// use voxlint_syntax::file_path::normalize;
///
/// assert_eq!(normalize("./agents//de/../en.json"), "agents/en.json");
/// assert_eq!(normalize("../../shared/x.toml"), "../../shared/x.toml");
/// assert_eq!(normalize("/repo/../x.toml"), "/x.toml");
/// ```
pub fn normalize(path: &str) -> String {
    if is_normalized(path) {
        return path.to_owned();
    }
    let (root, rest) = split_root(path);
    let mut kept: Vec<&str> = Vec::new();
    for name in names(rest) {
        match (name, kept.last()) {
            ("..", Some(last)) if *last != ".." => drop(kept.pop()),
            ("..", _) if !root.is_empty() => {}
            _ => kept.push(name),
        }
    }
    format!("{root}{}", kept.join("/"))
}

/// Whether [`normalize`] would return the path as it is. A name that begins with a dot is left to it.
fn is_normalized(path: &str) -> bool {
    let (_, rest) = split_root(path);
    let mut before = b'/';
    let has_plain_names = rest.bytes().all(|byte| {
        let begins_name = std::mem::replace(&mut before, byte) == b'/';
        !begins_name || !matches!(byte, b'/' | b'.')
    });
    has_plain_names && (before != b'/' || rest.is_empty())
}

/// The folder of a file. It is empty for a relative path without a folder.
///
/// ```
/// use voxlint_syntax::file_path::folder_of;
///
/// assert_eq!((folder_of("a/b.toml"), folder_of("b.toml"), folder_of("/b.toml")), ("a", "", "/"));
/// ```
pub fn folder_of(path: &str) -> &str {
    match path.rsplit_once('/') {
        Some(("", _)) => "/",
        Some((folder, _)) => folder,
        None => "",
    }
}

/// The folder that contains a folder; `None` for a root and for a relative path of one name.
///
/// ```
/// use voxlint_syntax::file_path::parent_of;
///
/// assert_eq!(parent_of("/a/b"), Some("/a"));
/// assert_eq!(parent_of("/a"), Some("/"));
/// assert_eq!(parent_of("/"), None);
/// ```
pub fn parent_of(folder: &str) -> Option<&str> {
    match folder.rsplit_once('/')? {
        ("", "") => None,
        ("", _) => Some("/"),
        (above, _) => Some(above),
    }
}

/// A normalized path from a folder and a path relative to it.
///
/// ```
/// use voxlint_syntax::file_path::join;
///
/// assert_eq!(join("a/b", "../base.toml"), "a/base.toml");
/// assert_eq!(join("", "base.toml"), "base.toml");
/// assert_eq!(join("/", "base.toml"), "/base.toml");
/// ```
pub fn join(folder: &str, path: &str) -> String {
    if folder.is_empty() { normalize(path) } else { normalize(&format!("{folder}/{path}")) }
}

/// The rest of a normalized path that is below a folder; `None` for the folder itself and for all other paths.
pub fn below<'p>(folder: &str, path: &'p str) -> Option<&'p str> {
    let rest = match folder {
        "" => Some(path).filter(|path| !is_absolute(path)),
        "/" => path.strip_prefix('/'),
        folder => path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')),
    };
    rest.filter(|rest| !rest.is_empty() && *rest != ".." && !rest.starts_with("../"))
}

/// Whether a normalized path is a folder or is below it.
pub fn is_within(folder: &str, path: &str) -> bool {
    folder == path || below(folder, path).is_some()
}

/// A path relative to a folder, with `..` for each folder that the two do not share, or `.` for the folder itself. Both must
/// begin in the same place.
///
/// ```
/// use voxlint_syntax::file_path::relative;
///
/// assert_eq!(relative("/home/ada/agents", "/home/ada/agents/en.json"), "en.json");
/// assert_eq!(relative("/home/ada/agents", "/home/ada/voxlint.toml"), "../voxlint.toml");
/// ```
pub fn relative(folder: &str, path: &str) -> String {
    let from: Vec<&str> = names(folder).collect();
    let to: Vec<&str> = names(path).collect();
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = repeat_n("..", from.len() - shared);
    let names: Vec<&str> = up.chain(to.into_iter().skip(shared)).collect();
    if names.is_empty() { ".".to_owned() } else { names.join("/") }
}

/// An absolute path relative to a folder, or unchanged if the two share no folder.
///
/// ```
/// use voxlint_syntax::file_path::relative_or_absolute;
///
/// assert_eq!(relative_or_absolute("/home/ada", "/home/ada/en.json"), "en.json");
/// assert_eq!(relative_or_absolute("/home/ada", "/etc/voxlint.toml"), "/etc/voxlint.toml");
/// ```
pub fn relative_or_absolute(folder: &str, absolute: &str) -> String {
    let absolute = normalize(absolute);
    let first = names(folder).next();
    if first.is_none() || first == names(&absolute).next() {
        relative(folder, &absolute)
    } else {
        absolute
    }
}

/// The root of an absolute path: `/`, or a drive such as `C:/`. It is empty for a relative path.
pub fn root(path: &str) -> &str {
    split_root(path).0
}

/// Whether a path begins at a root: `/etc` and `C:/etc`.
pub fn is_absolute(path: &str) -> bool {
    let mut letters = path.chars();
    path.starts_with('/')
        || (letters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
            && letters.next() == Some(':'))
}

/// The name of the file without its last extension.
///
/// ```
/// use voxlint_syntax::file_path::stem;
///
/// assert_eq!((stem("a.b/en.v2.json"), stem(".json"), stem("en")), ("en.v2", ".json", "en"));
/// ```
pub fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_normalized_by_their_names() {
        for (path, normalized) in [
            ("a/../../b", "../b"),
            ("/../a", "/a"),
            ("C:/../a", "C:/a"),
            ("C:/r/./a/..", "C:/r"),
            ("", ""),
            ("..", ".."),
            ("/", "/"),
            ("/a/", "/a"),
            ("a//b", "a/b"),
            ("/a/.b/c", "/a/.b/c"),
            ("C:/a/./b", "C:/a/b"),
        ] {
            assert_eq!(normalize(path), normalized, "{path}");
        }
    }

    #[test]
    fn below_a_folder() {
        assert_eq!(below("", "agents/en.json"), Some("agents/en.json"));
        assert_eq!(below("agents", "agents/en.json"), Some("en.json"));
        assert_eq!(below("/", "/en.json"), Some("en.json"));
        assert_eq!(below("/repo", "/repo/a/b"), Some("a/b"));
        for (folder, path) in [
            ("agents", "agents-old/en.json"),
            ("agents", "agents"),
            ("", "/en.json"),
            ("", "../en.json"),
            ("", "C:/en.json"),
            ("..", "en.json"),
            ("..", "../../en.json"),
        ] {
            assert_eq!(below(folder, path), None, "{folder} {path}");
        }
        assert!(is_within("/", "/a") && is_within("/a", "/a") && !is_within("/a", "/ab"));
    }

    #[test]
    fn relative_paths_go_up_only_where_folders_are_shared() {
        assert_eq!(relative("/", "/a/b"), "a/b");
        assert_eq!(relative("/a", "/a"), ".");
        assert_eq!(relative_or_absolute("/", "/a/b"), "a/b");
        assert_eq!(relative_or_absolute("C:/r", "D:/x"), "D:/x");
    }
}
