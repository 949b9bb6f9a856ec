//! Rules about what a string says, once it is a string that its row allows. They look at different things, so each of them
//! may object.

mod summary_title_too_long;
mod timestamp_malformed;
mod variable_in_system_prompt;

use crate::Rule;

pub(crate) static RULES: &[&Rule] =
    &[&variable_in_system_prompt::RULE, &summary_title_too_long::RULE, &timestamp_malformed::RULE];
