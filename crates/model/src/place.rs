//! Places in the inputs of a check.

use std::fmt;
use std::ops::Range;

use voxlint_syntax::{Node, NodeId, Span, Unread};

/// One of the inputs of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// The document under check.
    Document,
    /// The stored configuration.
    Stored,
    /// The facts about the workspace.
    Facts,
    /// A text in a file of its own, by its index in [`crate::Inputs::texts`].
    Text(u16),
}

impl Origin {
    /// The name in the JSON report.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Document => "document",
            Self::Stored => "stored",
            Self::Facts => "facts",
            Self::Text(_) => "text",
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// A part of the document that was not read and therefore not checked.
///
/// ```
/// let text = format!(r#"{{ "title": {}{} }}"#, "[".repeat(600), "]".repeat(600));
/// let report = voxlint::check_text(&text);
/// let unread = &report.unread[0];
/// assert_eq!(unread.message, "nested deeper than 512 levels, so what is inside was not checked");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnreadPart {
    /// The input that `span` points into.
    pub origin: Origin,
    /// Where the part begins.
    pub span: Span,
    /// Why it was not read: lower case, without a full stop.
    pub message: String,
}

/// A part of the document that its reader left out.
pub fn unread(part: &Unread) -> UnreadPart {
    UnreadPart { origin: Origin::Document, span: part.span, message: part.why.to_string() }
}

/// A place in one of the inputs. Rules work with places, which become byte spans only in diagnostics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The input.
    pub origin: Origin,
    /// The value or key; `None` for bytes that belong to none.
    pub node: Option<NodeId>,
    /// What of it is meant.
    pub part: Part,
}

/// The part of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    Whole,
    /// The opening bracket, for a field that is missing inside.
    Opening,
    /// The key of the field whose value it is.
    Name,
    /// The first line of it.
    FirstLine,
    /// Bytes of the decoded string.
    Decoded(Range<usize>),
    /// Bytes of the file, independent of nodes.
    Bytes(Span),
}

impl Place {
    /// All of a value.
    pub fn of(origin: Origin, node: Node<'_>) -> Self {
        Self { origin, node: Some(node.id()), part: Part::Whole }
    }

    /// Bytes of the document that do not belong to a value.
    pub fn bytes(span: Span) -> Self {
        Self { origin: Origin::Document, node: None, part: Part::Bytes(span) }
    }

    /// The bracket that opens this container.
    pub fn opening(self) -> Self {
        Self { part: Part::Opening, ..self }
    }

    /// The first line of it.
    pub fn first_line(self) -> Self {
        Self { part: Part::FirstLine, ..self }
    }

    /// The key of the field whose value this is.
    pub fn name(self) -> Self {
        Self { part: Part::Name, ..self }
    }

    /// The source characters of some decoded bytes of this string.
    pub fn decoded(self, range: Range<usize>) -> Self {
        Self { part: Part::Decoded(range), ..self }
    }

    /// Whether the place is in the document or in one of its text files.
    pub fn is_in_document(&self) -> bool {
        matches!(self.origin, Origin::Document | Origin::Text(_))
    }
}
