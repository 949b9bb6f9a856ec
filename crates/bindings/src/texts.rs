//! The texts that spans point into, and offsets in the units of other languages.

use std::collections::BTreeMap;
use std::sync::Arc;

use voxlint::syntax::SharedText;

/// The units in which a language counts offsets in strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Code points, as in Python.
    CodePoints,
    /// Code units of UTF-16, as in JavaScript.
    Utf16,
}

/// The texts that spans point into, by the paths that reports show. They are shared with the documents.
#[derive(Clone, Debug, Default)]
pub struct Texts(BTreeMap<Arc<str>, SharedText>);

impl Texts {
    pub(crate) fn add(&mut self, path: Arc<str>, text: SharedText) {
        self.0.insert(path, text);
    }

    /// Every text by its path, for bindings that store results.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(path, text)| (&**path, &**text))
    }

    /// The text at a path; `None` if it is not known. Bytes that are not UTF-8 become question marks.
    pub fn get(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(|text| &**text)
    }

    /// Offsets in bytes of the text at a path as offsets in another unit, in the same order; `None` if the text is not known.
    ///
    /// The time is proportional to the length of the text, so convert all offsets of a text in one call.
    ///
    /// ```
    /// use voxlint_bindings::{Context, DocumentOptions, Unit};
    ///
    /// let report = Context::default().check("{ \"🎧\": 1 }".as_bytes(), &DocumentOptions::default());
    /// assert_eq!(report.offsets("<text>", &[7, 0, 11], Unit::CodePoints), Some(vec![4, 0, 8]));
    /// assert_eq!(report.offsets("<text>", &[7, 0, 11], Unit::Utf16), Some(vec![5, 0, 9]));
    /// ```
    pub fn offsets(&self, path: &str, bytes: &[u64], unit: Unit) -> Option<Vec<u64>> {
        let text = self.get(path)?.as_bytes();
        let mut order: Vec<usize> = (0..bytes.len()).collect();
        order.sort_by_key(|index| bytes.get(*index));
        let mut offsets = vec![0; bytes.len()];
        let (mut at, mut count) = (0, 0);
        for index in order {
            let (Some(wanted), Some(offset)) = (bytes.get(index), offsets.get_mut(index)) else {
                continue;
            };
            let wanted = usize::try_from(*wanted).unwrap_or(usize::MAX).min(text.len());
            count += units(text.get(at..wanted).unwrap_or_default(), unit);
            at = wanted;
            *offset = count;
        }
        Some(offsets)
    }
}

/// The number of units of the characters that begin in some bytes.
fn units(bytes: &[u8], unit: Unit) -> u64 {
    // Counts are kept in bytes, so that the compiler can count many at once. The counts of a chunk fit into a byte.
    let count = |chunk: &[u8]| {
        let starts = chunk.iter().map(|byte| u8::from(!(0x80..0xc0).contains(byte))).sum::<u8>();
        let pairs = match unit {
            Unit::CodePoints => 0,
            // A character of four bytes has two code units.
            Unit::Utf16 => chunk.iter().map(|byte| u8::from(*byte >= 0xf0)).sum::<u8>(),
        };
        u64::from(starts) + u64::from(pairs)
    };
    bytes.chunks(u8::MAX as usize).map(count).sum()
}
