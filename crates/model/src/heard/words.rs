//! Lists of words that a text is searched for in one pass.

use std::ops::Range;

use wide::u8x16;

use crate::blocks::{CHUNK, Chunk, between, fold_chunks};

/// Words and phrases in groups, as [`words!`](crate::heard::words!) makes them when voxlint is compiled: a process that checks one document must
/// not sort the words of all languages first.
pub struct Words {
    groups: &'static [&'static str],
    /// For each hash, the number of the first word that has it, counted from one; 0 if there is none.
    first: &'static [u8; HASHES],
    all: &'static [Word],
    /// The number of bytes of letters that each of them begins with, at most [`PREFIX`]. Shorter words of a text are skipped.
    letters: usize,
    /// The bits of the bytes that are hashed: [`PREFIX`] bytes, or as many as the shortest word has.
    hashed: u64,
}

/// The bytes of a word that tell it from most others.
const PREFIX: usize = 4;

/// The number of hashes: so many that most words of a text have the hash of none.
const HASHES: usize = 1 << HASH_BITS;
const HASH_BITS: u32 = 12;

/// The words of some [`Words`] by their first bytes.
pub struct Index<const COUNT: usize> {
    first: [u8; HASHES],
    words: [Word; COUNT],
}

#[derive(Clone, Copy)]
struct Word {
    /// Up to eight of its first bytes.
    head: u64,
    group: u8,
    length: u8,
    /// Where its group has it.
    start: u16,
    /// The number of the next word with the same hash, as in [`Words::first`]. Longer ones come first.
    next: u8,
}

/// [`Words`] of groups, whose words are divided by `|`. Each begins with a letter. They are found in any case of ASCII letters, so they are
/// listed in lower case.
#[macro_export]
macro_rules! words {
    ($($group:expr),+ $(,)?) => {{
        use $crate::heard::words::{Index, Words, count};
        const GROUPS: &[&str] = &[$($group),+];
        const INDEX: &Index<{ count(GROUPS) }> = &Index::of(GROUPS);
        Words::of(GROUPS, INDEX)
    }};
}
pub use crate::words;

impl Words {
    /// Words with the index of their groups, which [`words!`](crate::words) makes at compile time.
    pub const fn of<const COUNT: usize>(
        groups: &'static [&'static str],
        index: &'static Index<COUNT>,
    ) -> Self {
        let (letters, bytes) = shortest(groups);
        Self { groups, first: &index.first, all: &index.words, letters, hashed: first_bytes(bytes) }
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
        let mut found = Vec::new();
        let bytes = text.as_bytes();
        each_start(bytes, self.letters, other, |at| {
            let head = head(bytes, at);
            let first = self.first.get(hash(head & self.hashed));
            // Most words of a text have the hash of none.
            if let Some(first) = first.filter(|first| **first > 0) {
                self.add(*first, head, text, at, &mut found);
            }
        });
        found.into_iter()
    }

    /// Adds the longest word that begins at a place of a text.
    #[inline(never)]
    fn add(
        &self,
        first: u8,
        head: u64,
        text: &str,
        at: usize,
        found: &mut Vec<(Range<usize>, usize)>,
    ) {
        if found.last().is_none_or(|(last, _)| last.end <= at)
            && let Some(word) = self.word_at(first, head, text, at)
        {
            found.push((at..at + usize::from(word.length), word.group.into()));
        }
    }

    /// The group of a word.
    pub(crate) fn group_of(&self, word: &str) -> Option<usize> {
        let head = head(word.as_bytes(), 0);
        let first = *self.first.get(hash(head & self.hashed))?;
        let found = self.word_at(first, head, word, 0)?;
        (usize::from(found.length) == word.len()).then_some(found.group.into())
    }

    /// Whether a word is one of them.
    pub fn contains(&self, word: &str) -> bool {
        self.group_of(word).is_some()
    }

    /// The longest word that begins at a place of a text, of those from the first one that has its hash.
    fn word_at(&self, first: u8, head: u64, text: &str, at: usize) -> Option<&Word> {
        let mut next = first;
        loop {
            let word = self.all.get(usize::from(next).checked_sub(1)?)?;
            // Most words that begin alike differ in the next few bytes.
            if (head ^ word.head) & first_bytes(word.length.into()) == 0
                && self.is_at(word, text, at)
            {
                return Some(word);
            }
            next = word.next;
        }
    }

    fn is_at(&self, word: &Word, text: &str, at: usize) -> bool {
        let (start, length) = (usize::from(word.start), usize::from(word.length));
        let group = self.groups.get(usize::from(word.group));
        let wanted = group.and_then(|it| it.as_bytes().get(start..start + length));
        let part = text.as_bytes().get(at..at + length);
        // The first eight bytes are compared already.
        let is_equal = |(wanted, part): (&[u8], &[u8])| {
            let rest = wanted.iter().zip(part).skip(8);
            rest.rev().all(|(wanted, byte)| wanted.eq_ignore_ascii_case(byte))
        };
        wanted.zip(part).is_some_and(is_equal) && is_whole_word(text, &(at..at + length))
    }
}

/// The number of words in groups.
#[expect(clippy::indexing_slicing, reason = "the compiler evaluates it")]
pub const fn count(groups: &[&str]) -> usize {
    let (mut count, mut group) = (0, 0);
    while group < groups.len() {
        let (bytes, mut at) = (groups[group].as_bytes(), 0);
        while at < bytes.len() {
            at = word_end(bytes, at) + 1;
            count += 1;
        }
        group += 1;
    }
    count
}

/// The end of the word that begins at a place of a group.
#[expect(clippy::indexing_slicing, reason = "the compiler evaluates it")]
const fn word_end(group: &[u8], start: usize) -> usize {
    let mut end = start;
    while end < group.len() && group[end] != b'|' {
        end += 1;
    }
    end
}

/// The number of letters that all words of groups begin with, and the number of bytes that they have, both at most [`PREFIX`].
#[expect(clippy::indexing_slicing, reason = "the compiler evaluates it")]
const fn shortest(groups: &[&str]) -> (usize, usize) {
    let (mut letters, mut length, mut group) = (PREFIX, PREFIX, 0);
    while group < groups.len() {
        let (bytes, mut start) = (groups[group].as_bytes(), 0);
        while start < bytes.len() {
            let end = word_end(bytes, start);
            let mut at = start;
            while at < end && (bytes[at].is_ascii_alphabetic() || !bytes[at].is_ascii()) {
                at += 1;
            }
            if at - start < letters {
                letters = at - start;
            }
            if end - start < length {
                length = end - start;
            }
            start = end + 1;
        }
        group += 1;
    }
    (letters, length)
}

impl<const COUNT: usize> Index<COUNT> {
    /// The index of the words of groups.
    ///
    /// # Panics
    ///
    /// If there are too many words, or one is too long. That stops the compiler.
    #[expect(clippy::indexing_slicing, reason = "the compiler evaluates it")]
    #[expect(clippy::cast_possible_truncation, reason = "longer lists do not compile")]
    pub const fn of(groups: &[&str]) -> Self {
        assert!(COUNT < u8::MAX as usize, "divide the list");
        let hashed = first_bytes(shortest(groups).1);
        let none = Word { head: 0, group: 0, length: 0, start: 0, next: 0 };
        let (mut first, mut words) = ([0; HASHES], [none; COUNT]);
        let (mut number, mut group) = (0, 0);
        while group < groups.len() {
            let (bytes, mut start) = (groups[group].as_bytes(), 0);
            assert!(bytes.len() < u16::MAX as usize, "divide the group");
            while start < bytes.len() {
                let end = word_end(bytes, start);
                assert!(end - start < u8::MAX as usize, "the word is too long");
                let (mut head, mut at) = (0, end);
                while at > start {
                    at -= 1;
                    head = head << 8 | bytes[at] as u64;
                }
                let length = (end - start) as u8;
                head |= u64::from_le_bytes([b' '; 8]);
                let word = Word { head, group: group as u8, length, start: start as u16, next: 0 };
                // Of two groups with the same word, the first one counts.
                let hash = hash(head & hashed);
                let (mut before, mut next) = (0, first[hash]);
                while next > 0 && words[next as usize - 1].length >= length {
                    before = next;
                    next = words[next as usize - 1].next;
                }
                words[number] = Word { next, ..word };
                number += 1;
                if before == 0 {
                    first[hash] = number as u8;
                } else {
                    words[before as usize - 1].next = number as u8;
                }
                start = end + 1;
            }
            group += 1;
        }
        Self { first, words }
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
