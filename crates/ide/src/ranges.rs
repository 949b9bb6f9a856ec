use voxlint::Document;
use voxlint::syntax::Span;

use crate::File;

/// A part of a document that an editor can fold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoldingRange {
    /// The part.
    pub span: Span,
    /// What it is.
    pub kind: FoldingKind,
}

/// What a [`FoldingRange`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FoldingKind {
    /// An object.
    Object,
    /// A list.
    List,
    /// A text of several lines.
    Text,
    /// A comment of several lines.
    Comment,
    /// A block of a template.
    Block,
}

/// The parts of a document that can be folded, in the order of the text.
pub fn folding_ranges(_document: &Document) -> Vec<FoldingRange> {
    Vec::new()
}

/// The parts of a text around an offset, the innermost first. Each contains the one before.
pub fn selection_ranges(_file: File<'_>, _offset: u32) -> Vec<Span> {
    Vec::new()
}
