//! Lists of terms separated by commas, and the ways to read limits that apply "after normalization".

use std::collections::BTreeMap;
use std::ops::Range;

use unicode_normalization::UnicodeNormalization as _;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::text::characters::{Characters, offset_after_utf16_units};
use crate::verdict::Readings;

/// The terms of a text.
#[derive(Debug)]
pub(crate) struct Keywords<'a> {
    /// What stands between the commas, in order.
    pub(crate) terms: Vec<Term<'a>>,
    /// How many different terms there are.
    distinct: u32,
    /// The characters of the different terms, each by its shortest spelling.
    distinct_characters: u32,
}

/// What stands between two commas.
#[derive(Debug)]
pub(crate) struct Term<'a> {
    /// The term without the white space around it.
    pub(crate) text: &'a str,
    /// Where that begins.
    pub(crate) start: usize,
    /// The bytes between the commas.
    pub(crate) segment: Range<usize>,
    /// The characters that remain once runs of white space have become one space.
    pub(crate) collapsed: u32,
    /// The characters as they are written.
    pub(crate) written: Characters,
    /// Whether nothing like it came before. The empty term never counts.
    pub(crate) is_new: bool,
}

impl<'a> Keywords<'a> {
    /// The least that normalization leaves: no white space around terms and one space inside, no empty terms, and every term
    /// once, whatever its case and its composition. The most is what is written, less the white space around the terms.
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

    /// How many terms there are.
    pub(crate) fn number(&self) -> Readings<u32> {
        Readings { least: self.distinct, most: self.terms.len() as u32 }
    }

    /// How long they are together: the different terms alone, or everything joined with `, `.
    pub(crate) fn total(&self) -> Readings<u32> {
        let written: u32 = self.terms.iter().map(|term| term.written.utf16_units).sum();
        Readings {
            least: self.distinct_characters,
            most: written + 2 * (self.terms.len() as u32).saturating_sub(1),
        }
    }
}

impl Term<'_> {
    /// How long the term is.
    pub(crate) fn length(&self) -> Readings<u32> {
        Readings { least: self.collapsed, most: self.written.utf16_units }
    }

    /// The bytes of the term, without the white space around it.
    pub(crate) fn range(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    /// Where the term has used up `limit` characters, runs of white space counted once.
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

    /// Where the term has used up `limit` UTF-16 units.
    pub(crate) fn after_written(&self, limit: u32) -> usize {
        self.start + offset_after_utf16_units(self.text, limit)
    }
}

/// Whether somebody may have meant the character to separate terms.
pub(crate) const fn is_mistaken_separator(character: char) -> bool {
    matches!(character, ';' | '；' | '|' | '，' | '、' | '،')
}

/// The parts of a text between separators, with their places.
pub(crate) fn segments(text: &str, separator: char) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut start = 0;
    text.split(separator).map(move |segment| {
        let range = start..start + segment.len();
        start = range.end + separator.len_utf8();
        (range, segment)
    })
}

/// A term without differences of case and composition. Upper case first: it brings together what lower case keeps apart.
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
    fn the_least_is_what_normalization_leaves() {
        let keywords = Keywords::of("  Café  au  lait ,cafe\u{301} AU lait,, x,");
        assert_eq!(keywords.number(), Readings { least: 2, most: 5 });
        assert_eq!(keywords.total(), Readings { least: 13, most: 14 + 13 + 1 + 8 });
        assert_eq!(keywords.terms[0].length(), Readings { least: 12, most: 14 });
        assert_eq!(keywords.terms[0].after_collapsed(5), 9);
        assert_eq!(Keywords::of("STRASSE,straße").number().least, 1);
        assert_eq!(Keywords::of("").number(), Readings { least: 0, most: 1 });
    }
}
