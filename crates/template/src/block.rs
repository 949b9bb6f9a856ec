//! The tags of blocks: opening, `else`, closing.

use crate::{
    names::same_name,
    parser::{Cause, Expected, Failure, OpenBlock, Parser, failure},
    span::Span,
    token::Kind,
    tree::NodeKind,
};

impl Parser<'_> {
    pub(crate) fn block(&mut self) -> Result<(), Failure> {
        let (kind, open) = self.tag.parts();
        let kind = match kind {
            Kind::OpenInverse => NodeKind::InverseBlock,
            Kind::OpenPartialBlock => NodeKind::PartialBlock,
            Kind::OpenRaw => NodeKind::RawBlock,
            _ if open.of(self.text).ends_with('*') => NodeKind::DecoratorBlock,
            _ => NodeKind::Block,
        };
        let node = self.tree.open(kind, open.start);
        let head = node + 2;
        let names_values =
            matches!(kind, NodeKind::Block | NodeKind::InverseBlock | NodeKind::DecoratorBlock);
        let tag = self.block_tag(NodeKind::Opening, names_values)?;
        if kind == NodeKind::PartialBlock {
            self.count_arguments(node + 1, tag);
        }
        let body = self.tree.open(NodeKind::Body, tag.end);
        self.open.push(OpenBlock {
            kind,
            tag,
            head,
            first_else: None,
            last_else: None,
            node,
            body,
            links: 0,
        });
        self.level += 1;
        self.deepest = self.deepest.max(self.level);
        Ok(())
    }

    /// Reads an opening tag, or an `else` tag with a head, and answers with its span.
    fn block_tag(&mut self, kind: NodeKind, names_values: bool) -> Result<Span, Failure> {
        let (opener, open) = self.tag.parts();
        let tag = self.tree.open(kind, open.start);
        self.advance();
        self.head(opener == Kind::OpenPartialBlock)?;
        let mut rest = self.arguments()?;
        if names_values && self.token.kind == Kind::OpenBlockParams {
            self.block_params()?;
            rest = Expected::TagEnd;
        }
        let wanted = if opener == Kind::OpenRaw { Kind::CloseRaw } else { Kind::Close };
        let close = self.expect(wanted, rest)?;
        // Raw blocks cannot strip: their close has no room for the `~` that `strip` would find in it.
        self.tree.close(tag, close.end, self.strip(open, close));
        Ok(Span { start: open.start, end: close.end })
    }

    /// `{{else}}`, `{{^}}` or `{{else if …}}`.
    pub(crate) fn otherwise(&mut self) -> Result<(), Failure> {
        let (kind, span) = self.tag.parts();
        let misplaced = failure(Expected::Statement, self.tag);
        let Some(&block) = self.open.last() else { return Err(misplaced) };
        let fits = match block.kind {
            NodeKind::Block | NodeKind::DecoratorBlock => block.last_else.is_none(),
            NodeKind::InverseBlock => block.last_else.is_none() && kind == Kind::Inverse,
            _ => false,
        };
        if !fits {
            return Err(misplaced);
        }
        self.tree.close(block.body, span.start, 0);
        let tag = if kind == Kind::Inverse {
            self.leaf(NodeKind::Else, span, self.strip(span, span));
            span
        } else {
            self.level += 1;
            self.deepest = self.deepest.max(self.level);
            self.block_tag(NodeKind::Else, true)?
        };
        let body = self.tree.open(NodeKind::Body, tag.end);
        if let Some(block) = self.open.last_mut() {
            block.body = body;
            block.first_else = block.first_else.or(Some(tag));
            if kind == Kind::Inverse {
                block.last_else = Some(tag);
            } else {
                block.links += 1;
            }
        }
        Ok(())
    }

    pub(crate) fn closing(&mut self) -> Result<(), Failure> {
        let open = self.tag.span();
        let Some(&block) = self.open.last() else {
            return Err(failure(Expected::Statement, self.tag));
        };
        self.tree.close(block.body, open.start, 0);
        let closing = self.tree.open(NodeKind::Closing, open.start);
        self.advance();
        self.head(false)?;
        let close = self.expect(Kind::Close, Expected::TagEnd)?;
        self.tree.close(closing, close.end, self.strip(open, close));
        if !same_name(&self.tree, self.text, block.head, closing + 1) {
            return Err(self.after_next_token(Cause::Mismatch));
        }
        if block.kind == NodeKind::DecoratorBlock && block.first_else.is_some() {
            return Err(self.after_next_token(Cause::DecoratorElse));
        }
        self.end_block(block, close.end);
        Ok(())
    }

    pub(crate) fn raw_end(&mut self) -> Result<(), Failure> {
        let span = self.tag.span();
        let Some(&block) = self.open.last() else {
            return Err(failure(Expected::Statement, self.tag));
        };
        if block.tag.end < span.start {
            self.leaf(NodeKind::Text, Span { start: block.tag.end, end: span.start }, 0);
        }
        self.tree.close(block.body, span.start, 0);
        let closing = self.tree.push(NodeKind::Closing, span, 0);
        if !same_name(&self.tree, self.text, block.head, closing) {
            return Err(self.after_next_token(Cause::Mismatch));
        }
        self.end_block(block, span.end);
        Ok(())
    }

    fn end_block(&mut self, block: OpenBlock, end: u32) {
        self.open.pop();
        self.level = self.level.saturating_sub(1 + block.links);
        self.tree.close(block.node, end, 0);
    }

    /// The reference reads one token more before it compares names, so a fault of the lexer in that token is first.
    fn after_next_token(&mut self, cause: Cause) -> Failure {
        let next = self.lexer.next();
        if next.kind.is_lexical() {
            failure(Expected::Statement, next)
        } else {
            Failure { cause, token: self.tag }
        }
    }
}
