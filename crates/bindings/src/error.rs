//! Errors for arguments and inputs that cannot be used, and for bugs of voxlint itself.

use std::fmt;
use std::panic;

use voxlint_project::Failure;

/// An argument that is not one of the allowed values, or an input that cannot be used. Mistakes in a document are findings, never
/// errors. Or a [bug](Self::is_bug) of voxlint, which no caller can avoid.
///
/// The message is a sentence in lower case without a full stop. It may have several lines, one for each input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    message: String,
    is_bug: bool,
}

impl Error {
    /// An error with this message.
    pub fn new(message: impl fmt::Display) -> Self {
        Self { message: message.to_string(), is_bug: false }
    }

    /// Inputs that cannot be used.
    pub(crate) fn of(failures: &[Failure]) -> Self {
        let lines: Vec<String> = failures.iter().map(Failure::to_string).collect();
        Self::new(lines.join("\n"))
    }

    /// A bug of voxlint, which its standard error describes.
    fn bug() -> Self {
        Self { message: INTERNAL_ERROR.to_owned(), is_bug: true }
    }

    /// Whether this is a bug of voxlint, and not wrong use. A binding should raise it as another class of exception.
    pub const fn is_bug(&self) -> bool {
        self.is_bug
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Self::of(&[failure])
    }
}

/// What a failure of the linter itself is called.
pub(crate) const INTERNAL_ERROR: &str =
    "internal error: this is a bug of voxlint, which standard error describes; please report it";

/// Runs something, and turns a panic into an error that [is a bug](Error::is_bug): a panic must not reach the program of a caller.
/// What returns a [`Result`] does this by itself; a binding guards what does not, such as [`Report::to_json`](crate::Report::to_json).
///
/// ```
/// use voxlint_bindings::guarded;
///
/// assert_eq!(guarded(|| 3), Ok(3));
/// let error = guarded(|| assert!("".len() > 1)).expect_err("it panics");
/// assert!(error.is_bug());
/// ```
///
/// # Errors
///
/// If it panics.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Error> {
    panic::catch_unwind(panic::AssertUnwindSafe(work)).map_err(|_| Error::bug())
}
