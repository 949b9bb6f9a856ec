//! Messages for errors in TOML.

use crate::description::{
    Description, MAX_EXCERPT, OPENED, QUOTE_TEXT, corrected_number, is_triple, labeled,
};
use crate::excerpt::excerpt;
use crate::{MAX_BRACKETS, SyntaxError, SyntaxErrorKind as Kind};

/// Messages for an error that only TOML has.
pub(crate) fn describe(error: &SyntaxError, text: &str) -> Option<Description> {
    let found = error.span.slice(text);
    let shown = || excerpt(found, MAX_EXCERPT);
    Some(match error.kind {
        Kind::Toml11 => {
            let (message, help) = match found {
                "{" => (
                    "an inline table over several lines needs TOML 1.1".to_owned(),
                    "write it on one line, or write a table with a header".to_owned(),
                ),
                "," => (
                    "a trailing comma in an inline table needs TOML 1.1".to_owned(),
                    "remove the comma".to_owned(),
                ),
                _ => {
                    let digits =
                        if found == "\\e" { "1b" } else { found.get(2..).unwrap_or_default() };
                    let message = format!("the escape `{}` needs TOML 1.1", shown());
                    (message, format!("write `\\u00{digits}`"))
                }
            };
            labeled(message, "not in TOML 1.0").help(help)
        }
        Kind::DuplicateKey => {
            labeled(format!("the field `{}` is set more than once", shown()), "set again")
        }
        Kind::NotATable => {
            labeled(format!("`{}` cannot be extended here", shown()), "no fields can be added")
                .help("add the field where the value is defined")
        }
        Kind::DateTime => labeled("JSON has no dates or times", "not a JSON value")
            .help(format!("write it in quotes: `\"{}\"`", excerpt(found, 2 * MAX_EXCERPT))),
        Kind::TomlValue => {
            let help = value_help(found);
            let message = match help.as_str() {
                QUOTE_TEXT => "text in TOML needs quotes".to_owned(),
                _ => format!("`{}` is not a valid value in TOML", shown()),
            };
            labeled(message, "not a value").help(help)
        }
        Kind::TomlEscape => {
            labeled(format!("`{}` is not a valid escape in TOML", shown()), "no such escape")
                .help(escape_help(found))
        }
        Kind::TomlKey => {
            let (message, help) = match found {
                "" => (
                    "a key is missing".to_owned(),
                    "write a key (the empty key is `\"\"`)".to_owned(),
                ),
                _ if is_triple(found) => (
                    "keys have one quote on each side".to_owned(),
                    "write the key on one line, with one quote on each side".to_owned(),
                ),
                _ => {
                    let is_plain = !found.contains(['"', '\\']);
                    let quoted = format!("write `\"{}\"`", shown());
                    let help = if is_plain { quoted } else { "put the key in quotes".to_owned() };
                    (format!("the key `{}` needs quotes", shown()), help)
                }
            };
            labeled(message, "not a valid key").help(help)
        }
        Kind::MissingEquals => {
            labeled("an equals sign is missing after the key", "an equals sign belongs here")
                .help("write `=` between the key and its value")
        }
        Kind::UnclosedHeader => labeled("this table header is never closed", OPENED)
            .help(if found.starts_with("[[") { "close it with `]]`" } else { "close it with `]`" }),
        Kind::SecondEntry => {
            let message = format!("unexpected `{}` after the end of the entry", shown());
            labeled(message, "after the end of the entry").help(match found {
                "," | ";" | "]" | "}" => format!("remove `{found}`"),
                _ => "put each entry on its own line".to_owned(),
            })
        }
        Kind::BracketsTooDeep => labeled(
            format!("brackets are nested deeper than {MAX_BRACKETS} levels"),
            "not checked from here on",
        ),
        _ => return None,
    })
}

fn value_help(found: &str) -> String {
    match found.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" => "write `true`".to_owned(),
        "false" | "no" | "off" => "write `false`".to_owned(),
        "null" | "none" | "nil" | "undefined" => "TOML has no null: remove the field".to_owned(),
        _ => match corrected_number(found) {
            Some(number) => format!("write `{number}`"),
            None => QUOTE_TEXT.to_owned(),
        },
    }
}

fn escape_help(found: &str) -> &'static str {
    match found.get(..2) {
        Some("\\u" | "\\U" | "\\x") => {
            "write the code of a character in four, eight or two digits, or `\\\\` for a backslash"
        }
        Some("\\'") => "write `'` without a backslash",
        _ => "write `\\\\` for a backslash, or put the text in single quotes",
    }
}
