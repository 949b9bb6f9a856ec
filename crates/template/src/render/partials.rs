//! Partials that the template itself defines, and the blocks that partials are called with.

use std::collections::HashMap;
use std::rc::Rc;

use super::{
    error::RenderErrorKind,
    frame::{Closure, Frame, PartialBlock, Partials},
    machine::{Machine, Result, Returned, Scope},
    program::{Partial, PartialName, Program, Statement},
    value::{Object, Question, Value},
};

/// What a partial's name leads to.
enum FoundPartial<'p> {
    Inline(Rc<Closure<'p>>),
    Block(Rc<PartialBlock<'p>>),
}

impl<'p> Machine<'p> {
    /// The partials that a program defines with `{{#*inline "name"}}`. The reference runs decorators even if the program is
    /// not rendered.
    pub(super) fn define(
        &mut self,
        program: &'p Program<'p>,
        scope: &Scope<'p>,
    ) -> Result<Option<Rc<Partials<'p>>>> {
        let mut partials: Option<Partials<'p>> = None;
        let outer = scope.depths.as_ref().and_then(|depths| depths.get(0)).cloned();
        let context = outer.unwrap_or_default();
        let scope = Scope { context, uses_depths: true, ..scope.clone() };
        for statement in &program.statements {
            let Statement::Decorator(decorator) = statement else { continue };
            if decorator.name != "inline" {
                let name = decorator.name.to_string();
                return Err(self.fail(RenderErrorKind::MissingDecorator { name }, decorator.span));
            }
            self.hash(&decorator.hash, &scope)?;
            let closure = match &decorator.program {
                Some(program) => Some(Rc::new(self.closure(program, &scope)?)),
                None => None,
            };
            let arguments = self.expressions(&decorator.params, &scope)?;
            let name = self.text_of(arguments.first().unwrap_or(&Value::Undefined))?;
            partials.get_or_insert_with(HashMap::new).insert(name, closure);
        }
        Ok(partials.map(Rc::new))
    }

    pub(super) fn partial(
        &mut self,
        partial: &'p Partial<'p>,
        scope: &Scope<'p>,
    ) -> Result<Returned> {
        let (name, is_static) = match &partial.name {
            PartialName::Static(name) => (Rc::from(&**name), true),
            PartialName::Dynamic(call) => {
                let name = self.value_of(call, scope)?;
                let name = self.decided(name, false)?;
                (if name.is_truthy() { self.text_of(&name)? } else { "undefined".into() }, false)
            }
        };
        let mut context = match &partial.context {
            Some(context) => {
                let context = self.expression(context, scope)?;
                self.decided(context, false)?
            }
            None => scope.context.clone(),
        };
        let hash = self.hash(&partial.hash, scope)?;
        let block = match &partial.program {
            Some(program) => Some(self.closure(program, scope)?),
            None => None,
        };
        if !hash.is_empty() {
            context = self.extended(&context, hash)?;
        }
        let found = match self.partials.get(&name) {
            Some(Some(closure)) => Some(FoundPartial::Inline(Rc::clone(closure))),
            _ if &*name == "@partial-block" && is_static => {
                scope.data.partial_block.clone().map(FoundPartial::Block)
            }
            _ => None,
        };
        let mut data = Rc::clone(&scope.data);
        let mut fallback = None;
        if let Some(closure) = block {
            let outer = scope.data.partial_block.clone();
            let block = Rc::new(PartialBlock { closure, outer });
            data = data.with_partial_block(Some(Rc::clone(&block)));
            fallback = Some(FoundPartial::Block(block));
        }
        let Some(found) = found.or(fallback) else {
            let name = name.to_string();
            return Err(self.fail(RenderErrorKind::MissingPartial { name }, partial.span));
        };
        if partial.indent.is_empty() {
            return self.call_partial(&found, context, data, scope);
        }
        self.text("")?;
        self.out.indent(partial.indent);
        let returned = self.call_partial(&found, context, data, scope)?;
        self.out.unindent();
        match returned {
            Returned::Text => Ok(Returned::Text),
            Returned::Value(_) => Err(self.fail(RenderErrorKind::IndentedValue, partial.span)),
        }
    }

    fn call_partial(
        &mut self,
        found: &FoundPartial<'p>,
        context: Value,
        data: Rc<Frame<'p>>,
        scope: &Scope<'p>,
    ) -> Result<Returned> {
        let params = self.has_block_params.then(|| scope.params.to_list());
        match found {
            FoundPartial::Inline(closure) => self.call(closure, context, Some(data), params),
            FoundPartial::Block(block) => {
                let data = data.with_partial_block(block.outer.clone());
                self.call(&block.closure, context, Some(data), params)
            }
        }
    }

    /// The context of a partial with named arguments: a new object of its fields and the arguments.
    fn extended(&mut self, context: &Value, hash: Vec<(Rc<str>, Value)>) -> Result<Value> {
        let fields: Vec<(Rc<str>, Value)> = match context {
            Value::Object(object) => object.entries().to_vec(),
            Value::List(items) => (0..items.len())
                .map(|at| (at.to_string().into(), context.property(&at.to_string())))
                .collect(),
            Value::Text(text) => {
                let units: Vec<u16> = text.encode_utf16().collect();
                let units = units.iter().enumerate();
                units
                    .map(|(at, unit)| {
                        let unit = String::from_utf16_lossy(&[*unit]);
                        (at.to_string().into(), Value::from(&*unit))
                    })
                    .collect()
            }
            _ => Vec::new(),
        };
        if let Value::Open(_) = context {
            return Err(self.fail(RenderErrorKind::Open(Question::default()), self.span));
        }
        self.spend(fields.len() + hash.len())?;
        Ok(Value::Object(Rc::new(Object::new(fields.into_iter().chain(hash)))))
    }
}
