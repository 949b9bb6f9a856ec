//! Lists of terms separated by commas, and the ways to read limits that apply "after normalization".

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use unicode_normalization::UnicodeNormalization as _;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::text::characters::{Characters, offset_after_utf16_units};
use crate::verdict::Measure;

/// A list of terms.
#[derive(Debug)]
pub struct Keywords<'a> {
    /// The terms between the commas, in order.
    pub terms: Vec<Term<'a>>,
    /// The number of different terms.
    distinct: u32,
    /// The total length of the different terms, each in its shortest spelling.
    distinct_characters: u32,
}

/// A term between two commas.
#[derive(Debug)]
pub struct Term<'a> {
    /// The term without surrounding white space.
    pub text: &'a str,
    /// The offset of `text`.
    pub start: usize,
    /// The bytes between the commas.
    pub segment: Range<usize>,
    /// The length with each run of white space as one space.
    pub collapsed: u32,
    /// The length as written.
    pub written: Characters,
    /// Whether the term is the first of its kind. An empty term never is.
    pub is_new: bool,
}

impl<'a> Keywords<'a> {
    /// Reads a list of terms. The least that normalization may leave: no surrounding white space and single spaces, no empty
    /// terms, and every term once, ignoring case and Unicode composition. The most: the terms as written, without surrounding
    /// white space.
    pub fn of(text: &'a str) -> Self {
        let mut lengths: BTreeMap<String, u32> = BTreeMap::new();
        let mut terms = Vec::new();
        for (segment, text) in segments(text, b',') {
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
    pub fn number(&self) -> Measure<u32> {
        Measure { least: self.distinct, most: self.terms.len() as u32 }
    }

    /// The total length: of the different terms alone, or of all terms joined with `, `.
    pub fn total(&self) -> Measure<u32> {
        let written: u32 = self.terms.iter().map(|term| term.written.utf16_units).sum();
        Measure {
            least: self.distinct_characters,
            most: written + 2 * (self.terms.len() as u32).saturating_sub(1),
        }
    }
}

impl Term<'_> {
    /// The length of the term.
    pub fn length(&self) -> Measure<u32> {
        Measure { least: self.collapsed, most: self.written.utf16_units }
    }

    /// The bytes of the term, without surrounding white space.
    pub fn range(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    /// The offset after `limit` characters of the term, with each run of white space counted once.
    pub fn after_collapsed(&self, limit: u32) -> usize {
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
    pub fn after_written(&self, limit: u32) -> usize {
        self.start + offset_after_utf16_units(self.text, limit)
    }
}

/// Whether the character may have been used as a separator by mistake.
pub const fn is_mistaken_separator(character: char) -> bool {
    matches!(character, ';' | '；' | '|' | '，' | '、' | '،')
}

/// The number of separators in a text, which are ASCII.
pub fn separators(text: &str, separator: u8) -> usize {
    text.bytes().filter(|byte| *byte == separator).count()
}

/// The parts of a text between separators, which are ASCII, with their byte ranges.
pub fn segments(text: &str, separator: u8) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut start = 0;
    text.as_bytes().split(move |byte| *byte == separator).map(move |segment| {
        let range = start..start + segment.len();
        start = range.end + 1;
        (range.clone(), text.get(range).unwrap_or_default())
    })
}

/// The bytes to remove from a list so that some of its parts are left out, each with one separator.
pub fn without_parts(
    text: &str,
    separator: u8,
    is_left_out: impl Fn(usize, &str) -> bool,
) -> Vec<Range<usize>> {
    let mut removed: Vec<Range<usize>> = Vec::new();
    let mut is_first = true;
    for (index, (range, part)) in segments(text, separator).enumerate() {
        let before = range.start.saturating_sub(1);
        if is_left_out(index, part) {
            match removed.last_mut().filter(|last| last.end == before) {
                Some(last) => last.end = range.end,
                None => removed.push(before..range.end),
            }
        } else if std::mem::take(&mut is_first)
            && let Some(first) = removed.last_mut()
        {
            // The parts before the first one that stays: the separator after them, and the white space after that.
            first.end = range.end - part.trim_start().len();
        }
    }
    removed
}

/// The bytes to remove so that a list has no empty terms, and each term only once.
pub fn surplus_terms(text: &str) -> Vec<Range<usize>> {
    let mut seen = HashSet::new();
    let terms = segments(text, b',').map(|(_, term)| term.trim());
    let is_surplus: Vec<bool> = terms.map(|term| term.is_empty() || !seen.insert(term)).collect();
    without_parts(text, b',', |index, _| is_surplus.get(index).copied().unwrap_or_default())
}

/// A text without some of its bytes.
pub fn without_bytes(text: &str, removed: &[Range<usize>]) -> String {
    let ends = removed.iter().map(|range| range.start).chain([text.len()]);
    let starts = std::iter::once(0).chain(removed.iter().map(|range| range.end));
    starts.zip(ends).map(|(start, end)| text.get(start..end).unwrap_or_default()).collect()
}

/// The changes that give a list one comma and one space between two terms, no empty terms and single spaces inside terms.
pub fn spacing_changes(text: &str) -> Vec<(Range<usize>, &'static str)> {
    let mut changes = Vec::new();
    let mut change = |range: Range<usize>, wanted: &'static str| {
        if text.get(range.clone()).is_some_and(|written| written != wanted) {
            changes.push((range, wanted));
        }
    };
    let mut end = None;
    for (range, part) in segments(text, b',').filter(|(_, part)| !part.trim().is_empty()) {
        let start = range.end - part.trim_start().len();
        change(end.unwrap_or_default()..start, if end.is_some() { ", " } else { "" });
        let term = part.trim();
        let mut at = start;
        let mut word_end = start;
        for word in term.split(char::is_whitespace) {
            if !word.is_empty() {
                change(word_end..at, if at == start { "" } else { " " });
                word_end = at + word.len();
            }
            at += word.len();
            at += text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        }
        end = Some(word_end);
    }
    if let Some(end) = end {
        change(end..text.len(), "");
    }
    changes
}

/// A term without the white space around it, and with one space for the white space in it, but for line breaks, which may separate
/// terms.
pub fn single_spaced(term: &str) -> String {
    let is_space = |c: char| c.is_whitespace() && !breaks_line(c);
    let words = term.trim().split(is_space).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// Whether no line breaks inside of a term, so that each is one term.
pub fn has_terms_in_one_line(text: &str) -> bool {
    segments(text, b',').all(|(_, term)| !term.trim().contains(breaks_line))
}

/// Whether a character ends a line.
pub const fn breaks_line(character: char) -> bool {
    matches!(character, '\n'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
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

    fn changed(text: &str, changes: &[(Range<usize>, &str)]) -> String {
        let mut new = text.to_owned();
        for (range, wanted) in changes.iter().rev() {
            new.replace_range(range.clone(), wanted);
        }
        new
    }

    #[test]
    fn spacing_is_one_comma_and_one_space() {
        for (text, expected) in [
            ("a ,b,, c", "a, b, c"),
            ("  a b,c\t d ,", "a b, c d"),
            (",,a", "a"),
            ("a, b", "a, b"),
            ("é\u{a0}\u{a0}ü,x", "é ü, x"),
            (" , ", " , "),
            ("", ""),
        ] {
            assert_eq!(changed(text, &spacing_changes(text)), expected, "{text}");
        }
        assert_eq!(spacing_changes("a, b,c"), [(4..5, ", ")]);
    }

    #[test]
    fn a_line_break_in_a_term_may_separate_two() {
        for (text, expected) in [
            ("a,\n b\tc \n", true),
            ("a, b\nc", false),
            ("a\u{a0}b", true),
            ("a\u{85}b", false),
            ("", true),
        ] {
            assert_eq!(has_terms_in_one_line(text), expected, "{text}");
        }
        assert_eq!(single_spaced("\n a \u{a0}\t b\nc "), "a b\nc");
    }

    #[test]
    fn parts_are_left_out_with_one_separator_each() {
        for (text, expected) in [
            ("KYC, EMI, KYC", "KYC, EMI"),
            ("KYC, KYC, EMI, KYC , x", "KYC, EMI, x"),
            ("a|", "a"),
            ("||a", "a"),
            ("| a||b|", "a|b"),
            ("|", ""),
            ("", ""),
        ] {
            let separator = if text.contains(',') { b',' } else { b'|' };
            let parts: Vec<&str> = text.split(char::from(separator)).map(str::trim).collect();
            let removed = without_parts(text, separator, |index, part| {
                part.trim().is_empty() || parts[..index].contains(&part.trim())
            });
            let changes: Vec<_> = removed.into_iter().map(|range| (range, "")).collect();
            assert_eq!(changed(text, &changes), expected, "{text}");
        }
    }

    #[test]
    fn normalization_leaves_the_least() {
        let keywords = Keywords::of("  Café  au  lait ,cafe\u{301} AU lait,, x,");
        assert_eq!(keywords.number(), Measure { least: 2, most: 5 });
        assert_eq!(keywords.total(), Measure { least: 13, most: 14 + 13 + 1 + 8 });
        assert_eq!(keywords.terms[0].length(), Measure { least: 12, most: 14 });
        assert_eq!(keywords.terms[0].after_collapsed(5), 9);
        assert_eq!(Keywords::of("STRASSE,straße").number().least, 1);
        assert_eq!(Keywords::of("").number(), Measure { least: 0, most: 1 });
    }
}
