//! Messages for errors in YAML.

use crate::description::{Description, MAX_EXCERPT, labeled};
use crate::excerpt::excerpt;
use crate::{SyntaxError, SyntaxErrorKind as Kind};

/// Messages for an error that only YAML has.
pub(crate) fn describe(error: &SyntaxError, text: &str) -> Option<Description> {
    let found = error.span.slice(text);
    let shown = || excerpt(found, MAX_EXCERPT);
    Some(match error.kind {
        Kind::TabIndentation => {
            labeled("YAML does not allow tabs for indentation", "a tab").help("use spaces")
        }
        Kind::Indentation => labeled("inconsistent indentation", "the indentation changes here")
            .help("indent it like the lines it belongs to"),
        Kind::NameInValue => labeled("text containing `: ` must be quoted", "not in quotes")
            .help("put the whole text in quotes"),
        Kind::UnknownEscape => {
            labeled(format!("`{}` is not a valid escape in YAML", shown()), "no such escape")
                .help("write `\\\\` for a backslash, or put the text in single quotes")
        }
        Kind::UnknownAlias => {
            let (alias, name) = (shown(), excerpt(found.trim_start_matches('*'), MAX_EXCERPT));
            let message = match error.related {
                Some(_) => format!("`{alias}` refers to a value that contains it"),
                None => format!("`{alias}` has no anchor: there is no `&{name}` before it"),
            };
            labeled(message, "unknown alias")
        }
        Kind::TooManyNodes => labeled("aliases expand to too many values", "not expanded"),
        Kind::UnknownTag => {
            labeled(format!("YAML tags such as `{}` are not supported here", shown()), "a tag")
                .help("remove the tag, or put the text in quotes")
        }
        Kind::TagMismatch => {
            labeled(format!("the tag `{}` does not match the value", shown()), "does not match")
                .help("remove it, or correct the value")
        }
        Kind::MissingSpace => labeled("a space is missing after the colon", "no space after it")
            .help("write a space after the colon"),
        Kind::UnindentedText => labeled("this line of text is not indented", "must be indented")
            .help("indent every line of the text with spaces"),
        Kind::UnquotedTemplate => {
            let length = if found.starts_with("{{") { 2 } else { 1 };
            let start = found.get(..length).unwrap_or_default();
            labeled(
                format!("text that begins with `{start}` needs quotes in YAML"),
                "not in quotes",
            )
            .help(quote_help(found))
        }
        Kind::TextAfterQuote => {
            labeled("unexpected text after the closing quote", "the string ends here")
                .help(other_quotes_help(error, text))
        }
        Kind::NameNotText if matches!(found, "" | "~") => {
            labeled("a value without a key", "not text")
        }
        Kind::NameNotText => {
            labeled(format!("`{}` is not a valid key: keys are text", shown()), "not text")
        }
        Kind::MergeNotObject => {
            labeled("the value of `<<` must be a mapping or a list of mappings", "not a mapping")
        }
        Kind::NotYaml => {
            let (message, help) = match found {
                "" => ("a value is missing here".to_owned(), QUOTE_ANY),
                _ if found.starts_with(['|', '>']) => (
                    "text after `|` or `>` must begin on the next line".to_owned(),
                    "start the text on the next line, or put it in quotes",
                ),
                _ => (format!("`{}` is not allowed here in YAML", shown()), QUOTE_ANY),
            };
            labeled(message, "not allowed here").help(help)
        }
        _ => return None,
    })
}

const QUOTE_ANY: &str = "if it is text, put the whole text in quotes";

/// How to quote a text that begins with a character that YAML reserves.
fn quote_help(found: &str) -> String {
    let is_short = found.chars().count() <= 2 * MAX_EXCERPT && !found.contains(['\n', '\r']);
    if is_short && !found.contains(['"', '\\']) {
        format!("write `\"{}\"`", excerpt(found, 2 * MAX_EXCERPT))
    } else {
        "put the whole text in quotes".to_owned()
    }
}

/// What to do with a text after a closing quote. A comma is that of JSON.
fn other_quotes_help(error: &SyntaxError, text: &str) -> &'static str {
    let after = text.get(error.span.end as usize..).unwrap_or_default();
    match after.lines().next().unwrap_or_default().trim() {
        "," => "remove the comma",
        _ => "put the whole text in single quotes, and write `''` for each `'` inside",
    }
}
