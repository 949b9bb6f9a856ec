use std::fmt;

use voxlint::syntax::Span;
use voxlint::{GapCause, Origin};

use super::place::{Name, NamePlace};

/// Why a template variable or a function cannot be renamed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RenameError {
    /// Nothing has the old name.
    Unknown(Name),
    /// It is not known which functions the agent has.
    NoList,
    /// The new name is not a name that a template can use, or that interfaces of language models accept.
    NotAName(Name),
    /// The new name is that of another variable or function, or of a helper that a template calls.
    Taken(Name),
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
    Unclear(NamePlace),
    /// The stored configuration has a use or the only default, and is not edited.
    Stored(NamePlace),
    /// A place spells the name with escapes, over several lines, or in a way that has no room for the new name.
    Spelling(NamePlace),
    /// With the new name, a text would say something else.
    ChangesMeaning {
        /// The old name.
        name: String,
        /// The new name.
        to: String,
    },
}

impl RenameError {
    /// The text that keeps the name from being changed, and the place in it if one place does.
    pub fn place(&self) -> Option<(Origin, Option<Span>)> {
        match self {
            Self::SyntaxError(origin) => Some((*origin, None)),
            Self::NoList => Some((Origin::Document, None)),
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
            Self::Unknown(Name::Variable(name)) => {
                write!(formatter, "there is no template variable `{name}`")
            }
            Self::Unknown(Name::Function(name)) => {
                write!(formatter, "the agent has no function `{name}`")
            }
            Self::NoList => formatter.write_str(
                "it is not known which functions the agent has; provide its stored configuration",
            ),
            Self::NotAName(Name::Variable(name)) => write!(
                formatter,
                "`{name}` cannot be the name of this variable; use letters, digits and `_`"
            ),
            Self::NotAName(Name::Function(name)) => write!(
                formatter,
                "interfaces of language models reject `{name}` as the name of a function; use at most 64 ASCII letters, digits, `_` and `-`"
            ),
            Self::Taken(Name::Variable(name)) => {
                write!(formatter, "`{name}` is already used with another meaning; choose another name")
            }
            Self::Taken(Name::Function(name)) => write!(
                formatter,
                "another function is called `{name}`, perhaps in another spelling; choose another name"
            ),
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
                "the stored configuration also has the name, and the document does not replace it there",
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
