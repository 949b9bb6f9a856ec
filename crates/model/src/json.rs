//! Writes JSON made of values of documents and new values.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;

use voxlint_syntax::{Kind, Node};

/// A JSON value. Numbers keep their spelling, so that nothing is rounded.
#[derive(Clone, Debug)]
pub enum Json<'a> {
    /// A value of a document. Of fields with the same name the last one counts.
    Node(Node<'a>),
    /// Null.
    Null,
    /// True or false.
    Flag(bool),
    /// A whole number.
    Whole(i64),
    /// A string.
    Text(Cow<'a, str>),
    /// An array.
    List(Vec<Json<'a>>),
    /// An object, with its members in their order.
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

impl<'a> Json<'a> {
    /// The fields of an object, each name once, in the order of the text.
    pub fn members(object: Node<'a>) -> Vec<(Cow<'a, str>, Self)> {
        let mut members: Vec<(Cow<'a, str>, Self)> = Vec::new();
        let mut places: HashMap<Cow<'a, str>, usize> = HashMap::new();
        for member in object.members() {
            let name = member.name();
            let place = *places.entry(name.clone()).or_insert(members.len());
            match members.get_mut(place) {
                Some((_, known)) => *known = Self::Node(member.value),
                None => members.push((name, Self::Node(member.value))),
            }
        }
        members
    }

    /// The value on several lines, indented by two spaces, without a line break at the end.
    pub fn pretty(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, 0);
        out
    }

    fn write(&self, out: &mut String, depth: usize) {
        match self {
            Self::Node(node) => Self::of(*node).write_own(out, depth),
            _ => self.write_own(out, depth),
        }
    }

    /// The value of a node. A value that cannot be read becomes null.
    fn of(node: Node<'a>) -> Self {
        match node.kind() {
            Kind::Object => Self::Object(Self::members(node)),
            Kind::Array => Self::List(node.elements().map(Self::Node).collect()),
            Kind::String | Kind::Key => Self::Text(node.as_str().unwrap_or_default()),
            Kind::Bool => Self::Flag(node.as_bool().unwrap_or_default()),
            Kind::Number => Self::Node(node),
            Kind::Null | Kind::Invalid => Self::Null,
        }
    }

    fn write_own(&self, out: &mut String, depth: usize) {
        match self {
            // Only numbers are still nodes here.
            Self::Node(number) => {
                out.push_str(number.decimal().map_or("null", |number| number.literal()));
            }
            Self::Null => out.push_str("null"),
            Self::Flag(flag) => out.push_str(if *flag { "true" } else { "false" }),
            Self::Whole(number) => {
                // Writing to a string cannot fail.
                let _ = write!(out, "{number}");
            }
            Self::Text(text) => push_text(out, text),
            Self::List(items) => {
                push_all(out, ['[', ']'], depth, items, |out, item| item.write(out, depth + 1));
            }
            Self::Object(members) => {
                push_all(out, ['{', '}'], depth, members, |out, (name, value)| {
                    push_text(out, name);
                    out.push_str(": ");
                    value.write(out, depth + 1);
                });
            }
        }
    }
}

/// Sets a field: in its place if the object has it, otherwise at the end. The time is proportional to the number of fields.
pub fn set<'a>(
    members: &mut Vec<(Cow<'a, str>, Json<'a>)>,
    name: impl Into<Cow<'a, str>>,
    value: Json<'a>,
) {
    let name = name.into();
    match members.iter_mut().find(|(known, _)| *known == name) {
        Some((_, known)) => *known = value,
        None => members.push((name, value)),
    }
}

fn push_all<T>(
    out: &mut String,
    [open, close]: [char; 2],
    depth: usize,
    items: &[T],
    mut push: impl FnMut(&mut String, &T),
) {
    out.push(open);
    for (index, item) in items.iter().enumerate() {
        out.push_str(if index > 0 { ",\n" } else { "\n" });
        out.extend(std::iter::repeat_n("  ", depth + 1));
        push(out, item);
    }
    if !items.is_empty() {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth));
    }
    out.push(close);
}

fn push_text(out: &mut String, text: &str) {
    out.push('"');
    out.push_str(&escaped(text));
    out.push('"');
}

/// The text as written inside a JSON string.
pub fn escaped(text: &str) -> String {
    voxlint_syntax::edit::json_text(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Document;

    #[test]
    fn a_document_is_written_as_it_was_read() {
        let text = "{\n  \"a\": [\n    1.50,\n    -2e400,\n    \"x\\n\\\"\\u0001é\",\n    {}\n  ],\n  \"b\": [],\n  \"c\": null,\n  \"d\": false\n}";
        let document = Document::parse(text);
        let root = document.tree().root().map(Json::Node);
        assert_eq!(root.map(|root| root.pretty()).as_deref(), Some(text));
    }

    #[test]
    fn of_members_with_one_name_the_last_counts() {
        for more in [0, 50] {
            let rest: Vec<String> = (0..more).map(|at| format!(",\n  \"n{at}\": {at}")).collect();
            let rest = rest.concat();
            let text = format!("{{ \"a\": 1, \"b\": 2{rest}, \"a\": 3 }}");
            let document = Document::parse(text.as_str());
            let root = document.tree().root().map(Json::Node);
            let expected = format!("{{\n  \"a\": 3,\n  \"b\": 2{rest}\n}}");
            assert_eq!(root.map(|root| root.pretty()), Some(expected));
        }
    }
}
