//! What a tool is.

use serde_json::{Map, Value, json};
use voxlint::secrets::mask_text;
use voxlint::suggest::nearest;

use crate::answer::{Answer, WrongUse};
use crate::arguments::{Argument, Arguments, MAX_NAME, input_schema, one_of};
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

    /// Checks the arguments of a call.
    pub(crate) fn check<'a>(
        &self,
        given: &'a Map<String, Value>,
    ) -> Result<Arguments<'a>, WrongUse> {
        for (name, value) in given {
            let Some(argument) = self.arguments.iter().find(|it| it.name == name) else {
                return Err(unknown(self, name));
            };
            // Assistants write null for what they leave out.
            let fault = argument.fault(value).filter(|_| !value.is_null());
            if let Some(fault) = fault {
                return Err(fault);
            }
        }
        let arguments = Arguments(given);
        let missing = self.arguments.iter().find(|it| it.is_required && !arguments.has(it.name));
        match missing {
            None => Ok(arguments),
            Some(missing) => Err(format!("`{}` is missing: {}", missing.name, missing.doc)),
        }
    }
}

fn unknown(tool: &Tool, name: &str) -> WrongUse {
    let names: Vec<&str> = tool.arguments.iter().map(|it| it.name).collect();
    let masked = mask_text(name);
    let name: String = masked.chars().take(MAX_NAME).collect();
    match nearest(&name, names.iter().copied()) {
        Some(near) => {
            format!("`{name}` is not an argument of `{}`: did you mean `{near}`?", tool.name)
        }
        None => format!(
            "`{name}` is not an argument of `{}`: the arguments are {}",
            tool.name,
            one_of(&names).replace(" or ", " and ")
        ),
    }
}
