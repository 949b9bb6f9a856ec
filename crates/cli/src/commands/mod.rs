//! One module a command.

pub(crate) mod baseline;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod diff;
pub(crate) mod explain;
pub(crate) mod facts;
pub(crate) mod init;
pub(crate) mod man;
pub(crate) mod predict;
pub(crate) mod rules;
pub(crate) mod schema;

use std::io;

use crate::Outcome;
use crate::terminal::complain;

/// What a failed write to standard output means: a reader that has seen enough is no failure.
fn after_writing(written: io::Result<()>, outcome: Outcome) -> Outcome {
    match written {
        Ok(()) => outcome,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => outcome,
        Err(error) => {
            complain(&format!("standard output: {error}"));
            Outcome::Failed
        }
    }
}
