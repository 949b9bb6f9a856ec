//! The parser's state. `statement.rs` and `expression.rs` contain the grammar.
//!
//! Nothing recurses: open blocks and open parentheses are kept in vectors.

use super::{
    lexer::Lexer,
    span::TemplateSpan,
    token::{Token, TokenKind},
    tree::{NodeData, NodeKind, TemplateTree},
};

/// The state of the parser. It describes the error after parsing has failed.
pub(crate) struct Parser<'t> {
    pub(crate) text: &'t str,
    pub(crate) lexer: Lexer<'t>,
    pub(crate) tree: TemplateTree,
    /// The token that opened the current tag.
    pub(crate) opener: Token,
    /// The previous token of the current tag, and the next one.
    pub(crate) previous: Token,
    pub(crate) token: Token,
    pub(crate) blocks: Vec<OpenBlock>,
    pub(crate) parens: Vec<OpenParen>,
    /// The number of nodes before the current tag.
    pub(super) nodes_before_tag: usize,
    pub(super) level: u32,
    /// The nesting depth, as [`ParsedTemplate::depth`](crate::ParsedTemplate::depth) counts it.
    pub(crate) depth: u32,
    /// The second positional argument of the first partial that has one, and its tag.
    pub(crate) second_partial_argument: Option<(TemplateSpan, TemplateSpan)>,
}

/// A block whose closing tag has not been parsed.
#[derive(Clone, Copy)]
pub(crate) struct OpenBlock {
    pub(crate) kind: NodeKind,
    /// The whole opening tag.
    pub(crate) tag: TemplateSpan,
    /// The index of the opening tag's head.
    pub(crate) head: u32,
    /// The first `else` tag of any kind.
    pub(crate) first_else: Option<TemplateSpan>,
    /// The `else` tag without a condition, which must be the last.
    pub(crate) last_else: Option<TemplateSpan>,
    pub(super) node: u32,
    pub(super) body: u32,
    /// The number of `else` tags with a condition.
    pub(super) chained: u32,
}

/// The maximum number of open blocks at which a parser can go on: each checkpoint copies them.
const MAX_OPEN_BLOCKS: usize = 64;

/// The state of a parser before a tag: its open blocks, without what is in them. Another text that is the same up to there can
/// be parsed from there on.
pub(crate) struct Checkpoint {
    pub(crate) at: u32,
    nodes: Vec<NodeData>,
    blocks: Vec<OpenBlock>,
    level: u32,
}

/// A subexpression whose closing parenthesis has not been parsed.
#[derive(Clone, Copy)]
pub(crate) struct OpenParen {
    pub(crate) span: TemplateSpan,
    pub(super) node: u32,
    /// The hash argument whose value this is.
    pub(super) hash_argument: Option<u32>,
    /// Whether a hash argument precedes it among the arguments around it.
    pub(super) after_hash: bool,
}

/// Why parsing stopped at `token`.
#[derive(Clone, Copy)]
pub(crate) struct ParseFailure {
    pub(crate) cause: Cause,
    pub(crate) token: Token,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The token is not one of those expected.
    Expected(Expected),
    /// The closing tag names another block.
    Mismatch,
    /// A decorator block contains `else`.
    DecoratorElse,
    /// `token` is a segment that is only valid at the start of this path.
    InvalidPath(TemplateSpan),
    /// Block parameters of which the first, `token`, and the last are in brackets.
    BracketedBlockParams,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    Statement,
    Head,
    /// An argument of any kind, or the end of the tag or subexpression.
    Argument,
    /// Another hash argument, or the end of the tag or subexpression.
    HashArgument,
    /// The `=` after a name that follows a hash argument.
    Equals,
    /// The value after `=`.
    Value,
    Segment,
    /// The name after `@`.
    DataName,
    BlockParam,
    /// The end of the tag, after block parameters or after the head of a closing tag.
    TagEnd,
}

impl<'t> Parser<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let start = Token::new(TokenKind::End, TemplateSpan::default());
        Self {
            text,
            lexer: Lexer::new(text),
            tree: TemplateTree { nodes: Vec::with_capacity(64) },
            opener: start,
            previous: start,
            token: start,
            blocks: Vec::new(),
            parens: Vec::new(),
            nodes_before_tag: 0,
            level: 0,
            depth: 0,
            second_partial_argument: None,
        }
    }

    /// The state before the tag at which parsing has failed. `None` if it did not fail at a tag, or if what is before that is not
    /// certain.
    pub(crate) fn checkpoint(&self) -> Option<Checkpoint> {
        let is_deep = self.blocks.len() > MAX_OPEN_BLOCKS;
        if !self.opener.kind.opens() || self.second_partial_argument.is_some() || is_deep {
            return None;
        }
        let mut nodes = Vec::with_capacity(1 + 5 * self.blocks.len());
        nodes.extend(self.tree.nodes.first());
        let mut blocks = self.blocks.clone();
        for block in &mut blocks {
            let (opening, node) = (block.node as usize + 1, nodes.len() as u32);
            let opening_end = self.tree.nodes.get(opening)?.next as usize;
            let body = nodes.len() + 1 + (opening_end - opening);
            nodes.push(*self.tree.nodes.get(block.node as usize)?);
            // What is inside of a tag ends a fixed number of nodes after it.
            let moved =
                |data: &NodeData| NodeData { next: data.next - opening as u32 + node + 1, ..*data };
            nodes.extend(self.tree.nodes.get(opening..opening_end)?.iter().map(moved));
            nodes.push(*self.tree.nodes.get(block.body as usize)?);
            block.head = block.head - block.node + node;
            (block.node, block.body) = (node, body as u32);
        }
        Some(Checkpoint { at: self.opener.span().start, nodes, blocks, level: self.level })
    }

    /// A parser that goes on from a checkpoint in a text.
    pub(crate) fn resume(text: &'t str, from: &Checkpoint) -> Self {
        Self {
            text,
            lexer: Lexer::from(text, from.at as usize),
            tree: TemplateTree { nodes: from.nodes.clone() },
            blocks: from.blocks.clone(),
            level: from.level,
            ..Self::new("")
        }
    }

    #[inline]
    pub(super) fn advance(&mut self) {
        self.previous = self.token;
        self.token = self.lexer.next();
    }

    /// Returns the span of the current token if it is of this kind.
    #[inline]
    pub(super) fn expect(
        &self,
        kind: TokenKind,
        expected: Expected,
    ) -> Result<TemplateSpan, ParseFailure> {
        if self.token.kind == kind {
            Ok(self.token.span())
        } else {
            Err(failure(expected, self.token))
        }
    }

    pub(super) fn update_depth(&mut self) {
        self.depth = self.depth.max(self.level + self.parens.len() as u32);
    }
}

pub(super) fn failure(expected: Expected, token: Token) -> ParseFailure {
    ParseFailure { cause: Cause::Expected(expected), token }
}
