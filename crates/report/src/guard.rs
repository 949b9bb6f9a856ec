//! Keeps reports for other tools from giving commands to the build server whose log they are printed in.

use std::io::{self, Write};

use crate::escape::is_command;

/// A stream of JSON or XML in which `##[` and `##vso[`, which build servers obey wherever they stand in a line, are written
/// with a reference for the second sign. They mean the same to every reader of the format.
pub(crate) struct Guard<'o> {
    out: &'o mut dyn Write,
    /// How the format refers to the number sign.
    sign: &'static [u8],
}

impl<'o> Guard<'o> {
    pub(crate) const fn json(out: &'o mut dyn Write) -> Self {
        Self { out, sign: b"\\u0023" }
    }

    pub(crate) const fn xml(out: &'o mut dyn Write) -> Self {
        Self { out, sign: b"&#35;" }
    }
}

impl Write for Guard<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    /// The writers of both formats hand over at once what they need not escape, so a command is never in two pieces.
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut rest = bytes;
        while let Some(at) = rest.windows(2).position(|pair| pair == b"##") {
            let (before, after) = rest.split_at(at + 1);
            self.out.write_all(before)?;
            rest = after;
            if is_command(rest) {
                self.out.write_all(self.sign)?;
                rest = rest.get(1..).unwrap_or_default();
            }
        }
        self.out.write_all(rest)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
