//! Tests of the library: every rule, the properties of all documents, and the pages.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and says so when it is skipped"
)]

mod acceptance;
mod agreement;
mod allocations;
mod certain;
mod coverage;
mod diff_properties;
mod examples;
mod fixes;
mod fleet;
mod generated;
mod heard_clean;
mod help;
mod hostile;
mod house_rules;
mod invariants;
mod known_secrets;
mod learn;
mod model;
mod other_names;
mod pages;
mod plan;
mod plan_laws;
mod planted_secrets;
mod properties;
mod public_api;
mod readings;
mod rule_fixes;
mod rule_readings;
mod rules;
mod secrets;
#[cfg(feature = "serde")]
mod serialize;
#[cfg(debug_assertions)]
mod skipping;
mod statements;
mod support;
mod threads;
mod trace;
