use std::cmp::Reverse;
use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::{Span, packed};

/// Words and phrases without which a rule has nothing to say about a text, in groups: those of a group are divided by `|`. They
/// are found in any case of ASCII letters, so they are listed in lower case.
pub(crate) struct Clues {
    groups: &'static [&'static str],
    search: OnceLock<Vec<Search>>,
}

/// A search for some of the clues: for the rarest part of each, which few other words have.
struct Search {
    /// `None` on a processor that cannot search for several parts at once.
    searcher: Option<packed::Searcher>,
    parts: Vec<Part>,
}

/// A part of clues, and those that have it.
struct Part {
    text: &'static [u8],
    clues: Vec<Clue>,
}

#[derive(Clone, Copy)]
struct Clue {
    text: &'static str,
    group: usize,
    /// Where the part is in it.
    offset: usize,
}

/// The length of the parts, unless a clue is shorter. A search compares as many bytes at once.
const PART: usize = 4;

/// The number of parts that are searched for at once, in groups that a search compares as one.
const AT_ONCE: usize = 32;
const GROUPS: usize = 8;

/// How rare a byte is in prompts.
#[expect(clippy::indexing_slicing, reason = "a wrong index in a constant does not compile")]
const RARITY: [u8; 256] = {
    const FREQUENT: &[u8; 27] = b" etaoinsrhldcumfpgwybvkxjqz";
    let mut rarity = [FREQUENT.len() as u8; 256];
    let mut rank = 0;
    while rank < FREQUENT.len() {
        rarity[FREQUENT[rank] as usize] = rank as u8;
        rank += 1;
    }
    rarity
};

/// The rarest part of a clue, and where it is.
fn rarest_part(clue: &'static str) -> Option<(&'static [u8], usize)> {
    /// Words of nearly every prompt.
    const FREQUENT: &[u8] = b" call for should would could customer name know long companion ";
    let rarity =
        |byte: &u8| RARITY.get(usize::from(*byte)).copied().map(u32::from).unwrap_or_default();
    let is_frequent = |part: &[u8]| memchr::memmem::find(FREQUENT, part).is_some();
    let mut parts: Vec<(usize, &[u8])> =
        clue.as_bytes().windows(PART.min(clue.len())).enumerate().collect();
    parts.sort_by_cached_key(|(_, part)| Reverse(part.iter().map(rarity).sum::<u32>()));
    let rare = parts.iter().find(|(_, part)| !is_frequent(part));
    let (offset, part) = *rare.or_else(|| parts.first())?;
    Some((part, offset))
}

impl Search {
    /// The searches for all clues of some groups.
    fn of(groups: &'static [&'static str]) -> Vec<Self> {
        let mut clues = Vec::new();
        for (group, texts) in groups.iter().enumerate() {
            clues.extend(texts.split('|').filter_map(|text| {
                let (part, offset) = rarest_part(text)?;
                Some((part, Clue { text, group, offset }))
            }));
        }
        clues.sort_by_key(|(part, _)| (part.len(), *part));
        let parts: Vec<&[(&[u8], Clue)]> =
            clues.chunk_by(|(one, _), (next, _)| one == next).collect();
        let length = |same: &&[(&[u8], Clue)]| same.first().map_or(0, |(part, _)| part.len());
        let searches = parts.chunk_by(|one, next| (length(one) < PART) == (length(next) < PART));
        searches.flat_map(|parts| parts.chunks(AT_ONCE)).map(Self::for_parts).collect()
    }

    /// The search for some parts, in the order of their letters.
    fn for_parts(parts: &[&[(&'static [u8], Clue)]]) -> Self {
        // Of as many parts as there are groups, each is in another one. Those in a group are found faster if they are alike.
        let rows = parts.len().div_ceil(GROUPS);
        let order = (0..rows).flat_map(|row| (0..GROUPS).map(move |group| group * rows + row));
        let parts = order.filter_map(|at| {
            let same = parts.get(at)?;
            let clues = same.iter().map(|(_, clue)| *clue).collect();
            Some(Part { text: same.first()?.0, clues })
        });
        let parts: Vec<Part> = parts.collect();
        Self { searcher: packed::Searcher::new(parts.iter().map(|part| part.text)), parts }
    }

    /// Calls a function with each of the parts in a text, and with its place.
    fn each_part(&self, text: &[u8], mut call: impl FnMut(usize, &Part)) {
        let Some(searcher) = &self.searcher else {
            for part in &self.parts {
                memchr::memmem::find_iter(text, part.text).for_each(|at| call(at, part));
            }
            return;
        };
        let mut rest = Span { start: 0, end: text.len() };
        while let Some(found) = searcher.find_in(text, rest) {
            if let Some(part) = self.parts.get(found.pattern().as_usize()) {
                call(found.start(), part);
            }
            // Parts may overlap.
            rest.start = found.start() + 1;
        }
    }
}

impl Clues {
    pub(crate) const fn new(groups: &'static [&'static str]) -> Self {
        Self { groups, search: OnceLock::new() }
    }

    /// The places where whole words are one of these, from left to right, each with the index of its group. Where two begin, the
    /// longer one counts.
    pub(crate) fn find(&self, text: &str) -> impl Iterator<Item = (Range<usize>, usize)> + use<> {
        let text = text.to_ascii_lowercase();
        let mut found = Vec::new();
        for search in self.search.get_or_init(|| Search::of(self.groups)) {
            search.each_part(text.as_bytes(), |at, part| {
                let ranges = part.clues.iter().filter_map(|clue| {
                    let start = at.checked_sub(clue.offset)?;
                    let range = start..start + clue.text.len();
                    let is_it = text.as_bytes().get(range.clone())? == clue.text.as_bytes();
                    (is_it && is_whole(&text, &range)).then_some((range, clue.group))
                });
                found.extend(ranges);
            });
        }
        found.sort_unstable_by_key(|(range, group)| (range.start, Reverse(range.end), *group));
        let mut end = 0;
        found.into_iter().filter(move |(range, _)| {
            let is_behind = range.start >= end;
            if is_behind {
                end = range.end;
            }
            is_behind
        })
    }
}

/// Whether a part of a text consists of whole words.
fn is_whole(text: &str, range: &Range<usize>) -> bool {
    let before = text.get(..range.start).and_then(|it| it.chars().next_back());
    let after = text.get(range.end..).and_then(|it| it.chars().next());
    !before.is_some_and(is_in_word) && !after.is_some_and(is_in_word)
}

/// Whether a character belongs to a word: ASCII letters and digits, `_`, and all others but punctuation, arrows, full-width forms
/// and emoji.
pub(super) const fn is_in_word(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || c == '_'
        || !c.is_ascii()
            && !matches!(c, '\u{80}'..='\u{bf}' | '\u{2000}'..='\u{3fff}' | '\u{f000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::Clues;

    #[test]
    fn whole_words_are_found_in_any_case() {
        static CLUES: Clues = Clues::new(&["end|end call", "übergabe|मिनट"]);
        let text = "Ending: “END CALL”, then end→🙂end_call, übergabe. 5 मिनट, end";
        let found = CLUES.find(text).filter_map(|(range, group)| Some((text.get(range)?, group)));
        let expected = [("END CALL", 0), ("end", 0), ("übergabe", 1), ("मिनट", 1), ("end", 0)];
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }
}
