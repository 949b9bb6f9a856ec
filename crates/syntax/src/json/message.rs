//! Messages for errors in JSON.

use crate::description::{
    Description, MAX_EXCERPT, NOT_FINITE, OPENED, QUOTE_TEXT, corrected_number, labeled,
};
use crate::excerpt::excerpt;
use crate::{SyntaxError, SyntaxErrorKind as Kind};

/// Messages for an error that only JSON has.
pub(crate) fn describe(error: &SyntaxError, text: &str) -> Option<Description> {
    let found = error.span.slice(text);
    let shown = || excerpt(found, MAX_EXCERPT);
    let count = error.more + 1;
    Some(match error.kind {
        Kind::Unopened => labeled("fields without an object around them", "a brace belongs here")
            .help("put the fields between `{` and `}`"),
        Kind::InvalidEscape => {
            labeled(format!("`{}` is not a valid escape in JSON", shown()), "no such escape").help(
                match found {
                    "\\'" => "write `'` without a backslash",
                    _ if found.starts_with("\\u") => {
                        "write four hexadecimal digits after `\\u`, or `\\\\` for a backslash"
                    }
                    _ => "write `\\\\` for a backslash",
                },
            )
        }
        Kind::Comment => {
            let message = match error.more {
                0 => "JSON does not allow comments".to_owned(),
                _ => format!("JSON does not allow comments, and this file has {count}"),
            };
            labeled(message, "a comment").help(match error.more {
                0 => "remove the comment",
                _ => "remove the comments",
            })
        }
        Kind::HashComment => {
            let rule = "comments in JSONC begin with `//`, not with `#`";
            let message = match error.more {
                0 => rule.to_owned(),
                _ => format!("{rule}, as {count} here do"),
            };
            labeled(message, "a comment").help("begin it with `//`")
        }
        Kind::UnclosedComment => {
            labeled("this comment is never closed", OPENED).help("close it with `*/`")
        }
        Kind::TrailingComma => {
            labeled("trailing comma", "nothing follows it").help("remove the comma")
        }
        Kind::NotAComma => {
            labeled(format!("expected a comma, found `{}`", shown()), "a comma belongs here")
                .help("write `,`")
        }
        Kind::NotAColon => {
            labeled(format!("expected a colon, found `{}`", shown()), "a colon belongs here")
                .help("write `:`")
        }
        Kind::KeyNotQuoted => {
            let key = found.trim_end_matches('"');
            let missing = if key.len() < found.len() { "an opening quote" } else { "quotes" };
            labeled(
                format!("the key `{}` needs {missing}", excerpt(key, MAX_EXCERPT)),
                "not in quotes",
            )
            .help(format!("write `\"{}\"`", excerpt(found.trim_matches('"'), MAX_EXCERPT)))
        }
        Kind::SingleQuotes => labeled("strings in JSON need double quotes", "in single quotes")
            .help(match in_double_quotes(found) {
                Some(quoted) => format!("write `{quoted}`"),
                None => QUOTE_TEXT.to_owned(),
            }),
        Kind::NotALiteral => {
            let help = literal_help(found);
            let message = match help {
                QUOTE_TEXT => "text in JSON needs quotes".to_owned(),
                _ => format!("`{}` is not a valid value in JSON", shown()),
            };
            labeled(message, "not a value").help(help)
        }
        Kind::InvalidNumber => {
            let help = match corrected_number(found) {
                _ if matches!(found, "-Infinity" | "-NaN") => NOT_FINITE.to_owned(),
                Some(number) => format!("write `{number}`"),
                None => "write digits, with a point for the fraction".to_owned(),
            };
            labeled(format!("`{}` is not a valid number in JSON", shown()), "not a number")
                .help(help)
        }
        _ => return None,
    })
}

/// A short text in single quotes, in double quotes.
fn in_double_quotes(found: &str) -> Option<String> {
    let inner = found.strip_prefix('\'')?.strip_suffix('\'')?;
    let plain =
        !inner.is_empty() && inner.len() <= MAX_EXCERPT && !inner.contains(['"', '\\', '\n', '\r']);
    (plain && excerpt(inner, MAX_EXCERPT) == inner).then(|| format!("\"{inner}\""))
}

fn literal_help(found: &str) -> &'static str {
    match found.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" => "write `true`",
        "false" | "no" | "off" => "write `false`",
        "null" | "none" | "nil" | "undefined" => "write `null`",
        _ if matches!(found, "NaN" | "Infinity" | "-Infinity") => NOT_FINITE,
        _ => QUOTE_TEXT,
    }
}
