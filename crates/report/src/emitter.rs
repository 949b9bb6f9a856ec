//! The interface of every output format.

use std::any::Any;
use std::io::{self, Write};

use crate::escaping_writer::EscapingWriter;
use crate::located::LocatedDocument;
use crate::run::{RunInfo, RunOutcome};

/// An output format: how the findings of one document are rendered, on any thread, and how those of a run are joined.
pub(crate) trait Emitter {
    /// What a document contributes to the report. It no longer needs the document's text.
    type Page: Send + 'static;

    /// Renders the findings of a document.
    fn page(run: &RunInfo<'_>, document: LocatedDocument<'_>) -> Self::Page;

    /// Adds the next document of the run. `is_further`: it is in the same file as the document before it.
    ///
    /// # Errors
    ///
    /// Any error of `out`.
    fn add(&mut self, out: &mut Output<'_>, page: Self::Page, is_further: bool) -> io::Result<()>;

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

/// The page of some format.
pub(crate) type AnyPage = Box<dyn Any + Send>;

/// An [`Emitter`] of any format.
pub(crate) trait AnyEmitter {
    fn add(&mut self, out: &mut Output<'_>, page: AnyPage, is_further: bool) -> io::Result<()>;

    fn pause(&mut self, out: &mut Output<'_>) -> io::Result<()>;

    fn finish(&mut self, out: &mut Output<'_>, outcome: &RunOutcome<'_>) -> io::Result<()>;
}

impl<E: Emitter> AnyEmitter for E {
    fn add(&mut self, out: &mut Output<'_>, page: AnyPage, is_further: bool) -> io::Result<()> {
        let page = page.downcast().map_err(|_| {
            io::Error::new(io::ErrorKind::InvalidInput, "rendered in another format")
        })?;
        Emitter::add(self, out, *page, is_further)
    }

    fn pause(&mut self, out: &mut Output<'_>) -> io::Result<()> {
        Emitter::pause(self, out)
    }

    fn finish(&mut self, out: &mut Output<'_>, outcome: &RunOutcome<'_>) -> io::Result<()> {
        Emitter::finish(self, out, outcome)
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
