//! The number that a value in another unit or spelling means: `30000` milliseconds in a field for seconds, `10m`, `1:30`, `65%`.

use voxlint_schema::{Fractions, NumberShape};
use voxlint_syntax::Decimal;

/// A number in the unit of its field.
#[derive(Debug)]
pub struct MeantNumber {
    /// The number as JSON writes it.
    pub literal: String,
    /// Whether the field allows the number.
    pub is_allowed: bool,
    /// Whether the value has no other likely meaning.
    pub is_certain: bool,
}

/// Decimals are kept as whole numbers of billionths.
const SCALE: u32 = 9;

/// The percentage from which a number without a sign is read as one. Smaller numbers may belong to a scale of 0 to 10.
const LEAST_PERCENTAGE: i128 = 10;

/// The number that a text means: a number with a unit (`10m`, `1.5 min`, `1m 30s`), a percentage, a number with separators, or
/// a number that only fits in another unit. `None` if it is written as the field expects it, or means nothing.
pub fn meant_number(text: &str, shape: &NumberShape) -> Option<MeantNumber> {
    let text = text.trim();
    if let Some(plain) = without_separators(text) {
        let number = Decimal::parse(&plain)?;
        let decimal = text.replacen(',', ".", 1);
        let is_certain = !Decimal::parse(&decimal).is_some_and(|number| allows(shape, number));
        return if allows(shape, number) {
            Some(MeantNumber { literal: plain, is_allowed: true, is_certain })
        } else {
            meant_number(&plain, shape)
        };
    }
    let meant = |number: i128, scale: u32, is_certain: bool| {
        let literal = literal(number, scale);
        let is_allowed = Decimal::parse(&literal).is_some_and(|number| allows(shape, number));
        MeantNumber { literal, is_allowed, is_certain }
    };
    let own = shape.unit.and_then(unit);
    if let Some((seconds, is_whole)) = clock(text) {
        let scale = if own? == Unit::Seconds { 3 } else { 0 };
        let in_hours = meant(seconds * 60_000, scale, true);
        return Some(meant(seconds * 1000, scale, is_whole || !in_hours.is_allowed));
    }
    let parts = read(text)?;
    match *parts.as_slice() {
        [(number, Suffix::Percent)] => is_ratio(shape).then(|| meant(number, SCALE + 2, true)),
        [(number, Suffix::None)] => {
            let as_written = meant(number, SCALE, true);
            let is_spelled_as_number = Decimal::parse(text).is_some();
            let in_milliseconds =
                || own == Some(Unit::Seconds) && number >= 1000 * 10_i128.pow(SCALE);
            let is_percentage =
                || is_ratio(shape) && number >= LEAST_PERCENTAGE * 10_i128.pow(SCALE);
            let other = if as_written.is_allowed {
                None
            } else if in_milliseconds() {
                Some(meant(number, SCALE + 3, true))
            } else if is_percentage() {
                Some(meant(number, SCALE + 2, true))
            } else if own == Some(Unit::Seconds) {
                Some(meant(number * 60, SCALE, false))
            } else {
                None
            };
            let other = other.filter(|other| other.is_allowed);
            other.or_else(|| (!is_spelled_as_number).then_some(as_written))
        }
        _ => {
            let own = own?;
            let mut milliseconds = 0_i128;
            for (number, suffix) in parts {
                let Suffix::Unit(unit) = suffix else { return None };
                milliseconds += number * unit.milliseconds();
            }
            let scale = if own == Unit::Seconds { SCALE + 3 } else { SCALE };
            Some(meant(milliseconds, scale, true))
        }
    }
}

/// A whole number with commas between its thousands, without them.
fn without_separators(text: &str) -> Option<String> {
    let is_group = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let (first, rest) = text.split_once(',')?;
    let is_first = matches!(first.len(), 1..=3) && is_group(first) && !first.starts_with('0');
    let is_rest = || rest.split(',').all(|group| group.len() == 3 && is_group(group));
    (is_first && is_rest()).then(|| text.replace(',', ""))
}

/// The seconds of a time such as `1:30`, and whether it also names hours.
fn clock(text: &str) -> Option<(i128, bool)> {
    let parts: Vec<&str> = text.split(':').collect();
    let seconds = parts.iter().enumerate().try_fold(0, |seconds, (at, part)| {
        let is_digits = matches!(part.len(), 1..=2) && part.bytes().all(|it| it.is_ascii_digit());
        let number = part.parse::<i128>().ok().filter(|it| is_digits && (at == 0 || *it < 60))?;
        Some(seconds * 60 + number)
    })?;
    matches!(parts.len(), 2 | 3).then_some((seconds, parts.len() == 3))
}

/// Whether a field allows a number under every reading of its limits.
pub fn allows(shape: &NumberShape, number: Decimal<'_>) -> bool {
    let is_within = |min: Option<i64>, max: Option<i64>| {
        min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max)
    };
    (number.is_whole() || shape.fractions == Fractions::Allowed)
        && is_within(shape.min, shape.max)
        && shape.disputed.is_none_or(|narrower| is_within(narrower.min, narrower.max))
}

/// Whether a field has a scale on which 1 is all of something.
fn is_ratio(shape: &NumberShape) -> bool {
    let max = shape.disputed.map_or(shape.max, |narrower| narrower.max);
    shape.fractions == Fractions::Allowed && shape.unit.is_none() && matches!(max, Some(1 | 2))
}

/// What follows a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Suffix {
    None,
    Percent,
    Unit(Unit),
}

/// The numbers of a text, each with its unit. Nothing else may be in the text.
fn read(text: &str) -> Option<Vec<(i128, Suffix)>> {
    // A duration of ISO 8601: `PT30S`.
    let mut rest = text.strip_prefix("PT").unwrap_or(text);
    let mut parts = Vec::new();
    while !rest.is_empty() && parts.len() < 4 {
        let (number, after) = read_number(rest)?;
        let after = after.trim_start();
        let end = after
            .find(|character: char| !(character.is_alphabetic() || character == '%'))
            .unwrap_or(after.len());
        let (word, after) = after.split_at_checked(end)?;
        let suffix = match word.to_lowercase().as_str() {
            "" => Suffix::None,
            "%" | "percent" | "prozent" => Suffix::Percent,
            word => Suffix::Unit(unit(word)?),
        };
        parts.push((number, suffix));
        let is_unit = matches!(suffix, Suffix::Unit(_));
        rest = after.trim_start_matches(|c| c == ' ' || (is_unit && matches!(c, '.' | ',')));
    }
    (rest.is_empty() && !parts.is_empty()).then_some(parts)
}

/// A decimal at the start of a text, in billionths, and the text after it.
fn read_number(text: &str) -> Option<(i128, &str)> {
    const MAX_DIGITS: u32 = 15;
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let (mut number, mut digits, mut fraction, mut at) = (0_i128, 0, None, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'0'..=b'9' => {
                number = number * 10 + i128::from(byte - b'0');
                digits += 1;
                fraction = fraction.map(|places: u32| places + 1);
            }
            b'_' if digits > 0 && is_digit(at + 1) => {}
            b'.' | b',' if fraction.is_none() && digits > 0 && is_digit(at + 1) => {
                fraction = Some(0);
            }
            _ => break,
        }
        at += 1;
    }
    // A comma before three digits may separate thousands.
    let has_comma = bytes.get(..at)?.contains(&b',');
    if digits == 0 || digits > MAX_DIGITS || (has_comma && fraction == Some(3)) {
        return None;
    }
    let mut places = fraction.unwrap_or_default();
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(bytes.get(at + 1) == Some(&b'+'));
        if is_digit(at + 1 + sign) && !is_digit(at + 2 + sign) {
            let exponent = u32::from(bytes.get(at + 1 + sign)? - b'0');
            number *= 10_i128.pow(exponent.saturating_sub(places));
            places = places.saturating_sub(exponent);
            at += 2 + sign;
        }
    }
    let number = number.checked_mul(10_i128.pow(SCALE.checked_sub(places)?))?;
    Some((number, text.get(at..)?))
}

/// A number of units of a power of ten, as JSON writes it.
fn literal(number: i128, scale: u32) -> String {
    let unit = 10_i128.pow(scale);
    let fraction = format!("{:0width$}", number % unit, width = scale as usize);
    let fraction = fraction.trim_end_matches('0');
    let whole = number / unit;
    if fraction.is_empty() { whole.to_string() } else { format!("{whole}.{fraction}") }
}

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Milliseconds,
    Seconds,
    Minutes,
    Hours,
}

impl Unit {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Milliseconds => "milliseconds",
            Self::Seconds => "seconds",
            Self::Minutes => "minutes",
            Self::Hours => "hours",
        }
    }

    const fn milliseconds(self) -> i128 {
        match self {
            Self::Milliseconds => 1,
            Self::Seconds => 1000,
            Self::Minutes => 60_000,
            Self::Hours => 3_600_000,
        }
    }
}

/// The unit that a word in lower case names, in one of several languages.
pub(crate) fn unit(word: &str) -> Option<Unit> {
    Some(match word {
        "ms" | "msec" | "msecs" | "milli" | "millis" | "millisecond" | "milliseconds"
        | "millisekunden" | "milisegundos" | "millisecondes" => Unit::Milliseconds,
        "s" | "sec" | "secs" | "second" | "seconds" | "sek" | "sekunde" | "sekunden" | "seg"
        | "segundo" | "segundos" | "seconde" | "secondes" => Unit::Seconds,
        "m" | "min" | "mins" | "minute" | "minutes" | "minuten" | "minuto" | "minutos" => {
            Unit::Minutes
        }
        "h" | "hr" | "hrs" | "hour" | "hours" | "stunde" | "stunden" | "std" | "hora" | "horas"
        | "heure" | "heures" => Unit::Hours,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use voxlint_schema::{Field, Number, Shape, settings};

    use super::*;

    fn meant(text: &str, field: &Field<Number>) -> Option<MeantNumber> {
        let Shape::Number(shape) = field.row.shape else { panic!("a number") };
        meant_number(text, &shape)
    }

    #[test]
    fn numbers_in_another_unit_or_spelling_are_read() {
        let silence = &settings::end_call_on_silence_sec;
        let duration = &settings::max_call_duration_sec;
        let delay = &settings::llm_fallback_delay_ms;
        let score = &settings::kb_min_score;
        for (field, text, expected) in [
            (silence, "30000", "30"),
            (silence, "20500", "20.5"),
            (silence, "30s", "30"),
            (silence, "30 seconds", "30"),
            (silence, "30 Sekunden", "30"),
            (silence, "30_000", "30"),
            (silence, "2e4 ms", "20"),
            (silence, "PT30S", "30"),
            (silence, "0.5m", "30"),
            (silence, "30,000", "30"),
            (silence, "0:20", "20"),
            (duration, "1,200", "1200"),
            (duration, "0:01:30", "90"),
            (duration, "10:00", "600"),
            (silence, "20000ms", "20"),
            (duration, "10m", "600"),
            (duration, "1.5 min", "90"),
            (duration, "1,5 min", "90"),
            (duration, "1m30s", "90"),
            (duration, "1 h 10 min", "4200"),
            (duration, "1_200", "1200"),
            (duration, "600000", "600"),
            (duration, "3.6e6", "3600"),
            (delay, "1.5s", "1500"),
            (delay, "1_500", "1500"),
            (score, "65", "0.65"),
            (score, "65%", "0.65"),
            (score, "5 %", "0.05"),
            (score, "62.5 percent", "0.625"),
            (&settings::background_sound_volume, "150%", "1.5"),
            (&settings::responsiveness, "80", "0.8"),
        ] {
            let found = meant(text, field).unwrap_or_else(|| panic!("{text}"));
            assert!(found.is_allowed && found.is_certain, "{text}");
            assert_eq!(found.literal, expected, "{text}");
        }
    }

    #[test]
    fn milliseconds_in_any_field_for_seconds_are_read() {
        let mut fields = 0;
        for row in settings::TABLE.rows {
            let Shape::Number(shape) = row.shape else { continue };
            let Some(seconds) = shape.max.filter(|_| shape.unit == Some("seconds")) else {
                continue;
            };
            fields += 1;
            let found = meant_number(&format!("{seconds}000"), &shape).expect(row.name);
            assert_eq!(
                (found.literal, found.is_allowed),
                (seconds.to_string(), true),
                "{}",
                row.name
            );
        }
        assert!(fields >= 2);
    }

    #[test]
    fn a_duration_under_the_minimum_may_be_in_minutes() {
        let found = meant("10", &settings::max_call_duration_sec).expect("minutes");
        assert_eq!((found.literal.as_str(), found.is_certain), ("600", false));
    }

    #[test]
    fn a_time_of_two_parts_may_be_in_hours() {
        let found = meant("1:30", &settings::max_call_duration_sec).expect("a time");
        assert_eq!((found.literal.as_str(), found.is_certain), ("90", false));
    }

    #[test]
    fn a_number_that_does_not_fit_in_its_unit_is_not_allowed() {
        let found = meant("10m", &settings::end_call_on_silence_sec).expect("a duration");
        assert_eq!((found.literal.as_str(), found.is_allowed), ("600", false));
    }

    #[test]
    fn other_texts_and_numbers_mean_no_other_number() {
        for text in [
            "",
            "soon",
            "30 apples",
            "20",
            "1:3:0:0",
            "1:75",
            "45",
            "-20",
            "1e999",
            "0,300",
            "30,00,0",
            "s",
            "%",
            "30 s s",
        ] {
            assert!(meant(text, &settings::end_call_on_silence_sec).is_none(), "{text}");
        }
        for text in ["7", "200", "0.5", "30s"] {
            assert!(meant(text, &settings::kb_min_score).is_none(), "{text}");
        }
        assert!(meant("65", &settings::kb_max_chunks).is_none());
    }
}
