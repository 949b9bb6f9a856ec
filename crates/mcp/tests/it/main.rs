//! Tests of the server, as a client sees it: over streams in memory.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]
#![allow(clippy::needless_pass_by_value, reason = "messages are written where they are sent")]

mod client;
mod confined;
mod hostile;
mod protocol;
mod schemas;
mod secrets;
mod tools;
