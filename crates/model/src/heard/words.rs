//! Lists of words that a text is searched for in one pass.

use std::ops::Range;
use std::sync::OnceLock;

use wide::u8x16;

use crate::blocks::{CHUNK, Chunk, between, fold_chunks};

/// Words and phrases in groups, as [`words!`](crate::heard::words!) makes them. Their index is made for the first text.
pub struct Words {
    groups: &'static [&'static str],
    index: OnceLock<Index>,
}

/// The bytes of a word that tell it from most others.
const PREFIX: usize = 4;

/// The number of hashes: so many that most words of a text have the hash of none.
const HASHES: usize = 1 << HASH_BITS;
const HASH_BITS: u32 = 12;

/// The words of some [`Words`] by their first bytes.
struct Index {
    /// For each hash, the number of the first word that has it, counted from one; 0 if there is none.
    first: Vec<u16>,
    words: Vec<Word>,
    /// The number of bytes of letters that each of them begins with, at most [`PREFIX`]. Shorter words of a text are skipped.
    letters: usize,
    /// The bits of the bytes that are hashed: [`PREFIX`] bytes, or as many as the shortest word has.
    hashed: u64,
}

struct Word {
    text: &'static str,
    group: usize,
    /// Eight of its first bytes.
    head: u64,
    /// The number of the next word with the same hash, as in [`Index::first`]. Longer ones come first.
    next: u16,
}

/// [`Words`] of groups, whose words are divided by `|`. Each begins with a letter. They are found in any case of ASCII letters, so they are
/// listed in lower case.
#[macro_export]
macro_rules! words {
    ($($group:expr),+ $(,)?) => {
        $crate::heard::Words::of(&[$($group),+])
    };
}
pub use crate::words;

impl Words {
    /// The words of groups, see [`words!`](crate::words).
    pub const fn of(groups: &'static [&'static str]) -> Self {
        Self { groups, index: OnceLock::new() }
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::of(self.groups))
    }

    /// The places where whole words are one of these, from left to right, each with the number of its group. Where two begin, the
    /// longer one counts.
    pub fn find(&self, text: &str) -> std::vec::IntoIter<(Range<usize>, usize)> {
        self.find_beside(text, |_, _, _| {})
    }

    /// As [`Words::find`]. Another search looks at each chunk with it, and knows where it begins, and its ASCII letters.
    #[inline]
    pub(super) fn find_beside(
        &self,
        text: &str,
        other: impl FnMut(usize, Chunk<'_>, u64),
    ) -> std::vec::IntoIter<(Range<usize>, usize)> {
        let index = self.index();
        let mut found = Vec::new();
        let bytes = text.as_bytes();
        each_start(bytes, index.letters, other, |at| {
            let head = head(bytes, at);
            let first = index.first.get(hash(head & index.hashed));
            // Most words of a text have the hash of none.
            if let Some(first) = first.filter(|first| **first > 0) {
                index.add(*first, head, text, at, &mut found);
            }
        });
        found.into_iter()
    }

    /// The group of a word.
    pub(crate) fn group_of(&self, word: &str) -> Option<usize> {
        let index = self.index();
        let head = head(word.as_bytes(), 0);
        let first = *index.first.get(hash(head & index.hashed))?;
        let found = index.word_at(first, head, word, 0)?;
        (found.text.len() == word.len()).then_some(found.group)
    }

    /// Whether a word is one of them.
    pub fn contains(&self, word: &str) -> bool {
        self.group_of(word).is_some()
    }
}

impl Index {
    fn of(groups: &'static [&'static str]) -> Self {
        let all = groups.iter().enumerate();
        let all = all.flat_map(|(group, words)| words.split('|').map(move |word| (word, group)));
        let mut words: Vec<Word> = all
            .map(|(word, group)| Word {
                text: word,
                group,
                head: head(word.as_bytes(), 0),
                next: 0,
            })
            .collect();
        let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || !byte.is_ascii();
        let letters = |word: &Word| word.text.bytes().take_while(is_letter).count();
        let least = |lengths: Option<usize>| lengths.unwrap_or_default().min(PREFIX);
        let letters = least(words.iter().map(letters).min());
        let hashed = first_bytes(least(words.iter().map(|it| it.text.len()).min()));
        // Each word comes before those that are there already. Of two groups with the same word, the first one counts.
        words.reverse();
        words.sort_by_key(|it| it.text.len());
        let mut first = vec![0; HASHES];
        for (word, number) in words.iter_mut().zip(1..) {
            if let Some(first) = first.get_mut(hash(word.head & hashed)) {
                word.next = std::mem::replace(first, number);
            }
        }
        Self { first, words, letters, hashed }
    }

    /// Adds the longest word that begins at a place of a text.
    #[inline(never)]
    fn add(
        &self,
        first: u16,
        head: u64,
        text: &str,
        at: usize,
        found: &mut Vec<(Range<usize>, usize)>,
    ) {
        if found.last().is_none_or(|(last, _)| last.end <= at)
            && let Some(word) = self.word_at(first, head, text, at)
        {
            found.push((at..at + word.text.len(), word.group));
        }
    }

    /// The longest word that begins at a place of a text, of those from the first one that has its hash.
    fn word_at(&self, first: u16, head: u64, text: &str, at: usize) -> Option<&Word> {
        let mut next = first;
        loop {
            let word = self.words.get(usize::from(next).checked_sub(1)?)?;
            // Most words that begin alike differ in the next few bytes.
            if (head ^ word.head) & first_bytes(word.text.len()) == 0 && word.is_at(text, at) {
                return Some(word);
            }
            next = word.next;
        }
    }
}

impl Word {
    fn is_at(&self, text: &str, at: usize) -> bool {
        let range = at..at + self.text.len();
        let part = text.as_bytes().get(range.clone());
        // The first eight bytes are compared already.
        let is_equal = |part: &[u8]| {
            let rest = self.text.bytes().zip(part).skip(8);
            rest.rev().all(|(wanted, byte)| wanted.eq_ignore_ascii_case(byte))
        };
        part.is_some_and(is_equal) && is_whole_word(text, &range)
    }
}

/// The bits of the first bytes of a head.
#[inline]
const fn first_bytes(count: usize) -> u64 {
    if count < 8 { (1 << (8 * count)) - 1 } else { u64::MAX }
}

/// The hash of the first bytes of a word.
#[inline]
const fn hash(head: u64) -> usize {
    (head.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - HASH_BITS)) as usize
}

/// Eight bytes of a text, in lower case. There are spaces behind its end.
#[inline]
fn head(text: &[u8], at: usize) -> u64 {
    let bytes = match text.get(at..at.wrapping_add(8)).and_then(<[u8]>::first_chunk) {
        Some(bytes) => *bytes,
        None => last_bytes(text, at),
    };
    u64::from_le_bytes(bytes) | u64::from_le_bytes([0x20; 8])
}

#[cold]
fn last_bytes(text: &[u8], at: usize) -> [u8; 8] {
    let mut bytes = [b' '; 8];
    bytes.iter_mut().zip(text.iter().skip(at)).for_each(|(byte, it)| *byte = *it);
    bytes
}

/// Calls a function with each place where a word of at least so many bytes of letters may begin: at the first of some ASCII letters,
/// and at the first of some other characters.
#[inline]
fn each_start(
    text: &[u8],
    least: usize,
    mut other: impl FnMut(usize, Chunk<'_>, u64),
    mut call: impl FnMut(usize),
) {
    fold_chunks(text, (0, 0), |(start, before), chunk| {
        let letters = chunk.bits(|block| between(block | u8x16::splat(0x20), b'a', b'z'));
        other(start, chunk, letters);
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
        starts |= leads & !(others << 1);
        while starts > 0 {
            call(start + starts.trailing_zeros() as usize);
            starts &= starts - 1;
        }
        (start + CHUNK, letters >> (CHUNK - 1))
    });
}

/// Whether no character of a word is next to a part of a text.
pub fn is_whole_word(text: &str, range: &Range<usize>) -> bool {
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

    static WORDS: Words = words!["end|end call", "übergabe|मिनट", "tür"];

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
