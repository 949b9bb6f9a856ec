//! Objects in JSON that are put together field by field.

use serde_json::Value;

/// Sets a field of an object.
pub(crate) fn set(object: &mut Value, name: &str, value: impl Into<Value>) {
    if let Some(fields) = object.as_object_mut() {
        fields.insert(name.to_owned(), value.into());
    }
}
