//! The interface of every output format.

use std::io::{self, Write};

use crate::located::LocatedDocument;
use crate::run::{RunInfo, RunOutcome};

/// Writes the findings of a run in one format.
pub(crate) trait Emitter {
    /// Takes the next document of the run.
    ///
    /// # Errors
    ///
    /// Any error of `out`.
    fn document(&mut self, out: &mut Output<'_>, document: LocatedDocument) -> io::Result<()>;

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

/// The stream of a report, and the run that it is about.
pub(crate) struct Output<'a> {
    pub(crate) stream: &'a mut dyn Write,
    pub(crate) run: &'a RunInfo<'a>,
}

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
