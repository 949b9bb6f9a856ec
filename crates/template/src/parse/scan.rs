//! Character classes, and searches in the bytes of a template.

use memchr::{memchr, memmem};

/// The bytes of a template. Reading past the end is allowed.
#[derive(Clone, Copy)]
pub(crate) struct Bytes<'t>(pub(crate) &'t [u8]);

/// The byte that [`Bytes::at`] returns past the end. It does not occur in UTF-8.
pub(crate) const END: u8 = 0xFF;

const NAME: u8 = 1;
const AFTER_NAME: u8 = 2;
const AFTER_LITERAL: u8 = 4;
const SPACE: u8 = 8;

/// The classes of the bytes below 0x80. [`Bytes::space`] classifies the others.
static CLASSES: [u8; 256] = classes();

impl<'t> Bytes<'t> {
    #[inline]
    pub(crate) fn at(self, at: usize) -> u8 {
        self.0.get(at).copied().unwrap_or(END)
    }

    #[inline]
    pub(crate) fn from(self, at: usize) -> &'t [u8] {
        self.0.get(at..).unwrap_or_default()
    }

    pub(crate) fn len(self) -> usize {
        self.0.len()
    }

    #[inline]
    pub(crate) fn starts(self, at: usize, with: &[u8]) -> bool {
        self.from(at).starts_with(with)
    }

    /// The length of the white-space character at `at`, or 0.
    ///
    /// White space is that of JavaScript, which includes U+FEFF and excludes U+0085, unlike Rust.
    #[inline]
    pub(crate) fn space(self, at: usize) -> usize {
        let byte = self.at(at);
        if byte < 0x80 {
            return usize::from(class(byte) & SPACE != 0);
        }
        match (byte, self.at(at + 1), self.at(at + 2)) {
            (0xC2, 0xA0, _) => 2,
            (0xE1, 0x9A, 0x80)
            | (0xE2, 0x80, 0x80..=0x8A | 0xA8 | 0xA9 | 0xAF)
            | (0xE2, 0x81, 0x9F)
            | (0xE3, 0x80, 0x80)
            | (0xEF, 0xBB, 0xBF) => 3,
            _ => 0,
        }
    }

    /// The end of the white space that starts at `at`.
    #[inline]
    pub(crate) fn skip_space(self, mut at: usize) -> usize {
        loop {
            match self.space(at) {
                0 => return at,
                length => {
                    at += length;
                }
            }
        }
    }

    /// The end of the run of name characters that starts at `at`.
    #[inline]
    pub(crate) fn skip_name(self, start: usize) -> usize {
        let mut at = start;
        while self.is_name(at) {
            at += 1;
        }
        at
    }

    /// Whether the byte at `at` belongs to a name: any character but white space and most ASCII punctuation, so curly
    /// quotes, emoji and control characters count.
    #[inline]
    pub(crate) fn is_name(self, at: usize) -> bool {
        let byte = self.at(at);
        if byte < 0x80 { class(byte) & NAME != 0 } else { byte != END && self.space(at) == 0 }
    }

    /// Whether a name may end before `at`. It may not end at the end of the text.
    #[inline]
    pub(crate) fn ends_name(self, at: usize) -> bool {
        let byte = self.at(at);
        if byte < 0x80 { class(byte) & AFTER_NAME != 0 } else { self.space(at) != 0 }
    }

    /// Whether a number, `true`, `false`, `null` or `undefined` may end before `at`.
    #[inline]
    pub(crate) fn ends_literal(self, at: usize) -> bool {
        let byte = self.at(at);
        if byte < 0x80 { class(byte) & AFTER_LITERAL != 0 } else { self.space(at) != 0 }
    }

    /// The offset of the first `needle` at or after `from`.
    pub(crate) fn find(self, from: usize, needle: &[u8]) -> Option<usize> {
        let found = memmem::find(self.from(from), needle);
        found.map(|place| place + from)
    }

    /// The end of a string or `[segment]` that starts at `open` and is closed by `close`.
    ///
    /// A backslash escapes only the closing character. If the rest of the text has no unescaped one, the last escaped
    /// one closes, as the reference's pattern backtracks to it.
    pub(crate) fn quoted_end(self, open: usize, close: u8) -> Option<usize> {
        let mut from = open + 1;
        let mut fallback = None;
        while let Some(found) = memchr(close, self.from(from)) {
            let place = from + found;
            if place == open + 1 || self.at(place - 1) != b'\\' {
                return Some(place + 1);
            }
            fallback = Some(place + 1);
            from = place + 1;
        }
        fallback
    }
}

#[expect(clippy::indexing_slicing, reason = "the table has an entry for every byte")]
#[inline]
fn class(byte: u8) -> u8 {
    CLASSES[byte as usize]
}

#[expect(
    clippy::indexing_slicing,
    reason = "evaluated at compile time, where an index out of range is an error"
)]
const fn classes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 0x80 {
        let character = byte as u8;
        if matches!(character, 9..=13 | b' ') {
            table[byte] = SPACE | AFTER_NAME | AFTER_LITERAL;
        } else if matches!(character, b'~' | b'}' | b')') {
            table[byte] = AFTER_NAME | AFTER_LITERAL;
        } else if matches!(character, b'=' | b'/' | b'.' | b'|') {
            table[byte] = AFTER_NAME;
        } else if !character.is_ascii_punctuation()
            || matches!(character, b'$' | b'-' | b'_' | b':' | b'?')
        {
            table[byte] = NAME;
        }
        byte += 1;
    }
    table
}
