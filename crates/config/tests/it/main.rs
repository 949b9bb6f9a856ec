//! Tests of the configuration.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and says so when it is skipped"
)]

mod check_document;
mod faults;
mod levels;
mod limits;
mod many_findings;
mod properties;
mod show;
mod support;
mod suppression_cases;
mod suppressions;
