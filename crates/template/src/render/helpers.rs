//! The built-in helpers, and sections such as `{{#name}}`.

use std::rc::Rc;

use super::{
    error::{RenderError, RenderErrorKind},
    machine::{Machine, Result, Returned, Scope, check_partials, no_text},
    program::{Block, Call, CallKind, Program},
    value::{Object, Value},
};

/// The programs of a block. One that the block does not have renders nothing.
#[derive(Clone, Copy)]
pub(super) struct Programs<'p> {
    program: Option<&'p Program<'p>>,
    inverse: Option<&'p Program<'p>>,
}

/// The built-in helpers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum BuiltIn {
    If,
    Unless,
    Each,
    With,
    Lookup,
    Log,
}

impl BuiltIn {
    pub(super) fn of(name: &str) -> Option<Self> {
        Some(match name {
            "if" => Self::If,
            "unless" => Self::Unless,
            "each" => Self::Each,
            "with" => Self::With,
            "lookup" => Self::Lookup,
            "log" => Self::Log,
            _ => return None,
        })
    }

    /// Why a call of the helper fails with this number of arguments, as a block or without one.
    pub(super) fn misused(self, arguments: usize, is_block: bool) -> Option<RenderErrorKind> {
        let helper = match self {
            Self::Log => return None,
            Self::Lookup => return (arguments != 2).then_some(RenderErrorKind::LookupArguments),
            Self::Each if arguments == 0 => return Some(RenderErrorKind::NothingToIterate),
            Self::Each if arguments > 1 => return Some(RenderErrorKind::EachArguments),
            Self::If => "if",
            Self::Unless => "unless",
            Self::Each => "each",
            Self::With => "with",
        };
        match arguments {
            1 => (!is_block).then_some(RenderErrorKind::NotABlock { helper }),
            _ => Some(RenderErrorKind::OneArgument { helper }),
        }
    }
}

impl Machine {
    pub(super) fn block(&mut self, block: &Block<'_>, scope: &Scope) -> Result<Returned> {
        let programs =
            Programs { program: block.program.as_ref(), inverse: block.inverse.as_ref() };
        if block.call.kind == CallKind::Helper {
            return self.helper(&block.call, Some(programs), scope);
        }
        let value = self.lookup(&block.call.path, scope, false)?;
        let value = self.decided(value, false)?;
        programs.check()?;
        self.section(value, programs, scope)
    }

    /// Calls a helper. Only a block has programs.
    pub(super) fn helper(
        &mut self,
        call: &Call<'_>,
        programs: Option<Programs<'_>>,
        scope: &Scope,
    ) -> Result<Returned> {
        let span = call.path.span;
        let name = call.path.first().unwrap_or_default();
        let Some(helper) = BuiltIn::of(name) else {
            return self.unknown_helper(call, programs, scope);
        };
        let mut arguments = self.expressions(&call.params, scope)?;
        // `lookup` depends on its first argument only if that is the only one.
        if let [first] = arguments.as_mut_slice() {
            *first = self.decided(std::mem::take(first), helper == BuiltIn::Each)?;
        }
        let includes_zero = self.includes_zero(&call.hash, scope)?;
        programs.map_or(Ok(()), Programs::check)?;
        // What is false is returned before the other arguments are looked at.
        let returns_first = helper == BuiltIn::Lookup
            && arguments.first().is_some_and(|object| !object.is_truthy());
        // The reference takes a second argument of `each` for its own options.
        let has_no_options =
            helper == BuiltIn::Each && arguments.get(1).is_some_and(|options| !options.is_truthy());
        let error = helper.misused(arguments.len(), programs.is_some());
        if let Some(kind) = error.filter(|_| !returns_first) {
            let kind = if has_no_options { RenderErrorKind::NothingToIterate } else { kind };
            return Err(RenderError::new(kind, span));
        }
        match helper {
            BuiltIn::Lookup => return self.lookup_helper(&arguments),
            BuiltIn::Log => return Ok(Returned::Value(Value::Undefined)),
            _ => {}
        }
        let ([argument], Some(programs)) = (arguments.as_slice(), programs) else {
            return Ok(Returned::Value(Value::Undefined));
        };
        let this = self.this(scope);
        let is_met = (includes_zero || argument.is_truthy()) && !argument.is_empty();
        match helper {
            BuiltIn::If => self.run_block(programs.branch(is_met), scope, this, None),
            BuiltIn::Unless => self.run_block(programs.branch(!is_met), scope, this, None),
            BuiltIn::With if argument.is_empty() => {
                self.run_block(programs.inverse, scope, this, None)
            }
            BuiltIn::With => {
                let params = Value::List([argument.clone()].into());
                self.run_block(programs.program, scope, argument.clone(), Some(params))
            }
            _ => self.each(argument, programs, this, scope),
        }
    }

    /// A call of an unknown helper: an error, unless it has only named arguments.
    fn unknown_helper(
        &mut self,
        call: &Call<'_>,
        programs: Option<Programs<'_>>,
        scope: &Scope,
    ) -> Result<Returned> {
        let name = call.path.original.to_string();
        let span = call.path.span;
        if matches!(call.path.first(), Some("helperMissing" | "blockHelperMissing")) {
            return Err(RenderError::new(RenderErrorKind::NotAHelper { name }, span));
        }
        let value = self.lookup(&call.path, scope, true)?;
        let value = self.decided(value, false)?;
        self.expressions(&call.params, scope)?;
        self.includes_zero(&call.hash, scope)?;
        programs.map_or(Ok(()), Programs::check)?;
        if value.is_truthy() {
            Err(RenderError::new(RenderErrorKind::NotAHelper { name }, span))
        } else if call.params.is_empty() {
            Ok(Returned::Value(Value::Undefined))
        } else {
            Err(RenderError::new(RenderErrorKind::MissingHelper { name }, span))
        }
    }

    fn lookup_helper(&mut self, arguments: &[Value]) -> Result<Returned> {
        let [object, name, ..] = arguments else {
            return Ok(Returned::Value(arguments.first().cloned().unwrap_or_default()));
        };
        if !object.is_truthy() {
            return Ok(Returned::Value(object.clone()));
        }
        let name = self.decided(name.clone(), false)?;
        let text = self.text_of(&name)?;
        let found = self.property(object, &text)?;
        // No call has a field that is called `undefined`, unless the template itself asks for one.
        let is_none = name.is_nullish() && matches!(&found, Value::Open(open) if !open.is_set);
        Ok(Returned::Value(if is_none { Value::Undefined } else { found }))
    }

    /// A section: `{{#name}}` renders its block for a true value, for each item of a list, and within any other value.
    fn section(&mut self, value: Value, programs: Programs<'_>, scope: &Scope) -> Result<Returned> {
        let context = scope.context.clone();
        match &value {
            Value::Boolean(true) => self.run_block(programs.program, scope, context, None),
            Value::List(items) if !items.is_empty() => self.each(&value, programs, context, scope),
            Value::Undefined | Value::Null | Value::Boolean(false) | Value::List(_) => {
                self.run_block(programs.inverse, scope, context, None)
            }
            // The reference passes on the parameters of the blocks around.
            _ => self.run_block(programs.program, scope, value, Some(scope.params.to_list())),
        }
    }

    fn each(
        &mut self,
        list: &Value,
        programs: Programs<'_>,
        this: Value,
        scope: &Scope,
    ) -> Result<Returned> {
        let count = match list {
            Value::List(items) => items.len(),
            Value::Object(object) => object.entries().len(),
            _ => 0,
        };
        if count == 0 {
            return self.run_block(programs.inverse, scope, this, None);
        }
        let mut text = Some(no_text());
        let Some(program) = programs.program else { return Ok(no_text()) };
        for (at, index) in (0..count).zip(0_u32..) {
            let index = Value::Number(f64::from(index));
            let (key, value) = match list {
                Value::List(items) => (index.clone(), items.get(at).cloned().unwrap_or_default()),
                Value::Object(object) => match object.entries().get(at) {
                    Some((key, value)) => (Value::Text(Rc::clone(key)), value.clone()),
                    None => break,
                },
                _ => break,
            };
            let params = Value::List([value.clone(), key.clone()].into());
            let data = Object::new([
                ("root".into(), scope.data.property("root")),
                ("key".into(), key),
                ("index".into(), index),
                ("first".into(), Value::Boolean(at == 0)),
                ("last".into(), Value::Boolean(at + 1 == count)),
                ("_parent".into(), scope.data.clone()),
            ]);
            let returned = self.call(program, scope, value, Some(data.into()), Some(params))?;
            self.add(&mut text, returned)?;
        }
        Ok(text.unwrap_or_else(no_text))
    }

    fn run_block(
        &mut self,
        program: Option<&Program<'_>>,
        scope: &Scope,
        context: Value,
        params: Option<Value>,
    ) -> Result<Returned> {
        match program {
            Some(program) => self.call(program, scope, context, None, params),
            None => Ok(no_text()),
        }
    }
}

impl<'p> Programs<'p> {
    fn branch(self, is_met: bool) -> Option<&'p Program<'p>> {
        if is_met { self.program } else { self.inverse }
    }

    fn check(self) -> Result<()> {
        [self.program, self.inverse].into_iter().flatten().try_for_each(check_partials)
    }
}
