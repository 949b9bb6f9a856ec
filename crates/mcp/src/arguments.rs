//! The arguments of tools: one table makes their JSON Schema and checks them.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::object::set;

/// An argument of a tool.
#[derive(Debug)]
pub(crate) struct Argument {
    pub(crate) name: &'static str,
    pub(crate) kind: ArgumentKind,
    /// What it means, for the assistant.
    pub(crate) doc: &'static str,
    pub(crate) is_required: bool,
}

/// The values of an argument.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ArgumentKind {
    /// Any text, also an empty one.
    Text,
    /// A name, such as a path or an id.
    Name,
    /// Several names.
    Names,
    /// One of these texts.
    Choice(&'static [&'static str]),
    /// true or false.
    Flag,
}

/// The most names in a list.
const MAX_NAMES: usize = 100;

/// The longest name, in bytes.
pub(crate) const MAX_NAME: usize = 4096;

impl Argument {
    /// An argument that may be left out.
    pub(crate) const fn optional(
        name: &'static str,
        kind: ArgumentKind,
        doc: &'static str,
    ) -> Self {
        Self { name, kind, doc, is_required: false }
    }

    /// An argument that is always given.
    pub(crate) const fn required(
        name: &'static str,
        kind: ArgumentKind,
        doc: &'static str,
    ) -> Self {
        Self { name, kind, doc, is_required: true }
    }

    fn schema(&self) -> Value {
        let mut schema = match self.kind {
            ArgumentKind::Text => json!({ "type": "string" }),
            ArgumentKind::Name => json!({ "type": "string", "minLength": 1 }),
            ArgumentKind::Names => json!({
                "type": "array",
                "items": { "type": "string", "minLength": 1 },
                "minItems": 1,
                "maxItems": MAX_NAMES,
            }),
            ArgumentKind::Choice(choices) => json!({ "type": "string", "enum": choices }),
            ArgumentKind::Flag => json!({ "type": "boolean" }),
        };
        set(&mut schema, "description", self.doc);
        schema
    }

    /// What is wrong with a value.
    pub(crate) fn fault(&self, value: &Value) -> Option<String> {
        let name = self.name;
        match (self.kind, value) {
            (ArgumentKind::Text, Value::String(_)) | (ArgumentKind::Flag, Value::Bool(_)) => None,
            (ArgumentKind::Name, Value::String(text)) => name_fault(name, text),
            (ArgumentKind::Choice(choices), Value::String(text)) => {
                let is_known = choices.contains(&&**text);
                (!is_known).then(|| format!("`{name}` must be {}", one_of(choices)))
            }
            (ArgumentKind::Names, Value::Array(items)) => {
                if items.is_empty() || items.len() > MAX_NAMES {
                    return Some(format!("`{name}` must have 1 to {MAX_NAMES} items"));
                }
                items.iter().find_map(|item| match item {
                    Value::String(text) => name_fault(name, text),
                    other => {
                        Some(format!("`{name}` must contain only strings, not {}", noun(other)))
                    }
                })
            }
            (ArgumentKind::Text, Value::Object(_) | Value::Array(_)) => Some(format!(
                "`{name}` must be a string with the text of the file, not {}: write the JSON as a string",
                noun(value)
            )),
            (kind, other) => {
                let wanted = match kind {
                    ArgumentKind::Text | ArgumentKind::Name | ArgumentKind::Choice(_) => "a string",
                    ArgumentKind::Names => "an array of strings",
                    ArgumentKind::Flag => "true or false",
                };
                Some(format!("`{name}` must be {wanted}, not {}", noun(other)))
            }
        }
    }
}

fn name_fault(argument: &str, text: &str) -> Option<String> {
    if text.trim().is_empty() {
        return Some(format!("`{argument}` is empty: give a value, or leave it out"));
    }
    if text.len() > MAX_NAME {
        return Some(format!("`{argument}` is longer than {MAX_NAME} bytes"));
    }
    text.contains('\0').then(|| format!("`{argument}` contains a NUL character"))
}

fn noun(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// `a`, `b` or `c`.
pub(crate) fn one_of(choices: &[&str]) -> String {
    let mut text = String::new();
    for (at, choice) in choices.iter().enumerate() {
        let before = match at {
            0 => "",
            _ if at + 1 == choices.len() => " or ",
            _ => ", ",
        };
        // Writing to a string cannot fail.
        let _ = write!(text, "{before}`{choice}`");
    }
    text
}

/// The JSON Schema of the arguments of a tool.
pub(crate) fn input_schema(arguments: &[&Argument]) -> Value {
    let properties: Map<String, Value> =
        arguments.iter().map(|it| (it.name.to_owned(), it.schema())).collect();
    let required = arguments.iter().filter(|it| it.is_required).map(|it| it.name);
    let required: Vec<&str> = required.collect();
    let mut schema = json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        set(&mut schema, "required", required);
    }
    schema
}

/// The arguments of a call, checked.
#[derive(Debug)]
pub(crate) struct Arguments<'a>(pub(crate) &'a Map<String, Value>);

impl<'a> Arguments<'a> {
    /// Whether an argument is given.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.get(name).is_some_and(|value| !value.is_null())
    }

    /// A text.
    pub(crate) fn text(&self, name: &str) -> Option<&'a str> {
        self.0.get(name).and_then(Value::as_str)
    }

    /// A list of texts.
    pub(crate) fn texts(&self, name: &str) -> Vec<&'a str> {
        let items = self.0.get(name).and_then(Value::as_array).into_iter().flatten();
        items.filter_map(Value::as_str).collect()
    }

    /// A flag, which is false if it is left out.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or(false)
    }
}
