use std::fmt;

use voxlint::syntax::Span;
use voxlint::{GapCause, Origin};

use super::place::VariablePlace;

/// Why a template variable cannot be renamed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RenameError {
    /// There is no variable of the old name.
    Unknown(String),
    /// The new name is not a name that a template can use.
    NotAName(String),
    /// The new name is that of another variable, or of a helper that a template calls.
    Taken(String),
    /// The service provides the variable of the old or the new name.
    OfService(String),
    /// The service reads the default of this name as a setting.
    Setting(String),
    /// The configuration lists the variables that calls provide, and only the old name is among them.
    NotListed {
        /// The old name.
        name: String,
        /// The new name.
        to: String,
    },
    /// Another setting mentions the variable, and it is not known whether the service fills it in there.
    Mentioned {
        /// The old name.
        name: String,
        /// The setting.
        setting: String,
    },
    /// A text has a syntax error, which may hide uses.
    SyntaxError(Origin),
    /// A template may use the variable unnoticed.
    Gap {
        /// The text of the template.
        origin: Origin,
        /// The part of the template.
        span: Span,
        /// Why.
        cause: GapCause,
    },
    /// It depends on the value of a section whether the name there is the variable.
    Unclear(VariablePlace),
    /// The stored configuration has a use or the only default, and is not edited.
    Stored(VariablePlace),
    /// A place spells the name with escapes, over several lines, or in a way that has no room for the new name.
    Spelling(VariablePlace),
    /// With the new name, a text would say something else.
    ChangesMeaning {
        /// The old name.
        name: String,
        /// The new name.
        to: String,
    },
}

impl RenameError {
    /// The text that keeps the variable from being renamed, and the place in it if one place does.
    pub fn place(&self) -> Option<(Origin, Option<Span>)> {
        match self {
            Self::SyntaxError(origin) => Some((*origin, None)),
            Self::Gap { origin, span, .. } => Some((*origin, Some(*span))),
            Self::Unclear(place) | Self::Stored(place) | Self::Spelling(place) => {
                Some((place.origin, Some(place.span)))
            }
            Self::Unknown(_)
            | Self::NotAName(_)
            | Self::Taken(_)
            | Self::OfService(_)
            | Self::Setting(_)
            | Self::NotListed { .. }
            | Self::Mentioned { .. }
            | Self::ChangesMeaning { .. } => None,
        }
    }
}

impl fmt::Display for RenameError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(formatter, "there is no template variable `{name}`"),
            Self::NotAName(name) => write!(
                formatter,
                "`{name}` cannot be the name of this variable; use letters, digits and `_`"
            ),
            Self::Taken(name) => {
                write!(formatter, "`{name}` is already used with another meaning; choose another name")
            }
            Self::OfService(name) => {
                write!(formatter, "the service provides `{name}` itself; choose another name")
            }
            Self::Setting(name) => {
                write!(formatter, "`{name}` is a setting of the service, not a variable")
            }
            Self::NotListed { name, to } => write!(
                formatter,
                "calls provide `{name}`, as `voxlint.toml` says; add `{to}` to its `variables` first"
            ),
            Self::Mentioned { name, setting } => write!(
                formatter,
                "`{setting}` also mentions `{name}`, and it is not known whether the service fills it in there; rename it by hand"
            ),
            Self::SyntaxError(Origin::Text(_)) => {
                formatter.write_str("a text file has a syntax error that may hide uses; fix it first")
            }
            Self::SyntaxError(_) => {
                formatter.write_str("the document has a syntax error that may hide uses; fix it first")
            }
            Self::Gap { cause: GapCause::Error, .. } => {
                formatter.write_str("a template has a syntax error that may hide uses; fix it first")
            }
            Self::Gap { .. } => formatter.write_str(
                "a template reads all variables at once, so some uses are not known; rename it by hand",
            ),
            Self::Unclear(_) => formatter.write_str(
                "inside a section it depends on the section's value whether a name is the variable; write `{{#if …}}` there",
            ),
            Self::Stored(_) => formatter.write_str(
                "the stored configuration also has the variable, and the document does not replace it there",
            ),
            Self::Spelling(_) => formatter.write_str(
                "one place spells the name in a way that cannot be changed, such as with escapes or without quotes; change it by hand",
            ),
            Self::ChangesMeaning { name, to } => write!(
                formatter,
                "with `{to}` in place of `{name}`, a text would have another meaning; choose another name"
            ),
        }
    }
}

impl std::error::Error for RenameError {}
