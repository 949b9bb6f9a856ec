//! The interface of every output format.

use std::io;

use crate::located::LocatedDocument;
use crate::run::{RunInfo, RunOutcome};

/// Writes the findings of a run in one format.
pub(crate) trait Emitter {
    /// Takes the next document of the run. `is_further`: it is in the same file as the one before.
    ///
    /// # Errors
    ///
    /// Any error of `out`.
    fn write_document(
        &mut self,
        out: &mut dyn io::Write,
        run: &RunInfo<'_>,
        document: LocatedDocument,
        is_further: bool,
    ) -> io::Result<()>;

    /// Writes the rest of the output.
    ///
    /// # Errors
    ///
    /// Any error of `out`.
    fn finish(
        &mut self,
        out: &mut dyn io::Write,
        run: &RunInfo<'_>,
        outcome: &RunOutcome<'_>,
    ) -> io::Result<()>;
}
