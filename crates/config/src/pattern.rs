//! File patterns, with the syntax of ignore files.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use globset::{Candidate, ErrorKind, Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use regex::bytes::{Regex, RegexBuilder};

use voxlint::syntax::file_path::{below, is_absolute, join};
use voxlint::{Wildcard, WildcardSet};

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

/// A parsed pattern.
struct ParsedPattern {
    /// The path before the first wildcard. It is empty if the pattern matches names at any depth.
    literal: String,
    /// What matches below that path.
    matcher: PatternMatcher,
}

/// What a pattern matches below its root.
enum PatternMatcher {
    /// Every file in the root, and the root itself if that is a file.
    Everything { is_folder: bool },
    /// Files and folders of some names, and all files in those folders.
    Names { names: Wildcard, is_folder: bool },
    /// The paths that match one of the globs.
    Globs(Vec<CheckedGlob>),
}

/// A glob that can be compiled.
#[derive(Debug)]
enum CheckedGlob {
    Short(Glob),
    /// Sets of globs compile to automata whose size may be the square of the length.
    Long(Regex),
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
        let glob = format!("{any_depth}{}", rest.strip_prefix('/').unwrap_or(rest));
        let mut globs = Vec::new();
        if !is_folder {
            globs.push(checked(&glob)?);
        }
        globs.push(checked(&format!("{glob}/**"))?);
        PatternMatcher::Globs(globs)
    };
    Ok(ParsedPattern { literal, matcher })
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

/// Globs up to this length, in bytes, are compiled together, and are never too long for that.
const MAX_SHORT_GLOB: usize = 1000;

/// The maximum size of a compiled glob, in bytes. It is that of a set of globs.
const MAX_COMPILED_SIZE: usize = 10 << 20;

fn checked(glob: &str) -> Result<CheckedGlob, PatternError> {
    let glob = GlobBuilder::new(glob)
        .literal_separator(true)
        .backslash_escape(true)
        .empty_alternates(true)
        .build()
        .map_err(|error| explained(error.kind()))?;
    if glob.glob().len() <= MAX_SHORT_GLOB {
        return Ok(CheckedGlob::Short(glob));
    }
    let mut long = RegexBuilder::new(glob.regex());
    let long = long.dot_matches_new_line(true).size_limit(MAX_COMPILED_SIZE).build();
    long.map(CheckedGlob::Long).map_err(|_| TOO_LONG)
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

/// All patterns of a configuration, matched against a path together.
#[derive(Debug, Default)]
pub(crate) struct PatternSet {
    patterns: Vec<Pattern>,
    /// The patterns by their roots. Only those whose root contains a path can match it.
    groups: HashMap<String, PatternGroup>,
    /// The lengths of the roots.
    root_lengths: BTreeSet<usize>,
}

/// The patterns with the same root.
#[derive(Debug, Default)]
struct PatternGroup {
    /// The patterns that match every file in the root.
    in_root: Vec<PatternId>,
    /// Those of them that also match the root itself.
    root: Vec<PatternId>,
    /// The patterns that match names at any depth, and whether they match only folders.
    names: Vec<(Wildcard, bool, PatternId)>,
    short: Vec<(Glob, PatternId)>,
    long: Vec<(Regex, PatternId)>,
    /// What is compiled when a path in the root is first matched.
    compiled: OnceLock<CompiledGroup>,
}

#[derive(Debug)]
struct CompiledGroup {
    names: WildcardSet,
    short: Vec<CompiledGlobs>,
}

/// How many globs are matched together. The time to match a set of more grows faster than their number.
const MAX_SET: usize = 64;

/// Globs that are matched together.
#[derive(Debug)]
struct CompiledGlobs {
    set: GlobSet,
    /// The patterns of each glob.
    ids: Vec<Vec<PatternId>>,
}

impl PatternSet {
    pub(crate) fn add(
        &mut self,
        text: &str,
        folder: &Arc<str>,
        source: SettingSource,
    ) -> Result<PatternId, PatternError> {
        let ParsedPattern { literal, matcher } = parse(text)?;
        let id = PatternId(self.patterns.len() as u32);
        let root = if literal.is_empty() { (**folder).to_owned() } else { join(folder, &literal) };
        let is_literal = matches!(matcher, PatternMatcher::Everything { .. });
        self.root_lengths.insert(root.len());
        self.groups.entry(root.clone()).or_default().add(id, matcher);
        self.patterns.push(Pattern { text: text.to_owned(), source, root, is_literal });
        Ok(id)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    pub(crate) fn get(&self, id: PatternId) -> Option<&Pattern> {
        self.patterns.get(id.0 as usize)
    }

    /// The patterns that a normalized path matches.
    pub(crate) fn matches(&self, path: &str) -> Matches {
        let mut matched = Vec::new();
        for length in self.root_lengths.range(..=path.len()) {
            let Some(root) = path.get(..*length) else { continue };
            let Some(group) = self.groups.get(root) else { continue };
            if root == path {
                matched.extend(&group.root);
            } else if let Some(path) = below(root, path) {
                group.add_matches(path, &mut matched);
            }
        }
        // This sort is fast on parts that are sorted.
        matched.sort();
        // A pattern can have two globs, and match several folders of a path.
        matched.dedup();
        Matches(matched)
    }
}

impl PatternGroup {
    fn add(&mut self, id: PatternId, matcher: PatternMatcher) {
        match matcher {
            PatternMatcher::Everything { is_folder } => {
                self.in_root.push(id);
                if !is_folder {
                    self.root.push(id);
                }
            }
            PatternMatcher::Names { names, is_folder } => self.names.push((names, is_folder, id)),
            PatternMatcher::Globs(globs) => {
                for glob in globs {
                    match glob {
                        CheckedGlob::Short(glob) => self.short.push((glob, id)),
                        CheckedGlob::Long(glob) => self.long.push((glob, id)),
                    }
                }
            }
        }
    }

    /// Adds the patterns that match a path below the root.
    fn add_matches(&self, path: &str, matched: &mut Vec<PatternId>) {
        matched.extend(&self.in_root);
        let long = self.long.iter().filter(|(glob, _)| glob.is_match(path.as_bytes()));
        matched.extend(long.map(|(_, id)| *id));
        let CompiledGroup { names, short } = self.compiled.get_or_init(|| self.compile());
        if !self.names.is_empty() {
            let mut components = path.split('/').peekable();
            while let Some(name) = components.next() {
                let is_folder = components.peek().is_some();
                let named = names.matching(name).filter_map(|index| self.names.get(index));
                let named = named.filter(|(_, only_folders, _)| is_folder || !only_folders);
                matched.extend(named.map(|(_, _, id)| *id));
            }
        }
        if short.is_empty() {
            return;
        }
        let (candidate, mut globs) = (Candidate::new(path), Vec::new());
        for CompiledGlobs { set, ids } in short {
            set.matches_candidate_into(&candidate, &mut globs);
            matched.extend(globs.iter().filter_map(|glob| ids.get(*glob)).flatten());
        }
    }

    /// Patterns are often repeated: in documents, overrides and suppressions for the same files.
    fn compile(&self) -> CompiledGroup {
        let mut globs: BTreeMap<&str, (&Glob, Vec<PatternId>)> = BTreeMap::new();
        for (glob, id) in &self.short {
            globs.entry(glob.glob()).or_insert_with(|| (glob, Vec::new())).1.push(*id);
        }
        let globs: Vec<_> = globs.into_values().collect();
        let mut short = Vec::new();
        for globs in globs.chunks(MAX_SET) {
            compile(globs, &mut short);
        }
        CompiledGroup { names: self.names.iter().map(|(names, ..)| names.clone()).collect(), short }
    }
}

/// Compiles globs, each with its patterns. Each can be compiled alone; those that are too large together are split into
/// halves.
fn compile(globs: &[(&Glob, Vec<PatternId>)], compiled: &mut Vec<CompiledGlobs>) {
    if globs.is_empty() {
        return;
    }
    let mut builder = GlobSetBuilder::new();
    for (glob, _) in globs {
        builder.add((*glob).clone());
    }
    if let Ok(set) = builder.build() {
        compiled
            .push(CompiledGlobs { set, ids: globs.iter().map(|(_, ids)| ids.clone()).collect() });
    } else if let Some((first, second)) = globs.split_at_checked(globs.len() / 2)
        && !first.is_empty()
    {
        compile(first, compiled);
        compile(second, compiled);
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

/// The index of an entry: that of its file in the configuration, and that of the entry in a list of the file.
pub(crate) type EntryId = (u32, u32);

/// The entries of a list by their patterns, so that those for a file are found without asking each of them.
#[derive(Debug, Default)]
pub(crate) struct EntriesByPattern(Vec<(PatternId, EntryId)>);

impl EntriesByPattern {
    pub(crate) fn new<'c>(entries: impl Iterator<Item = (EntryId, &'c [PatternId])>) -> Self {
        let with_pattern = |(entry, files): (EntryId, &'c [PatternId])| {
            files.iter().map(move |pattern| (*pattern, entry))
        };
        let mut all: Vec<_> = entries.flat_map(with_pattern).collect();
        all.sort_unstable();
        Self(all)
    }

    /// The entries with a pattern that matches, in order.
    pub(crate) fn matching(&self, matches: &Matches) -> Vec<EntryId> {
        let entry = |pattern: &PatternId| {
            let at = self.0.binary_search_by_key(pattern, |(pattern, _)| *pattern).ok()?;
            self.0.get(at).map(|(_, entry)| *entry)
        };
        let mut entries: Vec<EntryId> = matches.0.iter().filter_map(entry).collect();
        entries.sort_unstable();
        entries.dedup();
        entries
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
    fn long_and_many_patterns_take_linear_time() {
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
        let mut patterns = PatternSet::default();
        for number in 0..10_000 {
            for pattern in [format!("agents/{number}/*.json"), format!("team{number}/")] {
                patterns.add(&pattern, &"".into(), SettingSource::Argument("")).unwrap();
            }
        }
        for number in 0..10_000 {
            let matches = patterns.matches(&format!("agents/{number}/en.json"));
            assert_eq!(matches.0, [PatternId(2 * number)]);
            let matches = patterns.matches(&format!("a/team{number}/b/team{number}/c"));
            assert_eq!(matches.0, [PatternId(2 * number + 1)]);
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
