//! What is wrong with a text in YAML, in words.

use super::EXCERPT;
use crate::excerpt::excerpt;
use crate::{SyntaxError, SyntaxErrorKind as Kind};

/// What is wrong; nothing when that is no matter of YAML.
pub(super) fn message(error: &SyntaxError, text: &str) -> String {
    let found = || excerpt(error.span.slice(text), EXCERPT);
    match error.kind {
        Kind::TabIndentation => "YAML does not allow tabs for indentation".to_owned(),
        Kind::Indentation => "inconsistent indentation".to_owned(),
        Kind::NameInValue => "text containing `: ` must be quoted".to_owned(),
        Kind::UnknownEscape => format!("`{}` is not a valid escape in YAML", found()),
        Kind::UnknownAlias if error.related.is_some() => {
            format!("`{}` refers to a value that contains it", found())
        }
        Kind::UnknownAlias => {
            let name = found();
            format!("`{name}` has no anchor: there is no `&{}` before it", after_mark(&name))
        }
        Kind::TooManyNodes => "aliases expand to too many values".to_owned(),
        Kind::UnknownTag => {
            format!("YAML tags such as `{}` are not supported here", found())
        }
        Kind::TagMismatch => format!("the tag `{}` does not match the value", found()),
        Kind::MissingSpace => "a space is missing after the colon".to_owned(),
        Kind::UnindentedText => "this line of text is not indented".to_owned(),
        Kind::UnquotedTemplate => {
            let found = error.span.slice(text);
            let length = if found.starts_with("{{") { 2 } else { 1 };
            let mark = found.get(..length).unwrap_or_default();
            format!("text that begins with `{mark}` needs quotes in YAML")
        }
        Kind::TextAfterQuote => "the quotes end before the text does".to_owned(),
        Kind::NameNotText if matches!(found().as_str(), "" | "~") => {
            "a value without a key".to_owned()
        }
        Kind::NameNotText => format!("`{}` is not a valid key: keys are text", found()),
        Kind::MergeNotObject => "`<<` takes a mapping or a list of mappings".to_owned(),
        Kind::NotYaml => match found().as_str() {
            "" => "YAML expects something here".to_owned(),
            header if header.starts_with(['|', '>']) => {
                "text after `|` or `>` must begin on the next line".to_owned()
            }
            found => format!("`{found}` is not allowed here in YAML"),
        },
        _ => String::new(),
    }
}

/// A few words to stand under the characters at fault.
pub(super) const fn label(kind: Kind) -> &'static str {
    match kind {
        Kind::TabIndentation => "a tab",
        Kind::Indentation => "the indentation changes here",
        Kind::NameInValue | Kind::UnquotedTemplate => "not in quotes",
        Kind::TextAfterQuote => "the string ends here",
        Kind::UnknownEscape => "no such escape",
        Kind::UnknownAlias => "unknown alias",
        Kind::TooManyNodes => "not expanded",
        Kind::UnknownTag => "a tag",
        Kind::TagMismatch => "does not match",
        Kind::NameNotText => "not text",
        Kind::MissingSpace => "no space after it",
        Kind::UnindentedText => "must be indented",
        Kind::MergeNotObject => "not a mapping",
        Kind::NotYaml => "not allowed here",
        _ => "",
    }
}

/// The way out, as an instruction.
pub(super) fn help(error: &SyntaxError, text: &str) -> Option<String> {
    let found = error.span.slice(text);
    let help = match error.kind {
        Kind::UnknownEscape => "write `\\\\` for a backslash, or put the text in single quotes",
        Kind::TabIndentation => "use spaces",
        Kind::Indentation => "indent it like the lines it belongs to",
        Kind::NotYaml if found.starts_with(['|', '>']) => {
            "start the text on the next line, or put it in quotes"
        }
        Kind::NameInValue => "put the whole text in quotes",
        Kind::NotYaml => "if it is text, put the whole text in quotes",
        Kind::MissingSpace => "write a space after the colon",
        Kind::UnindentedText => "indent every line of the text with spaces",
        Kind::UnquotedTemplate => return Some(quoted(found)),
        Kind::TextAfterQuote => {
            let (before, after) = text.split_at_checked(error.span.start as usize)?;
            let before = before.rsplit('\n').next().unwrap_or(before);
            let after = after.split('\n').next().unwrap_or(after);
            match (found, before.contains('\'') || after.contains('\'')) {
                ("'", _) => "put the whole text in double quotes",
                (_, false) => "put the whole text in single quotes",
                (_, true) => {
                    "put the whole text in single quotes, and write `''` for each `'` inside"
                }
            }
        }
        Kind::UnknownTag => "remove the tag, or put the text in quotes",
        Kind::TagMismatch => "remove it, or correct the value",
        _ => return None,
    };
    Some(help.to_owned())
}

/// How to quote a text that begins with a template.
fn quoted(found: &str) -> String {
    let is_short = found.chars().count() <= 2 * EXCERPT && !found.contains(['\n', '\r']);
    if is_short && !found.contains(['"', '\\']) {
        format!("write `\"{}\"`", excerpt(found, 2 * EXCERPT))
    } else {
        "put the whole text in quotes".to_owned()
    }
}

/// The name in `*name`.
fn after_mark(alias: &str) -> &str {
    alias.strip_prefix('*').unwrap_or(alias)
}
