//! Escapes reports for other tools, so that they cannot steer a terminal or a build server whose log shows them.

use std::io::{self, Write};

use crate::escape::terminal_chars;

/// A stream of JSON or XML in which characters that steer a terminal or are invisible are written as references. So is the
/// second character of `##[` and `##vso[`, which build servers run anywhere in a line. The references mean the same to every
/// reader of the format.
pub(crate) struct EscapingWriter<'o> {
    out: &'o mut dyn Write,
    write_reference: fn(&mut dyn Write, char) -> io::Result<()>,
}

impl<'o> EscapingWriter<'o> {
    pub(crate) const fn json(out: &'o mut dyn Write) -> Self {
        Self { out, write_reference: |out, c| json_reference(out, c) }
    }

    pub(crate) const fn xml(out: &'o mut dyn Write) -> Self {
        Self { out, write_reference: xml_reference }
    }
}

fn json_reference<W: ?Sized + Write>(out: &mut W, c: char) -> io::Result<()> {
    c.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| write!(out, "\\u{unit:04x}"))
}

fn xml_reference(out: &mut dyn Write, c: char) -> io::Result<()> {
    write!(out, "&#{};", u32::from(c))
}

/// Whether no character of a chunk can need a reference: the usual case, found without the neighbors of each character.
fn is_plain(bytes: &[u8]) -> bool {
    // Without an early end within a piece, so that its bytes are compared at once.
    let are_plain = |piece: &[u8]| {
        let others = |byte: &u8| u8::from(!matches!(byte, 0..=b'"' | b'$'..=b'~'));
        piece.iter().map(others).fold(0, |any, other| any | other) == 0
    };
    bytes.chunks(64).all(are_plain)
}

/// Writes a part of a JSON string that needs no escapes of JSON, with references where it has to be escaped for a terminal.
pub(crate) fn write_json_fragment<W: ?Sized + Write>(out: &mut W, text: &str) -> io::Result<()> {
    write_escaped(out, text, json_reference)
}

fn write_escaped<W: ?Sized + Write>(
    out: &mut W,
    text: &str,
    write_reference: impl Fn(&mut W, char) -> io::Result<()>,
) -> io::Result<()> {
    if is_plain(text.as_bytes()) {
        return out.write_all(text.as_bytes());
    }
    // Whether a character is escaped depends on its neighbors, but not across a space: texts in other languages than English
    // are mostly plain words.
    for word in text.split_inclusive(' ') {
        if is_plain(word.as_bytes()) {
            out.write_all(word.as_bytes())?;
        } else {
            write_escaped_word(out, word, &write_reference)?;
        }
    }
    Ok(())
}

fn write_escaped_word<W: ?Sized + Write>(
    out: &mut W,
    word: &str,
    write_reference: impl Fn(&mut W, char) -> io::Result<()>,
) -> io::Result<()> {
    let mut rest = word;
    for (offset, c, hidden) in terminal_chars(word) {
        // ASCII control characters belong to the layout: the writers of both formats leave none in a text.
        if !hidden || c < ' ' {
            continue;
        }
        let (before, after) = rest.split_at(offset - (word.len() - rest.len()));
        out.write_all(before.as_bytes())?;
        write_reference(out, c)?;
        rest = after.get(c.len_utf8()..).unwrap_or_default();
    }
    out.write_all(rest.as_bytes())
}

impl Write for EscapingWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    /// The writers of both formats write unescaped text in one chunk, so no character or command is split.
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match std::str::from_utf8(bytes) {
            Ok(text) => write_escaped(self.out, text, |out, c| (self.write_reference)(out, c)),
            Err(_) => self.out.write_all(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_escaped_as_in_their_text() {
        // Joiners and selectors depend on the characters beside them.
        let characters =
            [' ', 'a', '#', '[', '\u{200d}', '\u{fe0f}', '👩', 'क', '\u{301}', '\u{202e}'];
        for a in characters {
            for b in characters {
                for c in characters {
                    let text: String = ['x', a, b, c, 'y'].iter().collect();
                    let (mut by_words, mut at_once) = (Vec::new(), Vec::new());
                    write_json_fragment(&mut by_words, &text).unwrap();
                    write_escaped_word(&mut at_once, &text, json_reference).unwrap();
                    assert_eq!(by_words, at_once, "{text:?}");
                }
            }
        }
    }
}
