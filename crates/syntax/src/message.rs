//! Messages for syntax errors. Those of one format are beside its reader (`json/message.rs`, `toml/message.rs`,
//! `yaml/message.rs`); this file has those that formats share.

use std::borrow::Cow;

use crate::description::{
    Description, MAX_EXCERPT, NOT_FINITE, OPENED, TRIPLE, control_escape, control_name, is_triple,
    labeled,
};
use crate::excerpt::excerpt;
use crate::invisible::{foreign_space_name, space_name};
use crate::{MAX_DEPTH, MAX_LINE, SyntaxError, SyntaxErrorKind as Kind, json};

impl SyntaxError {
    /// What is wrong, as one sentence without a capital and a full stop.
    pub fn message(&self, text: &str) -> String {
        let message = self.describe(text).message;
        let more = self.more;
        match self.kind {
            _ if more == 0 => message.into_owned(),
            Kind::Unexpected | Kind::CurlyQuotes | Kind::Toml11 => {
                format!("{message}, and {more} more in this file")
            }
            Kind::InvalidEscape
            | Kind::ControlCharacter
            | Kind::TomlEscape
            | Kind::UnknownEscape
            | Kind::LoneSurrogate => format!("{message}, and {more} more in this string"),
            _ => message.into_owned(),
        }
    }

    /// A few words to show under the marked characters.
    pub fn label(&self) -> &'static str {
        self.describe("").label
    }

    /// A few words to show under the related place, if there is one.
    pub const fn related_label(&self) -> Option<&'static str> {
        if self.related.is_none() {
            return None;
        }
        match self.kind {
            Kind::Unclosed => Some("still open here"),
            Kind::MismatchedBracket => Some("opened here"),
            Kind::MissingComma => Some("the next entry"),
            Kind::DuplicateKey | Kind::NotATable => Some("first set here"),
            Kind::UnknownAlias => Some("that value begins here"),
            _ => None,
        }
    }

    /// How to fix it, as an instruction.
    pub fn help(&self, text: &str) -> Option<String> {
        self.describe(text).help.map(Cow::into_owned)
    }

    fn describe(&self, text: &str) -> Description {
        let message = shared(self, text).or_else(|| json::describe(self, text));
        #[cfg(feature = "toml")]
        let message = message.or_else(|| crate::toml::describe(self, text));
        #[cfg(feature = "yaml")]
        let message = message.or_else(|| crate::yaml::describe(self, text));
        message.unwrap_or_default()
    }
}

/// A bracket that closes another kind, or a key in an array.
fn mismatched_bracket(found: &str) -> Description {
    let (message, help) = match found {
        "[" => ("an array cannot contain keys", "write `{` and `}` around the fields"),
        "}" => ("`}` does not match the open `[`", "write `]`"),
        _ => ("`]` does not match the open `{`", "write `}`"),
    };
    labeled(message, "the wrong bracket").help(help)
}

/// An unescaped quote in a string.
fn quote_in_string(found: &str) -> Description {
    let (message, help) = match found {
        TRIPLE => (
            "JSON strings have one double quote on each side, not three",
            "write one quote on each side, and `\\n` for each line break inside",
        ),
        "'" => ("unescaped quote in a string", "write `''` for each quote inside"),
        _ => ("unescaped quote in a string", "write `\\\"` for each quote inside"),
    };
    labeled(message, "the string ends here").help(help)
}

/// Messages for an error that several formats report.
fn shared(error: &SyntaxError, text: &str) -> Option<Description> {
    let found = error.span.slice(text);
    let shown = || excerpt(found, MAX_EXCERPT);
    Some(match error.kind {
        Kind::InvalidUtf8 => labeled(format!("{} not UTF-8", bytes(error.span.len())), "not UTF-8")
            .help("save the file as UTF-8 without a byte order mark"),
        Kind::Utf16 => labeled("the file is in UTF-16 or UTF-32, not in UTF-8", FILE_BEGINS)
            .help("save the file as UTF-8 without a byte order mark"),
        Kind::TooLarge => labeled("the file is 4 GiB or larger", FILE_BEGINS),
        Kind::LineTooLong => {
            let limit = MAX_LINE >> 20;
            let message = format!("this line is longer than {limit} MiB, so it was not checked");
            labeled(message, "the line begins here").help("write one document per line")
        }
        Kind::ByteOrderMark => labeled("the file begins with a byte order mark", FILE_BEGINS)
            .help("save the file as UTF-8 without a byte order mark"),
        Kind::Empty if text.trim().is_empty() => labeled("the file is empty", "expected a value"),
        Kind::Empty => labeled("the file contains no value", "expected a value"),
        Kind::ConflictMarker => labeled("merge conflict marker", "an unresolved merge conflict")
            .help("resolve the conflict, and remove the marker lines"),
        Kind::CurlyQuotes => labeled("curly quotes", "use straight quotes (`\"`)"),
        Kind::Unclosed => unclosed(error, found),
        Kind::UnclosedString => unclosed_string(found),
        Kind::QuoteInString => quote_in_string(found),
        Kind::ControlCharacter => {
            let message = format!("unescaped {} in a string", control_name(found));
            labeled(message, "must be escaped")
                .help(format!("write it as `{}`", control_escape(found)))
        }
        Kind::LoneSurrogate => {
            labeled(format!("`{}` is an unpaired surrogate", shown()), "the other half is missing")
                .help("write the character itself, or both halves of it")
        }
        Kind::MissingComma => {
            labeled("a comma is missing between two entries", "a comma belongs here")
                .help("insert `,`")
        }
        Kind::ExtraComma => {
            labeled("unexpected comma: there is no value before it", "one too many")
                .help("remove the comma")
        }
        Kind::MissingColon => {
            labeled("a colon is missing after the key", "a colon belongs here").help("insert `:`")
        }
        Kind::MissingValue => labeled("a value is missing after the key", "a value belongs here")
            .help("write a value, or remove the key"),
        Kind::MissingKey => labeled("a value without a key", "no key before it")
            .help("write a key and a colon before it"),
        Kind::MismatchedBracket => mismatched_bracket(found),
        Kind::StrayClose => {
            let message = format!("`{}` has no matching opening bracket", shown());
            labeled(message, "nothing is open here").help(format!("remove `{}`", shown()))
        }
        Kind::DecimalComma => {
            let number = excerpt(&found.replace(',', "."), MAX_EXCERPT);
            let message = format!("`{}` has a comma as its decimal separator", shown());
            labeled(message, "a decimal comma").help(format!("use a decimal point: `{number}`"))
        }
        Kind::NotFinite => {
            let is_whole = found.starts_with("0x") || found.starts_with("0o");
            let help = if is_whole { "write a smaller number" } else { NOT_FINITE };
            labeled(format!("JSON cannot represent the number `{}`", shown()), "not a JSON number")
                .help(help)
        }
        Kind::TooDeep => labeled(
            format!("objects and arrays are nested deeper than {MAX_DEPTH} levels"),
            "not checked from here on",
        ),
        Kind::TrailingText => {
            let message = "unexpected content after the end of the document";
            labeled(message, "after the end").help(match found {
                "," => "remove the comma",
                ";" => "remove the semicolon",
                _ => "keep one document in a file",
            })
        }
        Kind::Unexpected => {
            let message = match foreign_space_name(found) {
                Some(name) => format!("{name} is not allowed here"),
                None => format!("unexpected `{}`", shown()),
            };
            let help = match (space_name(found), error.more) {
                (Some(_), 0) => "write a plain space",
                (Some(_), _) => "write plain spaces",
                (None, 0) => "remove it",
                (None, _) => "remove them",
            };
            labeled(message, "unexpected").help(help)
        }
        Kind::TooManyErrors => {
            labeled(format!("{} more syntax errors", error.more + 1), "the first of them")
        }
        _ => return None,
    })
}

const FILE_BEGINS: &str = "the file begins here";

fn unclosed(error: &SyntaxError, found: &str) -> Description {
    let (container, help) =
        if found == "[" { ("array", "close it with `]`") } else { ("object", "close it with `}`") };
    if error.more > 0 {
        let count = error.more + 1;
        labeled(format!("the file ends inside {count} unclosed objects or arrays"), OPENED)
            .help("close each of them, the innermost first")
    } else {
        labeled(format!("this {container} is never closed"), OPENED).help(help)
    }
}

fn unclosed_string(found: &str) -> Description {
    if found.ends_with("\\\"") {
        let message = "the backslash escapes the quote that should close this string";
        return labeled(message, OPENED).help("write `\\\\` for a backslash");
    }
    let quote = match found.get(..1) {
        _ if is_triple(found) => found.get(..3).unwrap_or_default(),
        Some("'") => "'",
        _ => "\"",
    };
    labeled("this string is never closed", OPENED).help(format!("close it with `{quote}`"))
}

fn bytes(count: u32) -> String {
    if count == 1 { "a byte is".to_owned() } else { format!("{count} bytes are") }
}
