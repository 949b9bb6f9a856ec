//! Texts in double quotes, and names without quotes.

use std::fmt::Write as _;

/// A text between the quotes of a JSON string.
///
/// ```
/// assert_eq!(voxlint_syntax::edit::json_text("a \"b\"\n"), r#"a \"b\"\n"#);
/// ```
pub fn json_text(text: &str) -> String {
    let mut spelled = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' => spelled.push_str("\\\""),
            '\\' => spelled.push_str("\\\\"),
            '\n' => spelled.push_str("\\n"),
            '\r' => spelled.push_str("\\r"),
            '\t' => spelled.push_str("\\t"),
            control if u32::from(control) < 0x20 => escape(&mut spelled, control),
            other => spelled.push(other),
        }
    }
    spelled
}

/// A text between double quotes, with escapes that JSON, YAML and TOML share.
#[cfg(any(feature = "yaml", feature = "toml"))]
pub(super) fn shared(text: &str) -> String {
    let mut spelled = String::with_capacity(text.len());
    for character in json_text(text).chars() {
        if needs_escape(character) {
            escape(&mut spelled, character);
        } else {
            spelled.push(character);
        }
    }
    spelled
}

fn escape(spelled: &mut String, character: char) {
    // Writing to a string cannot fail.
    let _ = write!(spelled, "\\u{:04x}", u32::from(character));
}

/// Characters other than quotes and backslashes that some formats do not allow unescaped in a string.
#[cfg(any(feature = "yaml", feature = "toml"))]
fn needs_escape(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// Whether a text without quotes is a string to every reader of YAML, and a key in TOML.
#[cfg(any(feature = "yaml", feature = "toml"))]
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
            .contains(&text.to_ascii_lowercase().as_str())
}
