use std::marker::PhantomData;

use crate::readings::Reading;
use crate::row::{
    DisputedRange, Flag, Fractions, Items, List, Map, Null, Number, NumberShape, Presence, Role,
    Shape, TermLimits, Text, TextFormat, TextShape,
};
use crate::{Catalogue, Table};

/// The right-hand side of a table row: what a value must be.
///
/// A spec of one type offers only the limits that make sense there: `boolean().between(0, 1)` does not compile.
#[derive(Debug)]
pub(crate) struct Spec<T> {
    pub(crate) shape: Shape,
    pub(crate) null: Null,
    pub(crate) presence: Presence,
    pub(crate) revalidated: bool,
    kind: PhantomData<fn() -> T>,
}

const ANY_TEXT: TextShape = TextShape {
    choices: &[],
    max_characters: None,
    role: Role::Free,
    format: TextFormat::Any,
    terms: None,
};
const ANY_NUMBER: NumberShape = NumberShape {
    min: None,
    max: None,
    disputed: None,
    fractions: Fractions::Allowed,
    unit: None,
    or_texts: false,
};

/// A string.
pub(crate) const fn string() -> Spec<Text> {
    Spec::new(Shape::Text(ANY_TEXT))
}

/// A number.
pub(crate) const fn number() -> Spec<Number> {
    Spec::new(Shape::Number(ANY_NUMBER))
}

/// true or false.
pub(crate) const fn boolean() -> Spec<Flag> {
    Spec::new(Shape::Flag)
}

/// An object with any fields.
pub(crate) const fn map() -> Spec<Map> {
    Spec::new(Shape::Map(None))
}

/// An array.
pub(crate) const fn list(items: Items) -> Spec<List> {
    Spec::new(Shape::List(items))
}

/// A string, or an array of strings.
pub(crate) const fn string_or_strings() -> Spec<Text> {
    Spec::new(Shape::TextOrTexts)
}

impl Items {
    /// Ids of a catalogue.
    pub(crate) const fn ids(catalogue: Catalogue) -> Self {
        Self::Texts(TextShape { role: Role::Id(catalogue), ..ANY_TEXT })
    }

    /// Any texts.
    pub(crate) const fn texts() -> Self {
        Self::Texts(ANY_TEXT)
    }
}

impl<T> Spec<T> {
    const fn new(shape: Shape) -> Self {
        Self {
            shape,
            null: Null::Rejected,
            presence: Presence::Optional,
            revalidated: false,
            kind: PhantomData,
        }
    }

    const fn shaped(self, shape: Shape) -> Self {
        Self { shape, ..self }
    }

    /// Null is legal and clears the value.
    pub(crate) const fn nullable(self) -> Self {
        Self { null: Null::Clears, ..self }
    }

    /// The description neither allows nor clearly rejects null.
    pub(crate) const fn nullability_unspecified(self) -> Self {
        Self { null: Null::Unspecified, ..self }
    }

    /// The field is required.
    pub(crate) const fn required(self) -> Self {
        Self { presence: Presence::Required, ..self }
    }

    /// The description lists the field, without saying whether it is required.
    pub(crate) const fn presence_unspecified(self) -> Self {
        Self { presence: Presence::Expected, ..self }
    }

    /// The service validates the stored value again when an update omits the field.
    pub(crate) const fn revalidated(self) -> Self {
        Self { revalidated: true, ..self }
    }
}

impl Spec<Text> {
    const fn text(self, change: TextShape) -> Self {
        self.shaped(Shape::Text(change))
    }

    const fn current(&self) -> TextShape {
        match self.shape {
            Shape::Text(text) => text,
            _ => ANY_TEXT,
        }
    }

    /// The allowed values.
    pub(crate) const fn one_of(self, choices: &'static [&'static str]) -> Self {
        let text = self.current();
        self.text(TextShape { choices, ..text })
    }

    /// The greatest length, in characters.
    pub(crate) const fn max_characters(self, limit: u32) -> Self {
        let text = self.current();
        self.text(TextShape { max_characters: Some(limit), ..text })
    }

    /// The purpose of the text.
    pub(crate) const fn role(self, role: Role) -> Self {
        let text = self.current();
        self.text(TextShape { role, ..text })
    }

    /// An id from `catalogue`.
    pub(crate) const fn id_from(self, catalogue: Catalogue) -> Self {
        self.role(Role::Id(catalogue))
    }

    /// The format of the text.
    pub(crate) const fn written_as(self, format: TextFormat) -> Self {
        let text = self.current();
        self.text(TextShape { format, ..text })
    }

    /// The limits of the terms that the text lists.
    pub(crate) const fn terms(self, terms: TermLimits) -> Self {
        let text = self.current();
        self.text(TextShape { terms: Some(terms), ..text })
    }
}

impl Spec<Number> {
    const fn current(&self) -> NumberShape {
        match self.shape {
            Shape::Number(number) => number,
            _ => ANY_NUMBER,
        }
    }

    /// The least and the greatest value allowed.
    pub(crate) const fn between(self, min: i64, max: i64) -> Self {
        let number = self.current();
        self.shaped(Shape::Number(NumberShape { min: Some(min), max: Some(max), ..number }))
    }

    /// The least value allowed.
    pub(crate) const fn at_least(self, min: i64) -> Self {
        let number = self.current();
        self.shaped(Shape::Number(NumberShape { min: Some(min), ..number }))
    }

    /// The greatest value allowed.
    pub(crate) const fn at_most(self, max: i64) -> Self {
        let number = self.current();
        self.shaped(Shape::Number(NumberShape { max: Some(max), ..number }))
    }

    /// A narrower range that the description states elsewhere, and the contradiction.
    pub(crate) const fn disputed(
        self,
        min: Option<i64>,
        max: Option<i64>,
        reading: &'static Reading,
    ) -> Self {
        let number = self.current();
        self.shaped(Shape::Number(NumberShape {
            disputed: Some(DisputedRange { min, max, reading }),
            ..number
        }))
    }

    /// A fraction is rejected.
    pub(crate) const fn whole(self) -> Self {
        let number = self.current();
        self.shaped(Shape::Number(NumberShape { fractions: Fractions::Rejected, ..number }))
    }

    /// The field counts things. The description does not say what the service does with a fraction.
    pub(crate) const fn count(self) -> Self {
        let number = self.current();
        self.shaped(Shape::Number(NumberShape { fractions: Fractions::Unspecified, ..number }))
    }

    /// The unit, in the plural.
    pub(crate) const fn unit(self, unit: &'static str) -> Self {
        let number = self.current();
        self.shaped(Shape::Number(NumberShape { unit: Some(unit), ..number }))
    }
}

impl Spec<Number> {
    /// A string or an array of strings is allowed as well.
    pub(crate) const fn or_texts(self) -> Self {
        let number = self.current();
        self.shaped(Shape::Number(NumberShape { or_texts: true, ..number }))
    }
}

impl Spec<Map> {
    /// The fields that the description lists.
    pub(crate) const fn with(self, table: &'static Table) -> Self {
        self.shaped(Shape::Map(Some(table)))
    }

    /// Fields of any name, each an object that follows the table.
    pub(crate) const fn of(self, table: &'static Table) -> Self {
        self.shaped(Shape::Entries(table))
    }

    /// Fields of any name, each an object that follows the table, or the value of its first field alone.
    pub(crate) const fn entries_or_first(self, table: &'static Table) -> Self {
        self.shaped(Shape::EntriesOrFirst(table))
    }
}
