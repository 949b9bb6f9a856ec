//! The fields of one object, by the rows of its table.

use voxlint_schema::{Null, Row, Shape, settings};
use voxlint_syntax::{Decimal, Kind, Node};

use crate::fields::Fields;
use crate::fields::has_type_of;
use crate::place::Place;
use crate::value::{UnknownReason, Value};
use crate::{Origin, TextFile};

/// The fields of one object with settings (2.3).
#[derive(Debug)]
pub struct SettingsObject<'a> {
    origin: Origin,
    fields: Fields<'a>,
    /// Texts that are kept in files of their own.
    texts: &'a [TextFile],
    /// Whether fields may be missing because of a fault in the text.
    pub(crate) incomplete: bool,
}

impl<'a> SettingsObject<'a> {
    /// The settings of an object, which may not be given.
    pub fn of(object: Option<Node<'a>>, origin: Origin) -> Self {
        let fields =
            object.map_or_else(Fields::none, |object| Fields::of(object, &settings::TABLE));
        Self::with_fields(object, fields, origin)
    }

    /// An object whose fields have been found.
    pub(crate) fn with_fields(
        object: Option<Node<'a>>,
        fields: Fields<'a>,
        origin: Origin,
    ) -> Self {
        let incomplete =
            object.is_none_or(|object| object.kind() != Kind::Object || object.is_incomplete());
        Self { origin, fields, texts: &[], incomplete }
    }

    /// The settings, with texts that are kept in files of their own.
    pub fn with_texts(mut self, texts: &'a [TextFile]) -> Self {
        self.texts = texts;
        self
    }

    /// The value of a row, as written.
    #[inline]
    pub fn member(&self, row: &Row) -> Option<Node<'a>> {
        self.fields.get(row).or_else(|| {
            let mut texts = self.texts.iter().filter(|text| std::ptr::eq(text.field, row));
            texts.find_map(|text| text.document.tree().root())
        })
    }

    /// The rows that the object has fields for, without texts in files of their own.
    pub(crate) const fn present(&self) -> u128 {
        self.fields.present()
    }

    /// Whether the object has the field, whatever its value.
    pub(crate) fn has(&self, row: &Row) -> bool {
        self.member(row).is_some()
    }

    /// The number of the version.
    pub(crate) fn version_number(&self) -> Option<Decimal<'a>> {
        self.member(settings::version_number.row).and_then(Node::decimal)
    }

    /// The value of a field; `None` if the object does not have it.
    #[inline]
    pub(crate) fn value(&self, row: &Row) -> Option<Value<Node<'a>>> {
        let node = self.member(row)?;
        let place = Place::of(self.origin, node);
        Some(match node.kind() {
            Kind::Null if row.null == Null::Clears || self.origin == Origin::Stored => {
                Value::Absent(Some(place))
            }
            _ if !has_type_of(&row.shape, node) || !is_allowed(&row.shape, node) => {
                // A stored value that the service revalidates has a finding of its own. For any other stored value the type
                // has been checked, and a value that the description does not list tells nothing.
                let is_checked = self.origin != Origin::Stored || row.revalidated;
                Value::Unknown(if is_checked {
                    UnknownReason::Faulty
                } else {
                    UnknownReason::NotGiven
                })
            }
            // Readers may replace an unpaired surrogate by another character.
            _ if node.is_faulty() => Value::Unknown(UnknownReason::Lost),
            _ => Value::Known(node, place),
        })
    }
}

/// Whether a text is one of the values that its row allows.
pub fn is_allowed(shape: &Shape, node: Node<'_>) -> bool {
    match shape {
        Shape::Text(text) if !text.choices.is_empty() => {
            node.as_str().is_some_and(|value| text.choices.contains(&value.as_ref()))
        }
        _ => true,
    }
}
