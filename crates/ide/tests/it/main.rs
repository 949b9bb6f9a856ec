//! Tests of what editors ask, over all fixtures.
#![allow(
    missing_docs,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod any_text;
mod common;
mod edits;
mod file;
mod outline;
mod tokens;
mod variables;
