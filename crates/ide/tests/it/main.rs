//! Tests of what editors ask, over all fixtures.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod any_text;
mod common;
mod completion;
mod cursor;
mod edits;
mod file;
mod functions;
mod hover;
mod laws;
mod outline;
mod secrets;
mod support;
mod tokens;
mod variables;
