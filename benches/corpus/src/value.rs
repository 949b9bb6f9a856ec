//! The values of a document, before they are written in one of the formats.

/// A value. Objects keep the order of their fields.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Boolean(bool),
    /// A number as it is written.
    Number(String),
    Text(String),
    List(Vec<Value>),
    Object(Object),
}

/// The fields of an object.
pub type Object = Vec<(String, Value)>;

impl Value {
    /// Whether the value is a list of objects, which TOML writes as an array of tables.
    pub fn is_list_of_objects(&self) -> bool {
        matches!(self, Self::List(items)
            if !items.is_empty() && items.iter().all(|item| matches!(item, Self::Object(_))))
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Boolean(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Number(value.to_string())
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl From<Vec<Value>> for Value {
    fn from(value: Vec<Value>) -> Self {
        Self::List(value)
    }
}

impl From<Object> for Value {
    fn from(value: Object) -> Self {
        Self::Object(value)
    }
}

/// A number with two decimal places, given in hundredths.
pub fn hundredths(value: i64) -> Value {
    Value::Number(format!("{}.{:02}", value / 100, value % 100))
}

/// A field of an object.
pub fn field(name: &str, value: impl Into<Value>) -> (String, Value) {
    (name.to_owned(), value.into())
}
