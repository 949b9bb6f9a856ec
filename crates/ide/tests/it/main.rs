//! Tests of what editors ask, over all fixtures.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod completion;
mod file;
mod hover;
mod laws;
mod secrets;
mod support;
