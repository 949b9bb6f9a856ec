//! Tokens to a tree: statements. Blocks are in `block.rs`, expressions in `expression.rs`.
//!
//! Nothing recurses: open blocks and open parentheses are kept on vectors.

use crate::{
    diagnose::diagnose,
    fault::Fault,
    lexer::Lexer,
    span::Span,
    token::{Kind, Token},
    tree::{NodeKind, Tree, flag},
};

/// What became of a template: its tree, and the first fault the reference would meet.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// The syntax tree; after a fault, of what stands before it.
    pub tree: Tree,
    /// The first fault, or `None` where the reference accepts the template.
    pub fault: Option<Fault>,
    /// How deep the reference recurses into the template: blocks and sub-expressions count one for each level, and
    /// so does each `{{else if …}}` of a block, for the reference nests the rest of the chain in it.
    ///
    /// See [`NESTING_LIMIT`](crate::NESTING_LIMIT).
    pub depth: u32,
}

/// Reads a template. It never fails and never panics, and takes time in proportion to the text's length.
///
/// The verdict is that of the reference, npm handlebars 4.7, `parse` followed by `precompile`. Text without `{{` is
/// always fine, for the service does not take it for a template; the reference alone would refuse U+0000 in it.
///
/// A text of 4 GiB or more has no tree and no fault: offsets would not fit.
///
/// ```
/// use voxlint_template::{FaultKind, parse};
///
/// assert!(parse("Hi {{name}}, this is {{agent_name}}").fault.is_none());
///
/// let text = "Hi {{name}, this is {{agent_name}}";
/// let fault = parse(text).fault.unwrap();
/// assert_eq!(fault.kind, FaultKind::OneBrace);
/// assert_eq!(fault.help(text).unwrap(), "close it with two braces: `{{name}}`");
/// ```
pub fn parse(text: &str) -> Parsed {
    if u32::try_from(text.len()).is_err() {
        return Parsed::default();
    }
    Parser::new(text).run()
}

/// The state of a parse; diagnosis reads it when the parse has failed.
pub(crate) struct Parser<'t> {
    pub(crate) text: &'t str,
    pub(crate) lexer: Lexer<'t>,
    pub(crate) tree: Tree,
    /// The token that opened the tag in hand.
    pub(crate) tag: Token,
    /// The token of the tag in hand that was taken last, and the one to take next.
    pub(crate) before: Token,
    pub(crate) token: Token,
    pub(crate) open: Vec<OpenBlock>,
    pub(crate) parens: Vec<OpenParen>,
    /// The number of nodes before the tag in hand.
    mark: usize,
    pub(crate) level: u32,
    pub(crate) deepest: u32,
    /// The second positional argument of the first partial that has one: `precompile` refuses it.
    surplus: Option<(Span, Span)>,
}

/// A block whose closing tag has not been read.
#[derive(Clone, Copy)]
pub(crate) struct OpenBlock {
    pub(crate) kind: NodeKind,
    /// The whole opening tag.
    pub(crate) tag: Span,
    /// Its head, as the index of the node.
    pub(crate) head: u32,
    /// The first `else` tag of any kind.
    pub(crate) first_else: Option<Span>,
    /// The `else` tag without a head, after which no other may come.
    pub(crate) last_else: Option<Span>,
    pub(crate) node: u32,
    pub(crate) body: u32,
    /// The number of `else` tags with a head.
    pub(crate) links: u32,
}

/// A sub-expression whose closing parenthesis has not been read.
#[derive(Clone, Copy)]
pub(crate) struct OpenParen {
    pub(crate) paren: Span,
    pub(crate) node: u32,
    /// The named argument it is the value of, if it is one.
    pub(crate) pair: Option<u32>,
    /// Whether named arguments have begun around it.
    pub(crate) named: bool,
}

/// Why the parse stopped at `token`.
#[derive(Clone, Copy)]
pub(crate) struct Failure {
    pub(crate) cause: Cause,
    pub(crate) token: Token,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The token does not fit; this is what would.
    Expected(Expected),
    /// The closing tag names another block.
    Mismatch,
    /// A decorator block has an `else`.
    DecoratorElse,
    /// `token` is a segment that may only begin a path.
    InvalidPath(Span),
    /// Block parameters from `[…` to `…]`; `token` is the first.
    BracketedBlockParams,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    Statement,
    Head,
    /// An argument of any kind, or the end of the tag or sub-expression.
    Argument,
    /// A further named argument, or the end.
    Named,
    /// The `=` after a name that follows a named argument.
    Equals,
    /// The value after `=`.
    Value,
    Segment,
    DataName,
    BlockParam,
    /// The end of the tag, after block parameters or after the head of a closing tag.
    TagEnd,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Self {
        let start = Token::new(Kind::End, Span::default());
        Self {
            text,
            lexer: Lexer::new(text),
            tree: Tree { nodes: Vec::with_capacity(64) },
            tag: start,
            before: start,
            token: start,
            open: Vec::new(),
            parens: Vec::new(),
            mark: 0,
            level: 0,
            deepest: 0,
            surplus: None,
        }
    }

    fn run(mut self) -> Parsed {
        let root = self.tree.open(NodeKind::Body, 0);
        loop {
            self.tag = self.lexer.next();
            self.mark = self.tree.nodes.len();
            if self.tag.kind == Kind::End && self.open.is_empty() {
                self.tree.close(root, self.tag.span().end, 0);
                let fault =
                    self.surplus.map(|(argument, tag)| Fault::surplus_argument(argument, tag));
                return Parsed { tree: self.tree, fault, depth: self.deepest };
            }
            if let Err(failure) = self.statement() {
                return self.stop(root, failure);
            }
        }
    }

    /// Ends the tree before the tag in hand and names the fault.
    #[cold]
    fn stop(mut self, root: u32, failure: Failure) -> Parsed {
        let is_bare_nul = failure.token.kind == Kind::LexicalNul && !self.text.contains("{{");
        let fault = (!is_bare_nul).then(|| diagnose(&self, failure));
        self.tree.nodes.truncate(self.mark);
        let mut end = self.tag.span().start;
        let in_raw = self.open.last().is_some_and(|block| block.kind == NodeKind::RawBlock);
        if self.tag.kind == Kind::LexicalNul
            && !in_raw
            && self.lexer.bytes.starts(end as usize, b"{{")
        {
            // The text that cannot be read begins with the backslash before its braces.
            end = end.saturating_sub(1);
        }
        if is_bare_nul {
            end = self.text.len() as u32;
            self.tree.nodes.truncate(1);
            self.tree.push(NodeKind::Text, Span { start: 0, end }, 0);
        }
        while let Some(block) = self.open.pop() {
            self.tree.close(block.body, end, 0);
            self.tree.close(block.node, end, flag::INCOMPLETE);
        }
        self.tree.close(root, end, 0);
        Parsed { tree: self.tree, fault, depth: self.deepest }
    }

    fn statement(&mut self) -> Result<(), Failure> {
        let (kind, span) = self.tag.parts();
        match kind {
            Kind::Text => self.leaf(NodeKind::Text, span, 0),
            Kind::TextSlash => self.leaf(NodeKind::Text, span, flag::SLASH),
            Kind::TextEscaped => self.leaf(NodeKind::Text, span, flag::ESCAPED),
            Kind::Comment => self.leaf(NodeKind::Comment, span, self.strip(span, span)),
            Kind::RawText => {}
            Kind::Open | Kind::OpenUnescaped | Kind::OpenPartial => return self.mustache(),
            Kind::OpenBlock | Kind::OpenInverse | Kind::OpenPartialBlock | Kind::OpenRaw => {
                return self.block();
            }
            Kind::OpenClose => return self.closing(),
            Kind::Inverse | Kind::OpenChain => return self.otherwise(),
            Kind::EndRaw => return self.raw_end(),
            _ => return Err(failure(Expected::Statement, self.tag)),
        }
        Ok(())
    }

    fn mustache(&mut self) -> Result<(), Failure> {
        let (kind, open) = self.tag.parts();
        let sigil = self.lexer.bytes.at(open.end as usize - 1);
        let (kind, flags) = match (kind, sigil) {
            (Kind::OpenPartial, _) => (NodeKind::Partial, 0),
            (Kind::OpenUnescaped, _) => (NodeKind::Mustache, flag::TRIPLE),
            (_, b'*') => (NodeKind::Decorator, 0),
            (_, b'&') => (NodeKind::Mustache, flag::AMPERSAND),
            _ => (NodeKind::Mustache, 0),
        };
        let node = self.tree.open(kind, open.start);
        self.advance();
        self.head(kind == NodeKind::Partial)?;
        let rest = self.arguments()?;
        let wanted = if flags == flag::TRIPLE { Kind::CloseUnescaped } else { Kind::Close };
        let close = self.expect(wanted, rest)?;
        self.tree.close(node, close.end, flags | self.strip(open, close));
        if kind == NodeKind::Partial {
            self.count_arguments(node, Span { start: open.start, end: close.end });
        }
        Ok(())
    }

    pub(crate) fn count_arguments(&mut self, tag_node: u32, tag: Span) {
        if self.surplus.is_none() {
            let second = self.tree.node(tag_node).and_then(|node| node.params().nth(1));
            self.surplus = second.map(|argument| (argument.span(), tag));
        }
    }

    #[inline]
    pub(crate) fn expect(&mut self, kind: Kind, otherwise: Expected) -> Result<Span, Failure> {
        if self.token.kind == kind {
            Ok(self.token.span())
        } else {
            Err(failure(otherwise, self.token))
        }
    }

    #[inline]
    pub(crate) fn leaf(&mut self, kind: NodeKind, span: Span, flags: u8) {
        self.tree.push(kind, span, flags);
    }

    pub(crate) fn strip(&self, open: Span, close: Span) -> u8 {
        let bytes = self.lexer.bytes;
        let before = bytes.at(open.start as usize + 2) == b'~';
        let after = bytes.at((close.end as usize).saturating_sub(3)) == b'~';
        (u8::from(before) * flag::STRIP_BEFORE) | (u8::from(after) * flag::STRIP_AFTER)
    }

    #[inline]
    pub(crate) fn advance(&mut self) {
        self.before = self.token;
        self.token = self.lexer.next();
    }

    pub(crate) fn note_depth(&mut self) {
        self.deepest = self.deepest.max(self.level + self.parens.len() as u32);
    }
}

pub(crate) fn failure(expected: Expected, token: Token) -> Failure {
    Failure { cause: Cause::Expected(expected), token }
}
