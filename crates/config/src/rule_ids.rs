//! The rules that a configuration names.

/// The rule for documents that cannot be read completely. Selecting other rules does not turn it off.
pub const SYNTAX_ERROR: &str = "syntax-error";

/// The rule with the option `allow`.
pub(crate) const UNKNOWN_FIELD: &str = "unknown-field";
