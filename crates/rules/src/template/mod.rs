//! Rules about one template and its syntax tree.

mod mustache_spacing;
mod template_nested_too_deep;
mod template_rendering_error;
mod template_syntax_error;
mod unknown_helper;

use voxlint_model::Rule;

use crate::check;

pub use template_syntax_error::further as further_syntax_errors;

/// A template cannot be read.
pub static TEMPLATE_SYNTAX_ERROR: &Rule = &template_syntax_error::RULE;
/// A template fails when it is filled in.
pub static TEMPLATE_RENDERING_ERROR: &Rule = &template_rendering_error::RULE;
/// A template calls a helper that does not exist.
pub static UNKNOWN_HELPER: &Rule = &unknown_helper::RULE;

family! {
    check::Template:
    TEMPLATE_SYNTAX_ERROR = template_syntax_error,
    TEMPLATE_NESTED_TOO_DEEP = template_nested_too_deep,
    UNKNOWN_HELPER = unknown_helper,
    TEMPLATE_RENDERING_ERROR = template_rendering_error,
    MUSTACHE_SPACING = mustache_spacing,
}
