//! Tests of the library that bindings share.

#![expect(clippy::unwrap_used, reason = "tests panic when they fail")]

mod agreement;
mod batch;
mod context;
mod offsets;
