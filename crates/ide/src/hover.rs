use voxlint::syntax::Span;

use crate::File;

/// What is shown beside a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The name or value that the text is about.
    pub span: Span,
    /// The text, in Markdown.
    pub markdown: String,
}

/// What is at an offset of a document; `None` if there is nothing to say.
pub fn hover(_file: File<'_>, _offset: u32) -> Option<Hover> {
    None
}

/// What is at an offset of a `voxlint.toml`; `None` if there is nothing to say.
pub fn hover_configuration(_text: &str, _offset: u32) -> Option<Hover> {
    None
}
