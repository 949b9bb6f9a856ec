//! The rules that a configuration treats specially.

/// A document that cannot be read completely. Selecting other rules does not turn it off.
pub const SYNTAX_ERROR: &str = "syntax-error";

/// The rule with the option `allow`.
pub(crate) const UNKNOWN_FIELD: &str = "unknown-field";

/// A key that is missing. One that is misspelled is not also missing.
pub(crate) const MISSING_FIELD: &str = "missing-field";

/// A value of another type than the table of keys states.
pub(crate) const WRONG_TYPE: &str = "wrong-type";

/// A suppression that hides nothing.
pub(crate) const UNUSED_SUPPRESSION: &str = "unused-suppression";

/// A suppression whose last day is over.
pub(crate) const EXPIRED_SUPPRESSION: &str = "expired-suppression";

/// A suppression comment that cannot be followed.
pub(crate) const MALFORMED_SUPPRESSION: &str = "malformed-suppression";
