use crate::Invisible;

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
        if is_escaped(character) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Joiners and selectors are not escaped: Hindi and emoji need them.
fn is_escaped(character: char) -> bool {
    let is_hidden = matches!(Invisible::of(character), Some(Invisible::Space | Invisible::Hidden));
    character.is_control() || is_hidden
}
