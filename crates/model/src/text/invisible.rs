//! Characters that readers cannot see, and whether their neighbors explain them.

use std::ops::Range;

use memchr::memmem;
use voxlint_syntax::Invisible;

use super::mojibake::mojibake;
use super::unusual::is_unusual;

/// An invisible character where no script and no emoji needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unexpected {
    /// Where it is in the text.
    pub range: Range<usize>,
    /// The character.
    pub character: char,
}

impl Unexpected {
    /// The name of the character, with its article.
    pub fn name(&self) -> &'static str {
        match self.character {
            '\u{ad}' => "a soft hyphen",
            '\u{200b}' => "a zero-width space",
            '\u{200c}' => "a zero-width non-joiner",
            '\u{200d}' => "a zero-width joiner",
            '\u{200e}' => "a left-to-right mark",
            '\u{200f}' => "a right-to-left mark",
            '\u{202d}' | '\u{202e}' => "a bidirectional override",
            '\u{202a}'..='\u{202c}' | '\u{2066}'..='\u{2069}' | '\u{61c}' => {
                "a bidirectional control"
            }
            '\u{2028}' => "a line separator",
            '\u{2029}' => "a paragraph separator",
            '\u{2060}' => "a word joiner",
            '\u{feff}' => "a byte order mark",
            '\u{e0000}'..='\u{e007f}' => "a tag character",
            _ if self.character.is_control() => "a control character",
            _ if is_selector(self.character) => "a variation selector",
            _ => "an invisible character",
        }
    }

    /// Whether the characters after this one are shown in another order than they are stored.
    pub const fn reverses_text(&self) -> bool {
        matches!(self.character, '\u{202d}' | '\u{202e}')
    }
}

/// The invisible characters of a text that do not belong where they are.
pub fn unexpected(text: &str) -> Vec<Unexpected> {
    let mut found = Vec::new();
    let mut is_right_to_left = None;
    let mut flag_until = 0;
    for (at, character) in text.char_indices() {
        let is_invisible =
            is_unusual(character) && (character.is_control() || Invisible::of(character).is_some());
        if !is_invisible || at < flag_until {
            continue;
        }
        let end = at + character.len_utf8();
        let (before, rest) = text.split_at_checked(at).unwrap_or_default();
        let (_, after) = text.split_at_checked(end).unwrap_or_default();
        let is_expected = match character {
            '\u{200e}'
            | '\u{200f}'
            | '\u{61c}'
            | '\u{202a}'..='\u{202c}'
            | '\u{2066}'..='\u{2069}' => {
                *is_right_to_left.get_or_insert_with(|| text.chars().any(is_written_right_to_left))
            }
            '\u{e0020}'..='\u{e007f}' => {
                let length = flag_tags(before, rest);
                flag_until = at + length.unwrap_or_default();
                length.is_some()
            }
            _ => is_expected_between(character, before, after),
        };
        if !is_expected {
            found.push(Unexpected { range: at..end, character });
        }
    }
    // In a variable, such a character makes another name, and is reported as such.
    let mut mustaches = Mustaches { text, at: 0, is_open: false };
    found.retain(|it| !mustaches.contain(it.range.start) || it.reverses_text());
    // Mojibake contains control characters and soft hyphens, and is reported as such.
    if found.iter().any(|it| matches!(it.character, '\u{80}'..='\u{ad}')) {
        let garbled = mojibake(text);
        found.retain(|it| {
            let after = garbled.partition_point(|garbled| garbled.range.end <= it.range.start);
            garbled.get(after).is_none_or(|garbled| it.range.start < garbled.range.start)
        });
    }
    found
}

/// The parts of a text between `{{` and `}}`, searched from its start on.
struct Mustaches<'t> {
    text: &'t str,
    /// The offset up to which the text has been searched.
    at: usize,
    is_open: bool,
}

impl Mustaches<'_> {
    /// Whether an offset, which is not before the last one, is in one of them.
    fn contain(&mut self, offset: usize) -> bool {
        let passed = self.text.get(self.at..offset).unwrap_or_default().as_bytes();
        match (memmem::rfind(passed, b"{{"), memmem::rfind(passed, b"}}")) {
            (None, None) => {}
            (opened, closed) => self.is_open = opened > closed,
        }
        self.at = offset;
        self.is_open
    }
}

/// Whether the text before and after an invisible character explains it.
fn is_expected_between(character: char, before: &str, after: &str) -> bool {
    let (last, next) = (before.chars().next_back(), after.chars().next());
    let touches = |is_it: fn(char) -> bool| last.is_some_and(is_it) || next.is_some_and(is_it);
    match character {
        '\u{200d}' if touches(is_symbol) => {
            let base = before.chars().rev().find(|c| !is_selector(*c));
            base.is_some_and(is_symbol) && next.is_some_and(is_symbol)
        }
        // Joiners, places to break lines, and fillers.
        '\u{200b}'..='\u{200d}'
        | '\u{2060}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{3164}'
        | '\u{ffa0}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' => touches(is_of_other_script),
        '\u{34f}' => touches(is_mark),
        '\u{e0100}'..='\u{e01ef}' => last.is_some_and(is_of_other_script),
        _ if is_selector(character) => {
            last.is_some_and(|c| is_symbol(c) || is_of_other_script(c) || has_keycap(c))
        }
        _ => false,
    }
}

/// The length of the tags at the start of `rest`, if they spell the region of a flag: a black flag, tags, and the end of them.
fn flag_tags(before: &str, rest: &str) -> Option<usize> {
    const FLAG: char = '\u{1f3f4}';
    const END: char = '\u{e007f}';
    let is_region = |c: &char| matches!(c, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}');
    let region = rest.chars().take_while(is_region).count();
    let has_end = rest.chars().nth(region) == Some(END);
    let is_flag = before.ends_with(FLAG) && (3..=6).contains(&region) && has_end;
    is_flag.then(|| (region + 1) * END.len_utf8())
}

const fn is_selector(character: char) -> bool {
    matches!(Invisible::of(character), Some(Invisible::Selector))
}

/// Letters of scripts that need characters which cannot be seen: all but Latin, Greek, Cyrillic and their like.
const fn is_of_other_script(character: char) -> bool {
    matches!(
        character,
        '\u{590}'..='\u{1fff}'
            | '\u{3001}'..='\u{d7ff}'
            | '\u{f900}'..='\u{fdff}'
            | '\u{fe70}'..='\u{fefc}'
            | '\u{ff66}'..='\u{ffdc}'
            | '\u{10000}'..='\u{1efff}'
            | '\u{20000}'..='\u{3ffff}'
    )
}

/// Letters that are written from right to left.
const fn is_written_right_to_left(character: char) -> bool {
    matches!(
        character,
        '\u{590}'..='\u{61b}'
            | '\u{61d}'..='\u{8ff}'
            | '\u{fb1d}'..='\u{fdff}'
            | '\u{fe70}'..='\u{fefc}'
            | '\u{10800}'..='\u{10fff}'
            | '\u{1e800}'..='\u{1eeff}'
    )
}

/// Marks that are drawn on the letter before them.
const fn is_mark(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}')
}

/// Emoji, and symbols that have a form as emoji or a second form in mathematics.
const fn is_symbol(character: char) -> bool {
    matches!(
        character,
        '©' | '®'
            | '‼'
            | '⁉'
            | '\u{20e3}'
            | '\u{2100}'..='\u{2bff}'
            | '\u{3030}'
            | '\u{303d}'
            | '\u{3297}'
            | '\u{3299}'
            | '\u{1f000}'..='\u{1fbff}'
    )
}

/// Characters that have a form as a key of a telephone: 1️⃣.
const fn has_keycap(character: char) -> bool {
    matches!(character, '0'..='9' | '#' | '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<char> {
        unexpected(text).into_iter().map(|it| it.character).collect()
    }

    #[test]
    fn scripts_and_emoji_have_the_characters_that_they_need() {
        for text in [
            "क्‍ष और श्‍री, र्‍य",
            "می‌خواهم تماس بگیرم",
            "ශ්‍රී ලංකාව",
            "Family 👨‍👩‍👧‍👦, ❤️‍🔥, 👩🏽‍⚕️, 🏳️‍🌈, 1️⃣ and #️⃣",
            "Go \u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}!",
            "הזמנה \u{200e}AB-12\u{200e} אושרה",
            "رقم \u{2066}+1 415\u{2069}",
            "สวัสดี\u{200b}ครับ",
            "葛\u{e0100}飾区",
            "™️ and ©️ and ↔️ and ∩︀",
            "tabs\tand\r\nlines",
            "no-break\u{a0}space, narrow\u{202f}space",
            "a variable {{na\u{200b}me}} of another name",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }

    #[test]
    fn others_are_unexpected() {
        for (text, characters) in [
            ("Hello\u{200b} there", "\u{200b}"),
            ("\u{feff}Hello", "\u{feff}"),
            ("tele\u{ad}phone", "\u{ad}"),
            ("pay\u{200d}ment and or\u{200c}der", "\u{200d}\u{200c}"),
            ("to \u{202e}drawkcab\u{202c} text", "\u{202e}\u{202c}"),
            ("مرحبا \u{202e}x", "\u{202e}"),
            ("plain \u{200e}text", "\u{200e}"),
            ("hidden\u{e0068}\u{e0069}", "\u{e0068}\u{e0069}"),
            ("\u{1f3f4}\u{e0067}\u{e0062}", "\u{e0067}\u{e0062}"),
            ("smile😀\u{e0041}\u{e0042}\u{e007f}", "\u{e0041}\u{e0042}\u{e007f}"),
            ("a\u{fe0f} and b\u{e0101}", "\u{fe0f}\u{e0101}"),
            ("bell\u{7} and \u{85}", "\u{7}\u{85}"),
            ("line\u{2028}break", "\u{2028}"),
        ] {
            assert_eq!(found(text), characters.chars().collect::<Vec<_>>(), "{text:?}");
        }
    }
}
