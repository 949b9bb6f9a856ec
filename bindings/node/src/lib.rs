//! The module that Node.js loads: voxlint's functions for JavaScript values.
//!
//! `lib/index.js` is the interface for users. It checks arguments, and turns the JSON of results into frozen objects. This layer only
//! translates. Its only state is in the contexts, projects and batches that JavaScript keeps.

// The macros of napi generate the unsafe functions that Node.js calls, and allow them with an attribute, which `forbid` does not
// permit. Hand-written code must be safe.
#![deny(unsafe_code)]
#![allow(clippy::needless_pass_by_value, reason = "the values that JavaScript gives are owned")]

mod batch;
mod context;
mod input;
mod outcome;
mod project;
mod task;

/// The version of voxlint.
#[napi_derive::napi]
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
