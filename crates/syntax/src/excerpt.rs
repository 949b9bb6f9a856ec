use crate::message::is_invisible;

/// The beginning of a text for a message: at most `limit` characters on one line, with what would steer a terminal or
/// show nothing spelled out.
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
        if character.is_control() || is_invisible(character) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown
}
