//! JSON Pointers (RFC 6901), and patterns for them.

pub use voxlint_model::pointer::{PointerError, PointerPattern, escape_token, unescape_token};
