//! How keys and values are written in each format.

use voxlint::syntax::edit;

use crate::cursor::{Quote, Style};

/// A text as a value.
pub(super) fn text(value: &str, style: Style, quote: Quote) -> String {
    match (style, quote) {
        (Style::YamlBlock(_) | Style::YamlFlow, Quote::None) if is_plain(value) => value.to_owned(),
        (Style::YamlBlock(_) | Style::YamlFlow, Quote::Single) if is_one_line(value) => {
            format!("'{}'", value.replace('\'', "''"))
        }
        (Style::TomlTable | Style::TomlInline, Quote::Single)
            if is_one_line(value) && !value.contains('\'') =>
        {
            format!("'{value}'")
        }
        _ => json_text(value),
    }
}

/// A text as a key.
pub(super) fn key(name: &str, style: Style, quote: Option<char>) -> String {
    let is_bare = match style {
        Style::Json | Style::Text => false,
        Style::YamlBlock(_) | Style::YamlFlow => is_plain(name),
        Style::TomlTable | Style::TomlInline => {
            !name.is_empty()
                && name.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-'))
        }
    };
    match quote {
        None if is_bare => name.to_owned(),
        Some('\'') if style != Style::Json && is_one_line(name) && !name.contains('\'') => {
            format!("'{name}'")
        }
        _ => json_text(name),
    }
}

/// A text in double quotes. All formats read the escapes of JSON.
fn json_text(text: &str) -> String {
    format!("\"{}\"", edit::json_text(text))
}

/// The sign between a key and its value.
pub(super) const fn separator(style: Style) -> &'static str {
    match style {
        Style::TomlTable | Style::TomlInline => " = ",
        _ => ": ",
    }
}

/// Whether YAML reads the text without quotes as this text.
pub(super) fn is_plain(value: &str) -> bool {
    const WORDS: [&str; 8] = ["true", "false", "null", "yes", "no", "on", "off", "y"];
    let is_first = value.bytes().next().is_some_and(|first| first.is_ascii_alphabetic());
    let is_letter =
        |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-' | b'/' | b'+' | b'.');
    is_first
        && value.bytes().all(is_letter)
        && !value.eq_ignore_ascii_case("n")
        && !WORDS.iter().any(|word| value.eq_ignore_ascii_case(word))
}

fn is_one_line(value: &str) -> bool {
    value.bytes().all(|byte| byte >= b' ')
}

/// A text inside a snippet.
pub(super) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}")
}

/// A place of a snippet with a choice.
pub(super) fn choice(place: u32, choices: &[&str]) -> String {
    let escape = |choice: &&str| escaped(choice).replace(',', "\\,").replace('|', "\\|");
    let choices: Vec<String> = choices.iter().map(escape).collect();
    format!("${{{place}|{}|}}", choices.join(","))
}
