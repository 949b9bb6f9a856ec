//! The interface of every output format.

use std::io::{self, Write};

use crate::escaping_writer::EscapingWriter;
use crate::located::LocatedDocument;
use crate::run::{RunInfo, RunOutcome};

/// An output format: how the findings of a run are written, document by document.
pub(crate) trait Emitter {
    /// Adds the next document of the run. `is_further`: it is in the same file as the document before it.
    ///
    /// # Errors
    ///
    /// Any error of `out`.
    fn add(
        &mut self,
        out: &mut Output<'_>,
        document: LocatedDocument,
        is_further: bool,
    ) -> io::Result<()>;

    /// Adds why a document, the one with this number in its file, was not checked. Most formats list it at the end.
    ///
    /// # Errors
    ///
    /// Any error of `out`.
    fn add_unchecked(
        &mut self,
        out: &mut Output<'_>,
        path: &str,
        index: u64,
        why: &str,
    ) -> io::Result<()> {
        let _ = (out, path, index, why);
        Ok(())
    }

    /// Writes what does not depend on a document, because the next one may not be there for a while.
    ///
    /// # Errors
    ///
    /// Any error of `out`.
    fn pause(&mut self, out: &mut Output<'_>) -> io::Result<()> {
        let _ = out;
        Ok(())
    }

    /// Writes the rest of the output. The formats for people write nothing, because the summary is on another stream.
    ///
    /// # Errors
    ///
    /// Any error of `out`.
    fn finish(&mut self, out: &mut Output<'_>, outcome: &RunOutcome<'_>) -> io::Result<()> {
        let _ = (out, outcome);
        Ok(())
    }
}

/// Who escapes characters that steer a terminal, and commands to a build server.
#[derive(Clone, Copy)]
pub(crate) enum Escaping {
    /// The writer, as JSON escapes.
    Json,
    /// The writer, as XML character references.
    Xml,
    /// The emitter itself.
    ByEmitter,
}

/// The stream of a report, and the run that it is about. What is written to it is escaped as the format needs it.
pub(crate) struct Output<'a> {
    pub(crate) stream: &'a mut dyn Write,
    pub(crate) escaping: Escaping,
    pub(crate) run: &'a RunInfo<'a>,
}

impl Output<'_> {
    /// Writes a text that has been escaped already.
    pub(crate) fn write_escaped(&mut self, text: &[u8]) -> io::Result<()> {
        self.stream.write_all(text)
    }
}

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self.escaping {
            Escaping::Json => EscapingWriter::json(self.stream).write_all(bytes),
            Escaping::Xml => EscapingWriter::xml(self.stream).write_all(bytes),
            Escaping::ByEmitter => self.stream.write_all(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
