use voxlint::syntax::Span;

use crate::File;

/// A part of a mustache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Where it is, on one line.
    pub span: Span,
    /// What it is.
    pub kind: TokenKind,
}

/// What a [`Token`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// The braces around a mustache.
    Delimiter,
    /// A helper.
    Keyword,
    /// A template variable.
    Variable,
    /// A parameter of a block.
    Parameter,
    /// A string.
    String,
    /// A number.
    Number,
    /// A comment.
    Comment,
    /// Any other sign.
    Operator,
}

/// The parts of all mustaches of a text, in its order and without overlaps.
pub fn tokens(_file: File<'_>) -> Vec<Token> {
    Vec::new()
}
