//! The syntax of a fix in each format.

use std::fmt::Write as _;

use voxlint_syntax::{Format, Kind, Node};

use crate::json;

/// A text as a whole value or key, in place of `node`.
pub(crate) fn whole(format: Format, node: Option<Node<'_>>, text: &str) -> String {
    if is_json(format) {
        return format!("\"{}\"", json::escaped(text));
    }
    let is_bare = |node: Node<'_>| {
        node.kind() == Kind::Key && !node.source().starts_with(['"', '\'']) && is_name(text)
    };
    if node.is_some_and(is_bare) {
        return text.to_owned();
    }
    // YAML and TOML support double quotes with the escapes of JSON.
    format!("\"{}\"", escaped(text))
}

/// A text as a part of `string`, at its beginning if it `is_first`; `None` if that string style cannot express it.
pub(crate) fn part(format: Format, string: &str, is_first: bool, text: &str) -> Option<String> {
    if is_json(format) {
        return Some(json::escaped(text));
    }
    if format == Format::Text {
        return Some(text.to_owned());
    }
    match string.chars().next() {
        Some('"') => Some(escaped(text)),
        // Single quotes and unquoted strings have no escapes.
        Some('\'') => (!text.contains('\'') && is_printable(text)).then(|| text.to_owned()),
        _ => is_plain(text, is_first).then(|| text.to_owned()),
    }
}

const fn is_json(format: Format) -> bool {
    matches!(format, Format::Json | Format::Jsonc)
}

/// Whether a key needs no quotes in any format.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
            .contains(&text.to_ascii_lowercase().as_str())
}

/// Whether an unquoted string can contain a text without changing its meaning. Braces are allowed, because an unquoted
/// string with braces is not inside braces.
fn is_plain(text: &str, is_first: bool) -> bool {
    is_printable(text)
        && !text.contains([':', '#', ',', '[', ']'])
        && text.trim() == text
        && !(is_first && text.starts_with(|c: char| c.is_ascii_punctuation()))
}

fn is_printable(text: &str) -> bool {
    !text.chars().any(needs_escape)
}

/// Characters other than quotes and backslashes that some formats do not allow unescaped in a string.
fn needs_escape(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// A text inside double quotes, with escapes that JSON, YAML and TOML share.
fn escaped(text: &str) -> String {
    let mut spelled = String::new();
    for character in json::escaped(text).chars() {
        if needs_escape(character) {
            // Writing to a string cannot fail.
            let _ = write!(spelled, "\\u{:04x}", u32::from(character));
        } else {
            spelled.push(character);
        }
    }
    spelled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_has_one_way_to_spell_a_text() {
        for format in [Format::Json, Format::Jsonc] {
            assert_eq!(whole(format, None, "a\"\n"), "\"a\\\"\\n\"");
            assert_eq!(part(format, "\"x\"", false, "it's \u{7f}").as_deref(), Some("it's \u{7f}"));
        }
    }

    #[test]
    fn shared_characters_are_escaped_for_all_formats() {
        assert_eq!(escaped("a\"\\\n\u{7f}\u{85}é👩"), "a\\\"\\\\\\n\\u007f\\u0085é👩");
    }

    #[test]
    fn a_string_without_escapes_takes_what_needs_none() {
        for text in ["{{caller_name}}", "}}", "+14155550100|+14155550101", "{{/if}}", "it's"] {
            assert!(is_plain(text, false), "{text}");
        }
        for text in ["a: b", "a #b", "a\nb", " a", "[x]"] {
            assert!(!is_plain(text, false), "{text}");
        }
        assert!(is_plain("a {{b}}", true) && !is_plain("{{b}} a", true));
        assert!(is_name("voice_id") && !is_name("on") && !is_name("a-b") && !is_name("1a"));
    }
}
