//! Tests of the template parser.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and says so when it is skipped"
)]

mod common;
mod messages;
mod reference;
mod tree;
mod verdicts;
