//! Finding the end of plain text, white space and digits, many bytes at a time.

use wide::u8x16;

const ONES: u64 = 0x0101_0101_0101_0101;

/// The offset of the next quote, backslash or control character.
#[inline]
pub(super) fn plain_end(bytes: &[u8], at: usize) -> usize {
    let mut rest = bytes.get(at..).unwrap_or_default();
    while let Some((block, after)) = rest.split_first_chunk() {
        let special = special_bytes(u8x16::new(*block));
        if special != 0 {
            return bytes.len() - rest.len() + special.trailing_zeros() as usize;
        }
        rest = after;
    }
    bytes.len() - rest.len() + plain_start(rest)
}

/// The length of the plain start of a text, whose last bytes are fewer than a block.
#[cold]
#[inline(never)]
fn plain_start(rest: &[u8]) -> usize {
    let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..0x20);
    rest.iter().position(is_special).unwrap_or(rest.len())
}

/// A bit for each byte: whether it is a quote, a backslash or a control character.
#[inline]
fn special_bytes(block: u8x16) -> u32 {
    let is = |byte: u8| block.cmp_eq(u8x16::splat(byte));
    let is_control = block.min(u8x16::splat(0x1f)).cmp_eq(block);
    (is(b'"') | is(b'\\') | is_control).move_mask().cast_unsigned()
}

/// The offset of the next byte that is not white space.
#[inline]
pub(super) fn space_end(bytes: &[u8], at: usize) -> usize {
    // Usually there is none, or one space.
    match bytes.get(at) {
        Some(byte) if *byte > b' ' => at,
        _ => end_of_more_space(bytes, at),
    }
}

#[inline]
fn end_of_more_space(bytes: &[u8], mut at: usize) -> usize {
    loop {
        match bytes.get(at) {
            // A line break and the indentation of the next line.
            Some(b' ' | b'\n') => at += 1 + spaces(bytes, at + 1),
            Some(b'\r' | b'\t') => at += 1,
            _ => return at,
        }
    }
}

/// The number of spaces at an offset, up to eight, counted at once.
#[inline]
pub(super) fn spaces(bytes: &[u8], at: usize) -> usize {
    word_at(bytes, at).map_or(0, |word| first_byte(word ^ (ONES * 0x20)))
}

/// The end of a run of digits; `None` if there is no digit.
#[inline]
pub(super) fn digits_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut end = start;
    while bytes.get(end).is_some_and(u8::is_ascii_digit) {
        end += 1;
    }
    (end > start).then_some(end)
}

/// The index of the first byte that is not zero; 8 if there is none.
#[inline]
const fn first_byte(word: u64) -> usize {
    (word.trailing_zeros() / 8) as usize
}

#[inline]
fn word_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk::<8>().map(|word| u64::from_le_bytes(*word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_bytes_per_step_find_the_same_as_one_byte_per_step() {
        let is_special = |byte: u8| matches!(byte, b'"' | b'\\' | 0..0x20);
        for special in (0..=u8::MAX).filter(|byte| is_special(*byte)) {
            for plain in (0..=u8::MAX).filter(|byte| !is_special(*byte)) {
                for length in 0..34 {
                    let mut bytes = vec![plain; length];
                    assert_eq!(plain_end(&bytes, 0), length);
                    bytes.push(special);
                    bytes.extend([b' '; 20]);
                    assert_eq!(plain_end(&bytes, 0), length, "{special:#x} after {plain:#x}");
                }
            }
        }
    }

    #[test]
    fn white_space_of_any_length_is_skipped() {
        for length in 0..40 {
            for space in ["\n", "\r\n", "\t", " ", "\n\n    "] {
                let text = format!("{space}{}x         ", " ".repeat(length));
                assert_eq!(text.get(space_end(text.as_bytes(), 0)..).unwrap().trim_end(), "x");
            }
            let rest = " ".repeat(length);
            assert_eq!(space_end(rest.as_bytes(), 0), length);
        }
    }
}
