//! The module that Node.js loads: voxlint's functions for JavaScript values.
//!
//! `lib/index.js` is the interface that users see. It checks arguments, and turns the JSON of results into frozen objects. This layer only
//! translates: it has no state but the contexts, projects and batches that JavaScript holds.

// The macros of napi write the unsafe functions that Node.js calls, and allow them there, which `forbid` does not permit. Nothing
// that is written here may be unsafe.
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
