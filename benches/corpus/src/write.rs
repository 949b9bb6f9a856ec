//! Values to text in each format.

use std::fmt::Write as _;

use crate::value::{Object, Value};

/// How JSON is laid out.
#[derive(Clone, Copy, Debug, Default)]
pub struct JsonStyle {
    /// One field per line, with indentation by two spaces.
    pub pretty: bool,
    /// Characters outside ASCII are written as `\u` escapes.
    pub escaped: bool,
}

/// The document as JSON.
pub fn json(document: &Object, style: JsonStyle) -> String {
    let mut text = String::with_capacity(16_000);
    json_object(&mut text, document, style, 1);
    text.push('\n');
    text
}

fn json_value(text: &mut String, value: &Value, style: JsonStyle, depth: usize) {
    match value {
        Value::Null => text.push_str("null"),
        Value::Boolean(value) => text.push_str(if *value { "true" } else { "false" }),
        Value::Number(number) => text.push_str(number),
        Value::Text(value) => quoted(text, value, style.escaped),
        Value::List(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                json_separator(text, index, style, depth);
                json_value(text, item, style, depth + 1);
            }
            json_end(text, items.is_empty(), style, depth);
            text.push(']');
        }
        Value::Object(fields) => json_object(text, fields, style, depth),
    }
}

fn json_object(text: &mut String, fields: &Object, style: JsonStyle, depth: usize) {
    text.push('{');
    for (index, (name, value)) in fields.iter().enumerate() {
        json_separator(text, index, style, depth);
        quoted(text, name, style.escaped);
        text.push_str(if style.pretty { ": " } else { ":" });
        json_value(text, value, style, depth + 1);
    }
    json_end(text, fields.is_empty(), style, depth);
    text.push('}');
}

fn json_separator(text: &mut String, index: usize, style: JsonStyle, depth: usize) {
    if index > 0 {
        text.push(',');
    }
    json_line(text, style, depth);
}

fn json_end(text: &mut String, is_empty: bool, style: JsonStyle, depth: usize) {
    if !is_empty {
        json_line(text, style, depth - 1);
    }
}

fn json_line(text: &mut String, style: JsonStyle, depth: usize) {
    if style.pretty {
        text.push('\n');
        text.extend(std::iter::repeat_n("  ", depth));
    }
}

/// A string in double quotes, valid in JSON, YAML and TOML.
fn quoted(text: &mut String, value: &str, escaped: bool) {
    text.push('"');
    for character in value.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            _ if escaped && !character.is_ascii() => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    let _ = write!(text, "\\u{unit:04x}");
                }
            }
            _ => text.push(character),
        }
    }
    text.push('"');
}

/// The document as YAML, with long texts as block scalars.
pub fn yaml(document: &Object) -> String {
    let mut text = String::with_capacity(16_000);
    yaml_fields(&mut text, document, 0);
    text
}

/// Fields, each on a line of its own. The text ends where the first one begins.
fn yaml_fields(text: &mut String, fields: &Object, depth: usize) {
    for (index, (name, value)) in fields.iter().enumerate() {
        if index > 0 {
            yaml_indent(text, depth);
        }
        text.extend([name, ":"]);
        match value {
            Value::Object(fields) if !fields.is_empty() => {
                text.push('\n');
                yaml_indent(text, depth + 1);
                yaml_fields(text, fields, depth + 1);
            }
            Value::List(items) if !items.is_empty() => {
                text.push('\n');
                for item in items {
                    yaml_indent(text, depth);
                    text.push_str("- ");
                    match item {
                        Value::Object(fields) if !fields.is_empty() => {
                            yaml_fields(text, fields, depth + 1)
                        }
                        _ => yaml_scalar(text, item, depth + 1),
                    }
                }
            }
            _ => {
                text.push(' ');
                yaml_scalar(text, value, depth + 1);
            }
        }
    }
}

fn yaml_scalar(text: &mut String, value: &Value, depth: usize) {
    match value {
        Value::Text(value) if value.contains('\n') => {
            text.push_str("|-\n");
            for line in value.lines() {
                if !line.is_empty() {
                    yaml_indent(text, depth);
                    text.push_str(line);
                }
                text.push('\n');
            }
            return;
        }
        Value::Text(value) if is_plain(value) => text.push_str(value),
        _ => json_value(text, value, JsonStyle::default(), 1),
    }
    text.push('\n');
}

/// Whether YAML reads the text unchanged without quotes. Single words may mean `true`, `null` or a number.
fn is_plain(text: &str) -> bool {
    text.contains(' ')
        && text.starts_with(|character: char| character.is_ascii_alphabetic())
        && text.ends_with(|character: char| character.is_ascii_alphanumeric() || character == '.')
        && text.chars().all(|character| character.is_alphanumeric() || " .,'".contains(character))
}

fn yaml_indent(text: &mut String, depth: usize) {
    text.extend(std::iter::repeat_n("  ", depth));
}

/// The document as TOML, with tables for its objects. TOML has no null, so such fields are left out.
pub fn toml(document: &Object) -> String {
    let mut text = String::with_capacity(16_000);
    toml_table(&mut text, document, "");
    text
}

/// A table: first its values, then its tables, which have headers of their own.
fn toml_table(text: &mut String, fields: &Object, path: &str) {
    let is_table = |value: &Value| matches!(value, Value::Object(_)) || value.is_list_of_objects();
    for (name, value) in
        fields.iter().filter(|(_, value)| !is_table(value) && *value != Value::Null)
    {
        text.extend([name, " = "]);
        match value {
            Value::Text(value) if value.contains('\n') => {
                text.push_str("\"\"\"\n");
                text.push_str(&value.replace('\\', "\\\\").replace("\"\"\"", "\"\"\\\""));
                // A quote at the end would join the delimiter.
                text.push_str(if value.ends_with('"') { "\\\n\"\"\"" } else { "\"\"\"" });
            }
            _ => json_value(text, value, JsonStyle::default(), 1),
        }
        text.push('\n');
    }
    for (name, value) in fields.iter().filter(|(_, value)| is_table(value)) {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        match value {
            Value::Object(fields) => {
                text.extend(["\n[", &path, "]\n"]);
                toml_table(text, fields, &path);
            }
            Value::List(items) => {
                for item in items {
                    text.extend(["\n[[", &path, "]]\n"]);
                    if let Value::Object(fields) = item {
                        toml_table(text, fields, &path);
                    }
                }
            }
            _ => {}
        }
    }
}
