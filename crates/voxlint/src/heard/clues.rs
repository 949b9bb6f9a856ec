use std::cmp::Reverse;
use std::ops::Range;
use std::sync::OnceLock;

use wide::u8x16;

use crate::blocks::{CHUNK, between, fold_chunks, is};

/// Words and phrases without which a rule has nothing to say about a text, in groups: those of a group are divided by `|`. They
/// are found in any case of ASCII letters, so they are listed in lower case.
///
/// A search looks at the first bytes of each word, and nothing is prepared for it when the program runs: most programs look at
/// one prompt.
pub(crate) struct Clues {
    groups: &'static [&'static str],
    /// The number of bytes of a head.
    length: usize,
    /// A bit for each head of a clue.
    heads: [u64; HEADS / 64],
    /// The clues with their heads and groups, sorted, for the first word with such a head.
    sorted: OnceLock<Vec<(u32, &'static str, usize)>>,
}

/// The number of bits by which heads are told apart.
const HEADS: usize = 4096;

/// The number of bytes of a head, unless a clue is shorter.
const LENGTH: usize = 3;

#[expect(clippy::indexing_slicing, reason = "a wrong index in a constant does not compile")]
impl Clues {
    pub(crate) const fn new(groups: &'static [&'static str]) -> Self {
        let mut length = LENGTH;
        let mut heads = [0; HEADS / 64];
        // The first pass finds the length of the shortest clue.
        let mut pass = 0;
        while pass < 2 {
            let mut group = 0;
            while group < groups.len() {
                let bytes = groups[group].as_bytes();
                let (mut start, mut end) = (0, 0);
                while end <= bytes.len() {
                    if end == bytes.len() || bytes[end] == b'|' {
                        if pass == 0 && end - start < length {
                            length = end - start;
                        }
                        if pass == 1 {
                            let bit = bit_of(head(bytes, start, length));
                            heads[bit / 64] |= 1 << (bit % 64);
                        }
                        start = end + 1;
                    }
                    end += 1;
                }
                group += 1;
            }
            pass += 1;
        }
        Self { groups, length, heads, sorted: OnceLock::new() }
    }
}

/// The head of a clue.
#[expect(clippy::indexing_slicing, reason = "the index is below the length")]
const fn head(clue: &[u8], start: usize, length: usize) -> u32 {
    let (mut head, mut at) = (0, 0);
    while at < length && start + at < clue.len() {
        head |= ((clue[start + at] | 0x20) as u32) << (8 * at);
        at += 1;
    }
    head
}

/// The bit of a head.
const fn bit_of(head: u32) -> usize {
    (head.wrapping_mul(0x9E37_79B1) >> 20) as usize % HEADS
}

impl Clues {
    /// The places where whole words are one of these, from left to right, each with the index of its group. Where two begin, the
    /// longer one counts.
    pub(crate) fn find(&self, text: &str) -> impl Iterator<Item = (Range<usize>, usize)> + use<> {
        let mut found: Vec<(Range<usize>, usize)> = Vec::new();
        let mask = (1 << (8 * self.length)) - 1;
        each_start(text.as_bytes(), |at| {
            let head = bytes_at(text.as_bytes(), at) & mask;
            let bit = bit_of(head);
            if self.heads.get(bit / 64).is_some_and(|bits| bits >> (bit % 64) & 1 > 0)
                && found.last().is_none_or(|(last, _)| last.end <= at)
                && let Some((length, group)) = self.longest_at(text, at, head)
            {
                found.push((at..at + length, group));
            }
        });
        found.into_iter()
    }

    /// The length and the group of the longest clue that begins at a place.
    fn longest_at(&self, text: &str, at: usize, head: u32) -> Option<(usize, usize)> {
        let sorted = self.sorted.get_or_init(|| self.sorted());
        let first = sorted.partition_point(|(other, ..)| *other < head);
        let alike = sorted.iter().skip(first).take_while(|(other, ..)| *other == head);
        let here = alike.filter(|(_, clue, _)| {
            let range = at..at + clue.len();
            let part = text.as_bytes().get(range.clone());
            part.is_some_and(|part| part.eq_ignore_ascii_case(clue.as_bytes()))
                && is_whole(text, &range)
        });
        // Of two groups with the same clue, the first one counts.
        let longest = here.max_by_key(|(_, clue, group)| (clue.len(), Reverse(*group)));
        longest.map(|(_, clue, group)| (clue.len(), *group))
    }

    fn sorted(&self) -> Vec<(u32, &'static str, usize)> {
        let clues = self.groups.iter().zip(0..).flat_map(|(group, index)| {
            group.split('|').map(move |clue| (head(clue.as_bytes(), 0, self.length), clue, index))
        });
        let mut clues: Vec<_> = clues.collect();
        clues.sort_unstable();
        clues
    }
}

/// Calls a function with each place where a word may begin: at its first ASCII letter or digit, and at every other character.
fn each_start(text: &[u8], mut call: impl FnMut(usize)) {
    fold_chunks(text, (0, 0), |(start, before), chunk| {
        let in_words = chunk.bits(|block| {
            let lower = block | u8x16::splat(0x20);
            between(lower, b'a', b'z') | between(block, b'0', b'9') | is(block, b'_')
        });
        let others =
            if chunk.is_ascii() { 0 } else { chunk.bits(|block| between(block, 0xC0, 0xFF)) };
        let mut starts = in_words & !(in_words << 1 | before) | others;
        while starts > 0 {
            call(start + starts.trailing_zeros() as usize);
            starts &= starts - 1;
        }
        (start + CHUNK, in_words >> (CHUNK - 1))
    });
}

/// The bytes of a head at a place, in any case.
fn bytes_at(text: &[u8], at: usize) -> u32 {
    let rest = text.get(at..).unwrap_or_default();
    let bytes = rest.first_chunk().copied().unwrap_or_else(|| {
        let mut bytes = [0; 4];
        bytes.iter_mut().zip(rest).for_each(|(byte, it)| *byte = *it);
        bytes
    });
    u32::from_le_bytes(bytes) | 0x2020_2020
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
            && !matches!(c, '\u{80}'..='\u{bf}' | '\u{60c}' | '\u{61f}' | '\u{964}' | '\u{965}' | '\u{2000}'..='\u{3fff}' | '\u{f000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::Clues;

    #[test]
    fn whole_words_are_found_in_any_case() {
        static CLUES: Clues = Clues::new(&["end|end call", "übergabe|मिनट"]);
        let text = "Ending: “END CALL”, then end→🙂end_call, übergabe. 5 मिनट। end";
        let found = CLUES.find(text).filter_map(|(range, group)| Some((text.get(range)?, group)));
        let expected = [("END CALL", 0), ("end", 0), ("übergabe", 1), ("मिनट", 1), ("end", 0)];
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }
}
