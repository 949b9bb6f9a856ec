//! The values that a template is filled in with, and JavaScript's rules for them.

use std::collections::HashMap;
use std::rc::Rc;

use super::number;

/// A value, as JavaScript sees the JSON that it came from. Clones are cheap.
#[derive(Clone, Debug, Default)]
pub enum Value {
    /// No value: the variable is missing.
    #[default]
    Undefined,
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A number, in double precision.
    Number(f64),
    /// Text.
    Text(Rc<str>),
    /// A list.
    List(Rc<[Value]>),
    /// An object.
    Object(Rc<Object>),
    /// A value that a call decides. Only [`paths`](crate::paths) has them.
    Open(Rc<Open>),
}

/// An object: names and values, in the order in which JavaScript lists them.
#[derive(Clone, Debug, Default)]
pub struct Object {
    entries: Vec<(Rc<str>, Value)>,
    places: HashMap<Rc<str>, usize>,
}

/// The names that lead from the variables of a call to a value.
pub(super) type ValuePath = Vec<Rc<str>>;

/// A value that a call decides.
#[derive(Clone, Debug)]
pub struct Open {
    pub(super) path: ValuePath,
    /// Its value if a call does not give another one.
    pub(super) default: Value,
    /// Whether it is assumed to have a value.
    pub(super) is_set: bool,
    /// Whether one of its fields is assumed to have a value.
    pub(super) is_object: bool,
}

/// What a run needs to know of an open value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Question {
    /// The value. Nothing can be assumed of all variables together.
    pub(super) path: ValuePath,
    /// Whether its items are wanted.
    pub(super) is_list: bool,
    /// Whether it certainly has a value.
    pub(super) is_set: bool,
}

/// The property of texts and lists.
pub(super) const LENGTH: &str = "length";

/// An object was to become text, and has a `toString` that is not a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NotText;

impl Object {
    /// An object of these fields. The last of several fields with one name counts, at the place of the first.
    ///
    /// JavaScript lists names that are whole numbers first, in ascending order.
    pub fn new(fields: impl IntoIterator<Item = (Rc<str>, Value)>) -> Self {
        let mut object = Self::default();
        for (name, value) in fields {
            object.set(name, value);
        }
        if object.entries.iter().any(|(name, _)| index(name).is_some()) {
            object.entries.sort_by_key(|(name, _)| index(name).map_or(u64::MAX, u64::from));
            let names = object.entries.iter().enumerate();
            object.places = names.map(|(place, (name, _))| (Rc::clone(name), place)).collect();
        }
        object
    }

    fn set(&mut self, name: Rc<str>, value: Value) {
        let place = *self.places.entry(Rc::clone(&name)).or_insert(self.entries.len());
        match self.entries.get_mut(place) {
            Some(entry) => entry.1 = value,
            None => self.entries.push((name, value)),
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.entries.get(*self.places.get(name)?).map(|(_, value)| value)
    }

    pub(super) fn entries(&self) -> &[(Rc<str>, Value)] {
        &self.entries
    }
}

impl From<Object> for Value {
    fn from(object: Object) -> Self {
        Self::Object(object.into())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl Value {
    pub(super) fn is_nullish(&self) -> bool {
        matches!(self, Self::Undefined | Self::Null)
    }

    pub(super) fn is_truthy(&self) -> bool {
        match self {
            Self::Undefined | Self::Null => false,
            Self::Boolean(value) => *value,
            Self::Number(value) => *value != 0.0 && !value.is_nan(),
            Self::Text(text) => !text.is_empty(),
            Self::List(_) | Self::Object(_) | Self::Open(_) => true,
        }
    }

    /// Whether `if` and `with` treat the value as empty: false values but 0, and empty lists.
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Number(value) => value.is_nan(),
            Self::List(items) => items.is_empty(),
            _ => !self.is_truthy(),
        }
    }

    /// A property of its own: what the reference does not look up in prototypes.
    pub(super) fn property(&self, name: &str) -> Self {
        let found = match self {
            Self::Object(object) => object.get(name).cloned(),
            Self::List(items) if name == "length" => Some(Self::Number(length(items.len()))),
            Self::List(items) => index(name).and_then(|at| items.get(at as usize)).cloned(),
            Self::Text(text) if name == "length" => {
                Some(Self::Number(length(text.encode_utf16().count())))
            }
            Self::Text(text) => index(name).and_then(|at| unit(text, at as usize)),
            Self::Undefined | Self::Null | Self::Boolean(_) | Self::Number(_) | Self::Open(_) => {
                None
            }
        };
        found.unwrap_or_default()
    }

    /// The value as text, as JavaScript's `"" + value` does.
    pub(super) fn to_text(&self) -> Result<Rc<str>, NotText> {
        Ok(match self {
            Self::Undefined => "undefined".into(),
            Self::Null => "null".into(),
            Self::Boolean(value) => if *value { "true" } else { "false" }.into(),
            Self::Number(value) => number::to_text(*value).into(),
            Self::Text(text) => Rc::clone(text),
            Self::List(items) => {
                let mut text = String::new();
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        text.push(',');
                    }
                    if !item.is_nullish() {
                        text.push_str(&item.to_text()?);
                    }
                }
                text.into()
            }
            // From JSON, a `toString` of its own is never a function.
            Self::Object(object) if object.get("toString").is_some() => return Err(NotText),
            Self::Object(_) => "[object Object]".into(),
            Self::Open(open) => open.printed().to_text()?,
        })
    }

    /// JavaScript's `+` of two values that are numbers or booleans.
    pub(super) fn plus(&self, other: &Self) -> Self {
        Self::Number(self.to_number() + other.to_number())
    }

    /// JavaScript's `==`.
    pub(super) fn loosely_equals(&self, other: &Self) -> Result<bool, NotText> {
        Ok(match (self, other) {
            (Self::Open(one), Self::Open(other)) if one.path == other.path => true,
            (Self::Open(_), _) | (_, Self::Open(_)) => {
                self.clone().printed().loosely_equals(&other.clone().printed())?
            }
            (Self::Undefined | Self::Null, _) | (_, Self::Undefined | Self::Null) => {
                self.is_nullish() && other.is_nullish()
            }
            (Self::Text(one), Self::Text(other)) => one == other,
            (Self::List(one), Self::List(other)) => Rc::ptr_eq(one, other),
            (Self::Object(one), Self::Object(other)) => Rc::ptr_eq(one, other),
            (Self::List(_), Self::Object(_)) | (Self::Object(_), Self::List(_)) => false,
            (Self::List(_) | Self::Object(_), _) => {
                Self::Text(self.to_text()?).loosely_equals(other)?
            }
            (_, Self::List(_) | Self::Object(_)) => other.loosely_equals(self)?,
            #[expect(clippy::float_cmp, reason = "JavaScript compares numbers exactly")]
            _ => self.to_number() == other.to_number(),
        })
    }

    fn to_number(&self) -> f64 {
        match self {
            Self::Boolean(value) => f64::from(u8::from(*value)),
            Self::Number(value) => *value,
            Self::Text(text) => number::from_text(text),
            Self::Null => 0.0,
            Self::Undefined | Self::List(_) | Self::Object(_) | Self::Open(_) => f64::NAN,
        }
    }
}

impl Open {
    /// All variables of a call, with these defaults.
    pub(super) fn variables(defaults: Object) -> Value {
        let path = Vec::new();
        Value::Open(Rc::new(Self { path, default: defaults.into(), is_set: true, is_object: true }))
    }

    /// The value if it is known and not an object with open fields, `None` if it is such an object or a text.
    pub(super) fn decided(&self, is_list: bool) -> Result<Option<Value>, Question> {
        let is_known = counts(&self.default) && !self.is_object;
        if self.is_set && is_known && (is_list || !matches!(self.default, Value::Object(_))) {
            return Ok(Some(self.default.clone()));
        }
        if self.is_set && !is_list {
            return Ok(None);
        }
        let mut path = self.path.clone();
        // Texts and lists have a length if they are not empty.
        while path.len() > 1 && path.pop_if(|name| &**name == LENGTH).is_some() {}
        Err(Question { path, is_list: is_list && !is_known, is_set: self.is_set })
    }

    /// The value as a tag prints it.
    pub(super) fn printed(&self) -> Value {
        if self.is_object {
            Object::default().into()
        } else if self.is_set && !counts(&self.default) {
            Value::from(&*format!("⟨{}⟩", self.path.join(".")))
        } else {
            self.default.clone()
        }
    }
}

impl Value {
    /// The value as a tag prints it.
    pub(super) fn printed(self) -> Self {
        if let Self::Open(open) = self { open.printed() } else { self }
    }
}

/// Whether `if` renders its block for the value.
pub(super) fn counts(value: &Value) -> bool {
    value.is_truthy() && !value.is_empty()
}

/// The name as an index of a list. JavaScript's indexes have no leading zeros and no sign.
fn index(name: &str) -> Option<u32> {
    let is_plain = name == "0" || !name.starts_with('0');
    let digits = name.bytes().all(|byte| byte.is_ascii_digit());
    (is_plain && digits).then(|| name.parse().ok()).flatten().filter(|at| *at < u32::MAX)
}

/// A UTF-16 unit of a text. Half of a pair becomes the replacement character.
fn unit(text: &str, at: usize) -> Option<Value> {
    let unit = text.encode_utf16().nth(at)?;
    Some(Value::from(&*String::from_utf16_lossy(&[unit])))
}

#[expect(clippy::cast_precision_loss, reason = "no text or list has 2^53 parts")]
fn length(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_indexes_come_first() {
        let names = ["b", "10", "a", "2", "02", "b"];
        let object = Object::new(names.map(|name| (name.into(), Value::from(name))));
        let listed: Vec<&str> = object.entries().iter().map(|(name, _)| &**name).collect();
        assert_eq!(listed, ["2", "10", "b", "a", "02"]);
        assert!(matches!(object.get("10"), Some(Value::Text(text)) if &**text == "10"));
    }

    #[test]
    fn values_are_compared_as_javascript_does() {
        let one = Value::Number(1.0);
        let list = Value::List([Value::from("1")].into());
        for equal in [Value::from(" 1 "), Value::Boolean(true), list.clone(), one.clone()] {
            assert_eq!(one.loosely_equals(&equal), Ok(true), "{equal:?}");
            assert_eq!(equal.loosely_equals(&one), Ok(true), "{equal:?}");
        }
        assert_eq!(Value::Null.loosely_equals(&Value::Undefined), Ok(true));
        assert_eq!(Value::Null.loosely_equals(&Value::Number(0.0)), Ok(false));
        let other = Value::List([Value::from("1")].into());
        assert_eq!(list.loosely_equals(&other), Ok(false), "two lists");
    }
}
