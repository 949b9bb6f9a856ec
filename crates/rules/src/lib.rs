//! Internal to voxlint: the rules about one document, one file each. To add a rule, write its file and add its two lines to the
//! `mod.rs` of its family.
//!
//! A rule sees the types of `voxlint-model` and nothing that runs it. The rules across documents are in `voxlint`, because they are
//! about plans.

#![forbid(unsafe_code)]

#[macro_use]
mod declare;

pub mod check;
mod config;
mod document;
pub mod limits;
mod object;
mod prelude;
mod suppression;
mod template;
mod text;
mod value;
pub mod without_effect;

/// The ids of the rules as constants.
pub mod ids {
    pub use super::config::ids::*;
    pub use super::document::ids::*;
    pub use super::object::ids::*;
    pub use super::suppression::ids::*;
    pub use super::template::ids::*;
    pub use super::text::ids::*;
    pub use super::value::ids::*;
}

#[doc(hidden)]
pub use {voxlint_model as model, voxlint_schema as schema};

pub use check::of;
pub use config::{RULES as CONFIG, WITHOUT_EFFECT, has_settings};
pub use document::{RULES as DOCUMENT, in_stored, in_text_file};
pub use object::RULES as OBJECT;
pub use suppression::{
    EXPIRED_SUPPRESSION, MALFORMED_SUPPRESSION, RULES as SUPPRESSION, UNUSED_SUPPRESSION,
};
pub use template::{
    RULES as TEMPLATE, TEMPLATE_RENDERING_ERROR, TEMPLATE_SYNTAX_ERROR, UNKNOWN_HELPER,
    further_syntax_errors,
};
pub use text::{BOOSTED_KEYWORD_CHARACTER, RULES as TEXT, TRANSFER_DESTINATION_MALFORMED};
pub use value::{OUT_OF_RANGE, RULES as VALUE, TEXT_TOO_LONG, is_plainly_allowed};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_constant_of_an_id_has_its_name() {
        let families = [
            config::ids::NAMES,
            document::ids::NAMES,
            object::ids::NAMES,
            suppression::ids::NAMES,
            template::ids::NAMES,
            text::ids::NAMES,
            value::ids::NAMES,
        ];
        for (name, id) in families.into_iter().flatten() {
            assert_eq!(name.to_lowercase().replace('_', "-"), *id);
        }
    }
}
