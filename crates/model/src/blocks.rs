//! Looking at many bytes of a text at once, with a bit for each.

use wide::u8x16;

/// The number of bytes that are looked at in one step, a bit each.
pub const CHUNK: usize = 64;

/// The number of bytes that are compared at once.
const BLOCK: usize = 16;

/// A part of a text that is looked at in one step.
#[derive(Clone, Copy)]
pub struct Chunk<'b>(&'b [u8; CHUNK]);

impl Chunk<'_> {
    /// The bits of the bytes that pass a test.
    #[inline]
    pub fn bits(self, test: impl Fn(u8x16) -> u8x16) -> u64 {
        let (blocks, _) = self.0.as_chunks::<BLOCK>();
        blocks.iter().rev().fold(0, |bits, block| {
            bits << BLOCK | u64::from(test(u8x16::new(*block)).move_mask().cast_unsigned())
        })
    }

    /// Whether all characters are ASCII.
    #[inline]
    pub(crate) fn is_ascii(self) -> bool {
        self.0.is_ascii()
    }
}

/// Looks at one chunk of a text after another, each with what is known after the one before it. The last one has spaces at the end.
#[inline]
pub fn fold_chunks<T>(text: &[u8], start: T, mut next: impl FnMut(T, Chunk<'_>) -> T) -> T {
    let (chunks, rest) = text.as_chunks();
    let mut last = [b' '; CHUNK];
    last.iter_mut().zip(rest).for_each(|(byte, from)| *byte = *from);
    let mut known = start;
    for chunk in chunks.iter().chain([&last]) {
        known = next(known, Chunk(chunk));
    }
    known
}

/// Whether a byte is equal to this one.
#[inline]
pub fn is(block: u8x16, byte: u8) -> u8x16 {
    block.cmp_eq(u8x16::splat(byte))
}

/// Whether a byte is one of those from `first` to `last`.
#[inline]
pub(crate) fn between(block: u8x16, first: u8, last: u8) -> u8x16 {
    block.max(u8x16::splat(first)).min(u8x16::splat(last)).cmp_eq(block)
}

/// The bits at which `count` bits in a row end, a power of two. The row may begin with the last bits of the chunk `before`.
#[inline]
pub(crate) const fn ends_of_rows(bits: u64, count: u32, before: u64) -> u64 {
    let (mut ends, mut length) = ((bits as u128) << CHUNK | before as u128, 1);
    while length < count {
        ends &= ends << length;
        length *= 2;
    }
    (ends >> CHUNK) as u64
}
