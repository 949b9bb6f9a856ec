//! The JSON of reports, in which characters that steer a terminal or a build server are written as escapes.

use std::io;

use serde::Serialize;
use serde_json::Value;

use crate::escape::escape_json;

/// A value on one line.
pub(crate) fn compact(value: &impl Serialize) -> String {
    // The names of all fields are strings, so this cannot fail.
    escape_json(&serde_json::to_string(value).unwrap_or_default())
}

/// A value over several lines, as a part of a text that is indented by this many levels.
pub(crate) fn pretty(value: &impl Serialize, depth: usize) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    // Strings of JSON contain no line breaks, so this only indents.
    escape_json(&text).replace('\n', &format!("\n{:1$}", "", 2 * depth))
}

/// Writes a value as a document of its own, over several lines.
pub(crate) fn write_document(out: &mut dyn io::Write, value: &impl Serialize) -> io::Result<()> {
    writeln!(out, "{}", escape_json(&serde_json::to_string_pretty(value)?))
}

/// An object without the members that say nothing: those that are null or an empty list.
pub(crate) fn without_empty(mut object: Value) -> Value {
    if let Some(members) = object.as_object_mut() {
        members
            .retain(|_, value| !(value.is_null() || value.as_array().is_some_and(Vec::is_empty)));
    }
    object
}
