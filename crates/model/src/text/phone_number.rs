//! Phone numbers as people write them.

use std::ops::Range;

use crate::text::destinations::{DIGITS, Grouping, digit};

/// A written phone number, split into its parts. All places are ranges of the text that contains the number.
#[derive(Debug, Default)]
pub struct PhoneNumber {
    /// The `+`, or `00` instead of it.
    pub prefix: Option<(&'static str, Range<usize>)>,
    /// The digits after the prefix, as ASCII digits.
    pub digits: String,
    /// The place of each of these digits.
    places: Vec<Range<usize>>,
    /// Spaces, hyphens and other characters between the digits.
    separators: Vec<(Grouping, Range<usize>)>,
    /// The first characters that have no meaning in a phone number.
    pub unexpected: Option<Range<usize>>,
}

impl PhoneNumber {
    /// Reads a number that begins at `start` of the text that contains it.
    pub fn read(number: &str, start: usize) -> Self {
        let mut read = Self::default();
        for (offset, character) in number.char_indices() {
            let at = start + offset..start + offset + character.len_utf8();
            if let Some(digit) = digit(character) {
                read.digits.push(digit);
                read.places.push(at);
            } else if character == '+' && read.prefix.is_none() && read.digits.is_empty() {
                read.prefix = Some(("+", at));
            } else if let Some(separator) = Grouping::of(character) {
                match read.separators.last_mut() {
                    Some((last, run)) if *last == separator && run.end == at.start => {
                        run.end = at.end;
                    }
                    _ => read.separators.push((separator, at)),
                }
            } else {
                match &mut read.unexpected {
                    None => read.unexpected = Some(at),
                    Some(run) if run.end == at.start => run.end = at.end,
                    Some(_) => {}
                }
            }
        }
        if read.prefix.is_none()
            && let Some(digits) = read.digits.strip_prefix("00")
            && let [first, second, ..] = read.places.as_slice()
        {
            read.prefix = Some(("00", first.start..second.end));
            read.digits = digits.to_owned();
            read.places.drain(..2);
        }
        read
    }

    /// The country code, if it is that of the United States or India, and the number of digits after it.
    pub fn country(&self) -> Option<(&'static str, usize)> {
        ["1", "91"]
            .into_iter()
            .find(|code| self.digits.starts_with(code))
            .map(|code| (code, self.digits.len() - code.len()))
    }

    /// The number in the form that the service expects, if it has the right digits.
    pub fn normalized(&self) -> Option<String> {
        let (_, count) = self.country()?;
        (count == DIGITS).then(|| format!("+{}", self.digits))
    }

    /// The place of some of the digits.
    pub fn place_of(&self, digits: Range<usize>) -> Option<Range<usize>> {
        let places = self.places.get(digits)?;
        Some(places.first()?.start..places.last()?.end)
    }

    /// The places of the separators. Adjacent ones have one place.
    pub fn separator_places(&self) -> impl Iterator<Item = Range<usize>> {
        self.separators
            .chunk_by(|(_, one), (_, other)| one.end == other.start)
            .filter_map(|run| Some(run.first()?.1.start..run.last()?.1.end))
    }

    /// The kinds of separators: `spaces and brackets`.
    pub fn separator_names(&self) -> String {
        let mut kinds: Vec<Grouping> = self.separators.iter().map(|(kind, _)| *kind).collect();
        kinds.sort_unstable();
        let words: Vec<&str> = kinds
            .chunk_by(|one, other| one == other)
            .filter_map(|run| Some(run.first()?.name(run.len())))
            .collect();
        match words.split_last() {
            Some((last, others)) if !others.is_empty() => {
                format!("{} and {last}", others.join(", "))
            }
            _ => words.concat(),
        }
    }
}
