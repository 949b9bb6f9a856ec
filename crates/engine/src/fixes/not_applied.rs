//! Why a fix was not applied.

use voxlint_schema::named;

/// Why a run that was to apply fixes has left one out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum NotApplied {
    /// It is unsafe, and only safe fixes were to be applied.
    NeedsReview,
    /// The run was to change only the files that were named.
    NotNamed,
    /// The file is read to check others, as a stored configuration is.
    Context,
    /// The text may belong to documents that were not checked.
    UncheckedDocuments,
    /// Another document that shares the text would get a new finding.
    SharedText,
    /// A link in the path leads out of the project.
    LinkOutside,
    /// The path is an open file, or one that can be read only once.
    OpenFile,
    /// The file could not be written.
    NotWritten,
    /// There were more fixes than one run applies.
    RunAgain,
    /// Together with the other fixes of the run, it is not proven.
    NotProven,
}

named! {
    NotApplied, "a reason":
    NeedsReview = "needs-review",
    NotNamed = "not-named",
    Context = "context",
    UncheckedDocuments = "unchecked-documents",
    SharedText = "shared-text",
    LinkOutside = "link-outside",
    OpenFile = "open-file",
    NotWritten = "not-written",
    RunAgain = "run-again",
    NotProven = "not-proven",
}

impl NotApplied {
    /// The reason in a few words, for people.
    ///
    /// ```
    /// use voxlint::fixes::NotApplied;
    ///
    /// assert_eq!(NotApplied::NotWritten.why(), "the file could not be written");
    /// ```
    pub const fn why(self) -> &'static str {
        match self {
            Self::NeedsReview => "needs --unsafe-fixes",
            Self::NotNamed => "the file was not named",
            Self::Context => "the file is only read to check others",
            Self::UncheckedDocuments => "documents that were not checked may use the text",
            Self::SharedText => "a document that shares the text would get a new finding",
            Self::LinkOutside => "a link leads out of the project or into a folder of git",
            Self::OpenFile => "an open file is not changed",
            Self::NotWritten => "the file could not be written",
            Self::RunAgain => "run voxlint again to fix the rest",
            Self::NotProven => "the result would have a new error",
        }
    }
}
