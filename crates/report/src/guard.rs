//! Keeps reports for other tools from steering a terminal, or the build server whose log they are printed in.

use std::io::{self, Write};

use crate::escape::judged;

/// A stream of JSON or XML in which characters that steer a terminal or cannot be seen are written as references, and so is
/// the second sign of `##[` and `##vso[`, which build servers obey wherever they stand in a line. The references mean the
/// same to every reader of the format.
pub(crate) struct Guard<'o> {
    out: &'o mut dyn Write,
    refer: fn(&mut dyn Write, char) -> io::Result<()>,
}

impl<'o> Guard<'o> {
    pub(crate) const fn json(out: &'o mut dyn Write) -> Self {
        Self { out, refer: refer_in_json }
    }

    pub(crate) const fn xml(out: &'o mut dyn Write) -> Self {
        Self { out, refer: refer_in_xml }
    }
}

fn refer_in_json(out: &mut dyn Write, c: char) -> io::Result<()> {
    c.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| write!(out, "\\u{unit:04x}"))
}

fn refer_in_xml(out: &mut dyn Write, c: char) -> io::Result<()> {
    write!(out, "&#{};", u32::from(c))
}

/// Whether nothing in a piece needs a reference: the usual case, told without a look at each character's neighbours.
fn is_plain(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte < 0x7f && *byte != b'#')
}

impl Write for Guard<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    /// The writers of both formats hand over at once what they need not escape, so neither a character nor a command is ever
    /// in two pieces. ASCII control characters belong to the layout: neither writer leaves one in a text.
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(text) = std::str::from_utf8(bytes).ok().filter(|_| !is_plain(bytes)) else {
            return self.out.write_all(bytes);
        };
        let mut rest = text;
        for (offset, c, hidden) in judged(text) {
            if !hidden || c < ' ' {
                continue;
            }
            let (before, after) = rest.split_at(offset - (text.len() - rest.len()));
            self.out.write_all(before.as_bytes())?;
            (self.refer)(self.out, c)?;
            rest = after.get(c.len_utf8()..).unwrap_or_default();
        }
        self.out.write_all(rest.as_bytes())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
