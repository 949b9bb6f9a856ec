//! What a YAML text is read as.

#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "each test uses some of it, and fails by panicking"
)]

use voxlint_syntax::{Format, Kind, Node, Parsed, SyntaxErrorKind as Fault, parse};

pub(crate) fn read(text: &str) -> Parsed {
    parse(text, Format::Yaml)
}

/// The first document as JSON, with `?` for what could not be read.
pub(crate) fn json(text: &str) -> String {
    let parsed = read(text);
    parsed.documents[0].root().map_or_else(String::new, written)
}

pub(crate) fn written(node: Node<'_>) -> String {
    match node.kind() {
        Kind::Object => {
            let members =
                node.members().map(|one| format!("{:?}:{}", one.name(), written(one.value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        Kind::Array => {
            format!("[{}]", node.elements().map(written).collect::<Vec<_>>().join(","))
        }
        Kind::String | Kind::Key => format!("{:?}", node.as_str().unwrap()),
        Kind::Number => node.decimal().unwrap().literal().to_owned(),
        Kind::Bool => node.as_bool().unwrap().to_string(),
        Kind::Null => "null".to_owned(),
        Kind::Invalid => "?".to_owned(),
    }
}

pub(crate) fn faults(text: &str) -> Vec<(Fault, &str)> {
    read(text).errors.iter().map(|error| (error.kind, error.span.slice(text))).collect()
}
