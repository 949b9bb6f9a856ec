//! What is wrong with a text, in words.

mod yaml;

use crate::excerpt::excerpt;
use crate::{Decimal, SyntaxError, SyntaxErrorKind as Kind};

/// The most characters of the text that a message shows.
const EXCERPT: usize = 24;

/// The quotes that word processors put in place of `"` and `'`. Each takes three bytes.
pub(crate) const CURLY: [char; 6] = ['“', '”', '„', '‘', '’', '‚'];

const TRIPLE: &str = "\"\"\"";

const NOT_FINITE: &str = "JSON has only finite numbers: write one, or leave the field out";

const QUOTE_TEXT: &str = "put the text in double quotes";

impl SyntaxError {
    /// What is wrong, as one sentence without a capital and a full stop.
    #[allow(clippy::too_many_lines, reason = "a table: one line or two for each kind of fault")]
    pub fn message(&self, text: &str) -> String {
        let found = || excerpt(self.span.slice(text), EXCERPT);
        let message = match self.kind {
            Kind::InvalidUtf8 => format!("{} not UTF-8", bytes(self.span.len())),
            Kind::Utf16 => "the file is in UTF-16 or UTF-32, not in UTF-8".to_owned(),
            Kind::TooLarge => "the file is 4 GiB or larger".to_owned(),
            Kind::LineTooLong => {
                format!(
                    "this line is longer than {} MiB, so it was not checked",
                    crate::MAX_LINE >> 20
                )
            }
            Kind::ByteOrderMark => "the file begins with a byte order mark".to_owned(),
            Kind::Empty if text.trim().is_empty() => "the file is empty".to_owned(),
            Kind::Empty => "the file contains no value".to_owned(),
            Kind::Unclosed if self.more > 0 => {
                format!("the file ends inside {} unclosed objects or arrays", self.more + 1)
            }
            Kind::Unclosed => format!("this {} is never closed", self.container(text)),
            Kind::Unopened => "fields without an object around them".to_owned(),
            Kind::UnclosedString if self.span.slice(text).ends_with("\\\"") => {
                "the backslash escapes the quote that should close this string".to_owned()
            }
            Kind::UnclosedString => "this string is never closed".to_owned(),
            Kind::QuoteInString if found() == TRIPLE => {
                "strings in JSON have one quote on each side".to_owned()
            }
            Kind::QuoteInString => "unescaped quote in a string".to_owned(),
            Kind::ControlCharacter => {
                format!("unescaped {} in a string", control_name(self.span.slice(text)))
            }
            Kind::LineBreakInString => "unescaped line break in a string".to_owned(),
            Kind::InvalidEscape => format!("`{}` is not a valid escape in JSON", found()),
            Kind::LoneSurrogate => format!("`{}` is an unpaired surrogate", found()),
            Kind::Comment if self.more > 0 => {
                format!("JSON does not allow comments, and this file has {}", self.more + 1)
            }
            Kind::Comment => "JSON does not allow comments".to_owned(),
            Kind::HashComment if self.more > 0 => {
                format!(
                    "comments in JSONC begin with `//`, not with `#`, as {} here do",
                    self.more + 1
                )
            }
            Kind::HashComment => "comments in JSONC begin with `//`, not with `#`".to_owned(),
            Kind::UnclosedComment => "this comment is never closed".to_owned(),
            Kind::TrailingComma => "trailing comma".to_owned(),
            Kind::MissingComma => "a comma is missing between two entries".to_owned(),
            Kind::ExtraComma => "unexpected comma: there is no value before it".to_owned(),
            Kind::NotAComma => format!("expected a comma, found `{}`", found()),
            Kind::MissingColon => "a colon is missing after the key".to_owned(),
            Kind::NotAColon => format!("expected a colon, found `{}`", found()),
            Kind::MissingValue => "a value is missing after the key".to_owned(),
            Kind::MissingKey => "a value without a key".to_owned(),
            Kind::KeyNotQuoted => {
                let name = self.span.slice(text).trim_end_matches('"');
                let missing = if name.len() < self.span.len() as usize {
                    "an opening quote"
                } else {
                    "quotes"
                };
                format!("the key `{}` needs {missing}", excerpt(name, EXCERPT))
            }
            Kind::SingleQuotes => "strings in JSON need double quotes".to_owned(),
            Kind::MismatchedBracket => match self.span.slice(text) {
                "[" => "an array cannot contain keys".to_owned(),
                "}" => "`}` does not match the open `[`".to_owned(),
                _ => "`]` does not match the open `{`".to_owned(),
            },
            Kind::StrayClose => format!("`{}` has no matching opening bracket", found()),
            Kind::NotALiteral if literal_help(self.span.slice(text)) == QUOTE_TEXT => {
                "text in JSON needs quotes".to_owned()
            }
            Kind::NotALiteral => format!("`{}` is not a valid value in JSON", found()),
            Kind::InvalidNumber => format!("`{}` is not a valid number in JSON", found()),
            Kind::CurlyQuotes => "curly quotes".to_owned(),
            Kind::DecimalComma => format!("`{}` has a comma as its decimal separator", found()),
            Kind::ConflictMarker => "merge conflict marker".to_owned(),
            Kind::Toml11 => match self.span.slice(text) {
                "{" => "an inline table over several lines needs TOML 1.1".to_owned(),
                "," => "a trailing comma in an inline table needs TOML 1.1".to_owned(),
                _ => format!("the escape `{}` needs TOML 1.1", found()),
            },
            Kind::TooDeep => {
                format!("objects and arrays are nested deeper than {} levels", crate::MAX_DEPTH)
            }
            Kind::TrailingText => "unexpected content after the end of the document".to_owned(),
            Kind::Unexpected => match invisible_name(self.span.slice(text)) {
                Some(name) => format!("{name} is not allowed here"),
                None => format!("unexpected `{}`", found()),
            },
            Kind::DuplicateKey => format!("`{}` is given twice", found()),
            Kind::NotATable => format!("`{}` cannot be extended here", found()),
            Kind::DateTime => "JSON has no dates or times".to_owned(),
            Kind::NotFinite => format!("JSON cannot represent the number `{}`", found()),
            Kind::TomlValue if toml_value_help(self.span.slice(text)) == QUOTE_TEXT => {
                "text in TOML needs quotes".to_owned()
            }
            Kind::TomlValue => format!("`{}` is not a valid value in TOML", found()),
            Kind::TomlEscape => format!("`{}` is not a valid escape in TOML", found()),
            Kind::TomlKey if self.span.is_empty() => "a key is missing".to_owned(),
            Kind::TomlKey if is_triple(self.span.slice(text)) => {
                "keys have one quote on each side".to_owned()
            }
            Kind::TomlKey => format!("the key `{}` needs quotes", found()),
            Kind::MissingEquals => "an equals sign is missing after the key".to_owned(),
            Kind::UnclosedHeader => "this table header is never closed".to_owned(),
            Kind::SecondEntry => format!("unexpected `{}` after the end of the entry", found()),
            Kind::LoneCarriageReturn => "a carriage return without a line feed".to_owned(),
            Kind::ControlInComment => {
                format!("unescaped {} in a comment", control_name(self.span.slice(text)))
            }
            Kind::BracketsTooDeep => {
                format!("brackets are nested deeper than {} levels", crate::MAX_BRACKETS)
            }
            Kind::TabIndentation
            | Kind::Indentation
            | Kind::NameInValue
            | Kind::UnknownEscape
            | Kind::UnknownAlias
            | Kind::TooManyNodes
            | Kind::UnknownTag
            | Kind::TagMismatch
            | Kind::NameNotText
            | Kind::MergeNotObject
            | Kind::MissingSpace
            | Kind::UnindentedText
            | Kind::UnquotedTemplate
            | Kind::TextAfterQuote
            | Kind::NotYaml => yaml::message(self, text),
            Kind::TooManyErrors => format!("{} more syntax errors", self.more + 1),
        };
        match self.kind {
            Kind::Unexpected | Kind::CurlyQuotes | Kind::Toml11 if self.more > 0 => {
                format!("{message}, and {} more in this file", self.more)
            }
            Kind::InvalidEscape
            | Kind::ControlCharacter
            | Kind::TomlEscape
            | Kind::LoneCarriageReturn
            | Kind::UnknownEscape
            | Kind::LoneSurrogate
            | Kind::LineBreakInString
                if self.more > 0 =>
            {
                format!("{message}, and {} more in this string", self.more)
            }
            _ => message,
        }
    }

    /// A few words to stand under the characters at fault.
    pub const fn label(&self) -> &'static str {
        match self.kind {
            Kind::InvalidUtf8 => "not UTF-8",
            Kind::Utf16 | Kind::TooLarge | Kind::ByteOrderMark => "the file begins here",
            Kind::Empty => "a value is expected",
            Kind::LineTooLong => "the line begins here",
            Kind::Unclosed
            | Kind::UnclosedString
            | Kind::UnclosedHeader
            | Kind::UnclosedComment => "opened here",
            Kind::QuoteInString => "the string ends here",
            Kind::ControlCharacter | Kind::LineBreakInString => "must be escaped",
            Kind::InvalidEscape | Kind::TomlEscape => "no such escape",
            Kind::LoneSurrogate => "the other half is missing",
            Kind::Comment | Kind::HashComment => "a comment",
            Kind::TrailingComma => "nothing follows it",
            Kind::MissingComma | Kind::NotAComma => "a comma belongs here",
            Kind::ExtraComma => "one too many",
            Kind::MissingColon | Kind::NotAColon => "a colon belongs here",
            Kind::MissingValue => "a value belongs here",
            Kind::Unopened => "a brace belongs here",
            Kind::MissingKey => "no key before it",
            Kind::KeyNotQuoted => "not in quotes",
            Kind::SingleQuotes => "in single quotes",
            Kind::MismatchedBracket => "the wrong bracket",
            Kind::StrayClose => "nothing is open here",
            Kind::NotALiteral | Kind::TomlValue => "not a value",
            Kind::CurlyQuotes => "use straight quotes (`\"`)",
            Kind::DecimalComma => "a decimal comma",
            Kind::ConflictMarker => "an unresolved merge conflict",
            Kind::Toml11 => "not in TOML 1.0",
            Kind::InvalidNumber => "not a number",
            Kind::TooDeep | Kind::BracketsTooDeep => "not checked from here on",
            Kind::TrailingText => "after the end",
            Kind::Unexpected => "unexpected",
            Kind::DuplicateKey => "given again",
            Kind::NotATable => "no fields can be added",
            Kind::DateTime => "not a JSON value",
            Kind::NotFinite => "not a JSON number",
            Kind::TomlKey => "not a valid key",
            Kind::MissingEquals => "an equals sign belongs here",
            Kind::SecondEntry => "after the end of the entry",
            Kind::LoneCarriageReturn => "half of a line break",
            Kind::ControlInComment => "a control character",
            Kind::TabIndentation
            | Kind::Indentation
            | Kind::NameInValue
            | Kind::UnknownEscape
            | Kind::UnknownAlias
            | Kind::TooManyNodes
            | Kind::UnknownTag
            | Kind::TagMismatch
            | Kind::NameNotText
            | Kind::MergeNotObject
            | Kind::MissingSpace
            | Kind::UnindentedText
            | Kind::UnquotedTemplate
            | Kind::TextAfterQuote
            | Kind::NotYaml => yaml::label(self.kind),
            Kind::TooManyErrors => "the first of them",
        }
    }

    /// A few words to stand under the second place, if there is one.
    pub const fn related_label(&self) -> Option<&'static str> {
        if self.related.is_none() {
            return None;
        }
        match self.kind {
            Kind::Unclosed => Some("still open here"),
            Kind::MismatchedBracket => Some("opened here"),
            Kind::LineBreakInString => Some("the string begins here"),
            Kind::MissingComma => Some("the next entry"),
            Kind::DuplicateKey | Kind::NotATable => Some("first given here"),
            Kind::UnknownAlias => Some("that value begins here"),
            _ => None,
        }
    }

    /// The way out, as an instruction.
    #[allow(clippy::too_many_lines, reason = "a table: one line or two for each kind of fault")]
    pub fn help(&self, text: &str) -> Option<String> {
        let found = self.span.slice(text);
        Some(match self.kind {
            Kind::InvalidUtf8 | Kind::Utf16 | Kind::ByteOrderMark => {
                "save the file as UTF-8 without a byte order mark".to_owned()
            }
            Kind::Unclosed if self.more > 0 => "close each of them, the innermost first".to_owned(),
            Kind::Unclosed if self.container(text) == "array" => "close it with `]`".to_owned(),
            Kind::Unclosed => "close it with `}`".to_owned(),
            Kind::Unopened => "put the fields between `{` and `}`".to_owned(),
            Kind::UnclosedString if found.ends_with("\\\"") => {
                "write `\\\\` for a backslash".to_owned()
            }
            Kind::UnclosedString if is_triple(found) => {
                format!("close it with `{}`", found.get(..3).unwrap_or_default())
            }
            Kind::UnclosedString if found.starts_with('\'') => "close it with `'`".to_owned(),
            Kind::UnclosedString => "close it with `\"`".to_owned(),
            Kind::HashComment => "begin it with `//`".to_owned(),
            Kind::UnclosedComment => "close it with `*/`".to_owned(),
            Kind::LineTooLong => "keep one document on each line".to_owned(),
            Kind::QuoteInString if found == TRIPLE => {
                "write one quote on each side, and `\\n` for each line break inside".to_owned()
            }
            Kind::QuoteInString if found == "'" => "write `''` for each quote inside".to_owned(),
            Kind::QuoteInString => "write `\\\"` for each quote inside".to_owned(),
            Kind::ControlCharacter => format!("write it as `{}`", control_escape(found)),
            Kind::LineBreakInString => {
                let is_literal = self.related.is_some_and(|opened| opened.slice(text) == "'");
                if is_literal {
                    "put the text between `'''` and `'''`".to_owned()
                } else {
                    "write it as `\\n`, or put the text between `\"\"\"` and `\"\"\"`".to_owned()
                }
            }
            Kind::InvalidEscape if found.starts_with("\\u") => {
                "write four hexadecimal digits after `\\u`, or `\\\\` for a backslash".to_owned()
            }
            Kind::InvalidEscape if found == "\\'" => "write `'` without a backslash".to_owned(),
            Kind::InvalidEscape => "write `\\\\` for a backslash".to_owned(),
            Kind::LoneSurrogate => "write the character itself, or both halves of it".to_owned(),
            Kind::Comment
            | Kind::TrailingComma
            | Kind::ExtraComma
            | Kind::StrayClose
            | Kind::ControlInComment
            | Kind::Unexpected => "remove it".to_owned(),
            Kind::NotAComma => "write `,`".to_owned(),
            Kind::NotAColon => "write `:`".to_owned(),
            Kind::KeyNotQuoted => {
                format!("write `\"{}\"`", excerpt(found.trim_matches('"'), EXCERPT))
            }
            Kind::SingleQuotes => match single_to_double(found) {
                Some(quoted) => format!("write `{quoted}`"),
                None => "put the text in double quotes".to_owned(),
            },
            Kind::MismatchedBracket if found == "[" => {
                "write `{` and `}` around the fields".to_owned()
            }
            Kind::MismatchedBracket if found == "}" => "write `]`".to_owned(),
            Kind::MismatchedBracket => "write `}`".to_owned(),
            Kind::NotALiteral => literal_help(found),
            Kind::DecimalComma => {
                format!("use a point: `{}`", excerpt(&found.replace(',', "."), EXCERPT))
            }
            Kind::Toml11 => match found {
                "{" => "write it on one line, or write a table with a header".to_owned(),
                "," => "remove it".to_owned(),
                "\\e" => "write `\\u001b`".to_owned(),
                _ => format!("write `\\u00{}`", found.get(2..).unwrap_or_default()),
            },
            Kind::ConflictMarker => "resolve the conflict, and remove the marker lines".to_owned(),
            Kind::InvalidNumber if matches!(found, "-Infinity" | "-NaN") => NOT_FINITE.to_owned(),
            Kind::InvalidNumber => match corrected_number(found) {
                Some(number) => format!("write `{number}`"),
                None => "write digits, with a point for the fraction".to_owned(),
            },
            Kind::NotATable => "add the field where the value is defined".to_owned(),
            Kind::DateTime => format!("write it in quotes: \"{}\"", excerpt(found, 2 * EXCERPT)),
            Kind::NotFinite if found.starts_with("0x") || found.starts_with("0o") => {
                "write a smaller number".to_owned()
            }
            Kind::NotFinite => NOT_FINITE.to_owned(),
            Kind::TomlValue => toml_value_help(found),
            Kind::TomlEscape => toml_escape_help(found).to_owned(),
            Kind::TomlKey if found.is_empty() => "write a key (the empty key is `\"\"`)".to_owned(),
            Kind::TomlKey if is_triple(found) => {
                "write the key on one line, with one quote on each side".to_owned()
            }
            Kind::TomlKey if found.contains(['"', '\\']) => "put the key in quotes".to_owned(),
            Kind::TomlKey => format!("write `\"{}\"`", excerpt(found, EXCERPT)),
            Kind::MissingEquals => "write `=` between the key and its value".to_owned(),
            Kind::UnclosedHeader if found.starts_with("[[") => "close it with `]]`".to_owned(),
            Kind::UnclosedHeader => "close it with `]`".to_owned(),
            Kind::SecondEntry => "give each entry a line of its own".to_owned(),
            Kind::LoneCarriageReturn => "end the line with a line feed".to_owned(),
            Kind::TrailingText if matches!(found, "," | ";") => "remove it".to_owned(),
            Kind::TrailingText => "keep one document in a file".to_owned(),
            Kind::Empty
            | Kind::CurlyQuotes
            | Kind::TooLarge
            | Kind::DuplicateKey
            | Kind::MissingComma
            | Kind::MissingColon
            | Kind::MissingValue
            | Kind::MissingKey
            | Kind::TooDeep
            | Kind::BracketsTooDeep
            | Kind::TooManyErrors => return None,
            Kind::TabIndentation
            | Kind::Indentation
            | Kind::NameInValue
            | Kind::UnknownEscape
            | Kind::UnknownAlias
            | Kind::TooManyNodes
            | Kind::UnknownTag
            | Kind::TagMismatch
            | Kind::NameNotText
            | Kind::MergeNotObject
            | Kind::MissingSpace
            | Kind::UnindentedText
            | Kind::UnquotedTemplate
            | Kind::TextAfterQuote
            | Kind::NotYaml => return yaml::help(self, text),
        })
    }

    fn container(&self, text: &str) -> &'static str {
        if self.span.slice(text) == "[" { "array" } else { "object" }
    }
}

fn bytes(count: u32) -> String {
    if count == 1 { "a byte is".to_owned() } else { format!("{count} bytes are") }
}

fn control_name(text: &str) -> String {
    match text {
        "\n" | "\r" => "line break".to_owned(),
        "\t" => "tab".to_owned(),
        _ => format!("control character U+{:04X}", text.chars().next().map_or(0, u32::from)),
    }
}

fn control_escape(text: &str) -> String {
    match text {
        "\n" | "\r" => "\\n".to_owned(),
        "\t" => "\\t".to_owned(),
        _ => format!("\\u{:04x}", text.chars().next().map_or(0, u32::from)),
    }
}

/// The name of the first character of a text, if it looks like a space or like nothing.
fn invisible_name(text: &str) -> Option<String> {
    let character = text.chars().next()?;
    invisible_kind(character).map(|kind| format!("{kind} (U+{:04X})", u32::from(character)))
}

/// What kind of character this is, if it looks like a space or like nothing and is no white space of JSON.
fn invisible_kind(character: char) -> Option<&'static str> {
    Some(match character {
        '\u{a0}' => "a no-break space",
        '\u{ad}' => "a soft hyphen",
        '\u{b}'
        | '\u{c}'
        | '\u{85}'
        | '\u{1680}'
        | '\u{2000}'..='\u{200a}'
        | '\u{202f}'
        | '\u{205f}'
        | '\u{3000}' => "another kind of space",
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{61c}' => {
            "an invisible character"
        }
        '\u{feff}' => "a byte order mark",
        _ => return None,
    })
}

/// Whether a character looks like a space or like nothing, and is no white space of JSON.
pub(crate) fn is_invisible(character: char) -> bool {
    invisible_kind(character).is_some()
}

fn single_to_double(found: &str) -> Option<String> {
    let inner = found.strip_prefix('\'')?.strip_suffix('\'')?;
    let plain =
        !inner.is_empty() && inner.len() <= EXCERPT && !inner.contains(['"', '\\', '\n', '\r']);
    (plain && excerpt(inner, EXCERPT) == inner).then(|| format!("\"{inner}\""))
}

fn literal_help(found: &str) -> String {
    let known = match found.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" => Some("true"),
        "false" | "no" | "off" => Some("false"),
        "null" | "none" | "nil" | "undefined" => Some("null"),
        _ => None,
    };
    match (known, found) {
        (Some(literal), _) => format!("write `{literal}`"),
        (None, "NaN" | "Infinity" | "-Infinity") => NOT_FINITE.to_owned(),
        (None, _) => QUOTE_TEXT.to_owned(),
    }
}

fn toml_value_help(found: &str) -> String {
    match found.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" => "write `true`".to_owned(),
        "false" | "no" | "off" => "write `false`".to_owned(),
        "null" | "none" | "nil" | "undefined" => "TOML has no null: leave the field out".to_owned(),
        _ => match corrected_number(found) {
            Some(number) => format!("write `{number}`"),
            None => QUOTE_TEXT.to_owned(),
        },
    }
}

fn toml_escape_help(found: &str) -> &'static str {
    match found.get(..2) {
        Some("\\u") => {
            "write four hexadecimal digits that name a character, or `\\\\` for a backslash"
        }
        Some("\\U") => {
            "write eight hexadecimal digits that name a character, or `\\\\` for a backslash"
        }
        Some("\\x") => "write two hexadecimal digits, or `\\\\` for a backslash",
        Some("\\'") => "write `'` without a backslash",
        _ => "write `\\\\` for a backslash, or put the text in single quotes",
    }
}

/// Whether a string is one of several lines.
fn is_triple(found: &str) -> bool {
    found.starts_with(TRIPLE) || found.starts_with("'''")
}

/// The number that was meant, where there is little doubt.
fn corrected_number(found: &str) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use super::corrected_number;

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
