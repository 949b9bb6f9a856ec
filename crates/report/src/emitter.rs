//! The interface of every output format.

use std::fmt;
use std::io::{self, Write};

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

/// The stream of a report, and the run that it is about. Emitters escape what steers a terminal, and commands to a build server.
pub(crate) struct Output<'a> {
    pub(crate) stream: &'a mut dyn Write,
    pub(crate) run: &'a RunInfo<'a>,
}

impl Output<'_> {
    pub(crate) fn write(&mut self, text: &str) -> io::Result<()> {
        self.stream.write_all(text.as_bytes())
    }

    /// Called by `write!` and `writeln!`.
    pub(crate) fn write_fmt(&mut self, text: fmt::Arguments<'_>) -> io::Result<()> {
        self.stream.write_fmt(text)
    }
}
