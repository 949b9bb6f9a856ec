//! Tests of the template parser.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "tests fail by panicking and print when they are skipped"
)]

mod common;
mod linear_time;
mod messages;
mod paths;
mod reference;
mod rendering;
mod tree;
mod verdicts;
