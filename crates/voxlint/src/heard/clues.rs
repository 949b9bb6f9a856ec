use std::ops::Range;
use std::sync::OnceLock;

/// Words and phrases without which a rule has nothing to say about a text, in groups: those of a group are divided by `|`. They
/// are found in any case of ASCII letters, so they are listed in lower case.
///
/// A search looks at each word of the text once. Most words end there: no clue begins with their letter and has the length of
/// its first word.
pub(crate) struct Clues {
    groups: &'static [&'static str],
    table: OnceLock<Table>,
}

/// The clues by the first byte of each.
struct Table {
    /// The keys of the first words of clues, one bit each.
    keys: [u64; KEYS / 64],
    /// Where the clues with a first byte begin.
    starts: [usize; 257],
    /// Each clue with its group, by its first byte, the longest first.
    clues: Vec<(u8, &'static str, usize)>,
}

/// The number of keys. Few words of a text share one with a clue.
const KEYS: usize = 1 << 12;

/// What tells the first word of a clue from most others: its first two bytes and its last one in lower case, and its length.
fn key(word: &[u8]) -> usize {
    let (Some(first), Some(last)) = (word.first(), word.last()) else { return 0 };
    let second = word.get(1).copied().unwrap_or_default();
    let low = |byte: u8| usize::from(byte & 0x1f);
    (low(*first) * 131 + low(second) * 67 + low(*last) * 1031 + word.len() * 257) % KEYS
}

impl Table {
    fn of(groups: &'static [&'static str]) -> Self {
        let all = groups.iter().zip(0..);
        let all = all.flat_map(|(group, at)| group.split('|').map(move |clue| (clue, at)));
        let mut clues: Vec<(u8, &str, usize)> =
            all.filter_map(|(clue, at)| Some((*clue.as_bytes().first()?, clue, at))).collect();
        clues.sort_by_key(|(first, clue, _)| (*first, usize::MAX - clue.len()));
        let mut keys = [0; KEYS / 64];
        for (_, clue, _) in &clues {
            let clue = clue.as_bytes();
            let key = key(clue.get(..word_length(clue)).unwrap_or_default());
            if let Some(bits) = keys.get_mut(key / 64) {
                *bits |= 1 << (key % 64);
            }
        }
        let start = |byte: usize| clues.partition_point(|(first, ..)| usize::from(*first) < byte);
        let starts = std::array::from_fn(start);
        Self { keys, starts, clues }
    }

    /// The clue that a word of the text begins with, and its group.
    fn find(&self, rest: &[u8], length: usize) -> Option<(&'static str, usize)> {
        let key = key(rest.get(..length)?);
        if self.keys.get(key / 64)? >> (key % 64) & 1 == 0 {
            return None;
        }
        let first = usize::from(rest.first()?.to_ascii_lowercase());
        let own = self.clues.get(*self.starts.get(first)?..*self.starts.get(first + 1)?)?;
        let second = rest.get(1).map(|byte| byte | 0x20);
        let own = own.iter().map(|(_, clue, group)| (*clue, *group));
        let mut own = own.filter(|(clue, _)| {
            clue.as_bytes().get(1).map(|byte| byte | 0x20) == second || clue.len() == 1
        });
        own.find(|(clue, _)| {
            rest.split_at_checked(clue.len()).is_some_and(|(same, after)| {
                same.eq_ignore_ascii_case(clue.as_bytes()) && word_length(after) == 0
            })
        })
    }
}

impl Clues {
    pub(crate) const fn new(groups: &'static [&'static str]) -> Self {
        Self { groups, table: OnceLock::new() }
    }

    /// The places where whole words are one of these, from left to right, each with the index of its group. Where two begin, the
    /// longer one counts.
    pub(crate) fn find<'t>(
        &self,
        text: &'t str,
    ) -> impl Iterator<Item = (Range<usize>, usize)> + use<'_, 't> {
        let table = self.table.get_or_init(|| Table::of(self.groups));
        let mut at = 0;
        std::iter::from_fn(move || {
            loop {
                let rest = text.as_bytes().get(at..).filter(|rest| !rest.is_empty())?;
                let length = word_length(rest);
                if length == 0 {
                    at += other_length(rest);
                    continue;
                }
                let start = at;
                if let Some((clue, group)) = table.find(rest, length) {
                    at += clue.len();
                    return Some((start..at, group));
                }
                at += length;
            }
        })
    }
}

/// Whether a byte belongs to a word: ASCII letters and digits, `_`, and the bytes of all characters but those that begin like
/// punctuation, arrows, full-width forms and emoji.
#[expect(clippy::indexing_slicing, reason = "a wrong index in a constant does not compile")]
const WORD: [bool; 256] = {
    let mut is_word = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        #[expect(clippy::cast_possible_truncation, reason = "it is below 256")]
        let it = byte as u8;
        is_word[byte] = it.is_ascii_alphanumeric()
            || it == b'_'
            || it >= 0x80 && !matches!(it, 0xC2 | 0xE2 | 0xE3 | 0xEF | 0xF0);
        byte += 1;
    }
    is_word
};

/// The length of the word at the start of a text.
fn word_length(text: &[u8]) -> usize {
    let is_other = |byte: &u8| !WORD.get(usize::from(*byte)).copied().unwrap_or_default();
    text.iter().position(is_other).unwrap_or(text.len())
}

/// The length of the character at the start of a text, which belongs to no word.
const fn other_length(text: &[u8]) -> usize {
    match text.first() {
        Some(0xC2) => 2,
        Some(0xE2 | 0xE3 | 0xEF) => 3,
        Some(0xF0) => 4,
        _ => 1,
    }
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
