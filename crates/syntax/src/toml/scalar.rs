//! Values without quotes: numbers, dates and booleans.

use std::borrow::Cow;

/// A value without quotes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Scalar<'t> {
    True,
    False,
    /// The number in its JSON form.
    Number(Cow<'t, str>),
    /// `inf` or `nan`, which JSON does not have.
    NotFinite,
    /// A date, a time or both, which JSON does not have.
    DateTime,
    /// Not a TOML value.
    Unknown,
}

pub(super) fn classify(source: &str) -> Scalar<'_> {
    let unsigned = source.strip_prefix(['+', '-']).unwrap_or(source);
    match (source, unsigned) {
        ("true", _) => return Scalar::True,
        ("false", _) => return Scalar::False,
        (_, "inf" | "nan") => return Scalar::NotFinite,
        _ => {}
    }
    if is_decimal(unsigned) {
        let source = source.strip_prefix('+').unwrap_or(source);
        return Scalar::Number(if source.contains('_') {
            Cow::Owned(source.replace('_', ""))
        } else {
            Cow::Borrowed(source)
        });
    }
    match radix_number(source) {
        Some(number) => Scalar::Number(Cow::Owned(number.to_string())),
        None if is_date_time(source) => Scalar::DateTime,
        None => Scalar::Unknown,
    }
}

/// A whole number after `0x`, `0o` or `0b`. TOML requires support for 64 bits; 128 are supported.
fn radix_number(source: &str) -> Option<u128> {
    let (radix, digits) = match source.split_at_checked(2)? {
        ("0x", digits) => (16, digits),
        ("0o", digits) => (8, digits),
        ("0b", digits) => (2, digits),
        _ => return None,
    };
    let spaced = after_digits(digits, |byte| byte.is_ascii_hexdigit())?;
    if !spaced.is_empty() {
        return None;
    }
    u128::from_str_radix(&digits.replace('_', ""), radix).ok()
}

/// Whether this is a decimal number without its sign.
fn is_decimal(source: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit();
    let Some(mut rest) = after_digits(source, is_digit) else {
        return false;
    };
    let whole = source.len() - rest.len();
    if whole > 1 && source.starts_with('0') {
        return false;
    }
    if let Some(fraction) = rest.strip_prefix('.') {
        let Some(after) = after_digits(fraction, is_digit) else {
            return false;
        };
        rest = after;
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let Some(after) = after_digits(exponent, is_digit) else {
            return false;
        };
        rest = after;
    }
    rest.is_empty()
}

/// The rest after one or more digits, with single underscores between them.
fn after_digits(source: &str, is_digit: impl Fn(u8) -> bool) -> Option<&str> {
    let mut after_digit = false;
    let mut length = 0;
    for byte in source.bytes() {
        match byte {
            b'_' if after_digit => after_digit = false,
            _ if is_digit(byte) => after_digit = true,
            _ => break,
        }
        length += 1;
    }
    source.get(length..).filter(|_| after_digit)
}

/// Whether this is a date, a time, or both (RFC 3339). Seconds may be omitted, as in TOML 1.1.
fn is_date_time(source: &str) -> bool {
    let Some(after_date) = after_date(source) else {
        return after_time(source) == Some("");
    };
    if after_date.is_empty() {
        return true;
    }
    let Some(offset) = after_date.strip_prefix(['T', 't', ' ']).and_then(after_time) else {
        return false;
    };
    match offset {
        "" | "Z" | "z" => true,
        _ => offset.strip_prefix(['+', '-']).and_then(after_minutes) == Some(""),
    }
}

fn after_date(source: &str) -> Option<&str> {
    let (year, rest) = number(source, 4)?;
    let (month, rest) = number(rest.strip_prefix('-')?, 2)?;
    let (day, rest) = number(rest.strip_prefix('-')?, 2)?;
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    (1..=days).contains(&day).then_some(rest)
}

fn after_time(source: &str) -> Option<&str> {
    let rest = after_minutes(source)?;
    let Some(rest) = rest.strip_prefix(':') else {
        return Some(rest);
    };
    let (second, rest) = number(rest, 2)?;
    // A minute may end with a leap second.
    if second > 60 {
        return None;
    }
    let Some(fraction) = rest.strip_prefix('.') else {
        return Some(rest);
    };
    let after = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
    (after.len() < fraction.len()).then_some(after)
}

/// The rest after hours and minutes.
fn after_minutes(source: &str) -> Option<&str> {
    let (hour, rest) = number(source, 2)?;
    let (minute, rest) = number(rest.strip_prefix(':')?, 2)?;
    (hour < 24 && minute < 60).then_some(rest)
}

/// A number with a fixed count of digits, and the rest.
fn number(source: &str, digits: usize) -> Option<(u32, &str)> {
    let (number, rest) = source.split_at_checked(digits)?;
    if !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some((number.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spelled_as_json_spells_them() {
        for (source, json) in [
            ("0", "0"),
            ("+0", "0"),
            ("-0", "-0"),
            ("1_000", "1000"),
            ("+99", "99"),
            ("-1_7.2_5", "-17.25"),
            ("6.626e-34", "6.626e-34"),
            ("1E+0_6", "1E+06"),
            ("9223372036854775808", "9223372036854775808"),
            ("0xDEAD_beef", "3735928559"),
            ("0o755", "493"),
            ("0b1101_0110", "214"),
        ] {
            assert_eq!(classify(source), Scalar::Number(json.into()), "{source}");
            assert!(crate::Decimal::parse(json).is_some(), "{json}");
        }
    }

    #[test]
    fn invalid_scalars_are_rejected() {
        for source in [
            "",
            "+",
            "_1",
            "1_",
            "1__0",
            "01",
            "-01",
            "00",
            "1.",
            ".5",
            "1._5",
            "1_.5",
            "1e",
            "1e_5",
            "1.e5",
            "0x",
            "0o",
            "0b",
            "0x_1",
            "0x1_",
            "+0x1",
            "0o8",
            "0b2",
            "0X1",
            "0xg",
            "0d1",
            "٠",
            "1٠",
            "0x٠",
            "++1",
            "True",
            "yes",
            "Inf",
            "infinity",
            "--inf",
            "1 2",
            "1 000",
            "0xffffffffffffffffffffffffffffffffff",
        ] {
            assert_eq!(classify(source), Scalar::Unknown, "{source}");
        }
    }

    #[test]
    fn dates_that_exist_are_dates() {
        for source in [
            "2026-03-02",
            "2024-02-29",
            "2000-02-29",
            "07:32",
            "07:32:00",
            "23:59:60",
            "00:32:00.999999",
            "1979-05-27T07:32:00Z",
            "1979-05-27t07:32:00z",
            "1979-05-27 07:32:00-07:00",
            "1979-05-27T07:32",
        ] {
            assert_eq!(classify(source), Scalar::DateTime, "{source}");
        }
        for source in [
            "2026-02-29",
            "1900-02-29",
            "2026-13-01",
            "2026-00-01",
            "2026-04-31",
            "2026-01-00",
            "2026-1-01",
            "24:00:00",
            "07:60",
            "07:32:61",
            "07:32:00.",
            "2026-03-02T",
            "2026-03-02 ",
            "2026-03-02Z",
            "2026-03-02T07:32:00+24:00",
            "2026-03-02T07:32:00+07",
            "07:32:00Z",
            "2026-03-02  07:32",
        ] {
            assert_eq!(classify(source), Scalar::Unknown, "{source}");
        }
    }
}
