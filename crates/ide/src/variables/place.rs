//! The places of a variable.

use voxlint::Origin;
use voxlint::syntax::Span;

/// A place of a template variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariablePlace {
    /// The text that it is in.
    pub origin: Origin,
    /// The name, without brackets and quotes.
    pub span: Span,
    /// What it is there.
    pub role: PlaceRole,
}

/// What a template variable is at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlaceRole {
    /// The name of a default.
    Definition,
    /// A use in a template.
    Use,
}

pub(super) const fn is_editable(origin: Origin) -> bool {
    matches!(origin, Origin::Document | Origin::Text(_))
}
