//! Escapes text from documents, so that it cannot steer the terminal that shows it.
//!
//! Documents, and messages that quote them, may contain escape sequences, characters that change the direction of the rest of
//! the line, and invisible characters. A linter has to show that they are there. The logs of build servers are terminals as
//! well: they run `##[…]` and `##vso[…]` anywhere in a line, and `::…::` at the beginning of a line.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_width::UnicodeWidthChar as _;
use voxlint_syntax::Invisible;

/// Whether `c` has to be escaped between these neighbors.
fn is_hidden(before: Option<char>, c: char, after: Option<char>) -> bool {
    let joins = |c: char| !c.is_ascii() && !c.is_whitespace();
    match Invisible::of(c) {
        None | Some(Invisible::Space) => c.is_control(),
        Some(Invisible::Hidden) => true,
        Some(Invisible::Joiner) => {
            let is_selector = |c: char| Invisible::of(c) == Some(Invisible::Selector);
            let before = before.is_some_and(|c| joins(c) && (is_visible(c) || is_selector(c)));
            !before || !after.is_some_and(|c| joins(c) && is_visible(c))
        }
        Some(Invisible::Selector) => !before.is_some_and(|c| is_visible(c) && !c.is_whitespace()),
    }
}

/// Whether a character is visible or a space.
pub(crate) fn is_visible(c: char) -> bool {
    !c.is_control() && matches!(Invisible::of(c), None | Some(Invisible::Space))
}

/// Whether the rest of a text after a `#` turns it into a command to GitHub Actions or Azure Pipelines.
pub(crate) fn is_command(rest: &[u8]) -> bool {
    let begins = |with: &str| {
        rest.get(..with.len()).is_some_and(|head| head.eq_ignore_ascii_case(with.as_bytes()))
    };
    begins("#[") || begins("#vso[")
}

/// Whether a line is a command to GitHub Actions, which ignores indentation.
pub(crate) fn is_line_command(line: &str) -> bool {
    line.trim_start().starts_with("::")
}

/// Whether a text has only visible ASCII characters and spaces, and none that may begin a command: the usual case, found without
/// the neighbors of each character.
fn is_plain(text: &str) -> bool {
    are_all(text, is_plain_byte)
}

const fn is_plain_byte(byte: u8) -> bool {
    matches!(byte, b' '..=b'"' | b'$'..=b'~')
}

/// Whether all bytes of a text are of some kind.
fn are_all(text: &str, is_it: impl Fn(u8) -> bool) -> bool {
    // Without an early end within a piece, so that its bytes are compared at once.
    let has_others =
        |piece: &[u8]| piece.iter().fold(0, |any, byte| any | u8::from(!is_it(*byte))) != 0;
    !text.as_bytes().chunks(64).any(has_others)
}

/// Each character with its offset and whether it has to be escaped.
pub(crate) fn terminal_chars(text: &str) -> impl Iterator<Item = (usize, char, bool)> {
    let mut before = None;
    let mut rest = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (offset, c) = rest.next()?;
        let hidden = is_hidden(before, c, rest.peek().map(|next| next.1))
            || (before == Some('#') && text.as_bytes().get(offset..).is_some_and(is_command));
        before = Some(c);
        Some((offset, c, hidden))
    })
}

/// A message or path with characters that steer a terminal spelled out, as `\u{202e}`. A line break becomes `\n`.
pub fn escape_terminal(text: &str) -> Cow<'_, str> {
    if is_plain(text) && !is_line_command(text) {
        return Cow::Borrowed(text);
    }
    let command = is_line_command(text).then(|| text.len() - text.trim_start().len());
    if command.is_none() && terminal_chars(text).all(|(_, _, hidden)| !hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for (offset, c, hidden) in terminal_chars(text) {
        match c {
            _ if !hidden && command != Some(offset) => out.push(c),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
        }
    }
    out.into()
}

/// The same for a text of several lines. Its line breaks stay.
pub fn escape_terminal_lines(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(escape_terminal).collect();
    lines.join("\n")
}

/// A text with codes in place of the characters that steer a terminal, except those that are kept.
fn replaced(text: &str, keeps: impl Fn(char) -> bool, code: impl Fn(char) -> String) -> String {
    if are_all(text, |byte| byte == b'\n' || is_plain_byte(byte)) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    // Whether a character is escaped depends on its neighbors, but not across a space: most texts are mostly plain words.
    for word in text.split_inclusive([' ', '\n']) {
        if is_plain(word) {
            out.push_str(word);
            continue;
        }
        for (_, c, hidden) in terminal_chars(word) {
            if hidden && !keeps(c) {
                out.push_str(&code(c));
            } else {
                out.push(c);
            }
        }
    }
    out
}

/// The value of a property of a command to a build server, with characters that steer a terminal spelled out. Line breaks
/// stay: the command has its own escapes for them.
pub(crate) fn escape_property(text: &str) -> String {
    let code = |c| match c {
        '\t' => "\\t".to_owned(),
        _ => format!("\\u{{{:x}}}", u32::from(c)),
    };
    replaced(text, |c| matches!(c, '\n' | '\r'), code)
}

/// JSON with characters that steer a terminal as JSON escapes. It can still be copied and means the same. Line breaks between
/// values stay.
pub fn escape_json(json: &str) -> String {
    let code = |c: char| match *c.encode_utf16(&mut [0; 2]) {
        [unit] => format!("\\u{unit:04x}"),
        [high, low] => format!("\\u{high:04x}\\u{low:04x}"),
        _ => String::new(),
    };
    replaced(json, |c| c == '\n', code)
}

/// XML with characters that steer a terminal as character references.
#[cfg(feature = "xml")]
pub(crate) fn escape_xml(xml: &str) -> String {
    replaced(xml, |c| c < ' ', |c| format!("&#{};", u32::from(c)))
}

/// A part of a document with secrets as asterisks and placeholders for characters that steer a terminal. It has as many
/// bytes as the original, so that offsets apply to both. Tabs stay. `is_secret` tells whether an offset is in a secret.
pub(crate) fn mask(text: &str, is_secret: impl Fn(usize) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for (offset, c, hidden) in terminal_chars(text) {
        if is_secret(offset) {
            out.extend(std::iter::repeat_n('*', c.len_utf8()));
        } else if !hidden || c == '\t' {
            out.push(c);
        } else {
            out.push_str(match c.len_utf8() {
                1 => "?",
                2 => "¿",
                3 => "\u{fffd}",
                _ => "\u{fffd}?",
            });
        }
    }
    out
}

/// An invisible character by its code, where it is what changes: `<U+200B>`.
pub(crate) fn by_code(c: char) -> String {
    format!("<U+{:04X}>", u32::from(c))
}

/// The columns of a character after [`mask`]; for a tab, the most that it can take.
pub(crate) fn columns(c: char) -> usize {
    let is_hidden = c.is_control() || Invisible::of(c) == Some(Invisible::Hidden);
    match c {
        '\t' => 4,
        _ if is_hidden && c.len_utf8() == 4 => 2,
        _ if is_hidden => 1,
        _ => c.width().unwrap_or(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_and_direction_characters_are_escaped() {
        assert_eq!(escape_terminal("a\u{1b}[31m\u{202e}b\n"), "a\\u{1b}[31m\\u{202e}b\\n");
    }

    #[test]
    fn commands_to_build_servers_are_escaped() {
        assert_eq!(escape_terminal("  ::error::x"), "  \\u{3a}:error::x");
        assert_eq!(escape_terminal("a ::error::x"), "a ::error::x");
        assert_eq!(
            escape_terminal("see ##vso[x] ###[y] ##VSO[z]"),
            "see #\\u{23}vso[x] ##\\u{23}[y] #\\u{23}VSO[z]"
        );
        assert_eq!(escape_terminal("## [link] ##v #["), "## [link] ##v #[");
        assert_eq!(mask("##vso[x]", |_| false), "#?vso[x]");
        assert_eq!(escape_json("\"##[x]\""), "\"#\\u0023[x]\"");
    }

    #[test]
    fn json_keeps_its_meaning() {
        let json = "{\n  \"a\": \"\u{9b}\u{202e}\u{e0041}é\"\n}";
        let shown = escape_json(json);
        assert_eq!(shown, "{\n  \"a\": \"\\u009b\\u202e\\udb40\\udc41é\"\n}");
        let read = |json: &str| serde_json::from_str::<serde_json::Value>(json).unwrap();
        assert_eq!(read(&shown), read(json));
    }

    #[test]
    fn plain_text_is_not_copied() {
        assert!(matches!(escape_terminal("plain, नमस्ते, 👩‍🚀, ✔️"), Cow::Borrowed(_)));
    }

    #[test]
    fn joiners_stay_in_scripts_that_need_them() {
        for text in ["क्‍ष", "می‌خواهم", "👨‍👩‍👧"] {
            assert_eq!(escape_terminal(text), text);
        }
        assert_eq!(escape_terminal("to\u{200d}ken"), "to\\u{200d}ken");
    }

    #[test]
    fn a_placeholder_has_as_many_bytes_as_the_original() {
        let text = "\u{7}\t\u{9b}\u{61c}\u{2066}\u{e0041}é👩\u{200d}x";
        let masked = mask(text, |_| false);
        assert_eq!(masked.len(), text.len());
        assert_eq!(masked, "?\t¿¿\u{fffd}\u{fffd}?é👩\u{fffd}x");
    }

    #[test]
    fn a_masked_secret_has_as_many_bytes_as_the_original() {
        assert_eq!(mask("key: sé\u{1b}", |offset| offset >= 5), "key: ****");
    }
}
