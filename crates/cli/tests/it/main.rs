//! Tests of the program as its users run it.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and says so when it is skipped"
)]

mod accounting;
mod adopt;
mod banned_phrases;
mod baseline;
mod cases;
mod command;
mod configuration;
mod corpus;
mod diff;
mod entry_points;
mod facts;
mod fixes;
mod formats;
mod guide;
mod hook;
mod init;
mod json_schema;
mod live;
#[cfg(target_os = "linux")]
mod merge;
mod network;
mod outputs;
mod packages;
mod plan;
mod plan_forms;
mod predict;
mod process;
#[cfg(unix)]
mod project_root;
mod realistic;
mod recognition;
mod related_files;
mod render;
mod report_schema;
mod secrets;
mod shell;
mod supply_chain;
mod suppressions;
mod unread;
mod vars;
mod why;
