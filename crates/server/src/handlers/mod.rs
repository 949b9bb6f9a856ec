//! The requests, one file for each feature. Their functions get what is known, and return what the protocol asks for.

#![allow(
    clippy::unnecessary_wraps,
    reason = "the results are those of the protocol, which may be null"
)]

pub(crate) mod actions;
pub(crate) mod capabilities;
pub(crate) mod commands;
pub(crate) mod completion;
pub(crate) mod diagnostics;
pub(crate) mod hints;
pub(crate) mod hover;
pub(crate) mod links;
pub(crate) mod navigation;
pub(crate) mod rename;
pub(crate) mod symbols;
pub(crate) mod tokens;
