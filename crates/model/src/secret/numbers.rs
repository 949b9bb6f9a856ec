//! Numbers of payment cards and of people, recognized by their form and their check digits.

use std::ops::Range;

/// A number that belongs to a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonalNumber {
    /// The bytes of the text.
    pub range: Range<usize>,
    /// What the number is.
    pub kind: NumberKind,
    /// Whether its form alone leaves little doubt. Otherwise the text around it decides.
    pub(crate) is_certain: bool,
}

/// What a personal number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberKind {
    /// The number of a payment card.
    Card,
    /// The Indian identity number.
    Aadhaar,
    /// The social security number of the United States.
    SocialSecurity,
}

impl NumberKind {
    /// The number as a noun with its article.
    pub const fn noun_phrase(self) -> &'static str {
        match self {
            Self::Card => "a payment card number",
            Self::Aadhaar => "an Aadhaar number",
            Self::SocialSecurity => "a social security number",
        }
    }

    /// Whether a text, in lower case, mentions this kind of number.
    pub(crate) fn is_mentioned(self, lower: &str) -> bool {
        let words: &[&str] = match self {
            Self::Card => &["card", "visa", "amex", "rupay", "debit", "credit", "karte", "कार्ड"],
            Self::Aadhaar => &["aadhaar", "aadhar", "uidai", "आधार"],
            Self::SocialSecurity => {
                &["ssn", "social security", "social_security", "socialsecurity"]
            }
        };
        words.iter().any(|word| lower.contains(word))
    }
}

/// The least number of digits of such a number.
pub(crate) const LEAST_DIGITS: usize = 9;

/// The length of the shortest spelling in a text, with its separators: `123-45-6789`.
pub(crate) const SHORTEST: usize = 11;

/// Published numbers for tests, which belong to no account.
const TEST_NUMBERS: [&str; 20] = [
    "4111111111111111",
    "4012888888881881",
    "4242424242424242",
    "4000056655665556",
    "4000000000000002",
    "4000002500003155",
    "5555555555554444",
    "5105105105105100",
    "5200828282828210",
    "2223003122003222",
    "378282246310005",
    "371449635398431",
    "6011111111111117",
    "6011000990139424",
    "3530111333300000",
    "999941057058",
    "499118665246",
    "078051120",
    "219099999",
    "123456789",
];

/// The numbers in a text that leave little doubt, or that the text around them mentions.
pub(crate) fn convincing(text: &str, around: impl Fn() -> String) -> Vec<PersonalNumber> {
    let mut found = find(text);
    if found.iter().any(|it| !it.is_certain) {
        let around = around().to_lowercase();
        found.retain(|it| it.is_certain || it.kind.is_mentioned(&around));
    }
    found
}

/// The numbers in a text.
fn find(text: &str) -> Vec<PersonalNumber> {
    let source = text.as_bytes();
    let is_digit = |byte: &&u8| byte.is_ascii_digit();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(offset) =
        source.get(at..).and_then(|rest| rest.iter().position(u8::is_ascii_digit))
    {
        let start = at + offset;
        let before = start.checked_sub(1).and_then(|before| source.get(before));
        let is_joined = before.is_some_and(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'.' | b'/')
        });
        if is_joined {
            at = start + source.iter().skip(start).take_while(is_digit).count();
            continue;
        }
        let groups = groups(source, start);
        at = groups.last().map_or(start + 1, |last| last.end);
        let mut rest = groups.as_slice();
        while let Some((_, others)) = rest.split_first() {
            rest = match number(text, rest) {
                Some((number, count)) => {
                    found.push(number);
                    rest.get(count..).unwrap_or_default()
                }
                None => others,
            };
        }
    }
    found
}

/// The groups of digits from an offset on, with one space or hyphen between them.
fn groups(source: &[u8], from: usize) -> Vec<Range<usize>> {
    let mut groups = Vec::new();
    let mut start = from;
    loop {
        let rest = source.get(start..).unwrap_or_default();
        let end = start + rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if end == start {
            return groups;
        }
        groups.push(start..end);
        if !matches!(source.get(end), Some(b' ' | b'-')) {
            return groups;
        }
        start = end + 1;
    }
}

/// The number at the start of some groups of digits, and how many of them it has.
fn number(text: &str, groups: &[Range<usize>]) -> Option<(PersonalNumber, usize)> {
    use NumberKind::{Aadhaar, Card, SocialSecurity};

    const FORMS: [(&[usize], NumberKind, bool); 7] = [
        (&[4, 4, 4, 4], Card, true),
        (&[4, 6, 5], Card, true),
        (&[16], Card, false),
        (&[15], Card, false),
        (&[4, 4, 4], Aadhaar, false),
        (&[12], Aadhaar, false),
        (&[3, 2, 4], SocialSecurity, false),
    ];
    let (lengths, kind, is_certain) = FORMS.into_iter().find(|(lengths, ..)| {
        groups.len() >= lengths.len()
            && lengths.iter().zip(groups).all(|(length, group)| *length == group.len())
    })?;
    let own = groups.get(..lengths.len())?;
    let range = own.first()?.start..own.last()?.end;
    let spelled = text.get(range.clone())?;
    let digits: String = spelled.chars().filter(char::is_ascii_digit).collect();
    let numbers: Vec<u8> = digits.bytes().map(|byte| byte - b'0').collect();
    let is_valid = match kind {
        Card => is_issued(&digits) && passes_luhn(&numbers),
        Aadhaar => !digits.starts_with(['0', '1']) && passes_verhoeff(&numbers),
        SocialSecurity => is_social_security(&digits) && !spelled.contains(' '),
    };
    let is_monotonous = numbers.iter().zip(numbers.iter().skip(4)).all(|(one, next)| one == next);
    if !is_valid || is_monotonous || TEST_NUMBERS.contains(&digits.as_str()) {
        return None;
    }
    Some((PersonalNumber { range, kind, is_certain }, lengths.len()))
}

/// Whether an issuer of cards has numbers of this length that begin like this: Visa, Mastercard, American Express, Discover
/// and `RuPay`.
fn is_issued(digits: &str) -> bool {
    let begins =
        |length: usize| digits.get(..length).and_then(|it| it.parse::<u32>().ok()).unwrap_or(0);
    match digits.len() {
        15 => matches!(begins(2), 34 | 37),
        _ => {
            digits.starts_with('4')
                || matches!(begins(2), 51..=55 | 60 | 65)
                || matches!(begins(4), 2221..=2720)
                || matches!(begins(3), 508)
        }
    }
}

/// The check digit of payment cards.
fn passes_luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .zip([1, 2].into_iter().cycle())
        .map(|(digit, factor)| u32::from(*digit) * factor)
        .map(|product| if product > 9 { product - 9 } else { product })
        .sum();
    sum.is_multiple_of(10)
}

/// The check digit of Aadhaar numbers, which is computed in the dihedral group of ten elements.
fn passes_verhoeff(digits: &[u8]) -> bool {
    const PERMUTED: [u8; 10] = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];
    let check = digits.iter().rev().enumerate().fold(0, |check, (position, digit)| {
        let permuted = (0..position % 8)
            .fold(*digit, |digit, _| PERMUTED.get(usize::from(digit)).copied().unwrap_or(0));
        multiply(check, permuted)
    });
    check == 0
}

/// The product of two elements of the group: 0 to 4 are rotations, 5 to 9 reflections.
const fn multiply(one: u8, other: u8) -> u8 {
    match (one < 5, other < 5) {
        (true, true) => (one + other) % 5,
        (true, false) => 5 + (one + other - 5) % 5,
        (false, true) => 5 + (one - 5 + 5 - other) % 5,
        (false, false) => (one + 5 - other) % 5,
    }
}

/// Whether the parts of a social security number have values that are given out.
fn is_social_security(digits: &str) -> bool {
    let part = |range: Range<usize>| digits.get(range).unwrap_or_default();
    let area = part(0..3);
    !matches!(area, "000" | "666")
        && !area.starts_with('9')
        && part(3..5) != "00"
        && part(5..9) != "0000"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::marks::{Mark, Marks};

    fn found(text: &str) -> Vec<(&str, NumberKind)> {
        assert!(Marks::sees(text, Mark::Digits) || find(text).is_empty(), "{text}");
        find(text).into_iter().map(|it| (text.get(it.range).unwrap(), it.kind)).collect()
    }

    #[test]
    fn numbers_are_found_by_form_and_check_digit() {
        use NumberKind::{Aadhaar, Card, SocialSecurity};
        for (text, number, kind) in [
            ("Card 4539 5787 6362 1486 12/27", "4539 5787 6362 1486", Card),
            ("4539-5787-6362-1486", "4539-5787-6362-1486", Card),
            ("visa:4539578763621486.", "4539578763621486", Card),
            ("3742 454554 00126", "3742 454554 00126", Card),
            ("Aadhaar 2341 2341 2346", "2341 2341 2346", Aadhaar),
            ("id 234123412346", "234123412346", Aadhaar),
            ("SSN 512-83-9921", "512-83-9921", SocialSecurity),
        ] {
            assert_eq!(found(text), [(number, kind)], "{text}");
        }
    }

    #[test]
    fn other_numbers_are_not() {
        for text in [
            "+14155552671, +919845011234 and 022 6677 8899",
            "4539 5787 6362 1487",
            "4111 1111 1111 1111 or 4242 4242 4242 4242",
            "2341 2341 2347",
            "kb_4539578763621486",
            "000-12-3456, 912-34-5678, 123-45-6789",
            "2025-01-31 09:30, 1700000000000",
            "1234 5678 9012 3456",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }

    #[test]
    fn the_group_of_the_check_digit_has_the_known_products() {
        let products: Vec<u8> = (0..10).map(|digit| multiply(6, digit)).collect();
        assert_eq!(products, [6, 5, 9, 8, 7, 1, 0, 4, 3, 2]);
        assert!(passes_verhoeff(&[2, 3, 6, 3]));
        assert!(!passes_verhoeff(&[2, 3, 6, 4]));
    }
}
