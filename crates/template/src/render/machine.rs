//! Runs the programs of a template.

use std::rc::Rc;

use super::{
    error::{RenderError, RenderErrorKind, RenderLimits},
    escape::html_escape,
    frame::{Closure, Frame, Partials, Stack},
    open::Assumptions,
    output::{Output, Rendering, TooLong},
    program::{Call, CallKind, Expression, Hash, Mustache, Path, Program, Statement},
    value::{NotText, Object, Value},
};
use crate::parse::span::TemplateSpan;

pub(super) struct Machine<'p> {
    pub(super) out: Output,
    /// The partials that are defined now.
    pub(super) partials: Rc<Partials<'p>>,
    pub(super) has_block_params: bool,
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
pub(super) struct Scope<'p> {
    pub(super) context: Value,
    pub(super) data: Rc<Frame<'p>>,
    /// The block parameters of the programs around, innermost first.
    pub(super) params: Stack,
    /// The contexts that `../` leads to, innermost first, where they are kept track of.
    pub(super) depths: Option<Stack>,
    /// Whether the blocks of this program keep track of them.
    pub(super) uses_depths: bool,
}

/// What a program or helper returns.
#[derive(Clone, Debug)]
pub(super) enum Returned {
    /// Text, which is written already.
    Text,
    /// A value, which is not written yet.
    Value(Value),
}

pub(super) type Result<T> = std::result::Result<T, RenderError>;

/// The sum of what the statements of a program return, as the reference's code adds it up.
///
/// Its code collects text with `+`, and numbers that meet no text are added as numbers. Sections such as `{{#name}}` are
/// added to a buffer, and everything between two sections is added up first.
#[derive(Debug)]
struct Sum {
    /// The pending values of the programs around.
    base: usize,
    buffer: Piece,
    /// The sum since the last section.
    run: Piece,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Nothing,
    Pending,
    Text,
}

impl<'p> Machine<'p> {
    pub(super) fn new(limits: RenderLimits, has_block_params: bool) -> Self {
        Self {
            out: Output::new(limits.length),
            partials: Rc::default(),
            has_block_params,
            assumed: Assumptions::default(),
            limits,
            steps: 0,
            depth: 0,
            null_context: Rc::default(),
            span: TemplateSpan::default(),
        }
    }

    pub(super) fn run(&mut self, program: &'p Program<'p>, variables: &Value) -> Result<Rendering> {
        let data = Frame::root(variables.clone());
        let outside = Scope {
            context: Value::Undefined,
            data,
            params: Stack::default(),
            depths: Some(Stack::default()),
            uses_depths: program.uses_depths,
        };
        let main = self.closure(program, &outside)?;
        let context = variables.clone();
        let depths = program.uses_depths.then(|| Stack::default().push(context.clone()));
        let returned = self.execute(&main, &Scope { context, depths, ..outside })?;
        self.write_returned(returned)?;
        let out = std::mem::replace(&mut self.out, Output::new(0));
        let Output { text, missing, escaped, .. } = out;
        Ok(Rendering { text, missing, escaped })
    }

    /// Runs a block with this context.
    pub(super) fn call(
        &mut self,
        closure: &Closure<'p>,
        context: Value,
        data: Option<Rc<Frame<'p>>>,
        params: Option<Value>,
    ) -> Result<Returned> {
        self.enter()?;
        let depths = self.depths(closure, &context)?;
        let params = if self.has_block_params {
            closure.params.push(params.unwrap_or_default())
        } else {
            Stack::default()
        };
        let uses_depths = closure.program.uses_depths;
        let data = data.unwrap_or_else(|| Rc::clone(&closure.data));
        let returned =
            self.execute(closure, &Scope { context, data, params, depths, uses_depths })?;
        self.depth -= 1;
        Ok(returned)
    }

    /// Runs a program with the partials that it defines.
    fn execute(&mut self, closure: &Closure<'p>, scope: &Scope<'p>) -> Result<Returned> {
        let outer = Rc::clone(&self.partials);
        if let Some(partials) = &closure.partials {
            let mut all = Partials::clone(&outer);
            self.spend(all.len() + partials.len())?;
            all.extend(partials.iter().map(|(name, it)| (Rc::clone(name), it.clone())));
            self.partials = Rc::new(all);
        }
        let returned = self.program(closure.program, scope)?;
        self.partials = outer;
        Ok(returned)
    }

    /// The contexts that `../` leads to within a block.
    fn depths(&self, closure: &Closure<'p>, context: &Value) -> Result<Option<Stack>> {
        let Some(depths) = &closure.depths else { return Ok(None) };
        let outer = depths.get(0).unwrap_or(&Value::Undefined);
        let is_null_context =
            matches!(context, Value::Object(it) if Rc::ptr_eq(it, &self.null_context));
        let is_same = context.loosely_equals(outer).map_err(|NotText| self.not_text())?
            || (is_null_context && matches!(outer, Value::Null));
        Ok(Some(if is_same { depths.clone() } else { depths.push(context.clone()) }))
    }

    fn program(&mut self, program: &'p Program<'p>, scope: &Scope<'p>) -> Result<Returned> {
        if let [statement] = program.statements.as_slice() {
            return match self.statement(statement, scope)? {
                Some(returned) => Ok(returned),
                None => self.text(""),
            };
        }
        let last_section = program.statements.iter().rposition(is_section);
        let mut sum = Sum { base: self.out.pending(), buffer: Piece::Nothing, run: Piece::Nothing };
        for (at, statement) in program.statements.iter().enumerate() {
            let is_section = is_section(statement);
            if is_section {
                self.end_run(&mut sum)?;
            }
            if let Some(returned) = self.statement(statement, scope)? {
                // After the last section, the code adds to the buffer directly.
                let to_buffer = is_section || last_section.is_some_and(|section| section < at);
                self.add(&mut sum, returned, to_buffer)?;
            }
        }
        let part = if last_section.is_some() { sum.buffer } else { sum.run };
        match part {
            Piece::Nothing => self.text(""),
            Piece::Pending => Ok(Returned::Value(self.out.take_pending().unwrap_or_default())),
            Piece::Text => Ok(Returned::Text),
        }
    }

    /// Adds what a statement returned to the buffer or the run.
    fn add(&mut self, sum: &mut Sum, returned: Returned, to_buffer: bool) -> Result<()> {
        sum.settle(self.out.pending());
        let value = match returned {
            Returned::Value(value @ (Value::Number(_) | Value::Boolean(_))) => value,
            other => {
                self.write_returned(other)?;
                sum.settle(self.out.pending());
                sum.set(to_buffer, Piece::Text);
                return Ok(());
            }
        };
        match if to_buffer { sum.buffer } else { sum.run } {
            Piece::Nothing if to_buffer => {
                self.write_returned(Returned::Value(value))?;
                sum.set(to_buffer, Piece::Text);
            }
            Piece::Nothing => {
                self.out.postpone(value);
                sum.set(to_buffer, Piece::Pending);
            }
            Piece::Pending => {
                let earlier = self.out.take_pending().unwrap_or_default();
                self.out.postpone(earlier.plus(&value));
            }
            Piece::Text => self.write_returned(Returned::Value(value))?,
        }
        Ok(())
    }

    /// Adds the run to the buffer.
    fn end_run(&mut self, sum: &mut Sum) -> Result<()> {
        sum.settle(self.out.pending());
        match (sum.buffer, sum.run) {
            (Piece::Nothing, Piece::Nothing) => {
                self.text("")?;
                sum.buffer = Piece::Text;
            }
            (Piece::Nothing, run) => sum.buffer = run,
            (Piece::Pending, Piece::Pending) => {
                let run = self.out.take_pending().unwrap_or_default();
                let buffer = self.out.take_pending().unwrap_or_default();
                self.out.postpone(buffer.plus(&run));
            }
            (_, Piece::Nothing) => {}
            _ => {
                self.text("")?;
                sum.buffer = Piece::Text;
            }
        }
        sum.run = Piece::Nothing;
        Ok(())
    }

    /// Runs a statement. `None` if its code returns nothing.
    fn statement(
        &mut self,
        statement: &'p Statement<'p>,
        scope: &Scope<'p>,
    ) -> Result<Option<Returned>> {
        self.spend(1)?;
        match statement {
            Statement::Text(content) if content.value.is_empty() => Ok(None),
            Statement::Text(content) => self.text(content.value).map(Some),
            Statement::Comment(_) | Statement::Decorator(_) => Ok(None),
            Statement::Mustache(mustache) => self.mustache(mustache, scope).map(Some),
            Statement::Block(block) => {
                self.span = block.call.path.span;
                let returned = self.block(block, scope)?;
                self.append(returned).map(Some)
            }
            Statement::Partial(partial) => {
                self.span = partial.span;
                self.partial(partial, scope).map(Some)
            }
        }
    }

    fn mustache(&mut self, mustache: &'p Mustache<'p>, scope: &Scope<'p>) -> Result<Returned> {
        let call = &mustache.call;
        self.span = call.path.span;
        let value = self.value_of(call, scope)?.printed();
        let is_log = call.kind == CallKind::Helper && call.path.first() == Some("log");
        if value.is_nullish() && !is_log {
            let missed = self.out.miss(mustache.written, &mustache.name);
            missed.map_err(|TooLong| self.too_long())?;
        }
        if !mustache.is_escaped {
            return self.append(Returned::Value(value));
        }
        if value.is_nullish() {
            return self.text("");
        }
        let text = self.text_of(&value)?;
        match escape(&text) {
            None => self.text(&text),
            Some(escaped) => {
                let returned = self.text(&escaped)?;
                self.out.escaped.push(call.path.span);
                Ok(returned)
            }
        }
    }

    /// What is left of a value where it is appended without escaping.
    fn append(&mut self, returned: Returned) -> Result<Returned> {
        let Returned::Value(value) = returned else { return Ok(returned) };
        match value.printed() {
            value if value.is_nullish() => self.text(""),
            Value::Text(text) => self.text(&text),
            value => Ok(Returned::Value(value)),
        }
    }

    /// The value of a tag without a block, or of a subexpression.
    pub(super) fn value_of(&mut self, call: &'p Call<'p>, scope: &Scope<'p>) -> Result<Value> {
        match call.kind {
            CallKind::Simple | CallKind::Ambiguous => self.lookup(&call.path, scope, false),
            CallKind::Helper => match self.helper(call, None, scope)? {
                Returned::Value(value) => Ok(value),
                Returned::Text => Ok(Value::Undefined),
            },
        }
    }

    pub(super) fn expression(
        &mut self,
        expression: &'p Expression<'p>,
        scope: &Scope<'p>,
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
        expressions: &'p [Expression<'p>],
        scope: &Scope<'p>,
    ) -> Result<Vec<Value>> {
        expressions.iter().map(|expression| self.expression(expression, scope)).collect()
    }

    pub(super) fn hash(
        &mut self,
        hash: &'p Hash<'p>,
        scope: &Scope<'p>,
    ) -> Result<Vec<(Rc<str>, Value)>> {
        // Later arguments come first in the object, and the arguments are computed in their order.
        let mut values = Vec::with_capacity(hash.len());
        for (name, value) in hash.iter().rev() {
            values.push((Rc::from(&**name), self.expression(value, scope)?));
        }
        values.reverse();
        Ok(values)
    }

    /// The value of a path. A path to a helper ends at the first false value, other paths at null and undefined.
    pub(super) fn lookup(
        &mut self,
        path: &'p Path<'p>,
        scope: &Scope<'p>,
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
                return Err(self.fail(RenderErrorKind::NoBlockParam { name }, path.span));
            };
            params.get(at).cloned().unwrap_or_default()
        } else if path.is_data && path.first().is_some_and(|name| !name.is_empty()) {
            ends_at_false = true;
            let name = parts.next().map_or("", |name| name);
            scope.data.outer(path.depth).map(|frame| frame.get(name)).unwrap_or_default()
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
            Err(question) => Err(self.fail(RenderErrorKind::Open(question), self.span)),
        }
    }

    /// The block as a closure, with the partials that it defines.
    pub(super) fn closure(
        &mut self,
        program: &'p Program<'p>,
        scope: &Scope<'p>,
    ) -> Result<Closure<'p>> {
        self.enter()?;
        let partials = self.define(program, scope)?;
        self.depth -= 1;
        Ok(Closure {
            program,
            data: Rc::clone(&scope.data),
            params: scope.params.clone(),
            depths: scope.depths.clone().filter(|_| scope.uses_depths),
            partials,
        })
    }

    /// What helpers see as `this`.
    pub(super) fn this(&self, scope: &Scope<'p>) -> Value {
        if scope.context.is_nullish() {
            Value::Object(Rc::clone(&self.null_context))
        } else {
            scope.context.clone()
        }
    }

    /// Writes what a program returned, as text.
    pub(super) fn write_returned(&mut self, returned: Returned) -> Result<()> {
        let text = match returned {
            Returned::Text => "".into(),
            Returned::Value(value) => self.text_of(&value)?,
        };
        self.text(&text).map(|_| ())
    }

    pub(super) fn text(&mut self, text: &str) -> Result<Returned> {
        self.out.write(text).map_err(|TooLong| self.too_long())?;
        Ok(Returned::Text)
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
            return Err(self.fail(RenderErrorKind::TooManySteps { limit }, self.span));
        }
        Ok(())
    }

    fn enter(&mut self) -> Result<()> {
        self.spend(1)?;
        self.depth += 1;
        if self.depth > self.limits.depth + 1 {
            let limit = self.limits.depth;
            return Err(self.fail(RenderErrorKind::TooDeep { limit }, self.span));
        }
        Ok(())
    }

    #[expect(clippy::unused_self, reason = "reads like the other failures")]
    pub(super) fn fail(&self, kind: RenderErrorKind, span: TemplateSpan) -> RenderError {
        RenderError { kind, span, help: None }
    }

    pub(super) fn not_text(&self) -> RenderError {
        self.fail(RenderErrorKind::NotText, self.span)
    }

    pub(super) fn too_long(&self) -> RenderError {
        self.fail(RenderErrorKind::TooLong { limit: self.limits.length }, self.span)
    }
}

impl Sum {
    /// Notes that everything pending has become text, if it has.
    fn settle(&mut self, pending: usize) {
        let parts = [self.buffer, self.run].into_iter().filter(|part| *part == Piece::Pending);
        if pending < self.base + parts.count() {
            self.base = 0;
            for part in [&mut self.buffer, &mut self.run] {
                if *part == Piece::Pending {
                    *part = Piece::Text;
                }
            }
        }
    }

    fn set(&mut self, to_buffer: bool, part: Piece) {
        *(if to_buffer { &mut self.buffer } else { &mut self.run }) = part;
    }
}

/// Whether the statement is a block that may be a section: its name tells only when it is rendered.
fn is_section(statement: &Statement<'_>) -> bool {
    matches!(statement, Statement::Block(block) if block.call.kind == CallKind::Ambiguous)
}

/// The text with the characters escaped that mean something in HTML. `None` if there are none.
fn escape(text: &str) -> Option<String> {
    let special = |character| html_escape(character).is_some();
    if !text.contains(special) {
        return None;
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(at) = rest.find(special) {
        let (before, from) = rest.split_at_checked(at).unwrap_or_default();
        escaped.push_str(before);
        let mut characters = from.chars();
        escaped.push_str(characters.next().and_then(html_escape).unwrap_or_default());
        rest = characters.as_str();
    }
    escaped.push_str(rest);
    Some(escaped)
}
