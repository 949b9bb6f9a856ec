use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::is_whole_word;

/// Words and phrases without which a rule has nothing to say about a text. One search finds all of them, in any case of ASCII
/// letters, so they are listed in lower case.
///
/// ```ignore
/// static TRANSFER: Clues = Clues::new(&["transfer", "weiterleiten"]);
/// for (range, word) in TRANSFER.find(text) { … }
/// ```
pub(crate) struct Clues {
    words: &'static [&'static str],
    search: OnceLock<Option<AhoCorasick>>,
}

impl Clues {
    pub(crate) const fn new(words: &'static [&'static str]) -> Self {
        Self { words, search: OnceLock::new() }
    }

    /// The places where whole words are one of these, from left to right, each with the index of the word. Where two begin, the
    /// longer one counts.
    pub(crate) fn find<'t>(
        &self,
        text: &'t str,
    ) -> impl Iterator<Item = (Range<usize>, usize)> + use<'_, 't> {
        let search = self.search.get_or_init(|| {
            AhoCorasick::builder()
                .ascii_case_insensitive(true)
                .match_kind(MatchKind::LeftmostLongest)
                .build(self.words)
                .ok()
        });
        let found = search.iter().flat_map(move |search| search.find_iter(text));
        found
            .map(|found| (found.range(), found.pattern().as_usize()))
            .filter(move |(range, _)| is_whole_word(text, range))
    }
}

#[cfg(test)]
mod tests {
    use super::Clues;

    #[test]
    fn whole_words_are_found_in_any_case() {
        static CLUES: Clues = Clues::new(&["end", "end call", "übergabe"]);
        let text = "Ending: END CALL, then end, übergabe.";
        let found: Vec<_> = CLUES.find(text).map(|(range, _)| &text[range]).collect();
        assert_eq!(found, ["END CALL", "end", "übergabe"]);
    }
}
