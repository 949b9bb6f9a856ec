//! JSON in double braces.

use super::description::Correction;
use crate::parse::{
    scan::{Bytes, step},
    span::TemplateSpan,
};

/// The maximum length of a corrected object, in bytes.
const MAX_OBJECT: usize = 2_000;

/// Whether the first field of a JSON object starts at `at`: a string and a colon, or a word with a colon and a value that
/// is not a word.
pub(super) fn begins(bytes: Bytes<'_>, mut at: usize) -> bool {
    loop {
        let key = bytes.skip_space(at);
        let quote = bytes.at(key);
        if matches!(quote, b'"' | b'\'') {
            return bytes
                .quoted_end(key, quote)
                .is_some_and(|end| bytes.at(bytes.skip_space(end)) == b':');
        }
        // A colon is a name character.
        let end = bytes.skip_name(key);
        let word = bytes.0.get(key..end).unwrap_or_default();
        let Some(colon) = memchr::memchr(b':', word).filter(|&colon| colon > 0) else {
            return false;
        };
        let value = bytes.skip_space(key + colon + 1);
        let rest = bytes.from(value);
        match bytes.at(value) {
            b'"' | b'\'' | b'[' | b'-' | b'0'..=b'9' => return true,
            b'{' => {}
            _ => {
                return [&b"true"[..], b"false", b"null"].iter().any(|word| rest.starts_with(word));
            }
        }
        let braces = rest.iter().take_while(|&&byte| byte == b'{').count();
        step(braces);
        at = value + braces;
    }
}

/// The object at `start` with single braces. Variables in it keep their double braces.
pub(super) fn with_single_braces(text: &str, start: usize) -> Option<Correction> {
    let bytes = Bytes(text.as_bytes());
    if !matches!(bytes.at(bytes.skip_space(start + 2)), b'"' | b'\'') {
        return None;
    }
    let mut single = String::new();
    // Whether each open brace is doubled.
    let mut open = Vec::new();
    let mut at = start;
    while at < start + MAX_OBJECT {
        let rest = text.get(at..)?;
        let character = rest.chars().next()?;
        let mut end = at + character.len_utf8();
        match character {
            '"' => {
                end = bytes.quoted_end(at, b'"')?;
                single.push_str(text.get(at..end)?);
            }
            '{' => {
                if let Some(variable) = variable(rest) {
                    end = at + variable.len();
                    single.push_str(variable);
                    if bytes.at(end) == b'}' {
                        single.push(' ');
                    }
                } else {
                    let is_double = rest.starts_with("{{");
                    end += usize::from(is_double);
                    open.push(is_double);
                    single.push('{');
                }
            }
            '}' => {
                let is_double = open.pop()?;
                if is_double && !rest.starts_with("}}") {
                    return None;
                }
                end += usize::from(is_double);
                single.push('}');
                if open.is_empty() {
                    return Some(Correction { span: TemplateSpan::new(start, end), text: single });
                }
            }
            _ => single.push(character),
        }
        at = end;
    }
    None
}

/// The mustache at the start of the text, if it contains only a name.
fn variable(rest: &str) -> Option<&str> {
    let end = rest.strip_prefix("{{")?.find("}}")? + 2;
    let name = rest.get(2..end)?.trim();
    let is_name = |character: char| character.is_alphanumeric() || "_.@-".contains(character);
    (!name.is_empty() && name.chars().all(is_name)).then(|| rest.get(..end + 2))?
}
