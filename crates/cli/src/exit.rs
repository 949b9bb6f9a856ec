//! How a run ends.

use std::process::ExitCode;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Nothing was found that fails a run.
    Clean,
    /// Findings fail the run.
    Findings,
    /// A part of the run itself failed.
    Failed,
    /// A merge for git failed. Of other codes git would believe that conflicts are marked in the file.
    NotMerged,
}

impl Exit {
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Findings => 1,
            Self::Failed => 2,
            Self::NotMerged => 129,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
