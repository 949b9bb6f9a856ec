//! Finding the end of plain text, white space and digits, many bytes at a time.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// The offset of the next quote, backslash or control character.
#[inline]
pub(super) fn plain_end(bytes: &[u8], at: usize) -> usize {
    let mut rest = bytes.get(at..).unwrap_or_default();
    while let Some((word, after)) = rest.split_first_chunk() {
        let special = special_bytes(u64::from_le_bytes(*word));
        if special != 0 {
            return bytes.len() - rest.len() + first_byte(special);
        }
        rest = after;
    }
    let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..0x20);
    let plain = rest.iter().position(is_special).unwrap_or(rest.len());
    bytes.len() - rest.len() + plain
}

/// Marks the bytes that are a quote, a backslash or a control character with their high bit, all eight at once.
///
/// A borrow may mark bytes above the first one that is marked, so only that one counts.
#[inline]
const fn special_bytes(word: u64) -> u64 {
    // This flip turns a quote into 0x20, and what else it turns into less was less before.
    let quote_or_control = (word ^ (ONES * 0x02)).wrapping_sub(ONES * 0x21);
    let backslash = (word ^ (ONES * 0x5c)).wrapping_sub(ONES);
    // All of them are ASCII, so bytes with a high bit are not meant.
    (quote_or_control | backslash) & !word & HIGHS
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
    fn eight_bytes_per_step_find_the_same_as_one_byte_per_step() {
        let is_special = |byte: u8| matches!(byte, b'"' | b'\\' | 0..0x20);
        for special in (0..=u8::MAX).filter(|byte| is_special(*byte)) {
            for plain in (0..=u8::MAX).filter(|byte| !is_special(*byte)) {
                for length in 0..18 {
                    let mut bytes = vec![plain; length];
                    assert_eq!(plain_end(&bytes, 0), length);
                    bytes.push(special);
                    bytes.extend([b' '; 12]);
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
