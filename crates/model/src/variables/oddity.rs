//! Names of variables that are valid but probably not meant.

use voxlint_syntax::Invisible;

/// What is odd about the name of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Oddity {
    /// It has curly quotes: `“name”`.
    Quote(char),
    /// It has a character that readers cannot see.
    Invisible(char),
    /// It has a sign that other languages use: `name?`, `name:x`, `$name`.
    Sign(char),
    /// It begins with a hyphen.
    Hyphen,
    /// It is a number, as in the message templates of other services.
    Number,
}

/// What is odd about a name, if anything is. Letters of all scripts are plain.
pub fn odd_name(name: &str) -> Option<Oddity> {
    if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Oddity::Number);
    }
    let mut before = None;
    for character in name.chars() {
        match character {
            '“' | '”' | '„' | '‘' | '’' | '‚' | '«' | '»' => {
                return Some(Oddity::Quote(character));
            }
            '?' | ':' | '$' => return Some(Oddity::Sign(character)),
            '-' if before.is_none() => return Some(Oddity::Hyphen),
            _ if is_misplaced(character, before) => return Some(Oddity::Invisible(character)),
            _ => before = Some(character),
        }
    }
    None
}

/// Whether the character cannot be seen and changes nothing that can be. Joiners are part of the spelling of many scripts.
fn is_misplaced(character: char, before: Option<char>) -> bool {
    match Invisible::of(character) {
        None => false,
        Some(Invisible::Joiner | Invisible::Selector) => before.is_none_or(|it| it.is_ascii()),
        Some(Invisible::Space | Invisible::Hidden) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_names_are_told_from_plain_ones() {
        for (name, expected) in [
            ("name", None),
            ("first name", None),
            ("user-name", None),
            ("1st_name", None),
            ("नाम", None),
            ("क्‍ष", None),
            ("", None),
            ("1", Some(Oddity::Number)),
            ("name?", Some(Oddity::Sign('?'))),
            ("a:b", Some(Oddity::Sign(':'))),
            ("$name", Some(Oddity::Sign('$'))),
            ("-name", Some(Oddity::Hyphen)),
            ("“name”", Some(Oddity::Quote('“'))),
            ("user’s", Some(Oddity::Quote('’'))),
            ("name\u{200b}", Some(Oddity::Invisible('\u{200b}'))),
            ("na\u{200d}me", Some(Oddity::Invisible('\u{200d}'))),
        ] {
            assert_eq!(odd_name(name), expected, "{name}");
        }
    }
}
