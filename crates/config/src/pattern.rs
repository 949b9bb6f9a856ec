//! Patterns of files, with the syntax of ignore files.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use globset::{Candidate, ErrorKind, Glob, GlobBuilder, GlobSet, GlobSetBuilder};

use crate::SettingSource;
use crate::path::{below, is_absolute, is_in, join};

/// A pattern of files, as a configuration file states it.
///
/// It has the syntax of ignore files: without a slash, or with one at the end only, it stands for names at any depth; with
/// another slash it begins in the folder of the configuration file. One that stands for a folder stands for everything
/// below, and one that ends with a slash for nothing else. `*` and `?` stop at slashes, `**` does not, `[a-z]` is one of
/// these characters, `{de,en}` one of these texts, and a backslash takes the meaning from the character behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The pattern as it was written.
    pub text: String,
    /// Where.
    pub source: SettingSource,
    /// The folder that the pattern begins in.
    folder: Arc<str>,
    /// The innermost path that all files of the pattern lie in, or are.
    root: String,
    /// Whether the pattern has no wildcards and begins in its folder.
    is_literal: bool,
}

impl Pattern {
    /// The innermost path that everything that the pattern stands for lies in; where it has no wildcards, the file or the
    /// folder itself.
    pub fn root(&self) -> &str {
        &self.root
    }

    /// Whether the pattern stands for the one file or folder of [`Self::root`].
    pub fn is_literal(&self) -> bool {
        self.is_literal
    }
}

/// Why a text is no pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PatternError {
    /// The bytes of the pattern that are at fault; all of them, where it is not known better.
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

/// A pattern, taken apart.
struct Parts {
    globs: Vec<Glob>,
    /// The names that the pattern begins with, without wildcards.
    literal: String,
    is_anchored: bool,
    is_literal: bool,
}

/// What has a meaning in a pattern.
const SPECIAL: [char; 8] = ['*', '?', '[', ']', '{', '}', '!', '\\'];

fn parse(text: &str) -> Result<Parts, PatternError> {
    refuse_what_is_no_pattern(text)?;
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
            let why = "there is no name between the slashes";
            return Err(PatternError::new(why, "write one slash").at(at - 1, 2));
        }
        if matches!(name, "." | "..") {
            let why = "patterns only match files below the folder of the configuration";
            let help = "move the entry to a configuration there, or leave the dots out";
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
    Ok(Parts { globs, literal, is_anchored, is_literal })
}

/// What other tools allow, or would take for a pattern that stands for nothing.
fn refuse_what_is_no_pattern(text: &str) -> Result<(), PatternError> {
    if text.is_empty() {
        return Err(PatternError::new("the pattern is empty", "write `**` for every file"));
    }
    if text.starts_with('!') {
        let why = "a pattern that takes files back is not supported";
        let help = "list the files that are meant; where a name begins with `!`, write `\\!` in single quotes";
        return Err(PatternError::new(why, help).at(0, 1));
    }
    if is_absolute(text) && !text.starts_with('/') {
        let why = "a pattern begins in the folder of the configuration";
        return Err(PatternError::new(why, "leave the drive out").at(0, 2));
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

/// Patterns of so many bytes are far from what is too long to be matched.
const SURELY_SHORT: usize = 1000;

fn compile(glob: &str) -> Result<Glob, PatternError> {
    let glob = GlobBuilder::new(glob)
        .literal_separator(true)
        .backslash_escape(true)
        .empty_alternates(true)
        .build()
        .map_err(|error| explained(error.kind()))?;
    if glob.glob().len() > SURELY_SHORT {
        // Only a set says that a pattern is too long: a matcher of its own would panic.
        let set = GlobSetBuilder::new().add(glob.clone()).build();
        set.map_err(|error| explained(error.kind()))?;
    }
    Ok(glob)
}

fn explained(error: &ErrorKind) -> PatternError {
    match error {
        ErrorKind::UnclosedClass => PatternError::new(
            "a `[` in the pattern is never closed",
            "close it, or write `\\[` in single quotes",
        ),
        ErrorKind::InvalidRange(..) => PatternError::new(
            "the range in the brackets ends before it begins",
            "write it the other way round",
        ),
        ErrorKind::UnopenedAlternates => PatternError::new(
            "a `}` in the pattern closes nothing",
            "remove it, or write `\\}` in single quotes",
        ),
        ErrorKind::UnclosedAlternates => PatternError::new(
            "a `{` in the pattern is never closed",
            "close it, or write `\\{` in single quotes",
        ),
        ErrorKind::NestedAlternates => PatternError::new(
            "braces in a pattern cannot be nested",
            "list the alternatives side by side",
        ),
        ErrorKind::DanglingEscape => {
            PatternError::new("the pattern ends with a backslash", "remove it")
        }
        _ => PatternError::new("the pattern is too long", "split it into several"),
    }
}

/// The number of a pattern in its [`PatternSet`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PatternId(u32);

/// All patterns of a configuration: a path is held against them at once.
#[derive(Debug, Default)]
pub(crate) struct PatternSet {
    patterns: Vec<Pattern>,
    globs: BTreeMap<Start, Vec<(Glob, PatternId)>>,
    sets: Vec<Set>,
}

/// Where patterns begin: the folder that they are relative to, and their root. What does not lie there need not be held
/// against them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Start {
    folder: Arc<str>,
    root: Arc<str>,
}

/// Patterns of one start.
#[derive(Debug)]
struct Set {
    start: Start,
    globs: GlobSet,
    /// The pattern that each glob belongs to.
    ids: Vec<PatternId>,
}

impl PatternSet {
    pub(crate) fn add(
        &mut self,
        text: &str,
        folder: &Arc<str>,
        source: SettingSource,
    ) -> Result<PatternId, PatternError> {
        let Parts { globs, literal, is_anchored, is_literal } = parse(text)?;
        let id = PatternId(self.patterns.len() as u32);
        let root = if is_anchored && !literal.is_empty() {
            join(folder, &literal)
        } else {
            (**folder).to_owned()
        };
        let start = Start { folder: Arc::clone(folder), root: root.as_str().into() };
        let all = self.globs.entry(start).or_default();
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

    /// Makes the patterns ready to be matched.
    pub(crate) fn compile(&mut self) {
        for (start, globs) in std::mem::take(&mut self.globs) {
            self.compile_some(&start, &globs);
        }
    }

    /// Each pattern can be compiled alone; too many of them together are cut in half.
    fn compile_some(&mut self, start: &Start, globs: &[(Glob, PatternId)]) {
        let mut builder = GlobSetBuilder::new();
        for (glob, _) in globs {
            builder.add(glob.clone());
        }
        if let Ok(set) = builder.build() {
            let ids = globs.iter().map(|(_, id)| *id).collect();
            self.sets.push(Set { start: start.clone(), globs: set, ids });
        } else if let Some((some, others)) = globs.split_at_checked(globs.len() / 2)
            && !some.is_empty()
        {
            self.compile_some(start, some);
            self.compile_some(start, others);
        }
    }

    /// The patterns that a path matches.
    pub(crate) fn matches(&self, path: &str) -> Matches {
        let mut matched = vec![false; self.patterns.len()];
        let mut globs = Vec::new();
        for set in &self.sets {
            if !is_in(&set.start.root, path) {
                continue;
            }
            let Some(path) = below(&set.start.folder, path) else { continue };
            set.globs.matches_candidate_into(&Candidate::new(path), &mut globs);
            for id in globs.iter().filter_map(|glob| set.ids.get(*glob)) {
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
    fn patterns_match_as_those_of_ignore_files_do() {
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
    fn files_outside_the_folder_match_nothing() {
        for (folder, path) in
            [("agents", "en.json"), ("agents", "agents"), ("", "/en.json"), ("", "../en.json")]
        {
            assert!(!is_match("**", folder, path), "{folder} {path}");
        }
    }

    #[test]
    fn what_is_no_pattern_is_told() {
        for (text, message, at) in [
            ("", "the pattern is empty", None),
            ("/", "the pattern matches the folder of the configuration itself", None),
            ("./", "the pattern matches the folder of the configuration itself", None),
            ("!a", "a pattern that takes files back is not supported", Some(0..1)),
            ("a//b", "there is no name between the slashes", Some(1..3)),
            ("../a", "patterns only match files below the folder of the configuration", Some(0..2)),
            (
                "a/../b",
                "patterns only match files below the folder of the configuration",
                Some(2..4),
            ),
            ("C:/a", "a pattern begins in the folder of the configuration", Some(0..2)),
            ("a\\b.json", "a backslash in a pattern must precede a special character", Some(1..2)),
            ("a\\", "a backslash in a pattern must precede a special character", Some(1..2)),
            ("[a", "a `[` in the pattern is never closed", None),
            ("[b-a]", "the range in the brackets ends before it begins", None),
            ("{a", "a `{` in the pattern is never closed", None),
            ("a}", "a `}` in the pattern closes nothing", None),
        ] {
            let error = parse(text).err().unwrap_or_else(|| panic!("{text} is no pattern"));
            assert_eq!((error.message, error.at), (message, at), "{text}");
        }
        assert!(parse(&"[a-z]?".repeat(120_000)).is_err());
    }

    #[test]
    fn the_root_is_where_the_wildcards_begin() {
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
