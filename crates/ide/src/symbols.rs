use voxlint::Document;
use voxlint::syntax::Span;

/// A field or an item of a document, for outlines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// What the outline shows.
    pub name: String,
    /// A few words beside the name.
    pub detail: Option<String>,
    /// What it is.
    pub kind: SymbolKind,
    /// The field with its value.
    pub span: Span,
    /// The part to select, inside `span`.
    pub selection: Span,
    /// What is inside it.
    pub children: Vec<Self>,
}

/// What a [`Symbol`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SymbolKind {
    /// An object.
    Object,
    /// A list.
    List,
    /// A text.
    Text,
    /// A number.
    Number,
    /// true or false.
    Flag,
    /// null, or no readable value.
    Null,
}

/// The outline of a document.
pub fn symbols(_document: &Document) -> Vec<Symbol> {
    Vec::new()
}
