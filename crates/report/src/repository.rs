//! Paths relative to the root of the repository.

use voxlint_syntax::file_path::{join, normalize, relative, root};

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
        let path_root = root(path);
        let whole = if path_root.is_empty() {
            join(&join(&self.root, &self.prefix), path)
        } else if path_root == root(&self.root) {
            normalize(path)
        } else {
            // The two have no folder in common.
            return relative(path_root, &normalize(path));
        };
        relative(&self.root, &whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_repository(root: &str, prefix: &str, path: &str) -> String {
        Repository { root: root.to_owned(), prefix: prefix.to_owned() }.relative(path)
    }

    #[test]
    fn paths_are_resolved_by_their_names() {
        assert_eq!(in_repository("/r", "a/b", "../../c//d/./e.json"), "c/d/e.json");
        assert_eq!(in_repository("/r", "", "e.json"), "e.json");
        assert_eq!(in_repository("/r", "a\u{20}b", "ü %.json"), "a b/ü %.json");
    }

    #[test]
    fn paths_out_of_the_repository_and_back_are_resolved() {
        assert_eq!(in_repository("/home/r", "a", "../../r/b.json"), "b.json");
        assert_eq!(in_repository("/home/r", "a", "../../s/b.json"), "../s/b.json");
        assert_eq!(in_repository("/home/r", "a", "../../../../../b.json"), "../../b.json");
    }

    #[test]
    fn no_path_is_absolute() {
        assert_eq!(in_repository("/home/r", "", "/home/r/x.json"), "x.json");
        assert_eq!(in_repository("/home/r", "", "/home/rest/x.json"), "../rest/x.json");
        assert_eq!(in_repository("", "", "/home/r/x.json"), "home/r/x.json");
        assert_eq!(in_repository("C:/r", "", "C:/r/a/x.json"), "a/x.json");
        assert_eq!(in_repository("C:/r", "", "D:/r/x.json"), "r/x.json");
        assert_eq!(in_repository("", "", "C:/r/x.json"), "r/x.json");
    }

    #[test]
    fn without_a_root_paths_start_with_the_prefix() {
        assert_eq!(in_repository("", "a", "../b.json"), "b.json");
        assert_eq!(in_repository("", "", "../../b.json"), "../../b.json");
        assert_eq!(in_repository("", "a", "../../b.json"), "../b.json");
    }
}
