//! The variables that begin with `@`, and the closures of blocks.

use std::collections::HashMap;
use std::rc::Rc;

use super::{
    program::Program,
    value::{Object, Value},
};

/// The data variables of a program. Each loop and each partial with a block has a frame of its own.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame<'p> {
    root: Value,
    /// `@key`, `@index`, `@first` and `@last`, in a loop.
    round: Option<Round>,
    pub(super) partial_block: Option<Rc<PartialBlock<'p>>>,
    parent: Option<Rc<Self>>,
}

/// A round of a loop.
#[derive(Clone, Debug)]
pub(super) struct Round {
    pub(super) key: Value,
    pub(super) index: u32,
    pub(super) is_last: bool,
}

/// The block that a partial was called with: `{{> @partial-block}}` renders it.
#[derive(Debug)]
pub(super) struct PartialBlock<'p> {
    pub(super) closure: Closure<'p>,
    /// The block of the partial around.
    pub(super) outer: Option<Rc<Self>>,
}

/// A program with everything that it sees of its surroundings.
#[derive(Clone, Debug)]
pub(super) struct Closure<'p> {
    pub(super) program: &'p Program<'p>,
    pub(super) data: Rc<Frame<'p>>,
    pub(super) params: Stack,
    /// The contexts that `../` leads to, where they are kept track of.
    pub(super) depths: Option<Stack>,
    /// The partials that it defines.
    pub(super) partials: Option<Rc<Partials<'p>>>,
}

/// Partials by name. One that is defined without a block has no closure.
pub(super) type Partials<'p> = HashMap<Rc<str>, Option<Rc<Closure<'p>>>>;

/// A list of values that grows at its front and shares its tail.
#[derive(Clone, Debug, Default)]
pub(super) struct Stack(Option<Rc<(Value, Stack)>>);

impl Stack {
    pub(super) fn push(&self, value: Value) -> Self {
        Self(Some(Rc::new((value, self.clone()))))
    }

    pub(super) fn get(&self, mut depth: usize) -> Option<&Value> {
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

impl<'p> Frame<'p> {
    pub(super) fn root(root: Value) -> Rc<Self> {
        Rc::new(Self { root, ..Self::default() })
    }

    /// A frame within this one.
    fn child(self: &Rc<Self>) -> Self {
        Self { parent: Some(Rc::clone(self)), ..Self::clone(self) }
    }

    pub(super) fn round(self: &Rc<Self>, round: Round) -> Rc<Self> {
        Rc::new(Self { round: Some(round), ..self.child() })
    }

    pub(super) fn with_partial_block(
        self: &Rc<Self>,
        partial_block: Option<Rc<PartialBlock<'p>>>,
    ) -> Rc<Self> {
        Rc::new(Self { partial_block, ..self.child() })
    }

    /// The frame this many loops out.
    pub(super) fn outer(self: &Rc<Self>, depth: usize) -> Option<Rc<Self>> {
        let mut frame = Rc::clone(self);
        for _ in 0..depth {
            frame = Rc::clone(frame.parent.as_ref()?);
        }
        Some(frame)
    }

    pub(super) fn get(&self, name: &str) -> Value {
        match (name, &self.round) {
            ("root", _) => self.root.clone(),
            ("key", Some(round)) => round.key.clone(),
            ("index", Some(round)) => Value::Number(f64::from(round.index)),
            ("first", Some(round)) => Value::Boolean(round.index == 0),
            ("last", Some(round)) => Value::Boolean(round.is_last),
            ("_parent", _) => {
                self.parent.as_ref().map(|parent| parent.to_value()).unwrap_or_default()
            }
            _ => Value::Undefined,
        }
    }

    /// The frame as an object, which `@_parent` is.
    fn to_value(&self) -> Value {
        let names = ["root", "key", "index", "first", "last", "_parent"];
        let fields = names.map(|name| (Rc::from(name), self.get(name)));
        let fields = fields.into_iter().filter(|(_, value)| !matches!(value, Value::Undefined));
        Value::Object(Rc::new(Object::new(fields)))
    }
}
