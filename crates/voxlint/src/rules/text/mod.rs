//! Rules about what a string says, once it is a string that its row allows. They look at different things, so each of them
//! may object.

mod boosted_keyword_character;
mod boosted_keyword_too_long;
mod boosted_keywords_too_long;
mod too_many_boosted_keywords;
mod variable_in_system_prompt;

use crate::Rule;

pub(crate) static RULES: &[&Rule] = &[
    &variable_in_system_prompt::RULE,
    &boosted_keyword_character::RULE,
    &boosted_keyword_too_long::RULE,
    &too_many_boosted_keywords::RULE,
    &boosted_keywords_too_long::RULE,
];
