//! Tests of the project layer: sessions, unsaved text, caches and failures.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod confined;
mod session;
