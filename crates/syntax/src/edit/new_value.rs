use crate::{Format, Kind, Node, Tree, parse};

/// A new value.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum NewValue<'a> {
    /// A string.
    Text(&'a str),
    /// A number, `true`, `false`, `{}`, or where the format has it `null`, as JSON writes it.
    Literal(&'a str),
    /// An array or an object of another document. What the edits write of it is not read back: the caller does that.
    Value(Node<'a>),
}

impl NewValue<'_> {
    /// Hands on the value of another document; `None` if it cannot be written.
    pub fn with<T>(node: Node<'_>, write: impl FnOnce(NewValue<'_>) -> Option<T>) -> Option<T> {
        match node.kind() {
            Kind::Object | Kind::Array => write(NewValue::Value(node)),
            Kind::String | Kind::Key => write(NewValue::Text(&node.as_str()?)),
            Kind::Number => write(NewValue::Literal(node.decimal()?.literal())),
            Kind::Bool => write(NewValue::Literal(if node.as_bool()? { "true" } else { "false" })),
            Kind::Null => write(NewValue::Literal("null")),
            Kind::Invalid => None,
        }
    }

    pub(super) fn text(&self) -> &str {
        match self {
            Self::Text(text) | Self::Literal(text) => text,
            Self::Value(node) => node.source(),
        }
    }

    /// Whether a node has this value.
    pub(super) fn is_of(&self, node: Node<'_>) -> bool {
        match self {
            Self::Value(value) => value.kind() == node.kind(),
            Self::Text(text) => {
                matches!(node.kind(), Kind::String | Kind::Key)
                    && node.as_str().as_deref() == Some(text)
            }
            Self::Literal(literal) => {
                let parsed = parse(*literal, Format::Json);
                let is_simple = match node.kind() {
                    Kind::Number | Kind::Bool | Kind::Null => true,
                    Kind::Object => node.members().next().is_none(),
                    _ => false,
                };
                let same = |wanted: Node<'_>| {
                    wanted.kind() == node.kind()
                        && wanted.as_bool() == node.as_bool()
                        && wanted.decimal() == node.decimal()
                        && wanted.members().next().is_none()
                        && is_simple
                };
                parsed.errors.is_empty()
                    && parsed.documents.first().and_then(Tree::root).is_some_and(same)
            }
        }
    }
}

/// Whether a text is an object with one member of this name, and that is a number.
#[cfg(any(feature = "yaml", feature = "toml"))]
pub(super) fn reads_name(text: String, format: Format, name: &str) -> bool {
    let is_named = |root: Node<'_>| {
        let mut members = root.members();
        let member = members.next()?;
        let is_it = member.is_named(name) && member.value.kind() == Kind::Number;
        (is_it && members.next().is_none()).then_some(())
    };
    read_back(text, format, is_named).is_some()
}

/// Reads a text that must have one document without errors.
pub(super) fn read_back<T>(
    text: String,
    format: Format,
    look: impl FnOnce(Node<'_>) -> Option<T>,
) -> Option<T> {
    let parsed = parse(text, format);
    match parsed.documents.as_slice() {
        [tree] if parsed.errors.is_empty() && parsed.unread.is_empty() => look(tree.root()?),
        _ => None,
    }
}
