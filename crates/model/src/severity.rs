//! How certain and how severe a finding is, and how safe a fix.

use voxlint_schema::named;

/// What the service would do with the document because of one finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VerdictKind {
    /// It rejects the document under every plausible reading of its description.
    Reject,
    /// It rejects the document under some reading, or depending on something unknown.
    Possible,
    /// It accepts the document, which is probably still not what the author meant.
    Advice,
}

named! {
    VerdictKind, "a verdict":
    Reject = "reject",
    Possible = "possible",
    Advice = "advice",
}

/// The severity of a finding. Errors fail a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// For information.
    Info,
    /// Probably a mistake. Fails a strict run.
    Warning,
    /// Fails the run.
    Error,
}

named! {
    Severity, "a severity":
    Info = "info",
    Warning = "warning",
    Error = "error",
}

/// Whether a fix keeps the document's meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Safety {
    /// The service reads the document as before.
    Safe,
    /// The meaning changes, so the fix needs a review.
    Unsafe,
}

named! {
    Safety, "a safety of a fix":
    Safe = "safe",
    Unsafe = "unsafe",
}
