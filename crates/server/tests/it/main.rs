//! The language server, spoken to as a client speaks to it.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    clippy::panic,
    clippy::similar_names,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and values of JSON are written where they are used"
)]

mod actions;
mod agreement;
mod client;
mod commands;
mod diagnostics;
mod edits;
mod features;
mod hostile;
mod lifecycle;
mod positions;
mod related;
