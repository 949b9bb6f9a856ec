//! The rules that a configuration names.

use voxlint::rules::ids;

/// The rule for documents that cannot be read completely. Selecting other rules does not turn it off.
pub const SYNTAX_ERROR: &str = ids::SYNTAX_ERROR;

/// The rule with the option `allow`.
pub(crate) const UNKNOWN_FIELD: &str = ids::UNKNOWN_FIELD;
