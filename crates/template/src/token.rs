//! The tokens the reference's lexer makes, and what the parser asks of them.

use crate::span::Span;

/// One token. Its span is what the reference's rule matched, so that the span's start is the offset the reference
/// names.
///
/// The span is kept as one number, so that a token travels in two registers: tokens are made and read in turns, and
/// through memory each turn would wait for the last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    span: u64,
}

impl Token {
    #[inline]
    pub(crate) fn new(kind: Kind, span: Span) -> Self {
        Self { kind, span: u64::from(span.start) | u64::from(span.end) << 32 }
    }

    #[inline]
    pub(crate) fn span(self) -> Span {
        Span { start: self.span as u32, end: (self.span >> 32) as u32 }
    }

    #[inline]
    pub(crate) fn parts(self) -> (Kind, Span) {
        (self.kind, self.span())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    End,
    Text,
    /// Text before a mustache whose last backslash escapes a backslash and is not rendered.
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
    /// A character no rule takes, or a name that runs into one: then the span is the name's.
    Invalid,

    /// U+0000 in text.
    LexicalNul,
    /// `{{!--` without `--}}`.
    LexicalComment,
    /// A raw block without an end.
    LexicalRaw,
}

impl Kind {
    /// Whether the reference's lexer stops here, before its parser sees anything.
    pub(crate) fn is_lexical(self) -> bool {
        matches!(self, Self::LexicalNul | Self::LexicalComment | Self::LexicalRaw)
    }

    pub(crate) fn is_name(self) -> bool {
        matches!(self, Self::Name | Self::Bracketed)
    }

    pub(crate) fn is_literal(self) -> bool {
        matches!(self, Self::String | Self::Number | Self::Boolean | Self::Undefined | Self::Null)
    }

    /// Whether the reference completes a path when it sees this token next. It checks the path then, before it
    /// finds out whether the token fits here; with any other token the token is the first fault.
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
