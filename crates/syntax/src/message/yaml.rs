//! What is wrong with a text in YAML, in words.

use super::EXCERPT;
use crate::excerpt::excerpt;
use crate::{Span, SyntaxError, SyntaxErrorKind as Kind};

/// What is wrong; nothing when that is no matter of YAML.
pub(super) fn message(error: &SyntaxError, text: &str) -> String {
    let found = || excerpt(error.span.slice(text), EXCERPT);
    match error.kind {
        Kind::TabIndentation => "a tab indents this line, and YAML indents with blanks".to_owned(),
        Kind::Indentation => "this line is indented unlike those around it".to_owned(),
        Kind::NameInValue => "a `:` makes a name where YAML expects a value".to_owned(),
        Kind::UnknownEscape => format!("`{}` is not an escape of YAML", found()),
        Kind::UnknownAlias if error.related.is_some() => {
            format!("`{}` stands for a value that it is part of", found())
        }
        Kind::UnknownAlias => {
            let name = found();
            format!("`{name}` names no anchor: there is no `&{}` before it", after_mark(&name))
        }
        Kind::TooManyNodes => "aliases stand for more than is reasonable here".to_owned(),
        Kind::UnknownTag => {
            format!("the tag `{}` says nothing to the service, which gets JSON", found())
        }
        Kind::TagMismatch => format!("the tag `{}` does not fit the value", found()),
        Kind::NameNotText if is_template(text, error.span) => {
            "`{{` opens two mappings in YAML".to_owned()
        }
        Kind::NameNotText if matches!(found().as_str(), "" | "~") => {
            "a value without a name".to_owned()
        }
        Kind::NameNotText => format!("`{}` is no text, and JSON has no other names", found()),
        Kind::MergeNotObject => "`<<` takes a mapping, or a list of mappings".to_owned(),
        Kind::NotYaml => match found().as_str() {
            "" => "something is missing here in YAML".to_owned(),
            header if header.starts_with(['|', '>']) => {
                "a block of text begins on the line after its `|` or `>`".to_owned()
            }
            found => format!("`{found}` cannot stand here in YAML"),
        },
        _ => String::new(),
    }
}

/// A few words to stand under the characters at fault.
pub(super) const fn label(kind: Kind) -> &'static str {
    match kind {
        Kind::TabIndentation => "a tab",
        Kind::Indentation => "the indentation changes here",
        Kind::NameInValue => "a name ends here",
        Kind::UnknownEscape => "no such escape",
        Kind::UnknownAlias => "nothing to repeat",
        Kind::TooManyNodes => "this is not repeated",
        Kind::UnknownTag => "a tag",
        Kind::TagMismatch => "something else follows",
        Kind::NameNotText => "a text belongs here",
        Kind::MergeNotObject => "no mapping",
        Kind::NotYaml => "not allowed here",
        _ => "",
    }
}

/// The way out, as an instruction.
pub(super) fn help(error: &SyntaxError, text: &str) -> Option<&'static str> {
    let found = error.span.slice(text);
    Some(match error.kind {
        Kind::UnknownEscape => "write `\\\\` for a backslash, or put the text in single quotes",
        Kind::TabIndentation => "write blanks",
        Kind::Indentation => "indent it like the lines that it belongs to",
        Kind::NotYaml if found.starts_with(['|', '>']) => {
            "begin the text on the next line, or put it in quotes"
        }
        Kind::NameInValue | Kind::NotYaml => "if it is text, put all of the text in quotes",
        Kind::UnknownTag => "remove it, and write the value as JSON would",
        Kind::TagMismatch => "remove it, or correct the value",
        Kind::NameNotText if is_template(text, error.span) => "put all of the text in quotes",
        _ => return None,
    })
}

/// The name in `*name`.
fn after_mark(alias: &str) -> &str {
    alias.strip_prefix('*').unwrap_or(alias)
}

/// Whether a span is the inner pair of the braces that begin a template.
fn is_template(text: &str, span: Span) -> bool {
    let before = text.get(..span.start as usize).unwrap_or_default();
    before.ends_with('{') && span.slice(text).starts_with('{')
}
