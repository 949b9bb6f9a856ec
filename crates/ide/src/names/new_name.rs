//! Which names a template variable can have.

use voxlint::is_odd_variable_name;
use voxlint::syntax::Format;
use voxlint_template::BUILT_IN_HELPERS;

/// How a name is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `{{name}}`.
    Bare,
    /// `{{[first name]}}`.
    Bracketed,
    /// `{{"first name"}}`.
    Quoted,
    /// The name of a default.
    Key,
}

impl Form {
    pub(super) fn of(written: &str) -> Self {
        match written.chars().next() {
            Some('[') => Self::Bracketed,
            Some('"' | '\'') => Self::Quoted,
            _ => Self::Bare,
        }
    }

    /// Whether a usable name can be written in this form.
    pub(super) fn can_write(self, name: &str) -> bool {
        self != Self::Bare || is_bare(name)
    }
}

/// Words that a template reads as something else, and names of every object of JavaScript, which Handlebars does not read.
const RESERVED: [&str; 9] =
    ["else", "true", "false", "null", "undefined", "this", "constructor", "__proto__", "as"];

/// Whether a template variable can have a name, in brackets at least.
pub(super) fn is_usable(name: &str) -> bool {
    let is_special = |sign: char| {
        sign.is_control() || matches!(sign, '[' | ']' | '"' | '\'' | '\\' | '{' | '}' | '`' | '|')
    };
    !name.is_empty()
        && name.trim() == name
        && !name.contains(is_special)
        && !is_odd_variable_name(name)
        && !RESERVED.contains(&name)
        && !BUILT_IN_HELPERS.contains(&name)
}

/// Whether the name of a default would need quotes that it does not have: in TOML, or where a version of YAML reads a word as a value.
pub(super) fn needs_quotes(name: &str, format: Format) -> bool {
    const WORDS: [&str; 8] = ["y", "n", "yes", "no", "on", "off", "~", "null"];
    let is_bare_in_toml = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    if format.is_toml() {
        !name.bytes().all(is_bare_in_toml)
    } else {
        format.is_yaml() && WORDS.iter().any(|word| name.eq_ignore_ascii_case(word))
    }
}

/// Whether a name needs no brackets.
fn is_bare(name: &str) -> bool {
    let is_sign = |sign: char| {
        sign.is_whitespace() || (sign.is_ascii_punctuation() && !matches!(sign, '_' | '-'))
    };
    !name.contains(is_sign)
}
