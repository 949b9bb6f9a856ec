use std::fmt;

use voxlint::Origin;
use voxlint::syntax::Span;

/// Why a template variable or a function cannot be renamed, as one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenameError {
    pub(super) message: String,
    /// The text that keeps the name from being changed, and the place in it if one place does.
    pub place: Option<(Origin, Option<Span>)>,
    /// Whether nothing has the old name.
    pub is_unknown: bool,
}

impl RenameError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), place: None, is_unknown: false }
    }

    pub(super) fn at(self, origin: Origin, span: impl Into<Option<Span>>) -> Self {
        Self { place: Some((origin, span.into())), ..self }
    }

    /// The service provides the variable of the old or the new name.
    pub(super) fn of_service(name: &str) -> Self {
        Self::new(format!("the service provides `{name}` itself; choose another name"))
    }

    /// The service reads the default of this name as a setting.
    pub(super) fn setting(name: &str) -> Self {
        Self::new(format!("`{name}` is a setting of the service, not a variable"))
    }

    /// The new name is not one that a template can use, or not in every place.
    pub(super) fn not_a_variable(name: &str) -> Self {
        Self::new(format!(
            "`{name}` cannot be the name of this variable; use letters, digits and `_`"
        ))
    }

    /// The stored configuration has a use or the only default, and is not edited.
    pub(super) fn stored() -> Self {
        Self::new(
            "the stored configuration also has the name, and the document does not replace it there",
        )
    }

    /// A place spells the name with escapes, over several lines, or in a way that has no room for the new name.
    pub(super) fn spelling() -> Self {
        Self::new(
            "one place spells the name in a way that cannot be changed, such as with escapes or without quotes; change it by hand",
        )
    }

    /// With the new name, a text would say something else.
    pub(super) fn changes_meaning(name: &str, to: &str) -> Self {
        Self::new(format!(
            "with `{to}` in place of `{name}`, a text would have another meaning; choose another name"
        ))
    }
}

impl fmt::Display for RenameError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for RenameError {}
