//! Rules about one template and its syntax tree.

mod mustache_spacing;
mod template_nested_too_deep;
pub(crate) mod template_rendering_error;
mod template_syntax_error;
pub(crate) mod unknown_helper;

use crate::rules::check;

pub(crate) use template_syntax_error::{
    RULE as TEMPLATE_SYNTAX_ERROR, further as further_syntax_errors,
};

family! {
    check::Template:
    TEMPLATE_SYNTAX_ERROR = template_syntax_error,
    TEMPLATE_NESTED_TOO_DEEP = template_nested_too_deep,
    UNKNOWN_HELPER = unknown_helper,
    TEMPLATE_RENDERING_ERROR = template_rendering_error,
    MUSTACHE_SPACING = mustache_spacing,
}
