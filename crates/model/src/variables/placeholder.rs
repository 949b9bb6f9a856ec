//! Variables that are placeholders: a prompt template is copied, and `{{COMPANY_NAME}}` is not replaced.

use super::{KnownVariables, odd_name};
use crate::heard::{Words, words};
use crate::suggest;

/// Whether a name is in capitals, as placeholders of prompt templates are: `FIRMENNAME`, `COMPANY_NAME`.
pub(crate) fn is_in_capitals(name: &str) -> bool {
    let letters = || name.chars().filter(|it| it.is_alphabetic());
    letters().count() >= 4 && letters().all(char::is_uppercase)
}

/// Whether a name stands for that of any variable, as in "Never say `{{variable}}` aloud".
pub fn is_example(name: &str) -> bool {
    static EXAMPLES: Words = words![
        "variable|variables|variablename|nameofvariable|nameofthevariable|yourvariable|somevariable|placeholder|placeholders|\
         placeholdername|platzhalter",
    ];
    EXAMPLES.contains(&suggest::flatten(name))
}

/// Whether a variable is a placeholder that was never filled in. Without known variables, the others of the template tell.
pub fn is_unfilled(
    name: &str,
    known: &KnownVariables<'_>,
    are_others_plain: impl FnOnce() -> bool,
) -> bool {
    let is_one = is_in_capitals(name) && !is_example(name) && odd_name(name).is_none();
    is_one
        && if known.are_listed() || known.has_defaults() {
            is_placeholder(name, known)
        } else {
            known.source(name).is_none() && are_others_plain()
        }
}

/// Whether a name tells that variables are not in capitals.
pub fn is_plain(name: &str) -> bool {
    name.contains(char::is_lowercase)
}

/// Whether an unknown variable is probably a placeholder, as far as the known variables tell: they are not in capitals.
pub fn is_placeholder(name: &str, known: &KnownVariables<'_>) -> bool {
    is_in_capitals(name)
        && known.source(name).is_none()
        && known.nearest(name).is_none()
        && (known.are_listed() || known.has_defaults())
        && !known.own_names().any(is_in_capitals)
}
