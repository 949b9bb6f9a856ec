//! Paths relative to the root of the repository.

/// The location of the repository that contains the documents. Paths are compared by their names, without the file system.
///
/// ```
/// use voxlint_report::Repository;
///
/// let repository = Repository { root: "/home/ada/agents".to_owned(), prefix: "support".to_owned() };
/// assert_eq!(repository.relative("./en.json"), "support/en.json");
/// assert_eq!(repository.relative("../sales/en.json"), "sales/en.json");
/// assert_eq!(repository.relative("/home/ada/agents/sales/en.json"), "sales/en.json");
/// assert_eq!(repository.relative("/home/ada/facts.json"), "../facts.json");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repository {
    /// The absolute path of the root of the repository, with forward slashes; empty if it is not known.
    pub root: String,
    /// The folder that shown paths are relative to, from the root, with forward slashes; empty if it is the root.
    pub prefix: String,
}

impl Repository {
    /// A shown path relative to the root of the repository: with forward slashes, without `.`, and with `..` only at the
    /// beginning, for a file outside. It is never an absolute path.
    pub fn relative(&self, path: &str) -> String {
        let (root_drive, root) = split_drive(&self.root);
        let root: Vec<&str> = names(root).collect();
        let (drive, path) = split_drive(path);
        let mut whole = Vec::new();
        if path.starts_with('/') {
            walk(&mut whole, path, false);
            if self.root.is_empty() || drive != root_drive {
                // The path to it is not known, so only its names are left.
                return whole.join("/");
            }
        } else {
            whole.clone_from(&root);
            walk(&mut whole, &self.prefix, self.root.is_empty());
            walk(&mut whole, path, self.root.is_empty());
        }
        let shared = whole.iter().zip(&root).take_while(|(a, b)| a == b).count();
        let up = std::iter::repeat_n("..", root.len() - shared);
        let answer: Vec<&str> = up.chain(whole.into_iter().skip(shared)).collect();
        if answer.is_empty() { ".".to_owned() } else { answer.join("/") }
    }
}

/// Splits a path after its drive, as `C:`.
fn split_drive(path: &str) -> (&str, &str) {
    match path.split_at_checked(2) {
        Some((drive, rest))
            if drive.starts_with(|c: char| c.is_ascii_alphabetic())
                && drive.ends_with(':')
                && rest.starts_with('/') =>
        {
            (drive, rest)
        }
        _ => ("", path),
    }
}

fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|name| !matches!(*name, "" | "."))
}

/// Follows a path from a folder. `..` above the topmost folder is kept if there may be folders above it.
fn walk<'a>(from: &mut Vec<&'a str>, path: &'a str, may_leave: bool) {
    for name in names(path) {
        match (name, from.last()) {
            ("..", Some(last)) if *last != ".." => drop(from.pop()),
            ("..", _) if !may_leave => {}
            _ => from.push(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relative(root: &str, prefix: &str, path: &str) -> String {
        Repository { root: root.to_owned(), prefix: prefix.to_owned() }.relative(path)
    }

    #[test]
    fn paths_are_resolved_by_their_names() {
        assert_eq!(relative("/r", "a/b", "../../c//d/./e.json"), "c/d/e.json");
        assert_eq!(relative("/r", "", "e.json"), "e.json");
        assert_eq!(relative("/r", "a\u{20}b", "ü %.json"), "a b/ü %.json");
    }

    #[test]
    fn paths_out_of_the_repository_and_back_are_resolved() {
        assert_eq!(relative("/home/r", "a", "../../r/b.json"), "b.json");
        assert_eq!(relative("/home/r", "a", "../../s/b.json"), "../s/b.json");
        assert_eq!(relative("/home/r", "a", "../../../../../b.json"), "../../b.json");
    }

    #[test]
    fn no_path_is_absolute() {
        assert_eq!(relative("/home/r", "", "/home/r/x.json"), "x.json");
        assert_eq!(relative("/home/r", "", "/home/rest/x.json"), "../rest/x.json");
        assert_eq!(relative("", "", "/home/r/x.json"), "home/r/x.json");
        assert_eq!(relative("C:/r", "", "C:/r/a/x.json"), "a/x.json");
        assert_eq!(relative("C:/r", "", "D:/r/x.json"), "r/x.json");
        assert_eq!(relative("", "", "C:/r/x.json"), "r/x.json");
    }

    #[test]
    fn without_a_root_paths_start_with_the_prefix() {
        assert_eq!(relative("", "a", "../b.json"), "b.json");
        assert_eq!(relative("", "", "../../b.json"), "../../b.json");
        assert_eq!(relative("", "a", "../../b.json"), "../b.json");
    }
}
