//! Paths as text: forward slashes, and nothing asked of any file system.

/// The path without `.`, `..` and empty names, as far as that can be told from the text alone.
///
/// ```
/// use voxlint_config::normalize_path;
///
/// assert_eq!(normalize_path("./agents//de/../en.json"), "agents/en.json");
/// assert_eq!(normalize_path("../../shared/x.toml"), "../../shared/x.toml");
/// assert_eq!(normalize_path("/repo/../x.toml"), "/x.toml");
/// ```
pub fn normalize_path(path: &str) -> String {
    let (root, rest) = match path.strip_prefix('/') {
        Some(rest) => ("/", rest),
        None => ("", path),
    };
    let mut names: Vec<&str> = Vec::new();
    for name in rest.split('/') {
        match name {
            "" | "." => {}
            ".." if names.last().is_some_and(|last| *last != "..") => {
                names.pop();
            }
            ".." if !root.is_empty() => {}
            name => names.push(name),
        }
    }
    format!("{root}{}", names.join("/"))
}

/// The folder that a file lies in; empty for the one that relative paths begin in.
pub(crate) fn folder(path: &str) -> &str {
    match path.rsplit_once('/') {
        Some(("", _)) => "/",
        Some((folder, _)) => folder,
        None => "",
    }
}

/// A path that is relative to a folder, as one from where that folder's path begins.
pub(crate) fn join(folder: &str, path: &str) -> String {
    if folder.is_empty() {
        normalize_path(path)
    } else {
        normalize_path(&format!("{folder}/{path}"))
    }
}

/// The way from a folder to something below it; `None` for everything else, the folder itself included.
pub(crate) fn below<'p>(folder: &str, path: &'p str) -> Option<&'p str> {
    let rest = match folder {
        "" => Some(path).filter(|path| !is_absolute(path)),
        "/" => path.strip_prefix('/'),
        folder => path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')),
    };
    rest.filter(|rest| !rest.is_empty() && *rest != ".." && !rest.starts_with("../"))
}

/// The way from a folder to a file, through folders above where there is one that both lie in.
pub(crate) fn way_from(folder: &str, file: &str) -> String {
    let from: Vec<&str> = folder.split('/').filter(|name| !name.is_empty()).collect();
    let to: Vec<&str> = file.split('/').filter(|name| !name.is_empty()).collect();
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..", from.len() - shared);
    let way: Vec<&str> = up.chain(to.into_iter().skip(shared)).collect();
    way.join("/")
}

/// Whether a path is a folder, or lies below it.
pub(crate) fn is_in(folder: &str, path: &str) -> bool {
    folder == path || below(folder, path).is_some()
}

/// Whether a path does not depend on a folder: `/etc` and `C:/etc`.
pub(crate) fn is_absolute(path: &str) -> bool {
    let mut letters = path.chars();
    path.starts_with('/')
        || (letters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
            && letters.next() == Some(':'))
}

/// The name of the file without its last extension.
pub(crate) fn stem(path: &str) -> &str {
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
    fn what_lies_below_a_folder() {
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
    }

    #[test]
    fn paths_are_joined() {
        assert_eq!(join("", "base.toml"), "base.toml");
        assert_eq!(join("a/b", "../base.toml"), "a/base.toml");
        assert_eq!(join("", "../base.toml"), "../base.toml");
        assert_eq!(join("/", "x"), "/x");
        assert_eq!((folder("a/b.toml"), folder("b.toml"), folder("/b.toml")), ("a", "", "/"));
    }

    #[test]
    fn the_stem_is_the_name_without_its_extension() {
        assert_eq!((stem("a.b/en.v2.json"), stem(".json"), stem("en")), ("en.v2", ".json", "en"));
    }
}
