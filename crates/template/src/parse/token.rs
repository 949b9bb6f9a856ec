//! Tokens.

use super::span::TemplateSpan;

/// A token with the span that the reference's lexer rule matches, so its start is the offset the reference reports.
///
/// The span is packed into one number so that a token is passed in two registers, which makes parsing faster.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    span: u64,
}

impl Token {
    #[inline]
    pub(crate) fn new(kind: TokenKind, span: TemplateSpan) -> Self {
        Self { kind, span: u64::from(span.start) | u64::from(span.end) << 32 }
    }

    #[inline]
    pub(crate) fn span(self) -> TemplateSpan {
        TemplateSpan { start: self.span as u32, end: (self.span >> 32) as u32 }
    }

    #[inline]
    pub(crate) fn parts(self) -> (TokenKind, TemplateSpan) {
        (self.kind, self.span())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    End,
    Text,
    /// Text before a mustache that ends with an escaped backslash; its last backslash is not rendered.
    TextSlash,
    /// Text that begins with a backslash and the two braces it escapes.
    TextEscaped,
    Comment,
    RawText,
    EndRaw,

    OpenRaw,
    OpenPartial,
    OpenPartialBlock,
    /// `{{#` or `{{#*`.
    OpenBlock,
    /// `{{/`.
    OpenClose,
    /// The whole of `{{else}}` or `{{^}}`.
    Inverse,
    /// `{{^` with a head to follow.
    OpenInverse,
    /// `{{else` with a head to follow.
    OpenChain,
    /// `{{{`.
    OpenUnescaped,
    /// `{{`, `{{&` or `{{*`.
    Open,

    Close,
    CloseUnescaped,
    CloseRaw,

    Name,
    /// A name in brackets.
    Bracketed,
    String,
    Number,
    Boolean,
    Undefined,
    Null,
    At,
    Separator,
    Equals,
    OpenParen,
    CloseParen,
    /// `as |`.
    OpenBlockParams,
    Pipe,
    /// A character that no rule matches, or a name directly before such a character: then the span is that of the name.
    Invalid,

    /// U+0000 in text.
    LexicalNul,
    /// `{{!--` without `--}}`.
    LexicalComment,
    /// A raw block without an end.
    LexicalRaw,
}

impl TokenKind {
    /// Whether the reference's lexer stops here, before its parser sees a token.
    pub(crate) fn is_lexical(self) -> bool {
        matches!(self, Self::LexicalNul | Self::LexicalComment | Self::LexicalRaw)
    }

    pub(crate) fn is_name(self) -> bool {
        matches!(self, Self::Name | Self::Bracketed)
    }

    pub(crate) fn is_literal(self) -> bool {
        matches!(self, Self::String | Self::Number | Self::Boolean | Self::Undefined | Self::Null)
    }

    /// Whether the reference completes and checks the preceding path when it sees this token, before it finds out
    /// whether the token is allowed here. Any other token is the first error itself.
    pub(crate) fn completes_path(self) -> bool {
        self.is_name()
            || self.is_literal()
            || matches!(
                self,
                Self::Close
                    | Self::CloseUnescaped
                    | Self::CloseRaw
                    | Self::OpenParen
                    | Self::CloseParen
                    | Self::OpenBlockParams
                    | Self::At
            )
    }

    /// Whether this token opens a tag.
    pub(crate) fn opens(self) -> bool {
        matches!(
            self,
            Self::OpenRaw
                | Self::OpenPartial
                | Self::OpenPartialBlock
                | Self::OpenBlock
                | Self::OpenClose
                | Self::Inverse
                | Self::OpenInverse
                | Self::OpenChain
                | Self::OpenUnescaped
                | Self::Open
                | Self::Comment
        )
    }
}
