//! What is assumed of the values that a call decides.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::value::{LENGTH, Object, Open, Question, Value, ValuePath, counts};

/// What is assumed of a value that a call decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Assumption {
    /// It is missing, or has a default that `if` counts as false.
    Missing,
    /// It has a value that `if` counts as true: the default if that is one, otherwise text, or an object whose fields are open.
    Set,
    /// It is a list with one item.
    OneItem,
}

/// What is assumed of a variable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Condition {
    /// The name of the variable, and the names that lead from its value to the value that is meant: `customer`, `name`.
    pub path: Vec<Rc<str>>,
    /// What is assumed.
    pub assumption: Assumption,
}

/// What is assumed of the values that are open, by their paths.
#[derive(Clone, Debug, Default)]
pub(super) struct Assumptions {
    all: BTreeMap<ValuePath, Assumption>,
    /// The variables whose values are certain.
    fixed: Rc<Object>,
}

/// The item of a list with one item.
const ITEM: &str = "0";

impl Assumptions {
    pub(super) fn new(fixed: Rc<Object>) -> Self {
        Self { fixed, ..Self::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// How many must be turned over until all are of one kind: what is set, or what is missing.
    pub(super) fn exceptions(&self) -> usize {
        let is_missing = |is: &&Assumption| **is == Assumption::Missing;
        let missing = self.all.values().filter(is_missing).count();
        missing.min(self.len() - missing)
    }

    pub(super) fn conditions(self) -> Vec<Condition> {
        let all = self.all.into_iter();
        all.map(|(path, assumption)| Condition { path, assumption }).collect()
    }

    /// The assumptions with each answer to a question. `None` if no answer goes with them, or if there are more answers than can
    /// be assumed.
    pub(super) fn answered(self, question: &Question) -> Option<Vec<Self>> {
        let Question { path, is_list, is_set } = question;
        let (item, known) = ([path.as_slice(), &[ITEM.into()]].concat(), self.all.get(path));
        let mut below = self.below(path);
        // A list has no other fields, and its item has a value.
        let fits = !is_list
            || below.all(|(below, is)| (*is == Assumption::Missing) != below.starts_with(&item));
        if path.is_empty() || !fits {
            return None;
        }
        let set = if *is_list { Assumption::OneItem } else { Assumption::Set };
        let may_be_missing = known.is_none() && !is_set;
        let answers = [Some(set), may_be_missing.then_some(Assumption::Missing)];
        let with = |answer| {
            let mut all = self.clone();
            all.all.insert(path.clone(), answer);
            all
        };
        Some(answers.into_iter().flatten().map(with).collect())
    }

    /// The field of an open value.
    pub(super) fn field(&self, of: &Open, name: &str) -> Value {
        let default = of.default.property(name);
        if let Some(value) = self.fixed.get(name).filter(|_| of.path.is_empty()) {
            return value.clone();
        }
        let path = [of.path.as_slice(), &[name.into()]].concat();
        if name != LENGTH || of.path.is_empty() {
            return self.value(path, default);
        }
        let is_known = of.is_set && counts(&of.default);
        Value::Open(Rc::new(Open {
            path,
            default: if is_known { default } else { Value::Undefined },
            is_set: of.is_set,
            is_object: false,
        }))
    }

    fn value(&self, path: ValuePath, default: Value) -> Value {
        let assumed = self.all.get(&path);
        match assumed {
            Some(Assumption::Missing) if counts(&default) => return Value::Undefined,
            Some(Assumption::Missing) => return default,
            Some(Assumption::OneItem) => {
                let item = [path.as_slice(), &[ITEM.into()]].concat();
                let item = match self.value(item, Value::Undefined) {
                    Value::Open(open) => {
                        Value::Open(Rc::new(Open { is_set: true, ..Open::clone(&open) }))
                    }
                    other => other,
                };
                return Value::List([item].into());
            }
            Some(Assumption::Set) | None => {}
        }
        let is_object = self.below(&path).any(|(_, is)| *is != Assumption::Missing);
        let is_set = assumed.is_some() || is_object;
        Value::Open(Rc::new(Open { path, default, is_set, is_object }))
    }

    /// What is assumed of the fields of a value.
    fn below<'a>(
        &'a self,
        path: &'a ValuePath,
    ) -> impl Iterator<Item = (&'a ValuePath, &'a Assumption)> {
        let from = self.all.range(path.clone()..);
        let below = from.take_while(move |(below, _)| below.starts_with(path));
        below.filter(move |(below, _)| below.len() > path.len())
    }
}
