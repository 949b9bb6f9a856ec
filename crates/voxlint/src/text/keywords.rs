//! Lists of terms separated by commas, and the ways to read limits that apply "after normalization".

use std::collections::BTreeMap;
use std::ops::Range;

use unicode_normalization::UnicodeNormalization as _;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::text::characters::{Characters, offset_after_utf16_units};
use crate::verdict::Readings;

/// A list of terms.
#[derive(Debug)]
pub(crate) struct Keywords<'a> {
    /// The terms between the commas, in order.
    pub(crate) terms: Vec<Term<'a>>,
    /// The number of different terms.
    distinct: u32,
    /// The total length of the different terms, each in its shortest spelling.
    distinct_characters: u32,
}

/// A term between two commas.
#[derive(Debug)]
pub(crate) struct Term<'a> {
    /// The term without surrounding white space.
    pub(crate) text: &'a str,
    /// The offset of `text`.
    pub(crate) start: usize,
    /// The bytes between the commas.
    pub(crate) segment: Range<usize>,
    /// The length with each run of white space as one space.
    pub(crate) collapsed: u32,
    /// The length as written.
    pub(crate) written: Characters,
    /// Whether the term is the first of its kind. An empty term never is.
    pub(crate) is_new: bool,
}

impl<'a> Keywords<'a> {
    /// Reads a list of terms. The least that normalization may leave: no surrounding white space and single spaces, no empty
    /// terms, and every term once, ignoring case and Unicode composition. The most: the terms as written, without surrounding
    /// white space.
    pub(crate) fn of(text: &'a str) -> Self {
        let mut lengths: BTreeMap<String, u32> = BTreeMap::new();
        let mut terms = Vec::new();
        for (segment, text) in segments(text, ',') {
            let trimmed = text.trim();
            let collapsed = trimmed.split_whitespace().collect::<Vec<_>>().join(" ");
            let length = Characters::count(&collapsed).graphemes;
            let is_new = !collapsed.is_empty() && {
                let mut is_new = true;
                lengths
                    .entry(folded(&collapsed))
                    .and_modify(|shortest| {
                        *shortest = length.min(*shortest);
                        is_new = false;
                    })
                    .or_insert(length);
                is_new
            };
            terms.push(Term {
                text: trimmed,
                start: segment.start + (text.len() - text.trim_start().len()),
                segment,
                collapsed: length,
                written: Characters::count(trimmed),
                is_new,
            });
        }
        let distinct_characters = lengths.values().sum();
        Self { terms, distinct: lengths.len() as u32, distinct_characters }
    }

    /// The number of terms.
    pub(crate) fn number(&self) -> Readings<u32> {
        Readings { least: self.distinct, most: self.terms.len() as u32 }
    }

    /// The total length: of the different terms alone, or of all terms joined with `, `.
    pub(crate) fn total(&self) -> Readings<u32> {
        let written: u32 = self.terms.iter().map(|term| term.written.utf16_units).sum();
        Readings {
            least: self.distinct_characters,
            most: written + 2 * (self.terms.len() as u32).saturating_sub(1),
        }
    }
}

impl Term<'_> {
    /// The length of the term.
    pub(crate) fn length(&self) -> Readings<u32> {
        Readings { least: self.collapsed, most: self.written.utf16_units }
    }

    /// The bytes of the term, without surrounding white space.
    pub(crate) fn range(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    /// The offset after `limit` characters of the term, with each run of white space counted once.
    pub(crate) fn after_collapsed(&self, limit: u32) -> usize {
        let mut count = 0;
        let mut in_space = false;
        for (offset, grapheme) in self.text.grapheme_indices(true) {
            let is_white = grapheme.chars().all(char::is_whitespace);
            if !(is_white && in_space) {
                if count == limit {
                    return self.start + offset;
                }
                count += 1;
            }
            in_space = is_white;
        }
        self.range().end
    }

    /// The offset after `limit` UTF-16 units of the term.
    pub(crate) fn after_written(&self, limit: u32) -> usize {
        self.start + offset_after_utf16_units(self.text, limit)
    }
}

/// Whether the character may have been used as a separator by mistake.
pub(crate) const fn is_mistaken_separator(character: char) -> bool {
    matches!(character, ';' | '；' | '|' | '，' | '、' | '،')
}

/// The parts of a text between separators, with their byte ranges.
pub(crate) fn segments(text: &str, separator: char) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut start = 0;
    text.split(separator).map(move |segment| {
        let range = start..start + segment.len();
        start = range.end + separator.len_utf8();
        (range, segment)
    })
}

/// A term without differences of case and composition. It is converted to upper case first, because that unifies more than
/// lower case.
fn folded(term: &str) -> String {
    if term.is_ascii() {
        return term.to_ascii_lowercase();
    }
    let composed: String = term.nfc().collect();
    composed.to_uppercase().to_lowercase().nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalization_leaves_the_least() {
        let keywords = Keywords::of("  Café  au  lait ,cafe\u{301} AU lait,, x,");
        assert_eq!(keywords.number(), Readings { least: 2, most: 5 });
        assert_eq!(keywords.total(), Readings { least: 13, most: 14 + 13 + 1 + 8 });
        assert_eq!(keywords.terms[0].length(), Readings { least: 12, most: 14 });
        assert_eq!(keywords.terms[0].after_collapsed(5), 9);
        assert_eq!(Keywords::of("STRASSE,straße").number().least, 1);
        assert_eq!(Keywords::of("").number(), Readings { least: 0, most: 1 });
    }
}
