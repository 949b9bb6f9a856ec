use std::ops::Range;

use voxlint_syntax::{Node, NodeId, Span};

use crate::Origin;

/// Somewhere in one of the inputs. A rule hands places on; they become bytes only when a finding is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) origin: Origin,
    pub(crate) node: Option<NodeId>,
    pub(crate) part: Part,
}

/// Which characters of a node are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// All of it.
    Whole,
    /// The bracket that opens it: where something is missing inside.
    Opening,
    /// The name of the member whose value it is.
    Name,
    /// The first line of it.
    FirstLine,
    /// Bytes of the decoded string.
    Decoded(Range<usize>),
    /// Bytes of the file, whatever node they belong to.
    Bytes(Span),
}

impl Place {
    pub(crate) fn of(origin: Origin, node: Node<'_>) -> Self {
        Self { origin, node: Some(node.id()), part: Part::Whole }
    }

    /// Bytes of the document under check that belong to no value.
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

    /// The name of the member whose value this is.
    pub(crate) fn name(self) -> Self {
        Self { part: Part::Name, ..self }
    }

    /// The characters of this string that its decoded bytes come from.
    pub(crate) fn decoded(self, range: Range<usize>) -> Self {
        Self { part: Part::Decoded(range), ..self }
    }

    /// Whether the author of the document wrote it there, be it in a file beside the document.
    pub(crate) fn is_in_document(&self) -> bool {
        matches!(self.origin, Origin::Document | Origin::Text(_))
    }
}
