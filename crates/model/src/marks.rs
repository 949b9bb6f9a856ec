//! One scan of the text of a document, which finds the few places where a rule has to look closer: signs between a name and a
//! value, long runs without a space, groups of digits, and characters that seldom occur on purpose.
//!
//! The scan knows nothing of values. A search may have more places than there is something at, but never less.

use voxlint_syntax::{Node, NodeId, Span, Tree};
use wide::u8x16;

use crate::blocks::{CHUNK, Chunk, between, ends_of_rows, fold_chunks, is};
use crate::secret::{MIN_LENGTH, has_private_key, is_run_of_secret, run_around};
use crate::text::unusual;
use crate::text_traits::may_skip;

/// What deserves a closer look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// `:` or `=`, except for a colon after a closing quote, as between the names and values of JSON.
    Sign,
    /// A run that may be a key or a token.
    Run,
    /// A group of as many digits as are together in the number of a card or a person.
    Digits,
    /// A character that is invisible or damaged, or an escape of such a character.
    Unusual,
}

impl Mark {
    const ALL: [Self; 4] = [Self::Sign, Self::Run, Self::Digits, Self::Unusual];
}

/// The places of one document that deserve a closer look.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// The offsets in the file in ascending order, for each of [`Mark::ALL`].
    places: [Vec<u32>; Mark::ALL.len()],
    /// The texts that are not written in the file as they are, and whether an unusual character is in them.
    decoded: Vec<(NodeId, bool)>,
    /// Whether there may be a private key anywhere.
    pub(crate) has_private_key: bool,
}

impl Marks {
    /// Searches a document, which is the part of a text inside an extent. In valid JSON, quotes end the names of fields and never
    /// stand for themselves.
    pub(crate) fn of(tree: &Tree, extent: Span, is_valid_json: bool) -> Self {
        let mut scan = Scan::of(tree.text(), extent);
        scan.has_quoted_names = is_valid_json;
        let mut all = scan.marks();
        for (node, text) in tree.decoded_texts() {
            let inside = Scan::of(text, Span::new(0, text.len() as u32)).marks();
            let is_unusual = inside.has_unusual() || unusual::may_have_control(text);
            all.has_private_key |= inside.has_private_key;
            all.decoded.push((node, is_unusual));
        }
        all
    }

    /// All places of a mark, in the order of the text.
    pub(crate) fn places(&self, mark: Mark) -> &[u32] {
        self.places.get(mark as usize).map_or(&[], Vec::as_slice)
    }

    /// The places inside a string or a name; `None` if they are not known, and there may be some: its letters are not all written as
    /// themselves.
    #[inline]
    pub(crate) fn inside(&self, mark: Mark, node: Node<'_>) -> Option<&[u32]> {
        if !may_skip() || !node.is_as_written() {
            // Half of a UTF-16 pair is decoded to U+FFFD, but is none: the places say which characters are unusual.
            if mark != Mark::Unusual {
                return None;
            }
            if let Ok(at) = self.decoded.binary_search_by_key(&node.id(), |(id, _)| *id) {
                let is_usual = self.decoded.get(at).is_some_and(|(_, is_unusual)| !is_unusual);
                return is_usual.then_some(&[]);
            }
        }
        let Span { start, end } = node.span();
        let places = self.places(mark);
        let rest = places.get(places.partition_point(|at| *at < start)..).unwrap_or_default();
        rest.get(..rest.partition_point(|at| *at < end))
    }

    /// Whether there may be such a place in a string or a name.
    #[inline]
    pub fn may_be_in(&self, mark: Mark, node: Node<'_>) -> bool {
        self.inside(mark, node).is_none_or(|places| !places.is_empty())
    }

    /// Whether there is an unusual character anywhere.
    pub fn has_unusual(&self) -> bool {
        !self.places(Mark::Unusual).is_empty()
            || self.decoded.iter().any(|(_, is_unusual)| *is_unusual)
    }

    /// Whether there is such a place in a text.
    #[cfg(test)]
    pub(crate) fn sees(text: &str, sight: Mark) -> bool {
        !Scan::of(text, Span::new(0, text.len() as u32)).marks().places(sight).is_empty()
    }

    fn add(&mut self, sight: Mark, at: usize) {
        if let Some(places) = self.places.get_mut(sight as usize) {
            places.push(at as u32);
        }
    }
}

/// The first bytes of all unusual characters. Bytes inside a character are never equal to a first byte.
fn may_begin_unusual(block: u8x16) -> u8x16 {
    let one = is(block, 0xc2) | is(block, 0xc3) | is(block, 0xcd) | is(block, 0xd8);
    let two = between(block, 0xe1, 0xe3) | is(block, 0xef) | is(block, 0xf0) | is(block, 0xf3);
    one | two
}

/// The scan of a text.
struct Scan<'t> {
    text: &'t str,
    /// The text up to the end of the extent.
    source: &'t [u8],
    /// Whether a colon after a quote is between a name and a value.
    has_quoted_names: bool,
    /// Where the current chunk begins.
    start: usize,
    rows_until: usize,
    digits_until: usize,
    escapes_until: usize,
    found: Marks,
}

/// The length of a row of dense bytes that may have a token.
const LEAST_RUN: u32 = MIN_LENGTH as u32;

/// The length of the longest group of digits that each number of a card or a person has.
const LEAST_DIGITS: u32 = 4;

/// The dense bytes and the digits of the chunk before.
#[derive(Clone, Copy, Default)]
struct Before {
    dense: u64,
    digits: u64,
}

impl<'t> Scan<'t> {
    /// The scan of the part of a text inside an extent. Nothing is known of what it means.
    fn of(text: &'t str, extent: Span) -> Self {
        Self {
            text,
            source: text.as_bytes().get(..extent.end as usize).unwrap_or_default(),
            has_quoted_names: false,
            start: extent.start as usize,
            rows_until: 0,
            digits_until: 0,
            escapes_until: 0,
            found: Marks::default(),
        }
    }

    fn marks(mut self) -> Marks {
        let extent = self.source.get(self.start..).unwrap_or_default();
        self.found.has_private_key = has_private_key(extent);
        self.run();
        let is_ascending = self.found.places.iter().all(|places| places.is_sorted());
        debug_assert!(is_ascending, "{:?}", self.found.places);
        self.found
    }

    fn run(&mut self) {
        let extent = self.source.get(self.start..).unwrap_or_default();
        fold_chunks(extent, Before::default(), |before, chunk| {
            let before = self.chunk(chunk, before);
            self.start += CHUNK;
            before
        });
    }

    #[inline]
    fn chunk(&mut self, chunk: Chunk<'_>, before: Before) -> Before {
        // Between `+` and `z`: all bytes of tokens are, and few others.
        let dense = chunk.bits(|block| between(block, b'+', b'z'));
        let rows = ends_of_rows(dense, LEAST_RUN, before.dense);
        if rows != 0 {
            self.rows(rows);
        }
        let digits = chunk.bits(|block| between(block, b'0', b'9'));
        let groups = ends_of_rows(digits, LEAST_DIGITS, before.digits);
        if groups != 0 {
            self.digits(groups);
        }
        self.signs(chunk.bits(|block| is(block, b':') | is(block, b'=')));
        let escapes = chunk.bits(|block| is(block, b'\\'));
        let characters = if chunk.is_ascii() { 0 } else { chunk.bits(may_begin_unusual) };
        if escapes | characters != 0 {
            self.unusual(escapes, characters);
        }
        Before { dense, digits }
    }

    /// The bits of the chunk from an offset of the text on.
    const fn bits_from(&self, offset: usize) -> u64 {
        match u64::MAX.checked_shl(offset.saturating_sub(self.start) as u32) {
            Some(bits) => bits,
            None => 0,
        }
    }

    /// Keeps the signs at these bits.
    #[inline]
    fn signs(&mut self, mut signs: u64) {
        while signs != 0 {
            let at = self.start + signs.trailing_zeros() as usize;
            signs &= signs - 1;
            if !(self.has_quoted_names && self.is_after_name(at)) {
                self.found.add(Mark::Sign, at);
            }
        }
    }

    /// Whether there is a closing quote before an offset, and not the quote at the start of a text.
    #[inline]
    fn is_after_name(&self, at: usize) -> bool {
        let before = self.source.get(at.wrapping_sub(2)..at);
        matches!(before, Some([before, b'"']) if !matches!(before, b'\\' | b' ' | b'\t' | b'\n' | b'\r' | b':' | b',' | b'[' | b'{'))
    }

    /// Looks at the rows of dense bytes of which a part ends at these bits.
    fn rows(&mut self, mut ends: u64) {
        loop {
            ends &= self.bits_from(self.rows_until);
            if ends == 0 {
                return;
            }
            let at = self.start + ends.trailing_zeros() as usize;
            let start = (at + 1).saturating_sub(LEAST_RUN as usize).max(self.rows_until);
            let is_dense = |byte: &&u8| (b'+'..=b'z').contains(*byte);
            let rest = self.source.get(at..).unwrap_or_default();
            self.rows_until = at + rest.iter().take_while(is_dense).count();
            if !self.is_name(start) {
                self.runs(start);
            }
        }
    }

    /// Whether a row is a name of words in small letters, as those of most fields are, with no authentication scheme before it.
    fn is_name(&self, start: usize) -> bool {
        let row = self.source.get(start..self.rows_until).unwrap_or_default();
        let before = start.checked_sub(1).and_then(|before| self.source.get(before));
        let mut letters = 0;
        !before.is_some_and(u8::is_ascii_whitespace)
            && row.iter().all(|byte| {
                letters = if byte.is_ascii_lowercase() { letters + 1 } else { 0 };
                letters < MIN_LENGTH && (letters > 0 || matches!(byte, b'_' | b'-' | b'.' | b'/'))
            })
    }

    /// Looks at the runs in a row. Not all dense bytes are token bytes, so there may be none or several.
    #[cold]
    fn runs(&mut self, start: usize) {
        let mut next = start;
        while next < self.rows_until {
            let run = run_around(self.source, next);
            if is_run_of_secret(self.source, &run) {
                self.found.add(Mark::Run, run.start);
            }
            next = run.end + 1;
        }
    }

    /// Looks at groups of digits that have their fourth digit, or a later one, at these bits.
    #[cold]
    fn digits(&mut self, mut groups: u64) {
        while groups != 0 {
            let at = self.start + groups.trailing_zeros() as usize;
            groups &= groups - 1;
            if at >= self.digits_until {
                self.found.add(Mark::Digits, at);
                let rest = self.source.get(at..).unwrap_or_default();
                self.digits_until = at + rest.iter().take_while(|it| it.is_ascii_digit()).count();
            }
        }
    }

    /// Keeps the unusual ones of the escapes and characters that begin at these bits, in the order of the text.
    fn unusual(&mut self, escapes: u64, characters: u64) {
        let mut both = escapes | characters;
        while both != 0 {
            let bit = both & both.wrapping_neg();
            let at = self.start + bit.trailing_zeros() as usize;
            both ^= bit;
            let is_unusual = if escapes & bit == 0 {
                self.begins_unusual_character(at)
            } else {
                self.begins_unusual_escape(at)
            };
            if is_unusual {
                self.found.add(Mark::Unusual, at);
            }
        }
    }

    fn begins_unusual_character(&self, at: usize) -> bool {
        let character = self.text.get(at..).and_then(|rest| rest.chars().next());
        character.is_some_and(unusual::is_unusual)
    }

    fn begins_unusual_escape(&mut self, at: usize) -> bool {
        // An escaped backslash does not begin another escape.
        if at < self.escapes_until {
            return false;
        }
        self.escapes_until = at + 2;
        !unusual::is_usual_escape(self.text, at)
    }
}
