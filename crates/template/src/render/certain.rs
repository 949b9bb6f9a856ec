//! The errors of rendering that depend on the template alone, and not on the variables.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{
    error::{RenderError, RenderErrorKind},
    helpers::BuiltIn,
    program::{CallKind, Compiler, Path},
};
use crate::{
    mistakes::tag_text::{COMPUTE_CONDITION, excerpt, is_path, mustache, use_unless},
    parse::{node::TemplateNode, span::TemplateSpan, tree::NodeKind},
    parsed::ParsedTemplate,
};

/// The errors with which rendering ends when it reaches their places, whatever the variables are, in the order of the text.
///
/// Helpers, partials and decorators that Handlebars does not have are not among them, except a partial that the template
/// defines elsewhere. A template with a syntax error has none. `lookup` with one argument fails only if that has a value.
///
/// ```
/// use voxlint_template::{certain_render_errors, parse};
///
/// let text = "{{#if not vip}}Hello!{{/if}}";
/// let errors = certain_render_errors(text, &parse(text));
/// assert_eq!(errors[0].to_string(), "`if` needs exactly one argument");
/// assert_eq!(errors[0].span.of(text), "if");
/// assert_eq!(errors[0].help(), "write `{{#unless vip}}` and close it with `{{/unless}}`");
/// ```
pub fn certain_render_errors(text: &str, template: &ParsedTemplate) -> Vec<RenderError> {
    if template.error.is_some() {
        return Vec::new();
    }
    let mut finder = Finder {
        text,
        compiler: Compiler::new(text),
        bodies: HashMap::new(),
        params: Vec::new(),
        skipped: 0,
        errors: Vec::new(),
    };
    for node in template.tree.nodes() {
        finder.visit(node);
    }
    finder.errors.extend(wrong_partials(text, template));
    finder.errors.sort_by_key(|error| error.span.start);
    finder.errors
}

/// The block parameters of a body.
struct Params<'t> {
    names: Vec<Cow<'t, str>>,
    /// Whether rendering the body may set them.
    may_be_set: bool,
}

struct Finder<'t> {
    text: &'t str,
    compiler: Compiler<'t>,
    /// The block parameters of the bodies that follow, by the starts of the bodies.
    bodies: HashMap<u32, Params<'t>>,
    /// The block parameters of the bodies around, outermost first, with the end of each body.
    params: Vec<(u32, Params<'t>)>,
    /// The end of a tag or a name in which nothing is looked up.
    skipped: u32,
    errors: Vec<RenderError>,
}

impl<'t> Finder<'t> {
    fn visit(&mut self, node: TemplateNode<'t>) {
        let start = node.span().start;
        while self.params.pop_if(|(end, _)| *end <= start).is_some() {}
        match node.kind() {
            NodeKind::Mustache | NodeKind::SubExpression => {
                self.call(node, false);
            }
            NodeKind::Block | NodeKind::InverseBlock | NodeKind::RawBlock => {
                for (at, branch) in node.branches().enumerate() {
                    let Some(kind) = branch.tag.head().map(|_| self.call(branch.tag, true)) else {
                        continue;
                    };
                    let is_inverse = node.kind() == NodeKind::InverseBlock && at == 0;
                    let may_be_set = match kind {
                        // Their blocks are not rendered.
                        Some(BuiltIn::Log | BuiltIn::Lookup) => true,
                        Some(BuiltIn::If | BuiltIn::Unless) => false,
                        _ => !is_inverse,
                    };
                    self.add_params(branch.tag, branch.body, may_be_set);
                }
            }
            NodeKind::DecoratorBlock | NodeKind::PartialBlock => {
                self.skip_head(node);
                for branch in node.branches() {
                    self.add_params(branch.tag, branch.body, true);
                }
            }
            NodeKind::Partial | NodeKind::Decorator => self.skip_head(node),
            NodeKind::Closing => self.skipped = node.span().end,
            NodeKind::Body => {
                if let Some(params) = self.bodies.remove(&start) {
                    self.params.push((node.span().end, params));
                }
            }
            NodeKind::Path if start >= self.skipped && !self.params.is_empty() => {
                let path = self.compiler.path(node);
                self.block_param(&path);
            }
            _ => {}
        }
    }

    /// The name of a partial or decorator is not looked up.
    fn skip_head(&mut self, node: TemplateNode<'t>) {
        if let Some(head) = node.head().filter(|head| head.kind() == NodeKind::Path) {
            self.skipped = head.span().end;
        }
    }

    fn add_params(&mut self, tag: TemplateNode<'t>, body: TemplateNode<'t>, may_be_set: bool) {
        let names: Vec<_> = tag.block_params().map(|param| param.value(self.text)).collect();
        if !names.is_empty() {
            self.bodies.insert(body.span().start, Params { names, may_be_set });
        }
    }

    /// The block parameters among which a path finds its first name.
    fn params_of(&self, path: &Path<'_>) -> Option<&Params<'t>> {
        let first = path.first().filter(|_| path.may_be_param())?;
        let mut around = self.params.iter().rev().map(|(_, params)| params);
        around.find(|params| params.names.iter().any(|name| name == first))
    }

    /// Checks a path that begins with a block parameter.
    fn block_param(&mut self, path: &Path<'_>) {
        if self.params_of(path).is_some_and(|params| !params.may_be_set) {
            let name = path.original.to_string();
            self.add(RenderErrorKind::NoBlockParam { name }, path.span, None);
        }
    }

    /// Checks the arguments of a built-in helper. Returns the helper that a tag calls.
    fn call(&mut self, tag: TemplateNode<'t>, is_block: bool) -> Option<BuiltIn> {
        let path = self.compiler.head(tag);
        if tag.head().is_some_and(|head| head.kind().is_literal()) {
            // A literal is looked up like a name.
            self.block_param(&path);
        }
        let has_arguments = tag.params().chain(tag.hash_arguments()).next().is_some();
        let is_helper = has_arguments || tag.kind() == NodeKind::SubExpression;
        let is_param = || path.is_one_name() && self.params_of(&path).is_some();
        if path.kind(is_helper, false) != CallKind::Helper || is_param() {
            return None;
        }
        let name = path.first().unwrap_or_default();
        let Some(helper) = BuiltIn::of(name) else {
            if matches!(name, "helperMissing" | "blockHelperMissing") {
                let name = path.original.to_string();
                self.add(RenderErrorKind::NotAHelper { name }, path.span, None);
            }
            return None;
        };
        let arguments: Vec<&str> = tag.params().map(|it| it.span().of(self.text)).collect();
        let returns_first = helper == BuiltIn::Lookup
            && tag.params().next().is_some_and(|it| is_false(it, self.text));
        let error = helper.misused(arguments.len(), is_block).filter(|_| !returns_first);
        if let Some(kind) = error {
            self.add(kind, path.span, instead(helper, &arguments));
        }
        Some(helper)
    }

    fn add(&mut self, kind: RenderErrorKind, span: TemplateSpan, help: Option<String>) {
        self.errors.push(RenderError { kind, span, help });
    }
}

/// Whether an argument is a literal that counts as false.
fn is_false(argument: TemplateNode<'_>, text: &str) -> bool {
    match argument.kind() {
        NodeKind::Null | NodeKind::Undefined => true,
        NodeKind::Boolean => argument.span().of(text) == "false",
        NodeKind::String => argument.value(text).is_empty(),
        NodeKind::Number => !argument.span().of(text).contains(|it| ('1'..='9').contains(&it)),
        _ => false,
    }
}

/// What was probably meant by the arguments of a helper, as an instruction.
fn instead(helper: BuiltIn, arguments: &[&str]) -> Option<String> {
    let are_names = arguments.iter().all(|argument| is_path(argument));
    let tag = |content: String| Some(format!("write {}", excerpt(&mustache(&content))));
    match (helper, arguments) {
        _ if !are_names => None,
        (BuiltIn::If, ["not", name]) => Some(use_unless(name)),
        (BuiltIn::Unless, ["not", name]) => {
            tag(format!("#if {name}")).map(|help| help + " and close it with `{{/if}}`")
        }
        (BuiltIn::Each, [item, "in" | "of", list] | [list, "as", item]) => {
            tag(format!("#each {list} as |{item}|"))
        }
        (BuiltIn::With, [value, "as", name]) => tag(format!("#with {value} as |{name}|")),
        (BuiltIn::If | BuiltIn::Unless, [_, _, ..]) => Some(COMPUTE_CONDITION.to_owned()),
        _ => None,
    }
}

/// A partial that the template defines.
struct Definition<'t> {
    name: Cow<'t, str>,
    /// The part of the template that has its `{{#*inline}}`, where it can be used.
    scope: TemplateSpan,
    body: TemplateSpan,
}

/// A tag that renders a partial.
struct PartialCall<'t> {
    name: Cow<'t, str>,
    span: TemplateSpan,
    /// The body that has the tag.
    around: TemplateSpan,
    /// Whether it is inside a partial, which is rendered where that is used: what is defined there is not known.
    is_inner: bool,
    /// Whether it renders its own block if the partial is not defined.
    has_block: bool,
}

/// The uses of partials that the template defines elsewhere, and of those that call themselves.
fn wrong_partials(text: &str, template: &ParsedTemplate) -> Vec<RenderError> {
    /// The number of definitions up to which each use is compared with all.
    const MAX_DEFINITIONS: usize = 64;
    let nodes = || template.tree.nodes();
    if !nodes().any(|node| node.kind() == NodeKind::DecoratorBlock) {
        return Vec::new();
    }
    let mut bodies: Vec<TemplateSpan> = Vec::new();
    let mut inner: Vec<TemplateSpan> = Vec::new();
    let mut definitions: Vec<Definition<'_>> = Vec::new();
    let mut calls = Vec::new();
    let whole = TemplateSpan { start: 0, end: u32::try_from(text.len()).unwrap_or(u32::MAX) };
    for node in nodes() {
        let start = node.span().start;
        while bodies.pop_if(|body| body.end <= start).is_some() {}
        while inner.pop_if(|body| body.end <= start).is_some() {}
        let around = bodies.last().copied().unwrap_or(whole);
        match node.kind() {
            NodeKind::Body => bodies.push(node.span()),
            NodeKind::DecoratorBlock => {
                inner.push(node.span());
                let Some(name) = node.params().next() else { continue };
                if name.kind() != NodeKind::String || definitions.len() == MAX_DEFINITIONS {
                    return Vec::new();
                }
                let body = node.branches().next().map_or(whole, |branch| branch.body.span());
                definitions.push(Definition { name: name.value(text), scope: around, body });
            }
            NodeKind::PartialBlock | NodeKind::Partial => {
                let has_block = node.kind() == NodeKind::PartialBlock;
                let is_inner = !inner.is_empty();
                calls.extend(node.head().map(|head| PartialCall {
                    name: head.value(text),
                    span: head.span(),
                    around,
                    is_inner,
                    has_block,
                }));
                if has_block {
                    inner.push(node.span());
                }
            }
            _ => {}
        }
    }
    let misplaced = calls.iter().filter(|call| {
        let mut same = definitions.iter().filter(|it| it.name == call.name).peekable();
        !call.is_inner
            && !call.has_block
            && same.peek().is_some()
            && !same.any(|it| it.scope.contains(call.span))
    });
    let misplaced = misplaced.map(|call| {
        let kind = RenderErrorKind::MissingPartial { name: call.name.to_string() };
        RenderError { kind, span: call.span, help: None }
    });
    misplaced.chain(endless_partials(&definitions, &calls)).collect()
}

/// The calls with which partials call themselves whatever the variables are, directly or by way of others.
fn endless_partials(definitions: &[Definition<'_>], calls: &[PartialCall<'_>]) -> Vec<RenderError> {
    let called = |call: &PartialCall<'_>| {
        let mut same = definitions.iter().enumerate().filter(|(_, it)| it.name == call.name);
        let (at, only) = same.next()?;
        (same.next().is_none() && only.scope.contains(call.span)).then_some(at)
    };
    // The first call from each partial to each other.
    let mut edges: BTreeMap<(usize, usize), &PartialCall<'_>> = BTreeMap::new();
    for call in calls.iter().filter(|call| call.is_inner) {
        let from = definitions.iter().position(|it| it.body == call.around);
        if let Some(edge) = from.zip(called(call)) {
            edges.entry(edge).or_insert(call);
        }
    }
    let reaches = |from: usize, to: usize| {
        let mut seen = BTreeSet::from([from]);
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            if at == to {
                return true;
            }
            let next = edges.range((at, 0)..=(at, usize::MAX)).map(|((_, next), _)| *next);
            open.extend(next.filter(|next| seen.insert(*next)));
        }
        false
    };
    let mut errors = Vec::new();
    // Partials that call each other are one mistake.
    let mut told = BTreeSet::new();
    for (&(from, to), call) in edges.iter().filter(|((from, to), _)| reaches(*to, *from)) {
        let is_told = told.contains(&from) || told.contains(&to);
        told.extend([from, to]);
        if !is_told {
            let kind = RenderErrorKind::EndlessPartial { name: call.name.to_string() };
            errors.push(RenderError { kind, span: call.span, help: None });
        }
    }
    errors
}
