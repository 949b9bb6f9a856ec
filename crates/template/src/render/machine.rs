//! Runs the programs of a template.

use std::rc::Rc;

use super::{
    error::{RenderError, RenderErrorKind, RenderLimits},
    open::Assumptions,
    output::{Missing, Rendering, html_escape},
    program::{Call, CallKind, Expression, Hash, Mustache, Path, Program, Statement},
    value::{NotText, Object, Value},
};
use crate::parse::span::TemplateSpan;

pub(super) struct Machine {
    /// What is assumed of the values that are open.
    pub(super) assumed: Assumptions,
    limits: RenderLimits,
    pub(super) steps: usize,
    depth: usize,
    /// What stands for `this` where it is null or undefined.
    null_context: Rc<Object>,
    /// The tag that runs now.
    pub(super) span: TemplateSpan,
}

/// What a running program sees.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    pub(super) context: Value,
    /// The object of the variables that begin with `@`. Each loop has one of its own, with the one around as `_parent`.
    pub(super) data: Value,
    /// The block parameters of the programs around, innermost first.
    pub(super) params: Stack,
    /// The contexts that `../` leads to, innermost first, where they are kept track of.
    depths: Option<Stack>,
}

/// A list of values that grows at its front and shares its tail.
#[derive(Clone, Debug, Default)]
pub(super) struct Stack(Option<Rc<(Value, Stack)>>);

impl Stack {
    fn push(&self, value: Value) -> Self {
        Self(Some(Rc::new((value, self.clone()))))
    }

    fn get(&self, mut depth: usize) -> Option<&Value> {
        let mut place = self.0.as_ref()?;
        while depth > 0 {
            place = place.1.0.as_ref()?;
            depth -= 1;
        }
        Some(&place.0)
    }

    pub(super) fn to_list(&self) -> Value {
        let values: Vec<Value> = (0..).map_while(|depth| self.get(depth).cloned()).collect();
        Value::List(values.into())
    }
}

/// What a program or helper returns.
#[derive(Clone, Debug)]
pub(super) enum Returned {
    Text(Rendering),
    /// A value that is not text yet: in JavaScript, `{{{a}}}{{{b}}}` adds two numbers.
    Value(Value),
}

pub(super) type Result<T> = std::result::Result<T, RenderError>;

impl Machine {
    pub(super) fn new(limits: RenderLimits) -> Self {
        Self {
            assumed: Assumptions::default(),
            limits,
            steps: 0,
            depth: 0,
            null_context: Rc::default(),
            span: TemplateSpan::default(),
        }
    }

    pub(super) fn run(&mut self, program: &Program<'_>, variables: &Value) -> Result<Rendering> {
        check_partials(program)?;
        let context = variables.clone();
        let scope = Scope {
            data: Object::new([("root".into(), context.clone())]).into(),
            params: Stack::default(),
            depths: program.uses_depths.then(|| Stack::default().push(context.clone())),
            context,
        };
        let returned = self.program(program, &scope)?;
        self.written(returned)
    }

    /// Runs a block with this context.
    pub(super) fn call(
        &mut self,
        program: &Program<'_>,
        scope: &Scope,
        context: Value,
        data: Option<Value>,
        params: Option<Value>,
    ) -> Result<Returned> {
        self.enter()?;
        let depths = match &scope.depths {
            Some(depths) => Some(self.deeper(depths, &context)?).filter(|_| program.uses_depths),
            None => None,
        };
        let params = scope.params.push(params.unwrap_or_default());
        let data = data.unwrap_or_else(|| scope.data.clone());
        let returned = self.program(program, &Scope { context, data, params, depths })?;
        self.depth -= 1;
        Ok(returned)
    }

    /// The contexts that `../` leads to within a block.
    fn deeper(&self, depths: &Stack, context: &Value) -> Result<Stack> {
        let outer = depths.get(0).unwrap_or(&Value::Undefined);
        let is_null_context =
            matches!(context, Value::Object(it) if Rc::ptr_eq(it, &self.null_context));
        let is_same = context.loosely_equals(outer).map_err(|NotText| self.not_text())?
            || (is_null_context && matches!(outer, Value::Null));
        Ok(if is_same { depths.clone() } else { depths.push(context.clone()) })
    }

    /// Runs the statements of a program and adds up what they return, as the reference's code does.
    ///
    /// Its code adds with `+`, and numbers that meet no text are added as numbers. Sections such as `{{#name}}` are added to a
    /// buffer. Everything between two sections is added up first.
    fn program(&mut self, program: &Program<'_>, scope: &Scope) -> Result<Returned> {
        if let [statement] = program.statements.as_slice() {
            return Ok(self.statement(statement, scope)?.unwrap_or_else(no_text));
        }
        let last_section = program.statements.iter().rposition(is_section);
        let (mut buffer, mut run) = (None, None);
        for (at, statement) in program.statements.iter().enumerate() {
            let is_section = is_section(statement);
            if is_section {
                match run.take() {
                    Some(run) => self.add(&mut buffer, run)?,
                    None => buffer = buffer.or_else(|| Some(no_text())),
                }
            }
            if let Some(returned) = self.statement(statement, scope)? {
                // After the last section, the code adds to the buffer directly.
                let is_after = last_section.is_some_and(|section| section < at);
                let sum = if is_section || is_after { &mut buffer } else { &mut run };
                self.add(sum, returned)?;
            }
        }
        Ok(buffer.or(run).unwrap_or_else(no_text))
    }

    /// JavaScript's `+`.
    pub(super) fn add(&mut self, sum: &mut Option<Returned>, next: Returned) -> Result<()> {
        let next = match next {
            Returned::Value(Value::Number(_) | Value::Boolean(_)) => next,
            other => Returned::Text(self.written(other)?),
        };
        *sum = Some(match (sum.take(), next) {
            (None, next) => next,
            (Some(Returned::Value(one)), Returned::Value(next)) => Returned::Value(one.plus(&next)),
            (Some(sum), next) => {
                let mut text = self.written(sum)?;
                text.append(self.written(next)?);
                Returned::Text(self.checked(text)?)
            }
        });
        Ok(())
    }

    /// Runs a statement. `None` if its code returns nothing.
    fn statement(&mut self, statement: &Statement<'_>, scope: &Scope) -> Result<Option<Returned>> {
        self.spend(1)?;
        match statement {
            Statement::Text(content) if content.value.is_empty() => Ok(None),
            Statement::Text(content) => self.text(content.value).map(Some),
            Statement::Comment(_) => Ok(None),
            Statement::Mustache(mustache) => self.mustache(mustache, scope).map(Some),
            Statement::Block(block) => {
                self.span = block.call.path.span;
                let returned = self.block(block, scope)?;
                self.printed(returned).map(Some)
            }
            Statement::Partial(partial) => {
                self.expressions(&partial.params, scope)?;
                self.includes_zero(&partial.hash, scope)?;
                let name = partial.name.as_ref().filter(|_| partial.program.is_none());
                let missing =
                    |name: &str| RenderErrorKind::MissingPartial { name: name.to_owned() };
                let kind = name.map_or(RenderErrorKind::Partial, |name| missing(name));
                Err(RenderError::new(kind, partial.span))
            }
        }
    }

    fn mustache(&mut self, mustache: &Mustache<'_>, scope: &Scope) -> Result<Returned> {
        let call = &mustache.call;
        self.span = call.path.span;
        let value = self.value_of(call, scope)?.printed();
        let is_log = call.kind == CallKind::Helper && call.path.first() == Some("log");
        if value.is_nullish() {
            let name = mustache.name.to_string();
            let missing = Missing { name, span: mustache.written, at: 0 };
            let missing = if is_log { Vec::new() } else { vec![missing] };
            return Ok(Returned::Text(Rendering { missing, ..Rendering::default() }));
        }
        if !mustache.is_escaped {
            return self.printed(Returned::Value(value));
        }
        let text = self.text_of(&value)?;
        if !text.contains(|it| html_escape(it).is_some()) {
            return self.text(&text);
        }
        let mut escaped = Rendering { escaped: vec![call.path.span], ..Rendering::default() };
        for character in text.chars() {
            match html_escape(character) {
                Some(escape) => escaped.text.push_str(escape),
                None => escaped.text.push(character),
            }
        }
        self.checked(escaped).map(Returned::Text)
    }

    /// What is left of a value where it is appended without escaping.
    fn printed(&mut self, returned: Returned) -> Result<Returned> {
        let Returned::Value(value) = returned else { return Ok(returned) };
        match value.printed() {
            value if value.is_nullish() => Ok(no_text()),
            Value::Text(text) => self.text(&text),
            value => Ok(Returned::Value(value)),
        }
    }

    /// The value of a tag without a block, or of a subexpression.
    pub(super) fn value_of(&mut self, call: &Call<'_>, scope: &Scope) -> Result<Value> {
        match call.kind {
            CallKind::Simple | CallKind::Ambiguous => self.lookup(&call.path, scope, false),
            CallKind::Helper => match self.helper(call, None, scope)? {
                Returned::Value(value) => Ok(value),
                Returned::Text(_) => Ok(Value::Undefined),
            },
        }
    }

    pub(super) fn expression(
        &mut self,
        expression: &Expression<'_>,
        scope: &Scope,
    ) -> Result<Value> {
        self.spend(1)?;
        match expression {
            Expression::Path(path) => self.lookup(path, scope, false),
            Expression::Literal(value) => Ok(value.clone()),
            Expression::Call(call) => {
                self.enter()?;
                let value = self.value_of(call, scope)?;
                self.depth -= 1;
                Ok(value)
            }
        }
    }

    pub(super) fn expressions(
        &mut self,
        expressions: &[Expression<'_>],
        scope: &Scope,
    ) -> Result<Vec<Value>> {
        expressions.iter().map(|expression| self.expression(expression, scope)).collect()
    }

    /// Computes named arguments. Tells whether the first one with the name `includeZero`, the only one with a meaning, is true.
    pub(super) fn includes_zero(&mut self, hash: &Hash<'_>, scope: &Scope) -> Result<bool> {
        let mut includes_zero = None;
        for (name, value) in hash {
            let value = self.expression(value, scope)?;
            if name == "includeZero" {
                includes_zero.get_or_insert(value.is_truthy());
            }
        }
        Ok(includes_zero.unwrap_or_default())
    }

    /// The value of a path. A path to a helper ends at the first false value, other paths at null and undefined.
    pub(super) fn lookup(
        &mut self,
        path: &Path<'_>,
        scope: &Scope,
        ends_at_false: bool,
    ) -> Result<Value> {
        let mut parts = path.parts.iter();
        if path.first() == Some("") {
            // An empty name is the context itself.
            parts = [].iter();
        }
        let mut ends_at_false = ends_at_false;
        let mut value = if let Some((out, at)) = path.param {
            parts.next();
            ends_at_false = false;
            let Some(Value::List(params)) = scope.params.get(out) else {
                let name = path.original.to_string();
                return Err(RenderError::new(RenderErrorKind::NoBlockParam { name }, path.span));
            };
            params.get(at).cloned().unwrap_or_default()
        } else if path.is_data && path.first().is_some_and(|name| !name.is_empty()) {
            ends_at_false = true;
            let name = parts.next().map_or("", |name| name);
            let outer = |data: Value, _| data.property("_parent");
            (0..path.depth).fold(scope.data.clone(), outer).property(name)
        } else if path.depth == 0 {
            scope.context.clone()
        } else {
            let depths = scope.depths.as_ref();
            depths.and_then(|depths| depths.get(path.depth)).cloned().unwrap_or_default()
        };
        for part in parts {
            if if ends_at_false { !value.is_truthy() } else { value.is_nullish() } {
                break;
            }
            value = self.property(&value, part)?;
        }
        Ok(value)
    }

    pub(super) fn property(&mut self, value: &Value, name: &str) -> Result<Value> {
        self.spend(if let Value::Text(text) = value { text.len() } else { 1 })?;
        Ok(match value {
            Value::Open(open) => self.assumed.field(open, name),
            _ => value.property(name),
        })
    }

    /// The value where something depends on it, or on the list that it is. The run ends with the question if that is open.
    pub(super) fn decided(&mut self, value: Value, is_list: bool) -> Result<Value> {
        let Value::Open(open) = &value else { return Ok(value) };
        match open.decided(is_list) {
            Ok(known) => Ok(known.unwrap_or(value)),
            Err(question) => Err(RenderError::new(RenderErrorKind::Open(question), self.span)),
        }
    }

    /// What helpers see as `this`.
    pub(super) fn this(&self, scope: &Scope) -> Value {
        if scope.context.is_nullish() {
            Value::Object(Rc::clone(&self.null_context))
        } else {
            scope.context.clone()
        }
    }

    /// What was returned, as text.
    fn written(&mut self, returned: Returned) -> Result<Rendering> {
        match returned {
            Returned::Text(text) => Ok(text),
            Returned::Value(value) => {
                let text = self.text_of(&value)?;
                self.checked(Rendering::of(&text))
            }
        }
    }

    fn text(&mut self, text: &str) -> Result<Returned> {
        self.checked(Rendering::of(text)).map(Returned::Text)
    }

    fn checked(&self, text: Rendering) -> Result<Rendering> {
        let limit = self.limits.length;
        if text.text.len() > limit {
            return Err(RenderError::new(RenderErrorKind::TooLong { limit }, self.span));
        }
        Ok(text)
    }

    pub(super) fn text_of(&mut self, value: &Value) -> Result<Rc<str>> {
        let text = value.to_text().map_err(|NotText| self.not_text())?;
        self.spend(text.len() / 16)?;
        Ok(text)
    }

    pub(super) fn spend(&mut self, steps: usize) -> Result<()> {
        self.steps += steps;
        if self.steps > self.limits.steps {
            let limit = self.limits.steps;
            return Err(RenderError::new(RenderErrorKind::TooManySteps { limit }, self.span));
        }
        Ok(())
    }

    fn enter(&mut self) -> Result<()> {
        self.spend(1)?;
        self.depth += 1;
        if self.depth > self.limits.depth + 1 {
            let limit = self.limits.depth;
            return Err(RenderError::new(RenderErrorKind::TooDeep { limit }, self.span));
        }
        Ok(())
    }

    fn not_text(&self) -> RenderError {
        RenderError::new(RenderErrorKind::NotText, self.span)
    }
}

/// Fails if a program has decorators, which the reference runs even where the program is not rendered.
pub(super) fn check_partials(program: &Program<'_>) -> Result<()> {
    let first = program.statements.iter().find_map(|statement| match statement {
        Statement::Partial(partial) if partial.is_decorator => Some(partial),
        _ => None,
    });
    let Some(decorator) = first else { return Ok(()) };
    let unknown = decorator.name.as_ref().filter(|name| *name != INLINE);
    let missing = |name: &str| RenderErrorKind::MissingDecorator { name: name.to_owned() };
    let kind = unknown.map_or(RenderErrorKind::Partial, |name| missing(name));
    Err(RenderError::new(kind, decorator.span))
}

/// The built-in decorator, which defines a partial.
const INLINE: &str = "inline";

pub(super) fn no_text() -> Returned {
    Returned::Text(Rendering::default())
}

/// Whether the statement is a block that may be a section: its name tells only when it is rendered.
fn is_section(statement: &Statement<'_>) -> bool {
    matches!(statement, Statement::Block(block) if block.call.kind == CallKind::Ambiguous)
}
