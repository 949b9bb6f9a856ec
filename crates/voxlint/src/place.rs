use std::ops::Range;

use voxlint_syntax::{Node, NodeId, Span};

use crate::Origin;

/// A place in one of the inputs. Rules work with places, which become byte spans only in diagnostics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) origin: Origin,
    pub(crate) node: Option<NodeId>,
    pub(crate) part: Part,
}

/// The part of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
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
    pub(crate) fn of(origin: Origin, node: Node<'_>) -> Self {
        Self { origin, node: Some(node.id()), part: Part::Whole }
    }

    /// Bytes of the document that do not belong to a value.
    pub(crate) fn bytes(span: Span) -> Self {
        Self { origin: Origin::Document, node: None, part: Part::Bytes(span) }
    }

    /// The bracket that opens this container.
    pub(crate) fn opening(self) -> Self {
        Self { part: Part::Opening, ..self }
    }

    /// The first line of it.
    pub(crate) fn first_line(self) -> Self {
        Self { part: Part::FirstLine, ..self }
    }

    /// The key of the field whose value this is.
    pub(crate) fn name(self) -> Self {
        Self { part: Part::Name, ..self }
    }

    /// The source characters of some decoded bytes of this string.
    pub(crate) fn decoded(self, range: Range<usize>) -> Self {
        Self { part: Part::Decoded(range), ..self }
    }

    /// Whether the place is in the document or in one of its text files.
    pub(crate) fn is_in_document(&self) -> bool {
        matches!(self.origin, Origin::Document | Origin::Text(_))
    }
}
