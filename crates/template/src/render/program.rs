//! A template as the reference compiles it: blocks have a program and an inverse, names are resolved to block
//! parameters, and each call is classified.

use std::borrow::Cow;

use super::{number, value::Value};
use crate::{
    mistakes::tag_text::BUILT_IN_HELPERS,
    parse::{
        block_name,
        node::{Branch, SegmentKind, TemplateNode},
        span::TemplateSpan,
        tree::NodeKind,
    },
    parsed::ParsedTemplate,
};

/// The statements of a template, a branch or a block.
#[derive(Debug, Default)]
pub(super) struct Program<'t> {
    pub(super) statements: Vec<Statement<'t>>,
    /// Whether the only statement is the `else if` that the rest of a chain consists of.
    is_chained: bool,
    /// Whether something in it uses `../`. Only then the reference keeps track of the contexts around.
    pub(super) uses_depths: bool,
}

/// A standalone tag is alone in its line. Its line leaves no trace in the result.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Strip {
    /// Remove all white space before the tag.
    pub(super) before: bool,
    /// Remove all white space after the tag.
    pub(super) after: bool,
}

#[derive(Debug)]
pub(super) enum Statement<'t> {
    Text(Content<'t>),
    Comment(Strip),
    Mustache(Mustache<'t>),
    Block(Block<'t>),
    Partial(Partial<'t>),
}

/// Text, with what is left of it after white space was removed.
#[derive(Debug)]
pub(super) struct Content<'t> {
    pub(super) original: &'t str,
    pub(super) value: &'t str,
    pub(super) is_start_stripped: bool,
    pub(super) is_end_stripped: bool,
}

#[derive(Debug)]
pub(super) struct Mustache<'t> {
    pub(super) call: Call<'t>,
    /// The path and the arguments.
    pub(super) written: TemplateSpan,
    /// What the tag reads, for people: the path, or the call of a helper with its arguments.
    pub(super) name: Cow<'t, str>,
    pub(super) is_escaped: bool,
    pub(super) strip: Strip,
}

#[derive(Debug)]
pub(super) struct Block<'t> {
    pub(super) call: Call<'t>,
    pub(super) program: Option<Program<'t>>,
    pub(super) inverse: Option<Program<'t>>,
    pub(super) open: Strip,
    /// That of the first `else`.
    pub(super) middle: Strip,
    pub(super) close: Strip,
}

/// A partial or a decorator. It is checked, and not rendered.
#[derive(Debug)]
pub(super) struct Partial<'t> {
    pub(super) is_decorator: bool,
    /// That of the partial or decorator; `None` if an expression gives it.
    pub(super) name: Option<Cow<'t, str>>,
    pub(super) params: Vec<Expression<'t>>,
    pub(super) hash: Hash<'t>,
    pub(super) program: Option<Program<'t>>,
    pub(super) span: TemplateSpan,
}

/// Named arguments.
pub(super) type Hash<'t> = Vec<(Cow<'t, str>, Expression<'t>)>;

#[derive(Debug)]
pub(super) enum Expression<'t> {
    Path(Path<'t>),
    Literal(Value),
    Call(Call<'t>),
}

/// The head of a tag or subexpression with its arguments.
#[derive(Debug)]
pub(super) struct Call<'t> {
    pub(super) path: Path<'t>,
    pub(super) params: Vec<Expression<'t>>,
    pub(super) hash: Hash<'t>,
    pub(super) kind: CallKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallKind {
    /// A path that cannot be a helper.
    Simple,
    /// The call of a helper.
    Helper,
    /// One name without arguments that is not a built-in helper.
    Ambiguous,
}

#[derive(Debug)]
pub(super) struct Path<'t> {
    pub(super) parts: Vec<Cow<'t, str>>,
    /// How many `../` it begins with.
    pub(super) depth: usize,
    /// Whether it begins with `@`.
    pub(super) is_data: bool,
    /// The path as the reference writes it in messages.
    pub(super) original: Cow<'t, str>,
    /// If it begins with a block parameter: how many programs out, and which one.
    pub(super) param: Option<(usize, usize)>,
    pub(super) span: TemplateSpan,
}

struct Compiler<'t> {
    text: &'t str,
    /// The block parameters of the programs around, outermost first.
    scopes: Vec<Vec<Cow<'t, str>>>,
    /// Whether the program that is compiled uses `../`, so far.
    uses_depths: bool,
}

impl<'t> Program<'t> {
    /// Compiles a template without errors. This recurses into blocks and subexpressions.
    pub(super) fn of(text: &'t str, template: &'t ParsedTemplate) -> Self {
        let mut compiler = Compiler { text, scopes: Vec::new(), uses_depths: false };
        let root = template.tree.root();
        root.map(|root| compiler.program(root, Vec::new())).unwrap_or_default()
    }

    /// The statements after the first `else` of a chain.
    pub(super) fn first_of_chain(&mut self) -> &mut [Statement<'t>] {
        if !self.is_chained {
            return &mut self.statements;
        }
        match self.statements.as_mut_slice() {
            [Statement::Block(Block { program: Some(program), .. })] => &mut program.statements,
            _ => &mut [],
        }
    }
}

impl<'t> Block<'t> {
    pub(super) fn first_program(&mut self) -> Option<&mut Program<'t>> {
        self.program.as_mut().or(self.inverse.as_mut())
    }

    pub(super) fn last_program(&mut self) -> Option<&mut Program<'t>> {
        self.inverse.as_mut().or(self.program.as_mut())
    }
}

impl<'t> Compiler<'t> {
    fn program(&mut self, body: TemplateNode<'t>, params: Vec<Cow<'t, str>>) -> Program<'t> {
        let uses_depths = std::mem::take(&mut self.uses_depths);
        self.scopes.push(params);
        let mut statements = Vec::new();
        for node in body.children() {
            self.statement(node, &mut statements);
        }
        self.scopes.pop();
        let program = Program { statements, is_chained: false, uses_depths: self.uses_depths };
        self.uses_depths |= uses_depths;
        program
    }

    fn statement(&mut self, node: TemplateNode<'t>, to: &mut Vec<Statement<'t>>) {
        let strip = strip(self.text, node);
        to.push(match node.kind() {
            NodeKind::Comment => Statement::Comment(strip),
            NodeKind::Mustache => {
                let source = node.span().of(self.text);
                let inner = source.strip_prefix("{{").unwrap_or(source);
                let inner = inner.strip_prefix('~').unwrap_or(inner);
                let call = self.call(node);
                let arguments = node.params().chain(node.hash_arguments());
                let end = arguments.map(|it| it.span().end).max().unwrap_or(call.path.span.end);
                let written = TemplateSpan { start: call.path.span.start, end };
                let name = match call.kind {
                    CallKind::Helper => written.of(self.text).into(),
                    CallKind::Simple | CallKind::Ambiguous => call.path.original.clone(),
                };
                Statement::Mustache(Mustache {
                    call,
                    written,
                    name,
                    is_escaped: !inner.starts_with(['{', '&']),
                    strip,
                })
            }
            NodeKind::Partial
            | NodeKind::PartialBlock
            | NodeKind::Decorator
            | NodeKind::DecoratorBlock => Statement::Partial(self.partial(node)),
            NodeKind::Block | NodeKind::InverseBlock => Statement::Block(self.block(node)),
            NodeKind::RawBlock => Statement::Block(self.raw_block(node)),
            _ => Statement::Text(text(node, self.text)),
        });
    }

    fn block(&mut self, node: TemplateNode<'t>) -> Block<'t> {
        let branches: Vec<Branch<'t>> = node.branches().collect();
        let close = closing(node).map(|tag| strip(self.text, tag)).unwrap_or_default();
        let Some((first, rest)) = branches.split_first() else { return self.raw_block(node) };
        let mut block = self.branch(*first, rest, close, false);
        if node.kind() == NodeKind::InverseBlock {
            std::mem::swap(&mut block.program, &mut block.inverse);
        }
        block
    }

    /// A branch as a block, with the rest of the chain in its inverse. `close` is the closing tag.
    fn branch(
        &mut self,
        branch: Branch<'t>,
        rest: &[Branch<'t>],
        close: Strip,
        is_chained: bool,
    ) -> Block<'t> {
        let call = self.call(branch.tag);
        let program = Some(self.program(branch.body, self.params_of(branch.tag)));
        let mut block = Block {
            call,
            program,
            inverse: None,
            open: strip(self.text, branch.tag),
            middle: Strip::default(),
            close,
        };
        if let Some((next, rest)) = rest.split_first() {
            block.middle = strip(self.text, next.tag);
            block.inverse = Some(if next.tag.head().is_some() {
                // In the reference, only the first `else if` sees the closing tag. To the others, their own tag closes.
                let close = if is_chained { block.middle } else { close };
                self.scopes.push(Vec::new());
                let uses_depths = std::mem::take(&mut self.uses_depths);
                let statements = vec![Statement::Block(self.branch(*next, rest, close, true))];
                let chain = Program { statements, is_chained: true, uses_depths: self.uses_depths };
                self.uses_depths |= uses_depths;
                self.scopes.pop();
                chain
            } else {
                self.program(next.body, Vec::new())
            });
        }
        block
    }

    fn raw_block(&mut self, node: TemplateNode<'t>) -> Block<'t> {
        let call = self.call(node.children().next().unwrap_or(node));
        let body = node.branches().next().and_then(|branch| branch.body.children().next());
        let statements = body.map(|raw| raw_pieces(raw.span().of(self.text))).unwrap_or_default();
        let statements = statements.into_iter().map(|it| Statement::Text(Content::new(it)));
        Block {
            call,
            program: Some(Program { statements: statements.collect(), ..Program::default() }),
            inverse: None,
            open: Strip::default(),
            middle: Strip::default(),
            close: Strip::default(),
        }
    }

    fn partial(&mut self, node: TemplateNode<'t>) -> Partial<'t> {
        let branch = node.branches().next();
        let tag = branch.map_or(node, |branch| branch.tag);
        let name = tag.head().filter(|head| head.kind() != NodeKind::SubExpression);
        Partial {
            is_decorator: matches!(node.kind(), NodeKind::Decorator | NodeKind::DecoratorBlock),
            name: name.map(|head| original(head, self.text)),
            params: tag.params().map(|node| self.expression(node)).collect(),
            hash: self.hash(tag),
            program: branch.map(|branch| self.program(branch.body, self.params_of(branch.tag))),
            span: tag.head().unwrap_or(tag).span(),
        }
    }

    fn params_of(&self, tag: TemplateNode<'t>) -> Vec<Cow<'t, str>> {
        tag.block_params().map(|param| param.value(self.text)).collect()
    }

    fn call(&mut self, tag: TemplateNode<'t>) -> Call<'t> {
        let path = self.head(tag);
        let params: Vec<_> = tag.params().map(|node| self.expression(node)).collect();
        let hash = self.hash(tag);
        let has_arguments = !params.is_empty() || !hash.is_empty();
        let kind = path.kind(has_arguments || tag.kind() == NodeKind::SubExpression);
        Call { path, params, hash, kind }
    }

    /// The head of a tag or subexpression.
    fn head(&mut self, tag: TemplateNode<'t>) -> Path<'t> {
        match tag.head() {
            Some(head) if head.kind() == NodeKind::Path => self.path(head),
            // A literal is looked up like a name.
            head => {
                let original = head.map(|head| original(head, self.text)).unwrap_or_default();
                self.path_to(vec![original.clone()], 0, false, original, head.unwrap_or(tag).span())
            }
        }
    }

    fn hash(&mut self, tag: TemplateNode<'t>) -> Hash<'t> {
        let arguments = tag.hash_arguments();
        let named = arguments.filter_map(|it| Some((it.key(self.text), it.argument_value()?)));
        named.map(|(name, value)| (name, self.expression(value))).collect()
    }

    fn expression(&mut self, node: TemplateNode<'t>) -> Expression<'t> {
        let source = node.span().of(self.text);
        match node.kind() {
            NodeKind::SubExpression => Expression::Call(self.call(node)),
            NodeKind::String => Expression::Literal(Value::from(&*node.value(self.text))),
            NodeKind::Number => Expression::Literal(Value::Number(number::from_text(source))),
            NodeKind::Boolean => Expression::Literal(Value::Boolean(source == "true")),
            NodeKind::Null => Expression::Literal(Value::Null),
            NodeKind::Undefined => Expression::Literal(Value::Undefined),
            _ => Expression::Path(self.path(node)),
        }
    }

    fn path(&mut self, node: TemplateNode<'t>) -> Path<'t> {
        let (mut parts, mut depth) = (Vec::new(), 0);
        for segment in node.children() {
            match segment.segment_kind(self.text) {
                SegmentKind::Name => parts.push(segment.value(self.text)),
                SegmentKind::Parent => depth += 1,
                SegmentKind::This => {}
            }
        }
        self.path_to(parts, depth, node.is_data(), original(node, self.text), node.span())
    }

    fn path_to(
        &mut self,
        parts: Vec<Cow<'t, str>>,
        depth: usize,
        is_data: bool,
        original: Cow<'t, str>,
        span: TemplateSpan,
    ) -> Path<'t> {
        self.uses_depths |= depth > 0;
        let mut path = Path { parts, depth, is_data, original, param: None, span };
        if depth == 0 && !path.is_scoped() {
            let name = path.first();
            let mut scopes = self.scopes.iter().rev().enumerate();
            path.param = scopes.find_map(|(out, params)| {
                Some((out, params.iter().position(|param| Some(&**param) == name)?))
            });
        }
        path
    }
}

impl Path<'_> {
    pub(super) fn first(&self) -> Option<&str> {
        self.parts.first().map(|part| &**part)
    }

    /// How the path is called, with arguments or in a place for a helper, or without.
    fn kind(&self, is_helper: bool) -> CallKind {
        let is_one_name = self.parts.len() == 1 && self.depth == 0 && !self.is_scoped();
        let is_built_in = self.first().is_some_and(|name| BUILT_IN_HELPERS.contains(&name));
        if is_one_name && self.param.is_some() {
            CallKind::Simple
        } else if is_helper || is_one_name && is_built_in {
            CallKind::Helper
        } else if is_one_name {
            CallKind::Ambiguous
        } else {
            CallKind::Simple
        }
    }

    /// Whether the reference takes the path to begin with `this`: it looks for the end of that word anywhere.
    fn is_scoped(&self) -> bool {
        self.original.starts_with('.')
            || self.original.match_indices("this").any(|(at, _)| {
                let after = self.original.as_bytes().get(at + 4);
                !after.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
            })
    }
}

impl<'t> Content<'t> {
    fn new(original: &'t str) -> Self {
        Self { original, value: original, is_start_stripped: false, is_end_stripped: false }
    }
}

fn text<'t>(node: TemplateNode<'t>, text: &'t str) -> Content<'t> {
    match node.value(text) {
        Cow::Borrowed(value) => Content::new(value),
        // Text has no escapes within it.
        Cow::Owned(_) => Content::new(""),
    }
}

fn closing(block: TemplateNode<'_>) -> Option<TemplateNode<'_>> {
    block.children().find(|node| node.kind() == NodeKind::Closing)
}

fn strip(text: &str, tag: TemplateNode<'_>) -> Strip {
    let source = tag.span().of(text);
    Strip { before: source.starts_with("{{~"), after: source.ends_with("~}}") }
}

/// The head of a tag as the reference writes it: a path with its separators, or the text of a literal.
fn original<'t>(head: TemplateNode<'t>, text: &'t str) -> Cow<'t, str> {
    match head.kind() {
        NodeKind::Number => Cow::Owned(number::to_text(number::from_text(head.span().of(text)))),
        NodeKind::Path => block_name::original(head, text),
        _ => head.value(text),
    }
}

/// The content of a raw block in the pieces that the reference reads: raw blocks within it are pieces of their own.
fn raw_pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = match rest.strip_prefix("{{{{") {
            Some(inner) if !inner.starts_with('/') => 4,
            Some(inner) if inner.find("}}}}").is_some_and(|at| is_raw_name(inner.get(1..at))) => {
                rest.find("}}}}").map_or(rest.len(), |at| at + 4)
            }
            _ => {
                let mut places = rest.match_indices("{{{{").map(|(at, _)| at);
                places.find(|at| *at > 0).unwrap_or(rest.len())
            }
        };
        let Some((piece, after)) = rest.split_at_checked(end) else { break };
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// Whether a text is the name of a raw block's end.
fn is_raw_name(name: Option<&str>) -> bool {
    let is_name = |it: char| {
        !number::is_space(it)
            && (!it.is_ascii_punctuation() || matches!(it, '$' | '-' | '_' | ':' | '?'))
    };
    name.is_some_and(|name| !name.is_empty() && name.chars().all(is_name))
}
