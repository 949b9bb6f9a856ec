//! The grammar of statements: text, comments, mustaches, partials and blocks.

use super::{
    block_name::same_name,
    parser::{Cause, Expected, OpenBlock, ParseFailure, Parser, failure},
    span::TemplateSpan,
    token::TokenKind,
    tree::{NodeKind, flag},
};

impl Parser<'_> {
    /// Parses the whole template, or what is left of it.
    pub(crate) fn run(&mut self) -> Result<(), ParseFailure> {
        if self.tree.nodes.is_empty() {
            self.tree.open(NodeKind::Body, 0);
        }
        loop {
            self.opener = self.lexer.next();
            self.nodes_before_tag = self.tree.nodes.len();
            if self.opener.kind == TokenKind::End && self.blocks.is_empty() {
                self.tree.close(0, self.opener.span().end);
                return Ok(());
            }
            self.statement()?;
        }
    }

    /// Ends the tree before the tag at which parsing failed.
    pub(crate) fn end_tree(&mut self) {
        let mut end = self.opener.span().start;
        let in_raw = self.blocks.last().is_some_and(|block| block.kind == NodeKind::RawBlock);
        if self.opener.kind == TokenKind::LexicalNul
            && !in_raw
            && self.lexer.bytes.starts(end as usize, b"{{")
        {
            // The text with the error starts with the backslash that escapes its braces.
            end = end.saturating_sub(1);
        }
        self.tree.nodes.truncate(self.nodes_before_tag);
        while let Some(block) = self.blocks.pop() {
            self.tree.close(block.body, end);
            self.tree.close(block.node, end);
        }
        self.tree.close(0, end);
    }

    /// Makes the whole template one text.
    pub(crate) fn read_as_text(&mut self) {
        let end = self.text.len() as u32;
        self.tree.nodes.truncate(1);
        self.tree.push(NodeKind::Text, TemplateSpan { start: 0, end }, 0);
        self.tree.close(0, end);
    }

    fn statement(&mut self) -> Result<(), ParseFailure> {
        let (kind, span) = self.opener.parts();
        let (node, flags) = match kind {
            TokenKind::Text => (NodeKind::Text, 0),
            TokenKind::TextSlash => (NodeKind::Text, flag::SLASH),
            TokenKind::TextEscaped => (NodeKind::Text, flag::ESCAPED),
            TokenKind::Comment => (NodeKind::Comment, 0),
            TokenKind::RawText => return Ok(()),
            TokenKind::Open | TokenKind::OpenUnescaped | TokenKind::OpenPartial => {
                return self.mustache();
            }
            TokenKind::OpenBlock
            | TokenKind::OpenInverse
            | TokenKind::OpenPartialBlock
            | TokenKind::OpenRaw => return self.block(),
            TokenKind::OpenClose => return self.closing_tag(),
            TokenKind::Inverse | TokenKind::OpenChain => return self.else_tag(),
            TokenKind::EndRaw => return self.raw_block_end(),
            _ => return Err(failure(Expected::Statement, self.opener)),
        };
        self.tree.push(node, span, flags);
        Ok(())
    }

    fn mustache(&mut self) -> Result<(), ParseFailure> {
        let (kind, open) = self.opener.parts();
        let is_decorator = self.lexer.bytes.at(open.end as usize - 1) == b'*';
        let (kind, close) = match kind {
            TokenKind::OpenPartial => (NodeKind::Partial, TokenKind::Close),
            TokenKind::OpenUnescaped => (NodeKind::Mustache, TokenKind::CloseUnescaped),
            _ if is_decorator => (NodeKind::Decorator, TokenKind::Close),
            _ => (NodeKind::Mustache, TokenKind::Close),
        };
        let node = self.tree.open(kind, open.start);
        self.advance();
        self.head(kind == NodeKind::Partial)?;
        let rest = self.arguments()?;
        let close = self.expect(close, rest)?;
        self.tree.close(node, close.end);
        if kind == NodeKind::Partial {
            self.check_partial(node, TemplateSpan { start: open.start, end: close.end });
        }
        Ok(())
    }

    /// Notes the second positional argument of the first partial that has one.
    fn check_partial(&mut self, node: u32, tag: TemplateSpan) {
        if self.second_partial_argument.is_none() {
            let second = self.tree.node(node).and_then(|node| node.params().nth(1));
            self.second_partial_argument = second.map(|argument| (argument.span(), tag));
        }
    }

    fn block(&mut self) -> Result<(), ParseFailure> {
        let (kind, open) = self.opener.parts();
        let kind = match kind {
            TokenKind::OpenInverse => NodeKind::InverseBlock,
            TokenKind::OpenPartialBlock => NodeKind::PartialBlock,
            TokenKind::OpenRaw => NodeKind::RawBlock,
            _ if open.of(self.text).ends_with('*') => NodeKind::DecoratorBlock,
            _ => NodeKind::Block,
        };
        let node = self.tree.open(kind, open.start);
        let head = node + 2;
        let takes_block_params =
            matches!(kind, NodeKind::Block | NodeKind::InverseBlock | NodeKind::DecoratorBlock);
        let tag = self.block_tag(NodeKind::Opening, takes_block_params)?;
        if kind == NodeKind::PartialBlock {
            self.check_partial(node + 1, tag);
        }
        let body = self.tree.open(NodeKind::Body, tag.end);
        self.blocks.push(OpenBlock {
            kind,
            tag,
            head,
            first_else: None,
            last_else: None,
            node,
            body,
            chained: 0,
        });
        self.level += 1;
        self.depth = self.depth.max(self.level);
        Ok(())
    }

    /// Parses an opening tag, or an `else` tag with a condition, and returns its span.
    fn block_tag(
        &mut self,
        kind: NodeKind,
        takes_block_params: bool,
    ) -> Result<TemplateSpan, ParseFailure> {
        let (opener, open) = self.opener.parts();
        let tag = self.tree.open(kind, open.start);
        self.advance();
        self.head(opener == TokenKind::OpenPartialBlock)?;
        let mut rest = self.arguments()?;
        if takes_block_params && self.token.kind == TokenKind::OpenBlockParams {
            self.block_params()?;
            rest = Expected::TagEnd;
        }
        let wanted =
            if opener == TokenKind::OpenRaw { TokenKind::CloseRaw } else { TokenKind::Close };
        let close = self.expect(wanted, rest)?;
        self.tree.close(tag, close.end);
        Ok(TemplateSpan { start: open.start, end: close.end })
    }

    /// `{{else}}`, `{{^}}` or `{{else if …}}`.
    fn else_tag(&mut self) -> Result<(), ParseFailure> {
        let (kind, span) = self.opener.parts();
        let misplaced = failure(Expected::Statement, self.opener);
        let Some(&block) = self.blocks.last() else { return Err(misplaced) };
        let fits = match block.kind {
            NodeKind::Block | NodeKind::DecoratorBlock => block.last_else.is_none(),
            NodeKind::InverseBlock => block.last_else.is_none() && kind == TokenKind::Inverse,
            _ => false,
        };
        if !fits {
            return Err(misplaced);
        }
        self.tree.close(block.body, span.start);
        let tag = if kind == TokenKind::Inverse {
            self.tree.push(NodeKind::Else, span, 0);
            span
        } else {
            self.level += 1;
            self.depth = self.depth.max(self.level);
            self.block_tag(NodeKind::Else, true)?
        };
        let body = self.tree.open(NodeKind::Body, tag.end);
        if let Some(block) = self.blocks.last_mut() {
            block.body = body;
            block.first_else = block.first_else.or(Some(tag));
            if kind == TokenKind::Inverse {
                block.last_else = Some(tag);
            } else {
                block.chained += 1;
            }
        }
        Ok(())
    }

    fn closing_tag(&mut self) -> Result<(), ParseFailure> {
        let open = self.opener.span();
        let Some(&block) = self.blocks.last() else {
            return Err(failure(Expected::Statement, self.opener));
        };
        self.tree.close(block.body, open.start);
        let closing = self.tree.open(NodeKind::Closing, open.start);
        self.advance();
        self.head(false)?;
        let close = self.expect(TokenKind::Close, Expected::TagEnd)?;
        self.tree.close(closing, close.end);
        if !same_name(&self.tree, self.text, block.head, closing + 1) {
            return Err(self.after_next_token(Cause::Mismatch));
        }
        if block.kind == NodeKind::DecoratorBlock && block.first_else.is_some() {
            return Err(self.after_next_token(Cause::DecoratorElse));
        }
        self.end_block(block, close.end);
        Ok(())
    }

    fn raw_block_end(&mut self) -> Result<(), ParseFailure> {
        let span = self.opener.span();
        let Some(&block) = self.blocks.last() else {
            return Err(failure(Expected::Statement, self.opener));
        };
        if block.tag.end < span.start {
            self.tree.push(
                NodeKind::Text,
                TemplateSpan { start: block.tag.end, end: span.start },
                0,
            );
        }
        self.tree.close(block.body, span.start);
        let closing = self.tree.push(NodeKind::Closing, span, 0);
        if !same_name(&self.tree, self.text, block.head, closing) {
            return Err(self.after_next_token(Cause::Mismatch));
        }
        self.end_block(block, span.end);
        Ok(())
    }

    fn end_block(&mut self, block: OpenBlock, end: u32) {
        self.blocks.pop();
        self.level = self.level.saturating_sub(1 + block.chained);
        self.tree.close(block.node, end);
    }

    /// The reference reads another token before it compares names, so a lexical error there takes precedence.
    fn after_next_token(&mut self, cause: Cause) -> ParseFailure {
        let next = self.lexer.next();
        if next.kind.is_lexical() {
            failure(Expected::Statement, next)
        } else {
            ParseFailure { cause, token: self.opener }
        }
    }
}
