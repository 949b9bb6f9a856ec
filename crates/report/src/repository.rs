//! Paths as a repository names its files.

/// The repository that the documents are kept in, as far as paths go. Nothing is looked up: paths are compared by their
/// names.
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
    /// The absolute path of the root of the repository, with forward slashes; empty where it is not known.
    pub root: String,
    /// The folder that shown paths are relative to, from the root, with forward slashes; empty where it is the root.
    pub prefix: String,
}

impl Repository {
    /// A shown path from the root of the repository: with forward slashes, without `.`, and with `..` only at the beginning,
    /// where the file lies outside. The answer is never an absolute path.
    pub fn relative(&self, path: &str) -> String {
        let (root_drive, root) = of_drive(&self.root);
        let root: Vec<&str> = names(root).collect();
        let (drive, path) = of_drive(path);
        let mut whole = Vec::new();
        if path.starts_with('/') {
            walk(&mut whole, path, false);
            if self.root.is_empty() || drive != root_drive {
                // From where it lies is not known, so its names are all that can be said.
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

/// A path in two: its drive, as `C:`, and what follows.
fn of_drive(path: &str) -> (&str, &str) {
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

/// Goes on from a folder. What leads out of the topmost folder is kept where more may stand above.
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
    fn a_way_out_of_the_repository_and_back_is_followed() {
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
    fn without_a_root_the_prefix_is_all_there_is() {
        assert_eq!(relative("", "a", "../b.json"), "b.json");
        assert_eq!(relative("", "", "../../b.json"), "../../b.json");
        assert_eq!(relative("", "a", "../../b.json"), "../b.json");
    }
}
