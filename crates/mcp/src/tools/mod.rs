//! The tools, one module each.

mod check;
mod describe_field;
mod diff;
mod explain;
mod plan;
mod predict;

use crate::tool::Tool;

/// Every tool, in the order in which assistants see them.
pub(crate) static TOOLS: [&Tool; 6] =
    [&check::TOOL, &predict::TOOL, &diff::TOOL, &plan::TOOL, &explain::TOOL, &describe_field::TOOL];
