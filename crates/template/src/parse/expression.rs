//! The grammar of expressions: heads, paths, arguments and block parameters.

use super::{
    node::has_line_terminator,
    parser::{Cause, Expected, OpenParen, ParseFailure, Parser, failure},
    span::TemplateSpan,
    token::{Token, TokenKind},
    tree::{NodeKind, flag},
};

impl Parser<'_> {
    /// Parses the first expression of a tag. Of a subexpression, where it is allowed, this parses only the start:
    /// [`Parser::arguments`] continues it.
    #[inline]
    pub(super) fn head(&mut self, takes_parens: bool) -> Result<(), ParseFailure> {
        self.parens.clear();
        if takes_parens && self.token.kind == TokenKind::OpenParen {
            return self.open_paren(None, false);
        }
        self.operand(Expected::Head)
    }

    /// Parses positional, then hash arguments up to the first other token. Returns what is expected there.
    pub(super) fn arguments(&mut self) -> Result<Expected, ParseFailure> {
        let mut after_hash = false;
        loop {
            match self.token.kind {
                TokenKind::Name | TokenKind::Bracketed => {
                    let first = self.token;
                    self.advance();
                    if self.token.kind == TokenKind::Equals {
                        after_hash = self.hash_argument(first)?;
                    } else if after_hash {
                        return Err(failure(Expected::Equals, self.token));
                    } else {
                        self.path(first, first.span().start, 0)?;
                    }
                }
                TokenKind::CloseParen if !self.parens.is_empty() => {
                    after_hash = self.close_paren(after_hash);
                }
                TokenKind::OpenParen if !after_hash => self.open_paren(None, after_hash)?,
                kind if !after_hash && (kind == TokenKind::At || kind.is_literal()) => {
                    self.operand(Expected::Argument)?;
                }
                _ => {
                    let rest = if after_hash { Expected::HashArgument } else { Expected::Argument };
                    return if self.parens.is_empty() {
                        Ok(rest)
                    } else {
                        Err(failure(rest, self.token))
                    };
                }
            }
        }
    }

    /// Parses `= value`. Returns whether the next argument follows a hash argument: false if the value is a
    /// subexpression, because its own arguments are next.
    fn hash_argument(&mut self, key: Token) -> Result<bool, ParseFailure> {
        let argument = self.tree.open(NodeKind::HashArgument, key.span().start);
        self.tree.push(NodeKind::Key, key.span(), 0);
        self.advance();
        if self.token.kind == TokenKind::OpenParen {
            self.open_paren(Some(argument), true)?;
            return Ok(false);
        }
        self.operand(Expected::Value)?;
        self.tree.close(argument, self.previous.span().end);
        Ok(true)
    }

    /// Parses a path or a literal.
    #[inline]
    fn operand(&mut self, expected: Expected) -> Result<(), ParseFailure> {
        let token = self.token;
        let literal = match token.kind {
            TokenKind::Name | TokenKind::Bracketed => {
                self.advance();
                return self.path(token, token.span().start, 0);
            }
            TokenKind::At => {
                self.advance();
                let first = self.token;
                if !first.kind.is_name() {
                    return Err(failure(Expected::DataName, first));
                }
                self.advance();
                return self.path(first, token.span().start, flag::DATA);
            }
            TokenKind::String => NodeKind::String,
            TokenKind::Number => NodeKind::Number,
            TokenKind::Boolean => NodeKind::Boolean,
            TokenKind::Undefined => NodeKind::Undefined,
            TokenKind::Null => NodeKind::Null,
            _ => return Err(failure(expected, token)),
        };
        self.tree.push(literal, token.span(), 0);
        self.advance();
        Ok(())
    }

    /// Parses a path after its first segment.
    #[inline]
    fn path(&mut self, first: Token, start: u32, flags: u8) -> Result<(), ParseFailure> {
        let path = self.tree.push(NodeKind::Path, TemplateSpan { start, end: start }, flags);
        self.segment(first);
        let mut wrong = None;
        if self.token.kind == TokenKind::Separator {
            let mut has_name = self.is_property(first);
            while self.token.kind == TokenKind::Separator {
                self.advance();
                let segment = self.token;
                if !segment.kind.is_name() {
                    return Err(failure(Expected::Segment, segment));
                }
                self.segment(segment);
                let is_property = self.is_property(segment);
                if has_name && !is_property {
                    wrong = wrong.or(Some(segment));
                }
                has_name |= is_property;
                self.advance();
            }
        }
        let end = self.previous.span().end;
        self.tree.close(path, end);
        match wrong {
            Some(token) if self.token.kind.completes_path() => {
                Err(ParseFailure { cause: Cause::InvalidPath(TemplateSpan { start, end }), token })
            }
            _ => Ok(()),
        }
    }

    #[inline]
    fn segment(&mut self, token: Token) {
        let flags = if token.kind == TokenKind::Bracketed { flag::BRACKETED } else { 0 };
        self.tree.push(NodeKind::Segment, token.span(), flags);
    }

    /// Whether a segment is the name of a property, and not `this`, `.` or `..`.
    fn is_property(&self, segment: Token) -> bool {
        segment.kind == TokenKind::Bracketed
            || !matches!(segment.span().of(self.text), "." | ".." | "this")
    }

    fn open_paren(
        &mut self,
        hash_argument: Option<u32>,
        after_hash: bool,
    ) -> Result<(), ParseFailure> {
        let span = self.token.span();
        let node = self.tree.open(NodeKind::SubExpression, span.start);
        self.parens.push(OpenParen { span, node, hash_argument, after_hash });
        self.update_depth();
        self.advance();
        self.operand(Expected::Head)
    }

    /// Ends the innermost subexpression. Returns whether the next argument follows a hash argument.
    fn close_paren(&mut self, after_hash: bool) -> bool {
        let end = self.token.span().end;
        let Some(paren) = self.parens.pop() else { return after_hash };
        self.tree.close(paren.node, end);
        if let Some(argument) = paren.hash_argument {
            self.tree.close(argument, end);
        }
        self.advance();
        paren.after_hash
    }

    /// Parses `as |a b|`.
    pub(super) fn block_params(&mut self) -> Result<(), ParseFailure> {
        self.advance();
        let first = self.token;
        let mut has_line_break = false;
        while self.token.kind.is_name() {
            self.tree.push(NodeKind::BlockParam, self.token.span(), 0);
            has_line_break |= has_line_terminator(self.token.span().of(self.text));
            self.advance();
        }
        if !first.kind.is_name() || self.token.kind != TokenKind::Pipe {
            return Err(failure(Expected::BlockParam, self.token));
        }
        // The reference strips brackets from the whole list, as if it were one name, and throws. It does not if there
        // is a line break, because its pattern does not match then.
        if first.kind == TokenKind::Bracketed
            && self.previous.kind == TokenKind::Bracketed
            && !has_line_break
        {
            return Err(ParseFailure { cause: Cause::BracketedBlockParams, token: first });
        }
        self.advance();
        Ok(())
    }
}
