use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::is_whole_word;

/// Words and phrases without which a rule has nothing to say about a text, in groups: those of a group are divided by `|`. One
/// search finds all of them, in any case of ASCII letters, so they are listed in lower case.
pub(crate) struct Clues {
    groups: &'static [&'static str],
    search: OnceLock<Option<(AhoCorasick, Vec<usize>)>>,
}

impl Clues {
    pub(crate) const fn new(groups: &'static [&'static str]) -> Self {
        Self { groups, search: OnceLock::new() }
    }

    /// The places where whole words are one of these, from left to right, each with the index of its group. Where two begin, the
    /// longer one counts.
    pub(crate) fn find<'t>(
        &self,
        text: &'t str,
    ) -> impl Iterator<Item = (Range<usize>, usize)> + use<'_, 't> {
        let search = self.search.get_or_init(|| {
            let words = self
                .groups
                .iter()
                .zip(0..)
                .flat_map(|(group, at)| group.split('|').map(move |word| (word, at)));
            let (words, groups): (Vec<&str>, Vec<usize>) = words.unzip();
            let search = AhoCorasick::builder()
                .ascii_case_insensitive(true)
                .match_kind(MatchKind::LeftmostLongest)
                .build(words);
            Some((search.ok()?, groups))
        });
        let found = search.iter().flat_map(move |(search, groups)| {
            search.find_iter(text).filter_map(move |found| {
                Some((found.range(), *groups.get(found.pattern().as_usize())?))
            })
        });
        found.filter(move |(range, _)| is_whole_word(text, range))
    }
}

#[cfg(test)]
mod tests {
    use super::Clues;

    #[test]
    fn whole_words_are_found_in_any_case() {
        static CLUES: Clues = Clues::new(&["end|end call", "übergabe"]);
        let text = "Ending: END CALL, then end, übergabe.";
        let found: Vec<_> =
            CLUES.find(text).filter_map(|(range, group)| Some((text.get(range)?, group))).collect();
        assert_eq!(found, [("END CALL", 0), ("end", 0), ("übergabe", 1)]);
    }
}
