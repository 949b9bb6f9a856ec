//! What the tables say about a place.

use voxlint::DocumentKind;
use voxlint::readings::Reading;
use voxlint::schema::{Items, Row, Shape, Table, TextShape, configuration};

use crate::cursor::Step;

/// A place for a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    /// The field, or the field whose items are here.
    pub(crate) row: Option<&'static Row>,
    pub(crate) what: What,
}

/// What the value has to be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum What {
    /// An object that follows a table.
    Table(&'static Table),
    /// An object with fields of any name, each an object that follows the table.
    Entries(&'static Table),
    /// The same, or the value of the table's first field alone.
    EntriesOrFirst(&'static Table),
    /// An object that follows the table, or the value of its first field alone.
    TableOrFirst(&'static Table),
    Text(TextShape),
    Number,
    Flag,
    List(Items),
    TextOrTexts,
    /// An object or a value without a description.
    Free,
}

/// The reading that a path of `voxlint.toml` is about.
pub(crate) fn reading(path: &[Step]) -> Option<&'static Reading> {
    match path {
        [Step::Name(table), Step::Name(name), ..] if table == configuration::readings.row.name => {
            Reading::named(name)
        }
        _ => None,
    }
}

impl Slot {
    /// The root of a document.
    pub(crate) const fn root(kind: DocumentKind) -> Self {
        Self { row: None, what: What::Table(kind.table()) }
    }

    /// The value of a field.
    pub(crate) const fn of(row: &'static Row) -> Self {
        let what = match row.shape {
            Shape::Text(text) => What::Text(text),
            Shape::Number(_) => What::Number,
            Shape::Flag => What::Flag,
            Shape::Map(Some(table)) => What::Table(table),
            Shape::Map(None) => What::Free,
            Shape::Entries(table) => What::Entries(table),
            Shape::EntriesOrFirst(table) => What::EntriesOrFirst(table),
            Shape::List(items) => What::List(items),
            Shape::TextOrTexts => What::TextOrTexts,
        };
        Self { row: Some(row), what }
    }

    /// The place at the end of a path; `None` if the tables do not describe it.
    pub(crate) fn at(kind: DocumentKind, path: &[Step]) -> Option<Self> {
        path.iter().try_fold(Self::root(kind), Self::below)
    }

    pub(crate) fn below(self, step: &Step) -> Option<Self> {
        let of_table = |table: &'static Table, name: &str| table.row(name).map(Self::of);
        match (self.what, step) {
            (What::Table(table) | What::TableOrFirst(table), Step::Name(name)) => {
                of_table(table, name)
            }
            (What::Entries(table), Step::Name(_))
            | (What::List(Items::Maps(table)), Step::Item(_)) => {
                Some(Self { what: What::Table(table), ..self })
            }
            (What::EntriesOrFirst(table), Step::Name(_)) => {
                Some(Self { what: What::TableOrFirst(table), ..self })
            }
            (What::List(Items::Texts(text)), Step::Item(_)) => {
                Some(Self { what: What::Text(text), ..self })
            }
            (What::TextOrTexts, Step::Item(_)) => Some(Self { what: What::TextOrTexts, ..self }),
            _ => None,
        }
    }

    /// The table of the object that can be here.
    pub(crate) const fn table(self) -> Option<&'static Table> {
        match self.what {
            What::Table(table) | What::TableOrFirst(table) => Some(table),
            _ => None,
        }
    }
}
