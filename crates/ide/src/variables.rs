use std::fmt;

use voxlint::syntax::Span;
use voxlint::{Inputs, Origin, TextEdit};

use crate::File;

/// A place of a template variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The text that it is in.
    pub origin: Origin,
    /// The name.
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

/// Why a template variable cannot be renamed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RenameError {
    /// The new name is not a name.
    NotAName(String),
    /// Another variable has the name.
    Taken(String),
    /// A place spells the name in a way that cannot be changed.
    Spelling(Place),
}

impl fmt::Display for RenameError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAName(name) => write!(formatter, "`{name}` is not a valid name of a variable"),
            Self::Taken(name) => write!(formatter, "there is already a variable `{name}`"),
            Self::Spelling(_) => formatter.write_str("one place spells the name with escapes"),
        }
    }
}

impl std::error::Error for RenameError {}

/// The template variable at an offset, and its name there: a use in a template, or the name of a default.
pub fn variable_at(_file: File<'_>, _offset: u32) -> Option<(String, Span)> {
    None
}

/// All places of a template variable, over all texts of the inputs, each once and in order.
pub fn occurrences(_inputs: &Inputs, _name: &str) -> Vec<Place> {
    Vec::new()
}

/// The edits that rename a template variable everywhere. The stored configuration and the facts are never edited.
///
/// # Errors
///
/// Says why the variable cannot be renamed.
pub fn rename(
    _inputs: &Inputs,
    _name: &str,
    _to: &str,
) -> Result<Vec<(Origin, TextEdit)>, RenameError> {
    Ok(Vec::new())
}
