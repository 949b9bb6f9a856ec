//! The places of a name.

use voxlint::Origin;
use voxlint::syntax::Span;

/// What has a name that is written in several places.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Name {
    /// A template variable.
    Variable(String),
    /// A function of the agent.
    Function(String),
}

impl Name {
    /// The name itself.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Variable(name) | Self::Function(name) => name,
        }
    }
}

/// A place where a name is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamePlace {
    /// The text that it is in.
    pub origin: Origin,
    /// The name, without brackets and quotes.
    pub span: Span,
    /// What it is there.
    pub role: PlaceRole,
}

/// What a name is at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlaceRole {
    /// The name of a default, or the `displayName` of a function.
    Definition,
    /// A use in a template, or a mention of a function: in code marks, or where a prompt calls it.
    Use,
    /// A word that is written like the name of a function and need not mean it. A rename leaves it.
    Possible,
}

pub(super) const fn is_editable(origin: Origin) -> bool {
    matches!(origin, Origin::Document | Origin::Text(_))
}
