//! The built-in helpers, and sections such as `{{#name}}`.

use std::rc::Rc;

use super::{
    error::RenderErrorKind,
    frame::{Closure, Round},
    machine::{Machine, Result, Returned, Scope},
    program::{Block, Call, CallKind, Program},
    value::Value,
};

/// The programs of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Programs<'p> {
    program: Option<&'p Program<'p>>,
    inverse: Option<&'p Program<'p>>,
}

/// The programs of a block, ready to run. One that the block does not have renders nothing.
struct Closures<'p> {
    program: Option<Closure<'p>>,
    inverse: Option<Closure<'p>>,
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

impl<'p> Machine<'p> {
    pub(super) fn block(&mut self, block: &'p Block<'p>, scope: &Scope<'p>) -> Result<Returned> {
        let programs =
            Programs { program: block.program.as_ref(), inverse: block.inverse.as_ref() };
        if block.call.kind == CallKind::Helper {
            return self.helper(&block.call, Some(programs), scope);
        }
        let value = self.lookup(&block.call.path, scope, false)?;
        let value = self.decided(value, false)?;
        let closures = self.closures(programs, scope)?;
        self.section(value, &closures, scope)
    }

    /// Calls a helper. Only a block has programs.
    pub(super) fn helper(
        &mut self,
        call: &'p Call<'p>,
        programs: Option<Programs<'p>>,
        scope: &Scope<'p>,
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
        let hash = self.hash(&call.hash, scope)?;
        let closures = match programs {
            Some(programs) => Some(self.closures(programs, scope)?),
            None => None,
        };
        // What is false is returned before the other arguments are looked at.
        let returns_first = helper == BuiltIn::Lookup
            && arguments.first().is_some_and(|object| !object.is_truthy());
        // The reference takes a second argument of `each` for its own options.
        let has_no_options =
            helper == BuiltIn::Each && arguments.get(1).is_some_and(|options| !options.is_truthy());
        let error = helper.misused(arguments.len(), closures.is_some());
        if let Some(kind) = error.filter(|_| !returns_first) {
            let kind = if has_no_options { RenderErrorKind::NothingToIterate } else { kind };
            return Err(self.fail(kind, span));
        }
        match helper {
            BuiltIn::Lookup => return self.lookup_helper(&arguments),
            BuiltIn::Log => return Ok(Returned::Value(Value::Undefined)),
            _ => {}
        }
        let ([argument], Some(closures)) = (arguments.as_slice(), closures) else {
            return Ok(Returned::Value(Value::Undefined));
        };
        let this = self.this(scope);
        let includes_zero = hash
            .iter()
            .rfind(|(name, _)| &**name == "includeZero")
            .is_some_and(|it| it.1.is_truthy());
        let is_met = (includes_zero || argument.is_truthy()) && !argument.is_empty();
        match helper {
            BuiltIn::If => self.call_or_nothing(closures.branch(is_met), this),
            BuiltIn::Unless => self.call_or_nothing(closures.branch(!is_met), this),
            BuiltIn::With if argument.is_empty() => {
                self.call_or_nothing(closures.inverse.as_ref(), this)
            }
            BuiltIn::With => match &closures.program {
                Some(program) => {
                    let params = Value::List([argument.clone()].into());
                    self.call(program, argument.clone(), None, Some(params))
                }
                None => self.text(""),
            },
            _ => self.each(argument, &closures, this, scope),
        }
    }

    /// A call of an unknown helper: an error, unless it has only named arguments.
    fn unknown_helper(
        &mut self,
        call: &'p Call<'p>,
        programs: Option<Programs<'p>>,
        scope: &Scope<'p>,
    ) -> Result<Returned> {
        let name = call.path.original.to_string();
        let span = call.path.span;
        if matches!(call.path.first(), Some("helperMissing" | "blockHelperMissing")) {
            return Err(self.fail(RenderErrorKind::NotAHelper { name }, span));
        }
        let value = self.lookup(&call.path, scope, true)?;
        let value = self.decided(value, false)?;
        self.expressions(&call.params, scope)?;
        self.hash(&call.hash, scope)?;
        if let Some(programs) = programs {
            self.closures(programs, scope)?;
        }
        if value.is_truthy() {
            Err(self.fail(RenderErrorKind::NotAHelper { name }, span))
        } else if call.params.is_empty() {
            Ok(Returned::Value(Value::Undefined))
        } else {
            Err(self.fail(RenderErrorKind::MissingHelper { name }, span))
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
    fn section(
        &mut self,
        value: Value,
        closures: &Closures<'p>,
        scope: &Scope<'p>,
    ) -> Result<Returned> {
        match &value {
            Value::Boolean(true) => {
                self.call_or_nothing(closures.program.as_ref(), scope.context.clone())
            }
            Value::List(items) if !items.is_empty() => {
                self.each(&value, closures, scope.context.clone(), scope)
            }
            Value::Undefined | Value::Null | Value::Boolean(false) | Value::List(_) => {
                self.call_or_nothing(closures.inverse.as_ref(), scope.context.clone())
            }
            _ => match &closures.program {
                Some(program) => {
                    // The reference passes on the parameters of the blocks around.
                    let params = self.has_block_params.then(|| scope.params.to_list());
                    self.call(program, value, None, params)
                }
                None => self.text(""),
            },
        }
    }

    fn each(
        &mut self,
        list: &Value,
        closures: &Closures<'p>,
        this: Value,
        scope: &Scope<'p>,
    ) -> Result<Returned> {
        let count = match list {
            Value::List(items) => items.len(),
            Value::Object(object) => object.entries().len(),
            _ => 0,
        };
        if count == 0 {
            return self.call_or_nothing(closures.inverse.as_ref(), this);
        }
        self.text("")?;
        let Some(program) = &closures.program else { return Ok(Returned::Text) };
        for (at, index) in (0..count).zip(0_u32..) {
            let (key, value) = match list {
                Value::List(items) => {
                    (Value::Number(f64::from(index)), items.get(at).cloned().unwrap_or_default())
                }
                Value::Object(object) => match object.entries().get(at) {
                    Some((key, value)) => (Value::Text(Rc::clone(key)), value.clone()),
                    None => break,
                },
                _ => break,
            };
            let params = Value::List([value.clone(), key.clone()].into());
            let data = scope.data.round(Round { key, index, is_last: at + 1 == count });
            let returned = self.call(program, value, Some(data), Some(params))?;
            self.write_returned(returned)?;
        }
        Ok(Returned::Text)
    }

    fn call_or_nothing(&mut self, closure: Option<&Closure<'p>>, this: Value) -> Result<Returned> {
        match closure {
            Some(closure) => self.call(closure, this, None, None),
            None => self.text(""),
        }
    }

    fn closures(&mut self, programs: Programs<'p>, scope: &Scope<'p>) -> Result<Closures<'p>> {
        let mut closure = |program: Option<&'p Program<'p>>| {
            program.map(|program| self.closure(program, scope)).transpose()
        };
        Ok(Closures { program: closure(programs.program)?, inverse: closure(programs.inverse)? })
    }
}

impl<'p> Closures<'p> {
    fn branch(&self, is_met: bool) -> Option<&Closure<'p>> {
        if is_met { self.program.as_ref() } else { self.inverse.as_ref() }
    }
}
