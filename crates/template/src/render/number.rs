//! Numbers as JavaScript writes and reads them.

/// The shortest decimal that reads back as the number, as JavaScript writes it.
pub(super) fn to_text(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    if !number.is_finite() {
        let sign = if number.is_sign_negative() && !number.is_nan() { "-" } else { "" };
        return format!("{sign}{}", if number.is_nan() { "NaN" } else { "Infinity" });
    }
    let sign = if number < 0.0 { "-" } else { "" };
    // `1.25e-7` has the digits 1, 2, 5 and the exponent -7.
    let scientific = format!("{:e}", number.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let digits = mantissa.replace('.', "");
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    let text = match exponent {
        0..21 if exponent + 1 >= count => {
            digits + &"0".repeat(usize::try_from(exponent + 1 - count).unwrap_or_default())
        }
        0..21 => {
            let (whole, fraction) = digits
                .split_at_checked(usize::try_from(exponent + 1).unwrap_or_default())
                .unwrap_or_default();
            format!("{whole}.{fraction}")
        }
        -6..0 => {
            let zeros = usize::try_from(-exponent - 1).unwrap_or_default();
            format!("0.{}{digits}", "0".repeat(zeros))
        }
        _ => {
            let plus = if exponent > 0 { "+" } else { "" };
            format!("{mantissa}e{plus}{exponent}")
        }
    };
    format!("{sign}{text}")
}

/// The number that JavaScript reads in a text, or NaN.
pub(super) fn from_text(text: &str) -> f64 {
    let text = text.trim_matches(is_space);
    let radix = [("0x", 16), ("0X", 16), ("0o", 8), ("0O", 8), ("0b", 2), ("0B", 2)];
    if let Some((digits, radix)) =
        radix.iter().find_map(|(prefix, radix)| Some((text.strip_prefix(prefix)?, *radix)))
    {
        let start = if digits.is_empty() { f64::NAN } else { 0.0 };
        return digits.chars().fold(start, |sum, digit| {
            sum * f64::from(radix) + digit.to_digit(radix).map_or(f64::NAN, f64::from)
        });
    }
    match text {
        "" => 0.0,
        "Infinity" | "+Infinity" => f64::INFINITY,
        "-Infinity" => f64::NEG_INFINITY,
        // Rust also reads `inf` and `nan`.
        _ if text.contains(|it: char| !matches!(it, '0'..='9' | '+' | '-' | '.' | 'e' | 'E')) => {
            f64::NAN
        }
        _ => text.parse().unwrap_or(f64::NAN),
    }
}

/// White space of JavaScript's `\s`, which includes U+FEFF and excludes U+0085.
pub(super) fn is_space(character: char) -> bool {
    match character {
        '\u{feff}' => true,
        '\u{85}' => false,
        _ => character.is_whitespace(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_javascript_writes_them() {
        for (number, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (-1.5, "-1.5"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (1.25e25, "1.25e+25"),
            (123_456.789, "123456.789"),
            (1e-6, "0.000001"),
            (1.5e-7, "1.5e-7"),
            (1e-7, "1e-7"),
            (f64::MAX, "1.7976931348623157e+308"),
            (5e-324, "5e-324"),
            (f64::INFINITY, "Infinity"),
        ] {
            assert_eq!(to_text(number), text);
        }
    }

    #[test]
    fn numbers_are_read_as_javascript_reads_them() {
        for (text, number) in [
            ("", 0.0_f64),
            (" 1.5\n", 1.5),
            ("0x1f", 31.0),
            ("1e3", 1000.0),
            (".5", 0.5),
            ("5.", 5.0),
        ] {
            assert_eq!(from_text(text).to_bits(), number.to_bits(), "{text}");
        }
        for text in ["inf", "nan", "1 2", "0x", "-0x1", "1_000", "a"] {
            assert!(from_text(text).is_nan(), "{text}");
        }
    }
}
