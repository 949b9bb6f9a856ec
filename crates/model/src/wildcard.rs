//! Patterns with `*` for names.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};

/// A name in which `*` matches any characters, also none.
///
/// ```
/// use voxlint::Wildcard;
///
/// let names = Wildcard::new("crm_*");
/// assert!(names.matches("crm_id"));
/// assert!(!names.matches("my_crm_id"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wildcard(String);

impl Wildcard {
    /// A wildcard. Any text is valid, and one without `*` only matches itself.
    pub fn new(pattern: impl Into<String>) -> Self {
        Self(pattern.into())
    }

    /// The pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the wildcard has no `*`.
    pub fn is_literal(&self) -> bool {
        !self.0.contains('*')
    }

    /// Whether it matches the name.
    pub fn matches(&self, name: &str) -> bool {
        let mut parts = self.0.split('*');
        let first = parts.next().unwrap_or_default();
        let Some(mut rest) = name.strip_prefix(first) else { return false };
        let Some(last) = parts.next_back() else { return rest.is_empty() };
        // Each part is matched at its first occurrence, which leaves the most for the parts after it.
        for part in parts {
            let Some((_, behind)) = rest.split_once(part) else { return false };
            rest = behind;
        }
        rest.ends_with(last)
    }
}

/// Wildcards that are matched against a name together.
///
/// They are found by how they begin and end, so that a name is compared with few of them.
///
/// ```
/// use std::collections::BTreeSet;
///
/// use voxlint::{Wildcard, WildcardSet};
///
/// let known: WildcardSet = ["agent_name", "crm_*", "*_id"].into_iter().map(Wildcard::new).collect();
/// let matching: BTreeSet<usize> = known.matching("crm_id").collect();
/// assert_eq!(matching, BTreeSet::from([1, 2]));
/// assert!(!known.matches("name"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct WildcardSet {
    wildcards: Vec<Wildcard>,
    /// The wildcards without `*`.
    literal: HashMap<String, Vec<usize>>,
    /// The others by the text before their first `*`.
    by_start: ByText<ByText<Vec<usize>>>,
}

/// Entries by a text, and the lengths that the texts have.
#[derive(Clone, Debug)]
struct ByText<T> {
    entries: HashMap<String, T>,
    lengths: BTreeSet<usize>,
}

impl<T> Default for ByText<T> {
    fn default() -> Self {
        Self { entries: HashMap::new(), lengths: BTreeSet::new() }
    }
}

impl<T: Default> ByText<T> {
    fn entry(&mut self, text: &str) -> &mut T {
        self.lengths.insert(text.len());
        self.entries.entry(text.to_owned()).or_default()
    }
}

impl WildcardSet {
    /// Whether one of the wildcards matches the name.
    pub fn matches(&self, name: &str) -> bool {
        self.matching(name).next().is_some()
    }

    /// The indexes of the wildcards that match the name, not in order.
    pub fn matching(&self, name: &str) -> impl Iterator<Item = usize> {
        let literal = self.literal.get(name).into_iter().flatten().copied();
        let starts = self.by_start.lengths.range(..=name.len());
        let by_end = starts.filter_map(move |&length| {
            let (start, rest) = name.split_at_checked(length)?;
            Some((self.by_start.entries.get(start)?, rest))
        });
        let similar = by_end.flat_map(|(by_end, rest)| {
            let ends = by_end.lengths.range(..=rest.len());
            ends.filter_map(move |length| by_end.entries.get(rest.get(rest.len() - length..)?))
        });
        let is_match = move |index: &usize| {
            self.wildcards.get(*index).is_some_and(|wildcard| wildcard.matches(name))
        };
        literal.chain(similar.flatten().copied().filter(is_match))
    }
}

impl FromIterator<Wildcard> for WildcardSet {
    fn from_iter<I: IntoIterator<Item = Wildcard>>(wildcards: I) -> Self {
        let mut set = Self::default();
        for (index, wildcard) in wildcards.into_iter().enumerate() {
            let indexes = match (wildcard.0.split_once('*'), wildcard.0.rsplit_once('*')) {
                (Some((start, _)), Some((_, end))) => set.by_start.entry(start).entry(end),
                _ => set.literal.entry(wildcard.0.clone()).or_default(),
            };
            indexes.push(index);
            set.wildcards.push(wildcard);
        }
        set
    }
}

/// Wildcards that most documents need not be compared with. The first name prepares them.
#[derive(Debug)]
pub struct LazyWildcards<'w> {
    wildcards: &'w [Wildcard],
    set: OnceCell<WildcardSet>,
}

impl<'w> LazyWildcards<'w> {
    /// Wildcards that are put together when one is first asked for.
    pub const fn new(wildcards: &'w [Wildcard]) -> Self {
        Self { wildcards, set: OnceCell::new() }
    }

    /// Whether one of the wildcards matches the name.
    pub fn matches(&self, name: &str) -> bool {
        self.set.get_or_init(|| self.wildcards.iter().cloned().collect()).matches(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_matches_any_characters_or_none() {
        for (pattern, names) in [
            ("name", &["name"][..]),
            ("*", &["", "a", "é*"]),
            ("crm_*", &["crm_", "crm_id"]),
            ("*_id", &["_id", "crm_id", "a_id_id"]),
            ("a*b*c", &["abc", "a-b-c", "abbc", "abcbc"]),
            ("**", &["", "x"]),
        ] {
            for name in names {
                assert!(Wildcard::new(pattern).matches(name), "{pattern} {name}");
            }
        }
        for (pattern, name) in
            [("name", "names"), ("name", "nam"), ("a*a", "a"), ("a*b*c", "acb"), ("*b", "ba")]
        {
            assert!(!Wildcard::new(pattern).matches(name), "{pattern} {name}");
        }
    }

    #[test]
    fn a_set_matches_like_its_wildcards() {
        let texts =
            ["", "*", "a*", "*a", "a*a", "a*b*a", "aa", "ab*", "*ba", "é*", "a", "**", "*b*"];
        let wildcards: Vec<Wildcard> = texts.into_iter().map(Wildcard::new).collect();
        let set: WildcardSet = wildcards.iter().cloned().collect();
        for name in ["", "a", "aa", "aba", "abba", "ab", "ba", "b", "é", "éa", "aéa"] {
            let mut found: Vec<usize> = set.matching(name).collect();
            found.sort_unstable();
            let expected = (0..texts.len()).filter(|index| wildcards[*index].matches(name));
            assert_eq!(found, expected.collect::<Vec<_>>(), "{name}");
        }
    }

    #[test]
    fn a_thousand_wildcards_are_matched_as_fast_as_one() {
        // Quadratic work would take minutes here.
        let names =
            |number: usize| [format!("a{number}*b"), format!("a*b{number}"), format!("{number}")];
        let count = 100_000;
        let set: WildcardSet = (0..count).flat_map(names).map(Wildcard::new).collect();
        let found: usize = (0..count)
            .map(|number| set.matching(&format!("a{number}x{number}b{number}")).count())
            .sum();
        assert_eq!(found, count);
    }
}
