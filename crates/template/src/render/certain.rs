//! The errors of rendering that depend on the template alone, and not on the variables.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    error::{RenderError, RenderErrorKind, RenderLimits},
    helpers::BuiltIn,
    machine::INLINE,
    program::{Call, CallKind, Expression, Path, Program, Statement},
    value::Value,
};
use crate::{
    mistakes::tag_text::{
        BLOCK_HELPERS, BUILT_IN_HELPERS, COMPUTE_CONDITION, excerpt, is_path, mustache, use_unless,
    },
    parse::{node::TemplateNode, span::TemplateSpan, tree::NodeKind},
    parsed::ParsedTemplate,
};

/// The errors with which rendering ends when it reaches their places, whatever the variables are, in the order of the text.
///
/// Helpers, partials and decorators that Handlebars does not have are not among them, except a partial that the template
/// defines elsewhere. A template with a syntax error has none, and neither has one that is nested deeper than this renderer enters.
/// `lookup` with one argument fails only if that has a value.
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
    let is_plain = template.error.is_some() || !template.tree.nodes().any(|it| may_fail(it, text));
    if is_plain || template.depth as usize > RenderLimits::default().depth {
        return Vec::new();
    }
    let program = Program::of(text, template);
    let mut finder = Finder { text, ..Finder::default() };
    finder.program(&program, true);
    finder.add_partials();
    finder.errors.sort_by_key(|error| error.span.start);
    finder.errors
}

/// Whether a node is more than a variable, or a block with one condition: most templates have nothing else.
fn may_fail(node: TemplateNode<'_>, text: &str) -> bool {
    let is_one_of = |names: &[&str]| {
        let mut segments = node.head().into_iter().flat_map(TemplateNode::children);
        let name = segments.next().or(node.head()).map(|name| name.value(text));
        name.is_some_and(|name| names.contains(&&*name)) && segments.next().is_none()
    };
    match node.kind() {
        NodeKind::Mustache => node.only_path().is_none() || is_one_of(&BUILT_IN_HELPERS),
        NodeKind::Opening | NodeKind::Else => {
            let is_condition = node.params().count() == 1 && is_one_of(&BLOCK_HELPERS);
            let may_fail = !is_condition && is_one_of(&BUILT_IN_HELPERS);
            may_fail || node.block_params().next().is_some()
        }
        NodeKind::DecoratorBlock | NodeKind::SubExpression => true,
        _ => false,
    }
}

#[derive(Default)]
struct Finder<'p> {
    text: &'p str,
    /// For each program around, outermost first, whether rendering it may set its block parameters.
    sets_params: Vec<bool>,
    /// The names of the partials that can be used.
    visible: Vec<&'p str>,
    /// The name of the partial that has the program, if nothing is between them.
    own: Option<&'p str>,
    /// Whether the program is in a partial, which is rendered where that is used: what is defined there is not known.
    is_inner: bool,
    /// How often each partial is defined.
    defined: BTreeMap<&'p str, usize>,
    /// The uses of partials that are not defined where they are used.
    unseen: Vec<(&'p str, TemplateSpan)>,
    /// The first call from each partial to each other, in no other block.
    calls: BTreeMap<(&'p str, &'p str), TemplateSpan>,
    errors: Vec<RenderError>,
}

impl<'p> Finder<'p> {
    fn program(&mut self, program: &'p Program<'p>, may_set_params: bool) {
        self.sets_params.push(may_set_params);
        let outer = self.visible.len();
        self.visible.extend(program.statements.iter().filter_map(defined_partial));
        for statement in &program.statements {
            self.statement(statement);
        }
        self.visible.truncate(outer);
        self.sets_params.pop();
    }

    fn statement(&mut self, statement: &'p Statement<'p>) {
        match statement {
            Statement::Text(_) | Statement::Comment(_) => {}
            Statement::Mustache(mustache) => {
                self.call(&mustache.call, false);
            }
            Statement::Block(block) => {
                let helper = self.call(&block.call, true);
                let own = self.own.take();
                for (program, is_inverse) in [(&block.program, false), (&block.inverse, true)] {
                    let may_set_params = match helper {
                        // Their blocks are not rendered.
                        Some(BuiltIn::Log | BuiltIn::Lookup) => true,
                        Some(BuiltIn::If | BuiltIn::Unless) => false,
                        _ => !is_inverse,
                    };
                    if let Some(program) = program {
                        self.program(program, may_set_params);
                    }
                }
                self.own = own;
            }
            Statement::Partial(partial) => {
                self.expressions(&partial.params);
                for (_, value) in &partial.hash {
                    self.expression(value);
                }
                let defined = defined_partial(statement);
                if let Some(name) = defined {
                    *self.defined.entry(name).or_default() += 1;
                } else if let Some(name) = partial.name.as_deref().filter(|_| !partial.is_decorator)
                {
                    let is_seen = self.is_inner || self.visible.contains(&name);
                    if !is_seen && partial.program.is_none() {
                        self.unseen.push((name, partial.span));
                    }
                    let own = self.own.filter(|_| self.visible.contains(&name));
                    if let Some(own) = own {
                        self.calls.entry((own, name)).or_insert(partial.span);
                    }
                }
                let (own, is_inner) = (std::mem::replace(&mut self.own, defined), self.is_inner);
                self.is_inner = true;
                if let Some(program) = &partial.program {
                    self.program(program, true);
                }
                (self.own, self.is_inner) = (own, is_inner);
            }
        }
    }

    fn expressions(&mut self, expressions: &'p [Expression<'p>]) {
        for expression in expressions {
            self.expression(expression);
        }
    }

    fn expression(&mut self, expression: &'p Expression<'p>) {
        match expression {
            Expression::Path(path) => self.path(path),
            Expression::Literal(_) => {}
            Expression::Call(call) => {
                self.call(call, false);
            }
        }
    }

    /// Checks a path that begins with a block parameter.
    fn path(&mut self, path: &'p Path<'p>) {
        let sets_params = path.param.and_then(|(out, _)| self.sets_params.iter().nth_back(out));
        if sets_params == Some(&false) {
            let name = path.original.to_string();
            self.add(RenderErrorKind::NoBlockParam { name }, path.span, None);
        }
    }

    /// Checks the arguments of a built-in helper. Returns the helper that a tag calls.
    fn call(&mut self, call: &'p Call<'p>, is_block: bool) -> Option<BuiltIn> {
        self.path(&call.path);
        self.expressions(&call.params);
        for (_, value) in &call.hash {
            self.expression(value);
        }
        if call.kind != CallKind::Helper {
            return None;
        }
        let name = call.path.first().unwrap_or_default();
        let Some(helper) = BuiltIn::of(name) else {
            if matches!(name, "helperMissing" | "blockHelperMissing") {
                let name = call.path.original.to_string();
                self.add(RenderErrorKind::NotAHelper { name }, call.path.span, None);
            }
            return None;
        };
        let returns_first = helper == BuiltIn::Lookup
            && matches!(call.params.first(), Some(Expression::Literal(it)) if !it.is_truthy());
        let error = helper.misused(call.params.len(), is_block).filter(|_| !returns_first);
        if let Some(kind) = error {
            self.add(kind, call.path.span, instead(helper, call, self.text));
        }
        Some(helper)
    }

    /// Adds the uses of partials that the template defines elsewhere, and of those that call themselves whatever the variables
    /// are, directly or by way of others.
    fn add_partials(&mut self) {
        /// The number of definitions up to which each use is compared with all.
        const MAX_DEFINITIONS: usize = 64;
        for (name, span) in std::mem::take(&mut self.unseen) {
            if self.defined.contains_key(name) {
                self.add(RenderErrorKind::MissingPartial { name: name.to_owned() }, span, None);
            }
        }
        if self.defined.len() > MAX_DEFINITIONS {
            return;
        }
        // Where there are two, the variables decide which one is called.
        let is_one = |name: &str| self.defined.get(name) == Some(&1);
        let mut calls = std::mem::take(&mut self.calls);
        calls.retain(|(from, to), _| is_one(from) && is_one(to));
        let reaches = |from, to| {
            let mut reached = BTreeSet::from([from]);
            let mut open = vec![from];
            while let Some(at) = open.pop() {
                let next = calls.range((at, "")..).map(|((from, to), _)| (*from, *to));
                let next = next.take_while(|(from, _)| *from == at).map(|(_, to)| to);
                open.extend(next.filter(|next| reached.insert(*next)));
            }
            reached.contains(to)
        };
        // Partials that call each other are one mistake.
        let mut told = BTreeSet::new();
        let mut endless: Vec<_> =
            calls.iter().filter(|((from, to), _)| reaches(*to, *from)).collect();
        endless.sort_by_key(|(_, span)| span.start);
        for ((from, to), span) in endless {
            let is_told = told.contains(from) || told.contains(to);
            told.extend([*from, *to]);
            if !is_told {
                let kind = RenderErrorKind::EndlessPartial { name: (*to).to_owned() };
                self.errors.push(RenderError::new(kind, *span));
            }
        }
    }

    fn add(&mut self, kind: RenderErrorKind, span: TemplateSpan, help: Option<String>) {
        self.errors.push(RenderError { kind, span, help });
    }
}

/// The name of the partial that a statement defines: `x` of `{{#*inline "x"}}…{{/inline}}`.
fn defined_partial<'p>(statement: &'p Statement<'p>) -> Option<&'p str> {
    let Statement::Partial(partial) = statement else { return None };
    let is_inline = partial.is_decorator && partial.name.as_deref() == Some(INLINE);
    match partial.params.first() {
        Some(Expression::Literal(Value::Text(name))) if is_inline => Some(name),
        _ => None,
    }
}

/// What was probably meant by the arguments of a helper, as an instruction.
fn instead(helper: BuiltIn, call: &Call<'_>, text: &str) -> Option<String> {
    let name = |argument: &Expression<'_>| match argument {
        Expression::Path(path) => Some(path.span.of(text)).filter(|name| is_path(name)),
        _ => None,
    };
    let arguments: Vec<&str> = call.params.iter().map(name).collect::<Option<_>>()?;
    let tag = |content: String| Some(format!("write {}", excerpt(&mustache(&content))));
    match (helper, arguments.as_slice()) {
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
