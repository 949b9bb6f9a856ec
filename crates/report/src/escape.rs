//! Keeps text that others wrote from steering the terminal it is shown on.
//!
//! Documents, and messages that quote them, may hold escape sequences, characters that turn the direction of the rest of the
//! line, and characters that cannot be seen at all. A linter has to show that they are there. The logs of build servers are
//! such terminals, too: they obey `##[…]` and `##vso[…]` wherever it stands in a line, and `::…::` at the beginning of one.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_width::UnicodeWidthChar as _;

/// What a character does on a terminal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// It is seen, or it is a space.
    Shown,
    /// It steers the terminal or the direction of the line, or it cannot be seen.
    Hidden,
    /// It joins or parts its neighbours. Hindi, Persian and emoji need it; between other characters it only hides.
    Joiner,
    /// It chooses the form of the character before it, and hides anywhere else.
    Selector,
}

const fn effect(c: char) -> Effect {
    match c {
        '\0'..='\u{1f}'
        | '\u{7f}'..='\u{9f}'
        | '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180e}'
        | '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e00ff}'
        | '\u{e01f0}'..='\u{e0fff}' => Effect::Hidden,
        '\u{200c}' | '\u{200d}' => Effect::Joiner,
        '\u{180b}'..='\u{180d}'
        | '\u{180f}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{e0100}'..='\u{e01ef}' => Effect::Selector,
        _ => Effect::Shown,
    }
}

/// Whether `c` has to be replaced between these neighbours.
fn is_hidden(before: Option<char>, c: char, after: Option<char>) -> bool {
    let joins = |c: char| !c.is_ascii() && !c.is_whitespace();
    match effect(c) {
        Effect::Shown => false,
        Effect::Hidden => true,
        Effect::Joiner => {
            let before = before
                .is_some_and(|c| joins(c) && matches!(effect(c), Effect::Shown | Effect::Selector));
            !before || !after.is_some_and(|c| joins(c) && effect(c) == Effect::Shown)
        }
        Effect::Selector => {
            !before.is_some_and(|c| effect(c) == Effect::Shown && !c.is_whitespace())
        }
    }
}

/// Whether the rest of a text, behind a first `#`, makes a command to GitHub Actions or Azure Pipelines of it.
pub(crate) fn is_command(rest: &[u8]) -> bool {
    let begins = |with: &str| {
        rest.get(..with.len()).is_some_and(|head| head.eq_ignore_ascii_case(with.as_bytes()))
    };
    begins("#[") || begins("#vso[")
}

/// Whether a line makes a command to GitHub Actions: indentation does not keep it from being one.
pub(crate) fn is_line_command(line: &str) -> bool {
    line.trim_start().starts_with("::")
}

/// Each character with its offset and whether it has to be replaced.
pub(crate) fn judged(text: &str) -> impl Iterator<Item = (usize, char, bool)> {
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

/// A message or a path with what would steer the terminal spelled out, as `\u{202e}`. A line break becomes `\n`.
pub fn escape_terminal(text: &str) -> Cow<'_, str> {
    let command = is_line_command(text).then(|| text.len() - text.trim_start().len());
    if command.is_none() && judged(text).all(|(_, _, hidden)| !hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for (offset, c, hidden) in judged(text) {
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

/// The same for a text of several lines, whose line breaks stay.
pub fn escape_terminal_lines(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(escape_terminal).collect();
    lines.join("\n")
}

/// A name in a property of a command to a build server, with what would steer the terminal spelled out. Line breaks stay: the
/// command has escapes for them, and for the signs of other commands.
pub(crate) fn escape_property(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (_, c, hidden) in judged(text) {
        match c {
            '\t' => out.push_str("\\t"),
            _ if !hidden || matches!(c, '\n' | '\r' | '#') => out.push(c),
            _ => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
        }
    }
    out
}

/// JSON with what would steer the terminal escaped as JSON does: it can still be copied, and means the same. Line breaks
/// stay: they stand between values.
pub fn escape_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for (_, c, hidden) in judged(json) {
        if !hidden || c == '\n' {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
    out
}

/// A piece of a document as it may be shown, as long as the piece in bytes, so that offsets into the one hold for the other.
/// Tabs stay: whoever draws the line makes spaces of them. `covered` says which offsets nobody may see.
pub(crate) fn shown(text: &str, covered: impl Fn(usize) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for (offset, c, hidden) in judged(text) {
        if covered(offset) {
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

/// How many columns a character takes where it is [`shown`], at most: a tab depends on where it stands.
pub(crate) fn columns(c: char) -> usize {
    match effect(c) {
        _ if c == '\t' => 4,
        Effect::Hidden if c.len_utf8() == 4 => 2,
        Effect::Hidden => 1,
        _ => c.width().unwrap_or(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_and_direction_characters_are_spelt_out() {
        assert_eq!(escape_terminal("a\u{1b}[31m\u{202e}b\n"), "a\\u{1b}[31m\\u{202e}b\\n");
    }

    #[test]
    fn commands_to_build_servers_are_spelt_out() {
        assert_eq!(escape_terminal("  ::error::x"), "  \\u{3a}:error::x");
        assert_eq!(escape_terminal("a ::error::x"), "a ::error::x");
        assert_eq!(
            escape_terminal("see ##vso[x] ###[y] ##VSO[z]"),
            "see #\\u{23}vso[x] ##\\u{23}[y] #\\u{23}VSO[z]"
        );
        assert_eq!(escape_terminal("## [link] ##v #["), "## [link] ##v #[");
        assert_eq!(shown("##vso[x]", |_| false), "#?vso[x]");
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
    fn joiners_stay_where_scripts_need_them() {
        for text in ["क्‍ष", "می‌خواهم", "👨‍👩‍👧"] {
            assert_eq!(escape_terminal(text), text);
        }
        assert_eq!(escape_terminal("to\u{200d}ken"), "to\\u{200d}ken");
    }

    #[test]
    fn a_stand_in_is_as_long_as_what_it_stands_for() {
        let text = "\u{7}\t\u{9b}\u{61c}\u{2066}\u{e0041}é👩\u{200d}x";
        let shown = shown(text, |_| false);
        assert_eq!(shown.len(), text.len());
        assert_eq!(shown, "?\t¿¿\u{fffd}\u{fffd}?é👩\u{fffd}x");
    }

    #[test]
    fn what_is_covered_keeps_its_length() {
        assert_eq!(shown("key: sé\u{1b}", |offset| offset >= 5), "key: ****");
    }
}
