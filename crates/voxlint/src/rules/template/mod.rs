//! Rules about one template and its syntax tree.

mod mustache_spacing;
mod template_nested_too_deep;
pub(crate) mod template_rendering_error;
mod template_syntax_error;
pub(crate) mod unknown_helper;

use crate::Rule;

pub(crate) use template_syntax_error::{
    RULE as TEMPLATE_SYNTAX_ERROR, further as further_syntax_errors,
};

pub(crate) static RULES: &[&Rule] = &[
    &template_syntax_error::RULE,
    &template_nested_too_deep::RULE,
    &unknown_helper::RULE,
    &template_rendering_error::RULE,
    &mustache_spacing::RULE,
];
