//! Spans of time in prose: "5 minutes", "zehn Sekunden".

use std::ops::Range;

use super::{Words, words};

/// Units, in seconds: the first group is seconds, the second minutes, the third hours.
static UNITS: Words = words![
    "s|sec|secs|second|seconds|sek|sekunde|sekunden|segundo|segundos|seconde|secondes|secondi|सेकंड",
    "min|mins|minute|minutes|minuten|minuto|minutos|minuti|मिनट",
    "h|hour|hours|stunde|stunden|hora|horas|heure|heures|ore|ghante|घंटे",
];

/// Numbers in words: the first group is one.
static NUMBERS: Words = words![
    "one|eine|un|une|um|ek",
    "two|zwei|dos|deux|dois|do",
    "three|drei|tres|trois|três|teen",
    "four|vier|cuatro|quatre|quatro|chaar",
    "five|fünf|cinco|cinq|paanch",
    "six|sechs|seis|chhah",
    "seven|sieben|siete|sept|sete|saat",
    "eight|acht|ocho|huit|oito|aath",
    "nine|neun|nueve|neuf|nove|nau",
    "ten|zehn|diez|dix|dez|das",
];

/// A span of time in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duration {
    /// The number and its unit.
    pub range: Range<usize>,
    pub seconds: u32,
}

/// The first span of time in a text. Of a range, such as "2-3 minutes", the upper end counts.
pub fn first_duration(text: &str) -> Option<Duration> {
    UNITS.find(text).find_map(|(unit, group)| {
        let before = text.get(..unit.start)?.trim_end_matches([' ', '-', '\u{a0}']);
        let start = before.rfind(|c: char| !c.is_alphanumeric()).map_or(0, |at| {
            at + before.get(at..).and_then(|it| it.chars().next()).map_or(1, char::len_utf8)
        });
        let number = before.get(start..)?;
        let value =
            number.parse().ok().or_else(|| u32::try_from(NUMBERS.group_of(number)? + 1).ok())?;
        let seconds = match group {
            0 => value,
            1 => u32::checked_mul(value, 60)?,
            _ => u32::checked_mul(value, 3600)?,
        };
        Some(Duration { range: start..unit.end, seconds })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_of_time_are_read_in_figures_and_words() {
        for (text, expected) in [
            ("under 3 minutes, or 20 seconds", Some(("3 minutes", 180))),
            ("höchstens fünf Minuten", Some(("fünf Minuten", 300))),
            ("2-3 min", Some(("3 min", 180))),
            ("más de 10 segundos", Some(("10 segundos", 10))),
            ("90-second intro", Some(("90-second", 90))),
            ("a few minutes", None),
            ("24/7, 3 times", None),
        ] {
            let found =
                first_duration(text).map(|it| (text.get(it.range).unwrap_or_default(), it.seconds));
            assert_eq!(found, expected, "{text}");
        }
    }
}
