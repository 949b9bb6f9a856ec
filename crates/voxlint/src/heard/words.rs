use std::cmp::Reverse;
use std::ops::Range;
use std::sync::OnceLock;

use wide::u8x16;

use crate::blocks::{CHUNK, between, fold_chunks};

/// Words and phrases in groups: those of a group are divided by `|`. Each begins with a letter. They are found in any case of ASCII letters, so they are listed
/// in lower case. Nothing is prepared before the first use.
pub(crate) struct Words {
    groups: &'static [&'static str],
    index: OnceLock<Index>,
}

/// Words by their first bytes.
struct Index {
    /// The number of bytes of letters that each of them begins with, at most three. Shorter words of a text are skipped.
    letters: usize,
    /// The bits of the bytes that are hashed: three, or as many as the shortest word has.
    hashed: u64,
    /// For each hash, the number of the first word that has it, counted from one; 0 if there is none.
    first: Box<[u16; HASHES]>,
    /// The words, in the order of their hashes, longer ones first.
    words: Vec<Word>,
}

struct Word {
    hash: usize,
    /// Up to eight of its first bytes, and their bits.
    head: u64,
    mask: u64,
    text: &'static str,
    group: usize,
}

/// The number of hashes.
const HASHES: usize = 4096;

impl Words {
    pub(crate) const fn new(groups: &'static [&'static str]) -> Self {
        Self { groups, index: OnceLock::new() }
    }

    /// The places where whole words are one of these, from left to right, each with the number of its group. Where two begin, the
    /// longer one counts.
    pub(crate) fn find(&self, text: &str) -> impl Iterator<Item = (Range<usize>, usize)> + use<> {
        let mut found: Vec<(Range<usize>, usize)> = Vec::new();
        let index = self.index();
        each_start(text.as_bytes(), index.letters, |at| {
            if let Some(word) = index.word_at(text, at)
                && found.last().is_none_or(|(last, _)| last.end <= at)
            {
                found.push((at..at + word.text.len(), word.group));
            }
        });
        found.into_iter()
    }

    /// The group of a word.
    pub(crate) fn group_of(&self, word: &str) -> Option<usize> {
        let found = self.index().word_at(word, 0)?;
        (found.text.len() == word.len()).then_some(found.group)
    }

    pub(crate) fn contains(&self, word: &str) -> bool {
        self.group_of(word).is_some()
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::of(self.groups))
    }
}

impl Index {
    fn of(groups: &[&'static str]) -> Self {
        let all = || {
            let groups = groups.iter().zip(0..);
            groups.flat_map(|(group, index)| group.split('|').map(move |word| (word, index)))
        };
        let least = |length: fn(&str) -> usize| {
            all().map(|(word, _)| length(word)).min().unwrap_or_default().min(3)
        };
        let letters = least(|word| {
            word.bytes().take_while(|it| it.is_ascii_alphabetic() || !it.is_ascii()).count()
        });
        let hashed = first_bytes(least(str::len));
        let words = all().map(|(text, group)| {
            let (head, mask) = (head(text.as_bytes()), first_bytes(text.len()));
            Word { hash: hash(head & hashed), head: head & mask, mask, text, group }
        });
        let mut words: Vec<Word> = words.collect();
        // Of two groups with the same word, the first one counts.
        words.sort_by_key(|word| (word.hash, Reverse(word.text.len())));
        let mut first = Box::new([0; HASHES]);
        for (number, word) in (1..).zip(&words) {
            if let Some(first) = first.get_mut(word.hash).filter(|first| **first == 0) {
                *first = number;
            }
        }
        Self { letters, hashed, first, words }
    }

    /// The longest word that begins at a place of a text.
    #[inline]
    fn word_at(&self, text: &str, at: usize) -> Option<&Word> {
        let head = head(text.as_bytes().get(at..)?);
        let hash = hash(head & self.hashed);
        let first = usize::from(*self.first.get(hash)?).checked_sub(1)?;
        let alike = self.words.get(first..)?.iter().take_while(|word| word.hash == hash);
        // Most words that begin alike differ in the next few bytes.
        let mut alike = alike.filter(|word| (head ^ word.head) & word.mask == 0);
        alike.find(|word| word.is_at(text, at))
    }
}

impl Word {
    fn is_at(&self, text: &str, at: usize) -> bool {
        let range = at..at + self.text.len();
        let part = text.as_bytes().get(range.clone());
        part.is_some_and(|part| part.eq_ignore_ascii_case(self.text.as_bytes()))
            && is_whole_word(text, &range)
    }
}

/// The bits of the first bytes of a head.
fn first_bytes(count: usize) -> u64 {
    (0..count.min(8)).fold(0, |bits, _| bits << 8 | 0xFF)
}

const fn hash(head: u64) -> usize {
    (head.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48) as usize % HASHES
}

/// The first eight bytes of a text, in lower case. There are spaces behind a shorter one.
#[inline]
fn head(text: &[u8]) -> u64 {
    let bytes = text.first_chunk().copied().unwrap_or_else(|| {
        let mut bytes = [b' '; 8];
        bytes.iter_mut().zip(text).for_each(|(byte, it)| *byte = *it);
        bytes
    });
    u64::from_le_bytes(bytes) | u64::from_le_bytes([0x20; 8])
}

/// Calls a function with each place where a word of at least so many bytes of letters may begin: at the first of some ASCII letters,
/// and at every other character.
fn each_start(text: &[u8], least: usize, mut call: impl FnMut(usize)) {
    fold_chunks(text, (0, 0), |(start, before), chunk| {
        let letters = chunk.bits(|block| between(block | u8x16::splat(0x20), b'a', b'z'));
        let [others, leads] = if chunk.is_ascii() {
            [0; 2]
        } else {
            [0x80, 0xC0].map(|first| chunk.bits(|block| between(block, first, 0xFF)))
        };
        let mut starts = letters & !(letters << 1 | before);
        for more in 1..least {
            // A word may go on in the next chunk.
            starts &= !(!(letters | others) >> more);
        }
        starts |= leads;
        while starts > 0 {
            call(start + starts.trailing_zeros() as usize);
            starts &= starts - 1;
        }
        (start + CHUNK, letters >> (CHUNK - 1))
    });
}

/// Whether no character of a word is next to a part of a text.
pub(crate) fn is_whole_word(text: &str, range: &Range<usize>) -> bool {
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
    use super::Words;

    static WORDS: Words = Words::new(&["end|end call", "übergabe|मिनट", "tür"]);

    #[test]
    fn words_are_found_wherever_they_begin() {
        for before in 0..130 {
            let text = format!("{}end, tür an TüR", "- ".repeat(before));
            let found: Vec<_> =
                WORDS.find(&text).map(|(range, group)| (range.start, group)).collect();
            let start = 2 * before;
            assert_eq!(found, [(start, 0), (start + 5, 2), (start + 13, 2)], "{before}");
        }
    }

    #[test]
    fn whole_words_are_found_in_any_case() {
        let text = "Ending: “END CALL”, then end→🙂end_call, übergabe. 5 मिनट। end";
        let found = WORDS.find(text).filter_map(|(range, group)| Some((text.get(range)?, group)));
        let expected = [("END CALL", 0), ("end", 0), ("übergabe", 1), ("मिनट", 1), ("end", 0)];
        assert_eq!(found.collect::<Vec<_>>(), expected);
        for (word, group) in [("End", Some(0)), ("मिनट", Some(1)), ("en", None), ("", None)]
        {
            assert_eq!(WORDS.group_of(word), group, "{word}");
        }
    }
}
