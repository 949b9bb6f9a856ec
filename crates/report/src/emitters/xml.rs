//! XML 1.0, which cannot represent every character. The templates of XML formats pass every text through `attribute` or `content`.

use std::fmt::Write as _;
use std::io;

use askama::Template;

use crate::escape::{escape_xml, is_line_command};

/// Writes a document, which ends with a line break.
pub(crate) fn write_document(out: &mut dyn io::Write, document: &impl Template) -> io::Result<()> {
    let document = document.render().map_err(io::Error::other)?;
    writeln!(out, "{document}")
}

/// A text with the characters that XML 1.0 cannot represent spelled out, as `\u{7}`.
pub(crate) fn allowed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_forbidden(c) {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

const fn is_forbidden(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

fn escaped(text: &str, is_attribute: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in allowed(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if is_attribute => out.push_str("&quot;"),
            // Readers would make a space of a line break or a tab in an attribute.
            '\n' | '\t' if is_attribute => out.push_str(if c == '\n' { "&#10;" } else { "&#9;" }),
            '\r' => out.push_str("&#13;"),
            _ => out.push(c),
        }
    }
    escape_xml(&out)
}

/// A text between double quotes.
pub(crate) fn attribute(text: &str) -> String {
    escaped(text, true)
}

/// A text in an element, without lines that are commands to a build server.
pub(crate) fn content(text: &str) -> String {
    let text = escaped(text, false);
    let lines = text.split('\n').map(|line| match line.split_once(':') {
        Some((indent, rest)) if is_line_command(line) => format!("{indent}&#58;{rest}"),
        _ => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}
