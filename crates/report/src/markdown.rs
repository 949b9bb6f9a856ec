//! Texts of documents in GitHub's Markdown.

use std::fmt::Write as _;

use crate::escape::escape_terminal;

/// Longer texts are truncated to this many characters.
const MAX_TEXT: usize = 300;

const BACKTICK: &str = "&#96;";

/// A text on one line, truncated.
pub(crate) fn cell(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => escaped(&format!("{}…", text.get(..end).unwrap_or_default())),
        None => escaped(text),
    }
}

/// A text in which everything special to Markdown, HTML or GitHub is a character reference.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in escape_terminal(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '`' => out.push_str(BACKTICK),
            '|' | '\\' | '*' | '_' | '[' | ']' | '~' | '#' | '@' | ':' | '!' | '$' | '"' | '{'
            | '}' | '^' | '+' | '=' => {
                // Writing to a string cannot fail.
                let _ = write!(out, "&#{};", u32::from(c));
            }
            // `www.` would start a link.
            '.' if out.ends_with(['w', 'W']) => out.push_str("&#46;"),
            _ => out.push(c),
        }
    }
    out
}

/// Shows text between backticks as code.
pub(crate) fn with_code(escaped: &str) -> String {
    let mut pieces = escaped.split(BACKTICK);
    let mut out = pieces.next().unwrap_or_default().to_owned();
    while let Some(piece) = pieces.next() {
        if let Some(after) = pieces.next() {
            // Writing to a string cannot fail.
            let _ = write!(out, "<code>{piece}</code>{after}");
        } else {
            out.push_str(BACKTICK);
            out.push_str(piece);
        }
    }
    out
}

/// A sentence in a comment, truncated, with code between backticks. GitHub notifies people and links issues that a comment
/// names, even by character references, but not across two nodes of HTML and not in code.
pub(crate) fn comment(text: &str) -> String {
    let mut out = String::new();
    for (index, part) in with_code(&cell(text)).split("<code>").enumerate() {
        let (code, rest) = match part.split_once("</code>") {
            Some((code, rest)) if index > 0 => (Some(code), rest),
            _ => (None, part),
        };
        if let Some(code) = code {
            // Writing to a string cannot fail.
            let _ = write!(out, "<code>{code}</code>");
        }
        out.push_str(&rest.replace("&#64;", "&#64;<!-- -->").replace("&#35;", "&#35;<!-- -->"));
    }
    out
}

/// A text in a comment as code, truncated.
pub(crate) fn code(text: &str) -> String {
    format!("<code>{}</code>", cell(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_person_is_mentioned_and_no_issue_is_linked() {
        assert_eq!(
            comment("`@ada` and @team/ops in #7"),
            "<code>&#64;ada</code> and &#64;<!-- -->team/ops in &#35;<!-- -->7"
        );
        assert_eq!(comment("one ` alone @x"), "one &#96; alone &#64;<!-- -->x");
    }
}
