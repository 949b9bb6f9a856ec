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
        Self { out, write_reference: json_reference }
    }

    pub(crate) const fn xml(out: &'o mut dyn Write) -> Self {
        Self { out, write_reference: xml_reference }
    }
}

fn json_reference(out: &mut dyn Write, c: char) -> io::Result<()> {
    c.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| write!(out, "\\u{unit:04x}"))
}

fn xml_reference(out: &mut dyn Write, c: char) -> io::Result<()> {
    write!(out, "&#{};", u32::from(c))
}

/// Whether no character of a chunk can need a reference: the usual case, found without the neighbors of each character.
fn is_plain(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte < 0x7f && *byte != b'#')
}

impl Write for EscapingWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    /// The writers of both formats write unescaped text in one chunk, so no character or command is split. ASCII control
    /// characters belong to the layout: neither writer leaves one in a text.
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(text) = std::str::from_utf8(bytes).ok().filter(|_| !is_plain(bytes)) else {
            return self.out.write_all(bytes);
        };
        let mut rest = text;
        for (offset, c, hidden) in terminal_chars(text) {
            if !hidden || c < ' ' {
                continue;
            }
            let (before, after) = rest.split_at(offset - (text.len() - rest.len()));
            self.out.write_all(before.as_bytes())?;
            (self.write_reference)(self.out, c)?;
            rest = after.get(c.len_utf8()..).unwrap_or_default();
        }
        self.out.write_all(rest.as_bytes())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
