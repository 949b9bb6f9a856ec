//! The laws hold for what fuzzing has found, for fixtures, and for changes of both.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests fail by panicking"
)]

mod corpus;
mod schema;
