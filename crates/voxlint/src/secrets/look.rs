//! One look at a text as it is written, which tells that there is no secret in most texts.
//!
//! A look may see more than there is, but never less: [`patterns::find`] would find nothing in a text that it passes.

use std::ops::Range;

use wide::u8x16;

use super::field_names::may_name_a_secret;
use super::patterns::{
    self, MAX_NAME, MIN_LENGTH, Spelling, authority, escape_before, name_before, run_around,
    scheme_before,
};
use super::randomness::has_long_letters;

/// Whether there may be a secret in a text in which letters, digits and signs are written as themselves. Escapes of other
/// characters may be left: they make a run or a name longer.
pub(super) fn may_have_secret(text: &str) -> bool {
    let source = text.as_bytes();
    let mut look = Look { source, until: 0, has_private_key: None };
    let (mut start, mut before) = (0, 0);
    let (blocks, rest) = source.as_chunks();
    for block in blocks {
        let bits = Bits::of(*block);
        if bits.have_something(before) && look.sees_secret(start, bits, before) {
            return true;
        }
        (start, before) = (start + BLOCK, bits.dense);
    }
    match source.last_chunk() {
        _ if rest.is_empty() => false,
        // The last block ends with the text, and the bytes that the one before has too do not count again.
        Some(last) => {
            let bits = Bits::of(*last).without_first(BLOCK - rest.len());
            bits.have_something(before) && look.sees_secret(start, bits, before)
        }
        None => {
            let signs = rest.iter().enumerate().filter(|(_, byte)| matches!(byte, b':' | b'='));
            signs.into_iter().any(|(at, _)| look.sees_assignment(at))
        }
    }
}

/// The number of bytes that are compared at once.
const BLOCK: usize = 16;

/// What the bytes of a block are, a bit each.
#[derive(Clone, Copy)]
struct Bits {
    /// Between `+` and `z`: all token bytes are, and so few others that most blocks of prose need no closer look.
    dense: u32,
    /// `:` or `=`.
    signs: u32,
    /// `-`, of which there are five around the name of a private key.
    dashes: u32,
}

impl Bits {
    #[inline]
    fn of(block: [u8; BLOCK]) -> Self {
        let block = u8x16::new(block);
        Self {
            dense: between(block, b'+', b'z').move_mask().cast_unsigned(),
            signs: (is(block, b':') | is(block, b'=')).move_mask().cast_unsigned(),
            dashes: is(block, b'-').move_mask().cast_unsigned(),
        }
    }

    const fn without_first(self, count: usize) -> Self {
        Self {
            dense: self.dense >> count,
            signs: self.signs >> count,
            dashes: self.dashes >> count,
        }
    }

    /// Whether a sign, a long run or two dashes deserve a closer look. `before` are the dense bytes of the block before.
    #[inline]
    const fn have_something(self, before: u32) -> bool {
        self.signs | self.two_dashes() | starts_of_long_run(self.dense << BLOCK | before) != 0
    }

    const fn two_dashes(self) -> u32 {
        self.dashes & self.dashes >> 1
    }
}

/// A look at a text.
struct Look<'s> {
    source: &'s [u8],
    /// Where the last run ends that was looked at.
    until: usize,
    /// Whether the marker of a private key is anywhere in the text, once somebody has asked.
    has_private_key: Option<bool>,
}

impl Look<'_> {
    /// Whether there may be a secret around a block.
    fn sees_secret(&mut self, start: usize, bits: Bits, before: u32) -> bool {
        let mut signs = bits.signs;
        while signs != 0 {
            if self.sees_assignment(start + signs.trailing_zeros() as usize) {
                return true;
            }
            signs &= signs - 1;
        }
        let has_run = starts_of_long_run(bits.dense << BLOCK | before) != 0;
        (has_run && self.sees_token(start.saturating_sub(BLOCK)))
            || (bits.two_dashes() != 0 && self.sees_private_key())
    }

    fn sees_private_key(&mut self) -> bool {
        let source = self.source;
        *self.has_private_key.get_or_insert_with(|| patterns::has_private_key(source))
    }

    /// Whether the value of a secret may be assigned to its name at a sign, or an address may have a password.
    fn sees_assignment(&self, at: usize) -> bool {
        /// The longest escape that may stand before a name.
        const MAX_ESCAPE: usize = 12;
        let rest = self.source.get(at..).unwrap_or_default();
        match rest.strip_prefix(b"://") {
            Some(address) => authority(address).contains(&b'@'),
            None => name_before(self.source, at, MAX_NAME + MAX_ESCAPE)
                .and_then(|name| self.source.get(name))
                .is_some_and(may_name_a_secret),
        }
    }

    /// Whether a run in the two blocks from here on may be a key or a token.
    fn sees_token(&mut self, start: usize) -> bool {
        let (blocks, rest) = self.source.get(start..).unwrap_or_default().as_chunks();
        let block = |at: usize| blocks.get(at).copied().unwrap_or_else(|| padded(rest));
        let bits = token_bits(block(1)) << BLOCK | token_bits(block(0));
        let starts = starts_of_long_run(bits);
        let at = start + starts.trailing_zeros() as usize;
        if starts == 0 || at < self.until {
            return false;
        }
        let run = run_around(self.source, at);
        self.until = run.end;
        !is_of_words(self.source, &run)
    }
}

/// Whether a run consists of short words in small letters, such as `customer_name`, with no authentication scheme before it.
fn is_of_words(source: &[u8], run: &Range<usize>) -> bool {
    let is_plain =
        |byte: &u8| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'-' | b'.' | b'/');
    let words = source.get(run.clone()).unwrap_or_default();
    let start = run.start + escape_before(source, run, Spelling::Source);
    let before = source.get(..start).unwrap_or_default();
    words.iter().all(is_plain)
        && !has_long_letters(words)
        && scheme_before(before, Spelling::Source).is_none()
}

/// The bits at which [`MIN_LENGTH`] bits in a row are set.
#[inline]
const fn starts_of_long_run(bits: u32) -> u32 {
    const { assert!(MIN_LENGTH == 16, "the number of bits that are looked for") };
    let two = bits & bits >> 1;
    let four = two & two >> 2;
    let eight = four & four >> 4;
    eight & eight >> 8
}

/// A block that begins with these bytes and ends with zeros.
fn padded(bytes: &[u8]) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    block.iter_mut().zip(bytes).for_each(|(byte, from)| *byte = *from);
    block
}

/// A bit for each byte: whether it is a token byte.
fn token_bits(block: [u8; BLOCK]) -> u32 {
    let block = u8x16::new(block);
    // The bit by which small letters differ from capital ones.
    let letters = between(block | u8x16::splat(b' '), b'a', b'z');
    let others = between(block, b'-', b':') | is(block, b'+') | is(block, b'=') | is(block, b'_');
    (letters | others).move_mask().cast_unsigned()
}

#[inline]
fn is(block: u8x16, byte: u8) -> u8x16 {
    block.cmp_eq(u8x16::splat(byte))
}

#[inline]
fn between(block: u8x16, first: u8, last: u8) -> u8x16 {
    block.max(u8x16::splat(first)).min(u8x16::splat(last)).cmp_eq(block)
}

#[cfg(test)]
mod tests {
    use super::super::patterns::is_token_byte;
    use super::*;

    #[test]
    fn the_bits_of_a_block_are_its_token_bytes() {
        for byte in 0..=u8::MAX {
            let bits = if is_token_byte(byte) { 1 << 15 } else { 0 };
            let mut block = [b' '; BLOCK];
            block[BLOCK - 1] = byte;
            assert_eq!(token_bits(block), bits, "{byte:#x}");
            assert_eq!(Bits::of(block).dense & bits, bits, "{byte:#x}");
        }
    }

    #[test]
    fn a_run_is_seen_wherever_it_begins() {
        for before in 0..40 {
            for length in 10..70 {
                let text = format!(
                    "{}{}",
                    " ".repeat(before),
                    "A1".repeat(35).get(..length).unwrap_or_default()
                );
                for after in ["", " ", " and more words after it"] {
                    let text = format!("{text}{after}");
                    assert_eq!(may_have_secret(&text), length >= MIN_LENGTH, "{text:?}");
                }
            }
        }
    }

    #[test]
    fn words_are_passed() {
        for text in ["{{appointment_time}}", "say optimize_for_accuracy/front-desk.", "at 10:30:00"]
        {
            assert!(!may_have_secret(text), "{text}");
        }
        for text in [
            "Bearer appointment_time_x",
            r"Bearer\nappointment_time",
            "appointment_time:Front_desk",
        ] {
            assert!(may_have_secret(text), "{text}");
        }
    }
}
