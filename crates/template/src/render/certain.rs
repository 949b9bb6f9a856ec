//! The errors of rendering that depend on the template alone, and not on the variables.

use super::{
    error::{RenderError, RenderErrorKind, RenderLimits},
    helpers::BuiltIn,
    program::{Call, CallKind, Expression, Path, Program, Statement},
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
/// Helpers, partials and decorators that Handlebars does not have are not among them. A template with a syntax error has none, and neither has one that is nested deeper than this renderer enters.
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
        NodeKind::SubExpression => true,
        _ => false,
    }
}

#[derive(Default)]
struct Finder<'p> {
    text: &'p str,
    /// For each program around, outermost first, whether rendering it may set its block parameters.
    sets_params: Vec<bool>,
    errors: Vec<RenderError>,
}

impl<'p> Finder<'p> {
    fn program(&mut self, program: &'p Program<'p>, may_set_params: bool) {
        self.sets_params.push(may_set_params);
        for statement in &program.statements {
            self.statement(statement);
        }
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
            }
            Statement::Partial(partial) => {
                self.expressions(&partial.params);
                for (_, value) in &partial.hash {
                    self.expression(value);
                }
                if let Some(program) = &partial.program {
                    self.program(program, true);
                }
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

    fn add(&mut self, kind: RenderErrorKind, span: TemplateSpan, help: Option<String>) {
        self.errors.push(RenderError { kind, span, help });
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
