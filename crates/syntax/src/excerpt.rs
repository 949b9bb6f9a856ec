use crate::invisible::is_invisible;

/// The beginning of a text for a message: at most `limit` characters on one line, with control characters and invisible
/// characters escaped.
///
/// ```
/// use voxlint_syntax::excerpt;
///
/// assert_eq!(excerpt("Cascaded", 40), "Cascaded");
/// assert_eq!(excerpt("one\ntwo", 5), "one\\u{a}t…");
/// ```
pub fn excerpt(text: &str, limit: usize) -> String {
    let mut shown = String::new();
    for (count, character) in text.chars().enumerate() {
        if count == limit {
            shown.push('…');
            break;
        }
        if is_spelled_out(character) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Joiners are not escaped: Hindi and emoji need them.
fn is_spelled_out(character: char) -> bool {
    let is_joiner = matches!(character, '\u{200c}' | '\u{200d}');
    let is_mark_or_tag = matches!(character, '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    character.is_control() || is_mark_or_tag || (is_invisible(character) && !is_joiner)
}
