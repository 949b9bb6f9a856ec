//! File patterns, with the syntax of ignore files.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use globset::{Candidate, ErrorKind, Glob, GlobBuilder, GlobSet, GlobSetBuilder};

use voxlint::syntax::file_path::{below, is_absolute, is_within, join};

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
    /// The folder of the configuration file.
    folder: Arc<str>,
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

/// A parsed pattern.
struct ParsedPattern {
    globs: Vec<Glob>,
    /// The path before the first wildcard.
    literal: String,
    is_anchored: bool,
    is_literal: bool,
}

/// The characters with a special meaning in a pattern.
const SPECIAL: [char; 8] = ['*', '?', '[', ']', '{', '}', '!', '\\'];

fn parse(text: &str) -> Result<ParsedPattern, PatternError> {
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
    let literal: Vec<&str> = names.split('/').take_while(|name| !name.contains(SPECIAL)).collect();
    let literal = if is_anchored { literal.join("/") } else { String::new() };
    let is_literal = is_anchored && literal == names;
    let glob = if is_anchored { names.to_owned() } else { format!("**/{names}") };
    let mut globs = Vec::new();
    if !is_folder {
        globs.push(compile(&glob)?);
    }
    globs.push(compile(&format!("{glob}/**"))?);
    Ok(ParsedPattern { globs, literal, is_anchored, is_literal })
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

/// Patterns up to this length, in bytes, are never too long to compile.
const MAX_UNCHECKED_PATTERN: usize = 1000;

fn compile(glob: &str) -> Result<Glob, PatternError> {
    let glob = GlobBuilder::new(glob)
        .literal_separator(true)
        .backslash_escape(true)
        .empty_alternates(true)
        .build()
        .map_err(|error| explained(error.kind()))?;
    if glob.glob().len() > MAX_UNCHECKED_PATTERN {
        // Compiling a single matcher panics if the pattern is too long; a set returns an error.
        let set = GlobSetBuilder::new().add(glob.clone()).build();
        set.map_err(|error| explained(error.kind()))?;
    }
    Ok(glob)
}

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
        _ => PatternError::new("the pattern is too long", "split it into several patterns"),
    }
}

/// The index of a pattern in its [`PatternSet`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PatternId(u32);

/// All patterns of a configuration, matched against a path together.
#[derive(Debug, Default)]
pub(crate) struct PatternSet {
    patterns: Vec<Pattern>,
    globs: BTreeMap<PatternBase, Vec<(Glob, PatternId)>>,
    groups: Vec<GlobGroup>,
}

/// The folder that patterns are relative to, and their common root. Paths outside the root cannot match.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PatternBase {
    folder: Arc<str>,
    root: Arc<str>,
}

/// The patterns with the same base.
#[derive(Debug)]
struct GlobGroup {
    base: PatternBase,
    globs: GlobSet,
    /// The pattern of each glob.
    ids: Vec<PatternId>,
}

impl PatternSet {
    pub(crate) fn add(
        &mut self,
        text: &str,
        folder: &Arc<str>,
        source: SettingSource,
    ) -> Result<PatternId, PatternError> {
        let ParsedPattern { globs, literal, is_anchored, is_literal } = parse(text)?;
        let id = PatternId(self.patterns.len() as u32);
        let root = if is_anchored && !literal.is_empty() {
            join(folder, &literal)
        } else {
            (**folder).to_owned()
        };
        let base = PatternBase { folder: Arc::clone(folder), root: root.as_str().into() };
        let all = self.globs.entry(base).or_default();
        all.extend(globs.into_iter().map(|glob| (glob, id)));
        self.patterns.push(Pattern {
            text: text.to_owned(),
            source,
            folder: Arc::clone(folder),
            root,
            is_literal,
        });
        Ok(id)
    }

    pub(crate) fn get(&self, id: PatternId) -> Option<&Pattern> {
        self.patterns.get(id.0 as usize)
    }

    /// Compiles the patterns. Paths can be matched only after that.
    pub(crate) fn compile(&mut self) {
        for (base, globs) in std::mem::take(&mut self.globs) {
            self.compile_group(&base, &globs);
        }
    }

    /// Each pattern can be compiled alone. A group that is too large is split into halves.
    fn compile_group(&mut self, base: &PatternBase, globs: &[(Glob, PatternId)]) {
        let mut builder = GlobSetBuilder::new();
        for (glob, _) in globs {
            builder.add(glob.clone());
        }
        if let Ok(set) = builder.build() {
            let ids = globs.iter().map(|(_, id)| *id).collect();
            self.groups.push(GlobGroup { base: base.clone(), globs: set, ids });
        } else if let Some((first, second)) = globs.split_at_checked(globs.len() / 2)
            && !first.is_empty()
        {
            self.compile_group(base, first);
            self.compile_group(base, second);
        }
    }

    /// The patterns that a path matches.
    pub(crate) fn matches(&self, path: &str) -> Matches {
        let mut matched = vec![false; self.patterns.len()];
        let mut globs = Vec::new();
        for group in &self.groups {
            if !is_within(&group.base.root, path) {
                continue;
            }
            let Some(path) = below(&group.base.folder, path) else { continue };
            group.globs.matches_candidate_into(&Candidate::new(path), &mut globs);
            for id in globs.iter().filter_map(|glob| group.ids.get(*glob)) {
                if let Some(slot) = matched.get_mut(id.0 as usize) {
                    *slot = true;
                }
            }
        }
        Matches(matched)
    }
}

/// The patterns that a path matches.
#[derive(Debug)]
pub(crate) struct Matches(Vec<bool>);

impl Matches {
    pub(crate) fn contain(&self, id: PatternId) -> bool {
        self.0.get(id.0 as usize).copied().unwrap_or(false)
    }

    /// The last of these patterns that matches.
    pub(crate) fn last_of(&self, ids: &[PatternId]) -> Option<PatternId> {
        ids.iter().copied().rfind(|id| self.contain(*id))
    }

    pub(crate) fn any_of(&self, ids: &[PatternId]) -> bool {
        self.last_of(ids).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_match(pattern: &str, folder: &str, path: &str) -> bool {
        let mut patterns = PatternSet::default();
        let id = patterns.add(pattern, &folder.into(), SettingSource::Argument("")).expect(pattern);
        patterns.compile();
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
