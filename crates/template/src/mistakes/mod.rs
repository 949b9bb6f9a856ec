//! Mistakes in templates, one file for each family: how a mistake is detected, how it is described, and how it is
//! corrected.
//!
//! `diagnose.rs` chooses the family by the token at which parsing stopped. `describe.rs` verifies the correction that a
//! family suggests.

pub(crate) mod arguments;
pub(crate) mod describe;
pub(crate) mod description;
pub(crate) mod diagnose;
pub(crate) mod error;
pub(crate) mod further;
pub(crate) mod unintended_call;

mod blocks;
mod braces;
mod context;
mod error_site;
mod json;
mod operators;
mod paths;
mod prose;
mod quotes;
pub(crate) mod tag_text;
mod verify;
