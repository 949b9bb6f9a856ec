//! Resolves scalars by the core schema of YAML 1.2 (specification, chapter 10.3).

use crate::Decimal;
use crate::tree::Tag;

/// A scalar with its type.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ResolvedScalar {
    String,
    Null,
    True,
    False,
    /// A whole number, with its JSON form if that differs.
    Int(Option<String>),
    /// A number with a point or an exponent, with its JSON form if that differs.
    Float(Option<String>),
    /// A number that JSON cannot represent.
    NotFinite,
}

impl ResolvedScalar {
    pub(super) const fn tag(&self) -> Tag {
        match self {
            Self::String => Tag::String,
            Self::Null => Tag::Null,
            Self::True => Tag::True,
            Self::False => Tag::False,
            Self::Int(_) | Self::Float(_) => Tag::Number,
            Self::NotFinite => Tag::Invalid,
        }
    }
}

/// Resolves a plain scalar.
pub(super) fn resolve(text: &str) -> ResolvedScalar {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return ResolvedScalar::Null,
        "true" | "True" | "TRUE" => return ResolvedScalar::True,
        "false" | "False" | "FALSE" => return ResolvedScalar::False,
        ".nan" | ".NaN" | ".NAN" => return ResolvedScalar::NotFinite,
        _ => {}
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") {
        return ResolvedScalar::NotFinite;
    }
    match text.as_bytes() {
        [b'0', b'o', digits @ ..] => in_base(digits, 8),
        [b'0', b'x', digits @ ..] => in_base(digits, 16),
        [b'-' | b'+' | b'.' | b'0'..=b'9', ..] => number(text.starts_with('-'), unsigned),
        _ => ResolvedScalar::String,
    }
    .unspelled(text)
}

impl ResolvedScalar {
    /// Drops a JSON form that equals the text.
    fn unspelled(self, text: &str) -> Self {
        match self {
            Self::Int(Some(spelled)) if spelled == text => Self::Int(None),
            Self::Float(Some(spelled)) if spelled == text => Self::Float(None),
            resolved => resolved,
        }
    }
}

/// A number in octal or hexadecimal digits. Numbers over 128 bits are not supported.
fn in_base(digits: &[u8], base: u32) -> ResolvedScalar {
    if digits.is_empty() || !digits.iter().all(|digit| char::from(*digit).is_digit(base)) {
        return ResolvedScalar::String;
    }
    let add = |sum: Option<u128>, digit: &u8| {
        let digit = char::from(*digit).to_digit(base)?;
        sum?.checked_mul(u128::from(base))?.checked_add(u128::from(digit))
    };
    match digits.iter().fold(Some(0), add) {
        Some(number) => ResolvedScalar::Int(Some(number.to_string())),
        None => ResolvedScalar::NotFinite,
    }
}

/// `[0-9]+`, or `(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`, in its JSON form.
fn number(is_negative: bool, unsigned: &str) -> ResolvedScalar {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let is_exponent = |text: &str| {
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
        !unsigned.is_empty() && digits(unsigned)
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let is_number = digits(whole)
        && fraction.is_none_or(digits)
        && !(whole.is_empty() && fraction.is_none_or(str::is_empty))
        && exponent.is_none_or(is_exponent);
    if !is_number {
        return ResolvedScalar::String;
    }
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        whole => whole,
    };
    let mut spelled = if is_negative { format!("-{whole}") } else { whole.to_owned() };
    if let Some(fraction) = fraction {
        spelled.push('.');
        spelled.push_str(if fraction.is_empty() { "0" } else { fraction });
    }
    // The exponent has the same form in JSON, with a letter in either case.
    if let (Some(exponent), Some(letter)) =
        (exponent, unsigned.get(mantissa.len()..=mantissa.len()))
    {
        spelled.push_str(letter);
        spelled.push_str(exponent);
    }
    debug_assert!(Decimal::parse(&spelled).is_some(), "{spelled} is not a JSON number");
    if fraction.is_none() && exponent.is_none() {
        ResolvedScalar::Int(Some(spelled))
    } else {
        ResolvedScalar::Float(Some(spelled))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_core_schema_and_no_others() {
        for null in ["", "~", "null", "Null", "NULL"] {
            assert_eq!(resolve(null), ResolvedScalar::Null, "{null}");
        }
        for (word, tag) in [
            ("true", Tag::True),
            ("TRUE", Tag::True),
            ("False", Tag::False),
            (".inf", Tag::Invalid),
        ] {
            assert_eq!(resolve(word).tag(), tag, "{word}");
        }
        // Text that YAML 1.1 reads differently, and text that only looks like something else.
        for text in [
            "yes",
            "on",
            "y",
            "nUll",
            "tRUE",
            "1_000",
            "1:30",
            "0b11",
            "0o8",
            "0x",
            "-0x1",
            ".",
            "-",
            "+",
            "1e",
            "1e+",
            "1.2.3",
            "--1",
            "2001-01-01",
            "0o",
            ".e1",
            "e1",
            "+.inf.",
            "-.nan",
            "1 2",
            "１",
        ] {
            assert_eq!(resolve(text), ResolvedScalar::String, "{text}");
        }
    }

    #[test]
    fn numbers_are_spelled_as_json_spells_them() {
        let int = |spelled: Option<&str>| ResolvedScalar::Int(spelled.map(str::to_owned));
        let float = |spelled: Option<&str>| ResolvedScalar::Float(spelled.map(str::to_owned));
        for (text, read) in [
            ("0", int(None)),
            ("-12", int(None)),
            ("+14155550100", int(Some("14155550100"))),
            ("012", int(Some("12"))),
            ("-000", int(Some("-0"))),
            ("0o14", int(Some("12"))),
            ("0xFf", int(Some("255"))),
            ("1.50", float(None)),
            (".5", float(Some("0.5"))),
            ("-.5", float(Some("-0.5"))),
            ("1.", float(Some("1.0"))),
            ("1e3", float(None)),
            ("+1.E+3", float(Some("1.0E+3"))),
            ("1E-3", float(None)),
        ] {
            assert_eq!(resolve(text), read, "{text}");
        }
        for infinite in [".nan", "-.Inf", "+.INF"] {
            assert_eq!(resolve(infinite), ResolvedScalar::NotFinite, "{infinite}");
        }
        let long = format!("0x{}", "f".repeat(100));
        assert_eq!(resolve(&long), ResolvedScalar::NotFinite);
    }
}
