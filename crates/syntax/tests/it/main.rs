//! Tests of the readers.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and says so when it is skipped"
)]

mod agreement;
mod common;
mod decimal;
mod edit;
mod fixes;
mod hostile;
mod json_test_suite;
mod jsonc;
mod positions;
mod recovery;
mod toml;
mod toml_positions;
mod toml_suite;
mod yaml;
mod yaml_direct;
mod yaml_positions;
mod yaml_recovery;
mod yaml_suite;
