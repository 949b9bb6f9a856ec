//! The tools, one module each.

mod check;
mod describe_field;
mod diff;
mod explain;
mod plan;
mod predict;

use serde_json::{Value, json};

use crate::answer::{Answer, WrongUse};
use crate::arguments::{Argument, Arguments, input_schema};
use crate::object::set;
use crate::workspace::Workspace;

/// Something that an assistant can ask.
#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// When to use it and what it answers, for the assistant.
    pub(crate) description: &'static str,
    pub(crate) arguments: &'static [&'static Argument],
    /// The JSON Schema of its JSON, if that is published.
    pub(crate) output_schema: Option<fn() -> Value>,
    pub(crate) run: fn(&Workspace, &Arguments<'_>) -> Result<Answer, WrongUse>,
}

/// Every tool, in the order in which assistants see them.
pub(crate) static TOOLS: [&Tool; 6] =
    [&check::TOOL, &predict::TOOL, &diff::TOOL, &plan::TOOL, &explain::TOOL, &describe_field::TOOL];

impl Tool {
    /// The tool as `tools/list` has it.
    pub(crate) fn listed(&self) -> Value {
        let mut tool = json!({
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": input_schema(self.arguments),
            "annotations": {
                "title": self.title,
                "readOnlyHint": true,
                "destructiveHint": false,
                "idempotentHint": true,
                "openWorldHint": false,
            },
        });
        if let Some(schema) = self.output_schema {
            set(&mut tool, "outputSchema", schema());
        }
        tool
    }
}
