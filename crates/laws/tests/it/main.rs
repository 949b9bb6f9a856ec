//! The laws hold for the inputs that fuzzing has found, for the fixtures, and for mutations of both.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests fail by panicking"
)]

mod corpus;
mod schema;
