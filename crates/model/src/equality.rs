//! Equality of values in documents.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use voxlint_syntax::{Decimal, Kind, Node};

/// A value on one side of a comparison; `None` if there is none.
pub type Side<'a> = Option<Node<'a>>;

/// Whether two sides have equal values, or none.
pub fn are_same(one: Side<'_>, other: Side<'_>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => is_same(one, other),
        (one, other) => one.is_none() && other.is_none(),
    }
}

/// Whether two values are equal: numbers by value, texts and booleans exactly, arrays item by item, objects independent of the
/// order of their fields. Of fields with the same name the last one counts.
pub fn is_same(one: Node<'_>, other: Node<'_>) -> bool {
    match (one.kind(), other.kind()) {
        (Kind::Number, Kind::Number) => one.decimal() == other.decimal(),
        (Kind::String, Kind::String) => one.as_str() == other.as_str(),
        (Kind::Bool, Kind::Bool) => one.as_bool() == other.as_bool(),
        (Kind::Null, Kind::Null) => true,
        (Kind::Array, Kind::Array) => {
            let (mut ones, mut others) = (one.elements(), other.elements());
            loop {
                match (ones.next(), others.next()) {
                    (None, None) => return true,
                    (Some(one), Some(other)) if is_same(one, other) => {}
                    _ => return false,
                }
            }
        }
        (Kind::Object, Kind::Object) => {
            let (ones, others) = (fields(one), fields(other));
            ones.len() == others.len()
                && ones
                    .iter()
                    .zip(&others)
                    .all(|((name, one), (named, other))| name == named && is_same(*one, *other))
        }
        _ => false,
    }
}

/// A number that is the same for values that [`is_same`] calls equal, and most likely differs for others.
pub fn digest(node: Node<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    add_to(&mut hasher, node);
    hasher.finish()
}

fn add_to(hasher: &mut DefaultHasher, node: Node<'_>) {
    (node.kind() as u8).hash(hasher);
    match node.kind() {
        Kind::Number => node.decimal().map(Decimal::canonical).hash(hasher),
        Kind::String | Kind::Key => node.as_str().hash(hasher),
        Kind::Bool => node.as_bool().hash(hasher),
        Kind::Null | Kind::Invalid => {}
        Kind::Array => {
            node.elements().for_each(|element| add_to(hasher, element));
            u8::MAX.hash(hasher);
        }
        Kind::Object => {
            for (name, value) in fields(node) {
                name.hash(hasher);
                add_to(hasher, value);
            }
            u8::MAX.hash(hasher);
        }
    }
}

/// The fields of an object by their names.
pub fn fields(object: Node<'_>) -> BTreeMap<Cow<'_, str>, Node<'_>> {
    object.members().map(|member| (member.name(), member.value)).collect()
}

#[cfg(test)]
mod tests {
    use super::{digest, is_same};
    use crate::Document;

    fn same(one: &str, other: &str) -> bool {
        let [one, other] = [one, other].map(Document::parse);
        let (one, other) = (one.tree().root().unwrap(), other.tree().root().unwrap());
        assert_eq!(is_same(one, other), digest(one) == digest(other));
        is_same(one, other)
    }

    #[test]
    fn values_are_compared_independent_of_spelling() {
        assert!(same("1.50", "15e-1") && same("-0", "0") && !same("1", "1.0000000000000000000001"));
        assert!(same(r#""caf\u00e9""#, "\"café\"") && !same("\"a\"", "\"A\""));
        assert!(same(
            r#"{"a": [1, {"b": null}], "c": true}"#,
            r#"{"c":true,"a":[1.0,{"b":null}]}"#
        ));
        assert!(!same("[1, 2]", "[2, 1]") && !same("[1]", "[1, 1]") && !same("{}", "[]"));
        assert!(
            !same(r#"{"a": 1}"#, r#"{"b": 1}"#) && !same("1", "\"1\"") && !same("null", "false")
        );
        assert!(same(r#"{"a": 1, "a": 2}"#, r#"{"a": 2}"#));
    }
}
