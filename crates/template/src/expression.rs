//! Heads, paths, arguments and block parameters.

use crate::{
    node::has_line_terminator,
    parser::{Cause, Expected, Failure, OpenParen, Parser, failure},
    span::Span,
    token::{Kind, Token},
    tree::{NodeKind, flag},
};

impl Parser<'_> {
    /// What a tag or a sub-expression begins with. A sub-expression, where it may stand here, is only begun:
    /// [`Parser::arguments`] goes on with it.
    #[inline]
    pub(crate) fn head(&mut self, takes_parens: bool) -> Result<(), Failure> {
        self.parens.clear();
        if takes_parens && self.token.kind == Kind::OpenParen {
            return self.open_paren(None, false);
        }
        self.operand(Expected::Head)
    }

    /// Reads positional, then named arguments, to the first token that is neither, and tells what could have
    /// followed there.
    pub(crate) fn arguments(&mut self) -> Result<Expected, Failure> {
        let mut named = false;
        loop {
            match self.token.kind {
                Kind::Name | Kind::Bracketed => {
                    let first = self.token;
                    self.advance();
                    if self.token.kind == Kind::Equals {
                        named = self.pair(first)?;
                    } else if named {
                        return Err(failure(Expected::Equals, self.token));
                    } else {
                        self.path(first, first.span().start, 0)?;
                    }
                }
                Kind::CloseParen if !self.parens.is_empty() => named = self.close_paren(named),
                Kind::OpenParen if !named => self.open_paren(None, named)?,
                kind if !named && (kind == Kind::At || kind.is_literal()) => {
                    self.operand(Expected::Argument)?;
                }
                _ => {
                    let rest = if named { Expected::Named } else { Expected::Argument };
                    return if self.parens.is_empty() {
                        Ok(rest)
                    } else {
                        Err(failure(rest, self.token))
                    };
                }
            }
        }
    }

    /// Reads `= value` and answers whether named arguments have begun where reading goes on: not within the
    /// sub-expression that a value may be.
    fn pair(&mut self, key: Token) -> Result<bool, Failure> {
        let pair = self.tree.open(NodeKind::Pair, key.span().start);
        self.tree.push(NodeKind::Key, key.span(), 0);
        self.advance();
        if self.token.kind == Kind::OpenParen {
            self.open_paren(Some(pair), true)?;
            return Ok(false);
        }
        self.operand(Expected::Value)?;
        self.tree.close(pair, self.before.span().end, 0);
        Ok(true)
    }

    /// A path or a literal.
    #[inline]
    fn operand(&mut self, expected: Expected) -> Result<(), Failure> {
        let token = self.token;
        let literal = match token.kind {
            Kind::Name | Kind::Bracketed => {
                self.advance();
                return self.path(token, token.span().start, 0);
            }
            Kind::At => {
                self.advance();
                let first = self.token;
                if !first.kind.is_name() {
                    return Err(failure(Expected::DataName, first));
                }
                self.advance();
                return self.path(first, token.span().start, flag::DATA);
            }
            Kind::String => NodeKind::String,
            Kind::Number => NodeKind::Number,
            Kind::Boolean => NodeKind::Boolean,
            Kind::Undefined => NodeKind::Undefined,
            Kind::Null => NodeKind::Null,
            _ => return Err(failure(expected, token)),
        };
        self.tree.push(literal, token.span(), 0);
        self.advance();
        Ok(())
    }

    /// A path whose first segment has been taken.
    #[inline]
    fn path(&mut self, first: Token, start: u32, flags: u8) -> Result<(), Failure> {
        let path = self.tree.open(NodeKind::Path, start);
        self.segment(first);
        let mut wrong = None;
        if self.token.kind == Kind::Separator {
            let mut has_name = self.is_property(first);
            while self.token.kind == Kind::Separator {
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
        let end = self.before.span().end;
        self.tree.close(path, end, flags);
        match wrong {
            Some(token) if self.token.kind.completes_path() => {
                Err(Failure { cause: Cause::InvalidPath(Span { start, end }), token })
            }
            _ => Ok(()),
        }
    }

    #[inline]
    fn segment(&mut self, token: Token) {
        let flags = if token.kind == Kind::Bracketed { flag::BRACKETED } else { 0 };
        self.tree.push(NodeKind::Segment, token.span(), flags);
    }

    /// Whether a segment names a property, rather than moving to `this` or to the parent.
    fn is_property(&self, segment: Token) -> bool {
        segment.kind == Kind::Bracketed
            || !matches!(segment.span().of(self.text), "." | ".." | "this")
    }

    fn open_paren(&mut self, pair: Option<u32>, named: bool) -> Result<(), Failure> {
        let paren = self.token.span();
        let node = self.tree.open(NodeKind::SubExpression, paren.start);
        self.parens.push(OpenParen { paren, node, pair, named });
        self.note_depth();
        self.advance();
        self.operand(Expected::Head)
    }

    /// Ends the innermost sub-expression and answers whether named arguments have begun around it.
    fn close_paren(&mut self, named: bool) -> bool {
        let end = self.token.span().end;
        let Some(paren) = self.parens.pop() else { return named };
        self.tree.close(paren.node, end, 0);
        if let Some(pair) = paren.pair {
            self.tree.close(pair, end, 0);
        }
        self.advance();
        paren.named
    }

    /// Reads `as |a b|`.
    pub(crate) fn block_params(&mut self) -> Result<(), Failure> {
        self.advance();
        let first = self.token;
        let mut has_line_break = false;
        while self.token.kind.is_name() {
            self.tree.push(NodeKind::BlockParam, self.token.span(), 0);
            has_line_break |= has_line_terminator(self.token.span().of(self.text));
            self.advance();
        }
        if !first.kind.is_name() || self.token.kind != Kind::Pipe {
            return Err(failure(Expected::BlockParam, self.token));
        }
        // The reference takes the brackets off the whole list, as if it were one name, and fails. A line break keeps
        // its pattern from matching.
        if first.kind == Kind::Bracketed && self.before.kind == Kind::Bracketed && !has_line_break {
            return Err(Failure { cause: Cause::BracketedBlockParams, token: first });
        }
        self.advance();
        Ok(())
    }
}
