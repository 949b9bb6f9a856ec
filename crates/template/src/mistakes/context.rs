//! The parser's state at the token where it failed, as detection needs it.

use super::error::{Stage, TemplateError, TemplateErrorKind};
use crate::parse::{
    node::TemplateNode,
    parser::{Cause, OpenBlock, ParseFailure, Parser},
    scan::Bytes,
    span::TemplateSpan,
    token::{Token, TokenKind},
};

/// How many bytes detection reads to find the end of a tag.
const WINDOW: usize = 400;

#[derive(Clone, Copy)]
pub(super) struct Context<'p> {
    pub(super) text: &'p str,
    pub(super) bytes: Bytes<'p>,
    stage: Stage,
    /// The token that opened the tag.
    pub(super) opener: Token,
    /// The tag to its probable end.
    pub(super) tag: TemplateSpan,
    /// The token before the one at which parsing failed.
    pub(super) previous: Token,
    pub(super) token: Token,
    /// The open blocks, from the outermost to the innermost.
    pub(super) blocks: &'p [OpenBlock],
    /// The head of the innermost open block.
    pub(super) block_head: TemplateSpan,
    /// Whether the tag is closed before the next one opens.
    pub(super) is_closed: bool,
    /// The innermost open parenthesis.
    pub(super) paren: Option<TemplateSpan>,
}

impl<'p> Context<'p> {
    pub(super) fn new(parser: &'p Parser<'_>, failure: ParseFailure) -> Self {
        let ParseFailure { cause, token } = failure;
        let bytes = parser.lexer.bytes;
        let from = if token.kind.opens() { token.span().end } else { token.span().start };
        let end = probable_end(bytes, from as usize)
            .map(|end| end_of_braces(bytes, parser.opener.kind, end));
        let head = parser.blocks.last().and_then(|block| parser.tree.node(block.head));
        Self {
            text: parser.text,
            bytes,
            stage: match cause {
                Cause::Expected(_) if token.kind.is_lexical() => Stage::Lexer,
                Cause::Expected(_) => Stage::Grammar,
                Cause::Mismatch => Stage::BlockName,
                Cause::DecoratorElse => Stage::Decorator,
                Cause::InvalidPath(_) => Stage::Path,
                Cause::BracketedBlockParams => Stage::BlockParams,
            },
            opener: parser.opener,
            tag: TemplateSpan {
                start: parser.opener.span().start,
                end: end.map_or(0, |end| end as u32).max(token.span().end),
            },
            previous: parser.previous,
            token,
            blocks: &parser.blocks,
            block_head: head.map(TemplateNode::span).unwrap_or_default(),
            is_closed: end.is_some(),
            paren: parser.parens.last().map(|paren| paren.span),
        }
    }

    pub(super) fn error(&self, kind: TemplateErrorKind, span: TemplateSpan) -> TemplateError {
        let offset = self.token.span().start;
        TemplateError { offset, ..TemplateError::new(kind, span, self.tag, self.stage) }
    }

    pub(super) fn block(&self) -> Option<OpenBlock> {
        self.blocks.last().copied()
    }

    /// Whether the token is the first of its tag.
    pub(super) fn is_first(&self) -> bool {
        self.content_start() == self.token.span().start as usize
    }

    /// The offset of the tag's first token.
    pub(super) fn content_start(&self) -> usize {
        self.bytes.skip_space(self.opener.span().end as usize)
    }

    /// The offset of the tag's closing braces.
    pub(super) fn content_end(&self) -> usize {
        let content = self.tag.of(self.text).trim_end_matches('}').trim_end_matches('~');
        self.tag.start as usize + content.len()
    }

    /// The text from `start` to the tag's closing braces.
    pub(super) fn content_from(&self, start: usize) -> &'p str {
        self.text.get(start..self.content_end()).unwrap_or_default()
    }

    /// The strings and bracketed names of the tag before the token.
    pub(super) fn quoted(&self) -> impl Iterator<Item = TemplateSpan> {
        let (bytes, stop) = (self.bytes, self.token.span().start as usize);
        let mut at = self.opener.span().end as usize;
        std::iter::from_fn(move || {
            while at < stop && !matches!(bytes.at(at), b'"' | b'\'' | b'[') {
                at += 1;
            }
            let close = if bytes.at(at) == b'[' { b']' } else { bytes.at(at) };
            let start = (at < stop).then_some(at)?;
            at = bytes.quoted_end(start, close).filter(|&end| end <= stop)?;
            Some(TemplateSpan::new(start, at))
        })
    }
}

/// The end of a tag with three or four braces. `end` is the end of the first two.
fn end_of_braces(bytes: Bytes<'_>, opener: TokenKind, end: usize) -> usize {
    let more = match opener {
        TokenKind::OpenUnescaped => 1,
        TokenKind::OpenRaw => 2,
        _ => 0,
    };
    end + bytes.from(end).iter().take(more).take_while(|&&byte| byte == b'}').count()
}

/// The end of the next `}}`, unless it is far away or another tag opens before it.
pub(super) fn probable_end(bytes: Bytes<'_>, from: usize) -> Option<usize> {
    let window = bytes.from(from);
    let window = window.get(..WINDOW.min(window.len())).unwrap_or_default();
    let close = memchr::memmem::find(window, b"}}")?;
    let open = memchr::memmem::find(window, b"{{");
    open.is_none_or(|open| close < open).then_some(from + close + 2)
}
