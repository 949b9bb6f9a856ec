//! What a misspelled name probably means.

pub use voxlint_model::suggest::{nearest, nearest_or_prefix};
