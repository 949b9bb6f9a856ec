//! Tests of the reports.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and says so when it is skipped"
)]

mod formats;
mod full;
mod hostile;
mod json;
mod plan;
mod properties;
mod readers;
mod support;
