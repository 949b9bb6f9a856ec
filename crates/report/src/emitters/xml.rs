//! XML 1.0, which cannot represent every character.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io;

use quick_xml::Writer;
use quick_xml::escape::partial_escape;
use quick_xml::events::{BytesDecl, BytesText, Event};

use crate::escape::is_line_command;

/// Begins a document.
pub(crate) fn begin(out: &mut dyn io::Write) -> io::Result<Writer<&mut dyn io::Write>> {
    let mut writer = Writer::new_with_indent(out, b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    Ok(writer)
}

/// A text for an element, without lines that are commands to a build server.
pub(crate) fn content(text: &str) -> BytesText<'static> {
    let text = partial_escape(allowed(text));
    let lines = text.split('\n').map(|line| match line.split_once(':') {
        Some((indent, rest)) if is_line_command(line) => format!("{indent}&#58;{rest}").into(),
        _ => Cow::Borrowed(line),
    });
    BytesText::from_escaped(lines.collect::<Vec<_>>().join("\n"))
}

/// A text with the characters that XML 1.0 cannot represent spelled out, as `\u{7}`.
pub(crate) fn allowed(text: &str) -> Cow<'_, str> {
    if !text.contains(is_forbidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_forbidden(c) {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out.into()
}

const fn is_forbidden(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}
