//! HTML escaping.

/// What `{{name}}` renders in place of a character of the value; `None` if it renders the character itself.
///
/// ```
/// use voxlint_template::html_escape;
///
/// assert_eq!(html_escape('&'), Some("&amp;"));
/// assert_eq!(html_escape('a'), None);
/// ```
pub const fn html_escape(character: char) -> Option<&'static str> {
    match character {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        '\'' => Some("&#x27;"),
        '`' => Some("&#x60;"),
        '=' => Some("&#x3D;"),
        _ => None,
    }
}
