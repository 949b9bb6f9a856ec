//! Errors for arguments and inputs that cannot be used.

use std::fmt;
use std::panic;

use voxlint_project::Failure;

/// An argument that is not one of the allowed values, or an input that cannot be used. Mistakes in a document are findings, never
/// errors.
///
/// The message is a sentence in lower case without a full stop. It may have several lines, one for each input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(String);

impl Error {
    /// An error with this message.
    pub fn new(message: impl fmt::Display) -> Self {
        Self(message.to_string())
    }

    /// Inputs that cannot be used.
    pub(crate) fn of(failures: &[Failure]) -> Self {
        let lines: Vec<String> = failures.iter().map(Failure::to_string).collect();
        Self(lines.join("\n"))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Self::of(&[failure])
    }
}

/// The message for a failure of the linter itself.
pub(crate) const INTERNAL_ERROR: &str = "internal error";

/// Turns a panic into an error, because it must not end the caller's program.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Error> {
    panic::catch_unwind(panic::AssertUnwindSafe(work)).map_err(|_| Error::new(INTERNAL_ERROR))
}
