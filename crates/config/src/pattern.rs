//! File patterns, with the syntax of ignore files.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use globset::{ErrorKind, Glob, GlobBuilder};
use regex::bytes::{Regex, RegexBuilder};

use voxlint::Wildcard;
use voxlint::syntax::file_path::{below, is_absolute, join};

use crate::SettingSource;

/// A file pattern in a configuration file.
///
/// It has the syntax of ignore files. A pattern without a slash, or with one only at the end, matches names at any depth.
/// With another slash it is relative to the folder of the configuration file. A pattern that matches a folder matches all
/// files in it; with a slash at the end, it matches only folders. `*` and `?` do not match slashes, `**` does. `[a-z]`
/// matches one of these characters, `{de,en}` one of these texts. A backslash escapes the next character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The pattern as written.
    pub text: String,
    /// Where the pattern is set.
    pub source: SettingSource,
    /// See [`Pattern::root`].
    root: String,
    /// See [`Pattern::is_literal`].
    is_literal: bool,
}

impl Pattern {
    /// The innermost folder that contains all matching files. For a literal pattern it is the file or folder itself.
    pub fn root(&self) -> &str {
        &self.root
    }

    /// Whether the pattern has no wildcards and matches only [`Self::root`] and the files in it.
    pub fn is_literal(&self) -> bool {
        self.is_literal
    }
}

/// Why a text is not a valid pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PatternError {
    /// The faulty bytes of the pattern; `None` for all of them.
    pub(crate) at: Option<Range<usize>>,
    pub(crate) message: &'static str,
    pub(crate) help: &'static str,
}

impl PatternError {
    const fn new(message: &'static str, help: &'static str) -> Self {
        Self { at: None, message, help }
    }

    fn at(self, start: usize, length: usize) -> Self {
        Self { at: Some(start..start + length), ..self }
    }
}

/// What a pattern matches below its root.
#[derive(Debug)]
enum PatternMatcher {
    /// Every file in the root, and the root itself if that is a file.
    Everything { is_folder: bool },
    /// Files and folders of some names, and all files in those folders.
    Names { names: Wildcard, is_folder: bool },
    /// The paths that match the glob.
    Glob(CheckedGlob),
}

/// A glob that can be compiled. Few runs need all globs, so each is compiled when a path is first matched.
#[derive(Debug)]
struct CheckedGlob {
    glob: Glob,
    compiled: OnceLock<Option<Regex>>,
}

impl CheckedGlob {
    fn is_match(&self, path: &str) -> bool {
        let compiled = self.compiled.get_or_init(|| compile(&self.glob));
        compiled.as_ref().is_some_and(|compiled| compiled.is_match(path.as_bytes()))
    }
}

/// The characters with a special meaning in a pattern.
const SPECIAL: [char; 8] = ['*', '?', '[', ']', '{', '}', '!', '\\'];

/// The path before the first wildcard, which is empty if the pattern matches names at any depth, and what matches below it.
fn parse(text: &str) -> Result<(String, PatternMatcher), PatternError> {
    check_syntax(text)?;
    let rest = text.strip_prefix("./").unwrap_or(text);
    let is_folder = rest.ends_with('/');
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    let is_anchored = rest.contains('/') || text.starts_with("./");
    let names = rest.strip_prefix('/').unwrap_or(rest);
    let start = text.len() - text.trim_start_matches("./").trim_start_matches('/').len();
    if names.is_empty() {
        let why = "the pattern matches the folder of the configuration itself";
        return Err(PatternError::new(why, "write `**` for everything in it"));
    }
    let mut at = start;
    for name in names.split('/') {
        if name.is_empty() {
            let why = "the name between two slashes is empty";
            return Err(PatternError::new(why, "remove one slash").at(at - 1, 2));
        }
        if matches!(name, "." | "..") {
            let why = "a pattern cannot match files outside the folder of the configuration";
            let help = "remove the dots, or move the entry to a configuration in that folder";
            return Err(PatternError::new(why, help).at(at, name.len()));
        }
        at += name.len() + 1;
    }
    let is_literal = |name: &&str| !name.contains(SPECIAL);
    let literal: Vec<&str> = names.split('/').take_while(is_literal).collect();
    let literal = if is_anchored { literal.join("/") } else { String::new() };
    let rest = names.get(literal.len()..).unwrap_or_default();
    let is_name_of_stars = |name: &str| !name.replace('*', "").contains(SPECIAL);
    let matcher = if rest.is_empty() {
        PatternMatcher::Everything { is_folder }
    } else if !is_anchored && is_name_of_stars(rest) {
        PatternMatcher::Names { names: Wildcard::new(rest), is_folder }
    } else {
        let any_depth = if is_anchored { "" } else { "**/" };
        let below = if is_folder { "/**" } else { "{,/**}" };
        let glob = format!("{any_depth}{}{below}", rest.strip_prefix('/').unwrap_or(rest));
        PatternMatcher::Glob(checked(&glob)?)
    };
    Ok((literal, matcher))
}

/// Rejects patterns that other tools support, or that could never match.
fn check_syntax(text: &str) -> Result<(), PatternError> {
    if text.is_empty() {
        return Err(PatternError::new("the pattern is empty", "write `**` for every file"));
    }
    if text.starts_with('!') {
        let why = "negated patterns are not supported";
        let help = "list the files to match; for a name that begins with `!`, write `\\!` in single quotes";
        return Err(PatternError::new(why, help).at(0, 1));
    }
    if is_absolute(text) && !text.starts_with('/') {
        let why = "a pattern is relative to the folder of the configuration";
        return Err(PatternError::new(why, "remove the drive").at(0, 2));
    }
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        if character == '\\' && !characters.next().is_some_and(|(_, next)| SPECIAL.contains(&next))
        {
            let why = "a backslash in a pattern must precede a special character";
            return Err(PatternError::new(why, "write `/` between folders").at(at, 1));
        }
    }
    Ok(())
}

/// Globs up to this length, in bytes, are never too large to compile.
const MAX_SHORT_GLOB: usize = 1000;

/// The maximum size of a compiled glob, in bytes.
const MAX_COMPILED_SIZE: usize = 10 << 20;

fn checked(glob: &str) -> Result<CheckedGlob, PatternError> {
    let glob = GlobBuilder::new(glob)
        .literal_separator(true)
        .backslash_escape(true)
        .empty_alternates(true)
        .build()
        .map_err(|error| explained(error.kind()))?;
    let compiled = OnceLock::new();
    if glob.glob().len() > MAX_SHORT_GLOB {
        compiled.get_or_init(|| compile(&glob)).as_ref().ok_or(TOO_LONG)?;
    }
    Ok(CheckedGlob { glob, compiled })
}

fn compile(glob: &Glob) -> Option<Regex> {
    let mut regex = RegexBuilder::new(glob.regex());
    regex.dot_matches_new_line(true).size_limit(MAX_COMPILED_SIZE).build().ok()
}

const TOO_LONG: PatternError =
    PatternError::new("the pattern is too long", "split it into several patterns");

fn explained(error: &ErrorKind) -> PatternError {
    match error {
        ErrorKind::UnclosedClass => PatternError::new(
            "a `[` in the pattern is not closed",
            "close it, or write `\\[` in single quotes",
        ),
        ErrorKind::InvalidRange(..) => PatternError::new(
            "the range in the brackets ends before it begins",
            "swap the two ends",
        ),
        ErrorKind::UnopenedAlternates => PatternError::new(
            "a `}` in the pattern has no opening `{`",
            "remove it, or write `\\}` in single quotes",
        ),
        ErrorKind::UnclosedAlternates => PatternError::new(
            "a `{` in the pattern is not closed",
            "close it, or write `\\{` in single quotes",
        ),
        ErrorKind::NestedAlternates => PatternError::new(
            "braces in a pattern cannot be nested",
            "list the alternatives side by side",
        ),
        ErrorKind::DanglingEscape => {
            PatternError::new("the pattern ends with a backslash", "remove it")
        }
        _ => TOO_LONG,
    }
}

/// The index of a pattern in its [`PatternSet`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PatternId(u32);

/// All patterns of a configuration.
#[derive(Debug, Default)]
pub(crate) struct PatternSet(Vec<(Pattern, PatternMatcher)>);

impl PatternSet {
    pub(crate) fn add(
        &mut self,
        text: &str,
        folder: &Arc<str>,
        source: SettingSource,
    ) -> Result<PatternId, PatternError> {
        let (literal, matcher) = parse(text)?;
        let id = PatternId(self.0.len() as u32);
        let root = if literal.is_empty() { (**folder).to_owned() } else { join(folder, &literal) };
        let is_literal = matches!(matcher, PatternMatcher::Everything { .. });
        self.0.push((Pattern { text: text.to_owned(), source, root, is_literal }, matcher));
        Ok(id)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn get(&self, id: PatternId) -> Option<&Pattern> {
        self.0.get(id.0 as usize).map(|(pattern, _)| pattern)
    }

    /// The patterns that a normalized path matches.
    pub(crate) fn matches(&self, path: &str) -> Matches {
        let all = self.0.iter().zip((0..).map(PatternId));
        let matching = all.filter(|((pattern, matcher), _)| matcher.is_match(&pattern.root, path));
        Matches(matching.map(|(_, id)| id).collect())
    }
}

impl PatternMatcher {
    fn is_match(&self, root: &str, path: &str) -> bool {
        if root == path {
            return matches!(self, Self::Everything { is_folder: false });
        }
        let Some(path) = below(root, path) else { return false };
        match self {
            Self::Everything { .. } => true,
            Self::Names { names, is_folder } => {
                let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
                (!is_folder && names.matches(file))
                    || (!folders.is_empty() && folders.split('/').any(|name| names.matches(name)))
            }
            Self::Glob(glob) => glob.is_match(path),
        }
    }
}

/// The patterns that match a path, or one of several, in the order of their ids.
#[derive(Debug, Default)]
pub(crate) struct Matches(Vec<PatternId>);

impl Matches {
    pub(crate) fn contain(&self, id: PatternId) -> bool {
        self.0.binary_search(&id).is_ok()
    }

    /// The last of these patterns that matches. They are in the order of their ids.
    pub(crate) fn last_of(&self, ids: &[PatternId]) -> Option<PatternId> {
        if ids.len() < self.0.len() {
            ids.iter().copied().rfind(|id| self.contain(*id))
        } else {
            self.0.iter().copied().rfind(|id| ids.binary_search(id).is_ok())
        }
    }

    pub(crate) fn any_of(&self, ids: &[PatternId]) -> bool {
        self.last_of(ids).is_some()
    }

    /// The patterns that match one of several paths.
    pub(crate) fn of_any(paths: impl IntoIterator<Item = Self>) -> Self {
        let mut all = BTreeSet::new();
        paths.into_iter().for_each(|Self(matched)| all.extend(matched));
        Self(all.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_match(pattern: &str, folder: &str, path: &str) -> bool {
        let mut patterns = PatternSet::default();
        let id = patterns.add(pattern, &folder.into(), SettingSource::Argument("")).expect(pattern);
        patterns.matches(path).contain(id)
    }

    #[test]
    fn patterns_match_like_ignore_files() {
        for (pattern, matching, others) in [
            (
                "en.json",
                &["en.json", "a/en.json", "a/b/en.json", "en.json/x"][..],
                &["en.jsonc", "xen.json"][..],
            ),
            ("*.json", &["en.json", "a/b/en.json", ".json"], &["en.yaml", "a/en.jsonc"]),
            (
                "legacy",
                &["legacy", "legacy/x.json", "a/legacy/b/x.json"],
                &["legacy.json", "a/mylegacy/x"],
            ),
            ("legacy/", &["legacy/x.json", "a/legacy/b/x.json"], &["legacy", "a/legacy"]),
            ("/legacy", &["legacy", "legacy/x.json"], &["a/legacy", "a/legacy/x.json"]),
            ("./legacy", &["legacy", "legacy/x.json"], &["a/legacy"]),
            (
                "agents/*.json",
                &["agents/en.json"],
                &["x/agents/en.json", "agents/de/en.json", "en.json"],
            ),
            ("agents/*", &["agents/en.json", "agents/de/en.json"], &["agents", "en.json"]),
            ("agents/**", &["agents/en.json", "agents/de/en.json"], &["agents"]),
            (
                "agents/**/en.json",
                &["agents/en.json", "agents/a/b/en.json"],
                &["en.json", "agents/a/de.json"],
            ),
            ("**/agents/en.json", &["agents/en.json", "x/y/agents/en.json"], &["agents/x/en.json"]),
            ("**", &["en.json", "a/b/c"], &[]),
            ("*", &["en.json", "a/b/c"], &[]),
            ("a?c", &["abc", "x/abc/y"], &["a/c", "ac"]),
            ("[a-c].json", &["a.json", "x/b.json"], &["d.json"]),
            ("[!a].json", &["b.json"], &["a.json"]),
            ("{de,en}/*.json", &["de/x.json", "en/x.json"], &["fr/x.json"]),
            ("en{,-gb}.json", &["en.json", "en-gb.json"], &["en-us.json"]),
            ("\\*.json", &["*.json"], &["a.json"]),
            ("\\!a", &["!a"], &["a"]),
            ("städte.json", &["a/städte.json"], &["stadte.json"]),
            ("a b.json", &["a b.json"], &["ab.json"]),
            ("#a", &["#a"], &["a"]),
            ("EN.json", &["EN.json"], &["en.json"]),
        ] {
            for path in matching {
                assert!(is_match(pattern, "", path), "{pattern} {path}");
                assert!(is_match(pattern, "/repo", &format!("/repo/{path}")), "{pattern} {path}");
            }
            for path in others {
                assert!(!is_match(pattern, "", path), "{pattern} {path}");
            }
        }
    }

    #[test]
    fn files_outside_the_folder_never_match() {
        for (folder, path) in
            [("agents", "en.json"), ("agents", "agents"), ("", "/en.json"), ("", "../en.json")]
        {
            assert!(!is_match("**", folder, path), "{folder} {path}");
        }
    }

    #[test]
    fn faulty_patterns_are_rejected() {
        for (text, message, at) in [
            ("", "the pattern is empty", None),
            ("/", "the pattern matches the folder of the configuration itself", None),
            ("./", "the pattern matches the folder of the configuration itself", None),
            ("!a", "negated patterns are not supported", Some(0..1)),
            ("a//b", "the name between two slashes is empty", Some(1..3)),
            (
                "../a",
                "a pattern cannot match files outside the folder of the configuration",
                Some(0..2),
            ),
            (
                "a/../b",
                "a pattern cannot match files outside the folder of the configuration",
                Some(2..4),
            ),
            ("C:/a", "a pattern is relative to the folder of the configuration", Some(0..2)),
            ("a\\b.json", "a backslash in a pattern must precede a special character", Some(1..2)),
            ("a\\", "a backslash in a pattern must precede a special character", Some(1..2)),
            ("[a", "a `[` in the pattern is not closed", None),
            ("[b-a]", "the range in the brackets ends before it begins", None),
            ("{a", "a `{` in the pattern is not closed", None),
            ("a}", "a `}` in the pattern has no opening `{`", None),
        ] {
            let error = parse(text).err().unwrap_or_else(|| panic!("{text} is not a pattern"));
            assert_eq!((error.message, error.at), (message, at), "{text}");
        }
        assert!(parse(&"[a-z]?".repeat(120_000)).is_err());
    }

    #[test]
    fn long_patterns_take_linear_time() {
        // Quadratic work would take minutes here.
        let folders = "a/".repeat(10_000);
        let path = format!("{folders}b");
        for (pattern, matches) in [
            (format!("{folders}b"), true),
            (format!("{folders}*"), true),
            (format!("{folders}b/"), false),
            (format!("**/{folders}b"), true),
            (format!("*/{folders}b"), false),
            (format!("x/{folders}b"), false),
        ] {
            assert_eq!(is_match(&pattern, "", &path), matches, "{pattern:.20}");
        }
    }

    #[test]
    fn the_root_ends_before_the_first_wildcard() {
        for (text, root, is_literal) in [
            ("*.json", "/repo", false),
            ("en.json", "/repo", false),
            ("/en.json", "/repo/en.json", true),
            ("agents/en.json", "/repo/agents/en.json", true),
            ("agents/de/*.json", "/repo/agents/de", false),
            ("agents/", "/repo", false),
            ("**/x", "/repo", false),
        ] {
            let mut patterns = PatternSet::default();
            let id = patterns.add(text, &"/repo".into(), SettingSource::Argument("")).unwrap();
            let pattern = patterns.get(id).unwrap();
            assert_eq!((pattern.root(), pattern.is_literal()), (root, is_literal), "{text}");
        }
    }
}
