//! Counts characters. The description limits "characters" without a unit.

use unicode_segmentation::UnicodeSegmentation as _;

use voxlint_schema::readings::TEXT_LENGTH_UNIT;

use crate::readings::Assumption;
use crate::verdict::Measure;

/// The number of characters of a text, by each plausible unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Characters {
    /// Grapheme clusters: what readers perceive as characters.
    pub graphemes: u32,
    /// Unicode code points.
    pub(crate) code_points: u32,
    /// UTF-16 code units: the length in JavaScript.
    pub utf16_units: u32,
}

impl Characters {
    /// Counts the characters of a text in each way.
    pub fn count(text: &str) -> Self {
        let code_points = text.chars().count() as u32;
        let utf16_units = text.encode_utf16().count() as u32;
        let graphemes = if text.is_ascii() && !text.contains('\r') {
            code_points
        } else {
            text.graphemes(true).count() as u32
        };
        Self { graphemes, code_points, utf16_units }
    }

    /// A count that exceeds a limit that the graphemes do not exceed, and why it is greater.
    pub fn doubtful(self, limit: u32) -> (u32, &'static str) {
        if self.code_points > limit {
            (self.code_points, "if combined characters count separately")
        } else {
            (self.utf16_units, "if emoji count twice")
        }
    }

    /// The least and the most that a limit may count.
    pub fn readings(self) -> Measure<u32> {
        Measure { least: self.graphemes, most: self.utf16_units }
    }
}

impl Characters {
    /// The units by which the text is over a limit.
    pub fn over(self, limit: u32) -> Assumption {
        Assumption::of(&TEXT_LENGTH_UNIT, |unit| match unit {
            "utf-16" => self.utf16_units > limit,
            "code-points" => self.code_points > limit,
            _ => self.graphemes > limit,
        })
    }
}

/// The byte offset after `limit` graphemes.
pub fn offset_after_graphemes(text: &str, limit: u32) -> usize {
    text.grapheme_indices(true).nth(limit as usize).map_or(text.len(), |(offset, _)| offset)
}

/// The byte offset after `limit` UTF-16 units, rounded down to a whole character.
pub fn offset_after_utf16_units(text: &str, limit: u32) -> usize {
    let mut units = 0;
    for (offset, character) in text.char_indices() {
        units += character.len_utf16() as u32;
        if units > limit {
            return offset;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_counts_differ_where_scripts_do() {
        assert_eq!(
            Characters::count("title"),
            Characters { graphemes: 5, code_points: 5, utf16_units: 5 }
        );
        assert_eq!(Characters::count("नमस्ते").graphemes, 3);
        assert_eq!(
            Characters::count("😀"),
            Characters { graphemes: 1, code_points: 1, utf16_units: 2 }
        );
        assert_eq!(Characters::count("\r\n").graphemes, 1);
    }

    #[test]
    fn a_limit_applies_to_the_lowest_and_the_highest_count() {
        let readings = Measure { least: 69, most: 71 };
        assert_eq!(readings.over(68), Some(VerdictKind::Reject));
        assert_eq!(readings.over(70), Some(VerdictKind::Possible));
        assert_eq!(readings.over(71), None);
    }

    use crate::VerdictKind;
}
