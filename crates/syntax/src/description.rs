//! What messages and fixes of syntax errors are made of.

use std::borrow::Cow;

use crate::Decimal;

/// The maximum number of characters of the text in a message.
pub(crate) const MAX_EXCERPT: usize = 24;

/// The quotes that word processors write for `"` and `'`. Each takes three bytes.
pub(crate) const CURLY: [char; 6] = ['“', '”', '„', '‘', '’', '‚'];

pub(crate) const TRIPLE: &str = "\"\"\"";

pub(crate) const NOT_FINITE: &str = "write a finite number, or remove the field";

pub(crate) const QUOTE_TEXT: &str = "put the text in double quotes";

/// The message, label and help for a syntax error.
#[derive(Debug, Default)]
pub(crate) struct Description {
    /// What is wrong, as one sentence without a capital and a full stop.
    pub(crate) message: Cow<'static, str>,
    /// A few words to show under the marked characters.
    pub(crate) label: &'static str,
    /// How to fix it, as an instruction.
    pub(crate) help: Option<Cow<'static, str>>,
}

/// A message and a label, without help.
pub(crate) fn labeled(message: impl Into<Cow<'static, str>>, label: &'static str) -> Description {
    Description { message: message.into(), label, help: None }
}

impl Description {
    pub(crate) fn help(self, help: impl Into<Cow<'static, str>>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

pub(crate) const OPENED: &str = "opened here";

/// The name of a control character.
pub(crate) fn control_name(text: &str) -> String {
    match text {
        "\n" | "\r" => "line break".to_owned(),
        "\t" => "tab".to_owned(),
        _ => format!("control character U+{:04X}", text.chars().next().map_or(0, u32::from)),
    }
}

pub(crate) fn control_escape(text: &str) -> String {
    match text {
        "\n" | "\r" => "\\n".to_owned(),
        "\t" => "\\t".to_owned(),
        _ => format!("\\u{:04x}", text.chars().next().map_or(0, u32::from)),
    }
}

/// Whether a string begins with three quotes.
pub(crate) fn is_triple(found: &str) -> bool {
    found.starts_with(TRIPLE) || found.starts_with("'''")
}

/// The number that was probably meant.
pub(crate) fn corrected_number(found: &str) -> Option<String> {
    if matches!(found, "-Infinity" | "-NaN") {
        return None;
    }
    let (sign, digits) = match found.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", found.strip_prefix('+').unwrap_or(found)),
    };
    if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        return u64::from_str_radix(hex, 16).ok().map(|number| format!("{sign}{number}"));
    }
    let plain = digits.replace('_', "");
    let plain = plain.strip_suffix('.').unwrap_or(&plain);
    if !plain.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let unpadded = plain.trim_start_matches('0');
    let plain = match unpadded.bytes().next() {
        Some(b'0'..=b'9') => unpadded.to_owned(),
        _ => format!("0{unpadded}"),
    };
    let number = format!("{sign}{plain}");
    (number != found && Decimal::parse(&number).is_some()).then_some(number)
}

/// Whether a number that is not valid JSON can only mean one number. Digits after a plus or a zero may be a telephone number or
/// another identifier, and after a zero also an octal number.
pub(crate) fn has_one_reading(found: &str) -> bool {
    const MOST_SHOWN: usize = 6;
    let digits = found.trim_start_matches(['+', '-']);
    let count = digits.bytes().filter(u8::is_ascii_digit).count();
    let whole = digits.split(['.', 'e', 'E']).next().unwrap_or_default();
    let is_padded = whole.len() > 1
        && whole.starts_with('0')
        && !whole.starts_with("0x")
        && !whole.starts_with("0X");
    let unpadded = whole.trim_start_matches('0');
    let is_octal = whole.len() == digits.len()
        && unpadded.len() > 1
        && unpadded.bytes().all(|digit| matches!(digit, b'0'..=b'7'));
    (count <= MOST_SHOWN || !(found.starts_with('+') || is_padded)) && !(is_padded && is_octal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_and_octal_numbers_have_several_readings() {
        for certain in ["+1", ".5", "-.5", "1.", "05", "007", "08", "00.5", "0x1F", "1_000_000"] {
            assert!(has_one_reading(certain), "{certain}");
        }
        for uncertain in ["+14155550100", "030123456", "010", "0755"] {
            assert!(!has_one_reading(uncertain), "{uncertain}");
        }
    }

    #[test]
    fn the_number_that_was_meant_is_named() {
        for (written, meant) in [
            ("+1", "1"),
            (".5", "0.5"),
            ("1.", "1"),
            ("007", "7"),
            ("-.5", "-0.5"),
            ("0x1F", "31"),
            ("1_000", "1000"),
        ] {
            assert_eq!(corrected_number(written).as_deref(), Some(meant), "{written}");
        }
        for nonsense in ["-", "+", ".", "1.2.3", "-Infinity", "1e"] {
            assert_eq!(corrected_number(nonsense), None, "{nonsense}");
        }
    }
}
