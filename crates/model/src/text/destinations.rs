//! Transfer destinations: phone numbers separated by `|`.

use std::ops::Range;

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

use crate::text::keywords::segments;

/// The number of digits after the country code.
pub const DIGITS: usize = 10;

/// A destination between two separators.
#[derive(Debug)]
pub struct Destination<'a> {
    /// The destination without surrounding white space.
    pub text: &'a str,
    /// The offset of `text`.
    pub start: usize,
    /// The bytes between the separators.
    pub segment: Range<usize>,
}

impl Destination<'_> {
    /// The bytes of the destination, without surrounding white space.
    pub fn range(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }
}

/// The destinations of a text, including empty ones.
pub fn destinations(text: &str) -> impl Iterator<Item = Destination<'_>> {
    segments(text, b'|').map(|(segment, text)| {
        let start = segment.start + (text.len() - text.trim_start().len());
        Destination { text: text.trim(), start, segment }
    })
}

/// Whether a text is `+1` or `+91` and exactly ten digits.
pub fn is_number(text: &str) -> bool {
    ["+1", "+91"].iter().any(|code| {
        text.strip_prefix(code).is_some_and(|digits| {
            digits.len() == DIGITS && digits.bytes().all(|digit| digit.is_ascii_digit())
        })
    })
}

/// The text with the decimal digits of every script as ASCII digits.
pub fn with_ascii_digits(text: &str) -> String {
    text.chars().map(|character| digit(character).unwrap_or(character)).collect()
}

/// The ASCII digit for a decimal digit of any script.
pub fn digit(character: char) -> Option<char> {
    if character.is_ascii() {
        return Some(character).filter(char::is_ascii_digit);
    }
    if !is_decimal(character) {
        return None;
    }
    // Unicode keeps the ten digits of a script together and in order, and some of its sets side by side.
    let point = u32::from(character);
    let before = (1..point)
        .take_while(|back| char::from_u32(point - back).is_some_and(is_decimal))
        .count() as u32;
    char::from_digit(before % 10, 10)
}

fn is_decimal(character: char) -> bool {
    character.general_category() == GeneralCategory::DecimalNumber
}

/// Characters that people write between the digits of a phone number to make it readable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Grouping {
    Space,
    Hyphen,
    Bracket,
    Point,
    Slash,
    Invisible,
}

impl Grouping {
    pub(crate) fn of(character: char) -> Option<Self> {
        Some(match character {
            '(' | ')' | '[' | ']' => Self::Bracket,
            '.' | '·' => Self::Point,
            '/' => Self::Slash,
            _ if character.is_whitespace() => Self::Space,
            _ => match character.general_category() {
                GeneralCategory::DashPunctuation => Self::Hyphen,
                GeneralCategory::Format => Self::Invisible,
                _ if character == '−' => Self::Hyphen,
                _ => return None,
            },
        })
    }

    /// The characters in words.
    pub(crate) fn name(self, count: usize) -> &'static str {
        match (self, count) {
            (Self::Space, 1) => "a space",
            (Self::Space, _) => "spaces",
            (Self::Hyphen, 1) => "a hyphen",
            (Self::Hyphen, _) => "hyphens",
            (Self::Bracket, 1) => "a bracket",
            (Self::Bracket, _) => "brackets",
            (Self::Point, 1) => "a full stop",
            (Self::Point, _) => "full stops",
            (Self::Slash, 1) => "a slash",
            (Self::Slash, _) => "slashes",
            (Self::Invisible, 1) => "an invisible character",
            (Self::Invisible, _) => "invisible characters",
        }
    }
}

/// The length of the country code at the start of the digits after a `+`.
pub fn country_code(digits: &str) -> usize {
    let mut codes = digits.bytes();
    let length = match (codes.next(), codes.next()) {
        (Some(b'0' | b'1' | b'7'), _) => 1,
        (Some(b'2'), Some(b'0' | b'7'))
        | (Some(b'3'), Some(b'0'..=b'4' | b'6' | b'9'))
        | (Some(b'4'), Some(b'0' | b'1' | b'3'..=b'9'))
        | (Some(b'5'), Some(b'1'..=b'8'))
        | (Some(b'6'), Some(b'0'..=b'6'))
        | (Some(b'8'), Some(b'1' | b'2' | b'4' | b'6'))
        | (Some(b'9'), Some(b'0'..=b'5' | b'8')) => 2,
        _ => 3,
    };
    length.min(digits.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_every_script_have_their_value() {
        assert_eq!(with_ascii_digits("+91९८७६५४३२१०"), "+919876543210");
        assert_eq!(digit('０'), Some('0'));
        assert_eq!(digit('\u{1d7ff}'), Some('9'));
        assert_eq!(digit('\u{1d7ce}'), Some('0'));
        assert_eq!(digit('²'), None);
        assert_eq!(digit('x'), None);
    }

    #[test]
    fn country_codes_have_their_length() {
        for (digits, code) in
            [("14155552671", 1), ("442071838750", 2), ("971501234567", 3), ("9", 1), ("919", 2)]
        {
            assert_eq!(country_code(digits), code, "{digits}");
        }
    }
}
