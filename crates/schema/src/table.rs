use crate::names::RowIndex;
use crate::{Presence, Row, names};

/// The fields of one kind of object, in the service's order.
#[derive(Debug)]
pub struct Table {
    /// The object's name with its article: `"an update"`, `"a function"`.
    pub noun_phrase: &'static str,
    /// The fields. A table has fewer than 128, so that a set of them fits into a `u128`.
    pub rows: &'static [&'static Row],
    /// The rows that are not optional, one bit each.
    pub expected: u128,
    /// How to treat fields that no row names.
    pub unknown_fields: UnknownFields,
    /// Finds a row by the number of its name.
    pub(crate) index: RowIndex,
}

/// How an object treats fields that its table does not name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownFields {
    /// The description does not say whether the service rejects, drops or keeps it.
    Unspecified,
    /// The object has more fields than the description shows: at most a warning.
    Warn,
    /// Any field is allowed.
    Allow,
    /// It is an error. The format belongs to voxlint, and a misspelled field would silently disable checks.
    Reject,
}

impl Table {
    /// The row with this name.
    ///
    /// ```
    /// use voxlint_schema::settings;
    /// assert!(settings::TABLE.row("voice_id").is_some());
    /// assert!(settings::TABLE.row("voice").is_none());
    /// ```
    pub fn row(&self, name: &str) -> Option<&'static Row> {
        self.row_by_name_id(names::id(name))
    }

    /// The row whose name has this number, as [`names::id`] counts them.
    ///
    /// ```
    /// use voxlint_schema::settings;
    ///
    /// let row = settings::voice_id.row;
    /// assert!(settings::TABLE.row_by_name_id(row.name_id).is_some_and(|it| std::ptr::eq(it, row)));
    /// ```
    #[inline]
    pub fn row_by_name_id(&self, name_id: u16) -> Option<&'static Row> {
        self.rows.get(self.index.get(name_id)?).copied()
    }
}

/// The bit of a row that is not optional; 0 for an optional one.
pub(crate) const fn bit_if_expected(row: &Row) -> u128 {
    if matches!(row.presence, Presence::Optional) { 0 } else { 1 << row.index }
}

/// Declares a table: one typed [`crate::Field`] per row, named as the service names it, and the [`Table`] that lists them.
///
/// The service's name is left of `=`, so that one search finds the row, the rules that read it, their fixtures and its
/// page. A name that Rust reserves is spelled `identifier as "name"`.
macro_rules! table {
    (
        $(#[$table_doc:meta])*
        pub static TABLE: $noun_phrase:literal, $unknown_fields:expr;
        $( $section:literal { $(
            $(#[doc = $doc:literal])+
            $name:ident $(as $wire:literal)?: $kind:ty = $spec:expr;
        )* } )*
    ) => {
        /// The names of the fields, in the order of the table.
        pub(crate) const NAMES: &[&str] = &[$( $( table!(@name $name $($wire)?), )* )*];

        /// The place of each row in the table, counted by the compiler.
        #[allow(non_camel_case_types, reason = "the variants carry the service's names")]
        enum Index { $( $( $name, )* )* }

        /// The rows behind the typed fields of this module.
        #[allow(non_upper_case_globals, reason = "the statics carry the service's names")]
        mod rows {
            use super::*;
            use crate::Row;

            $( $(
                pub(super) static $name: Row = {
                    let spec: Spec<$kind> = $spec;
                    Row {
                        name: table!(@name $name $($wire)?),
                        name_id: crate::names::id_of_field(table!(@name $name $($wire)?)),
                        section: $section,
                        doc: &[$($doc),+],
                        index: Index::$name as usize,
                        shape: spec.shape,
                        null: spec.null,
                        presence: spec.presence,
                        revalidated: spec.revalidated,
                    }
                };
            )* )*
        }

        $( $(
            $(#[doc = $doc])+
            #[doc = concat!("\n\nStated in section ", $section, ".")]
            #[allow(non_upper_case_globals, reason = "the static carries the service's name")]
            pub static $name: crate::Field<$kind> = crate::Field::new(&rows::$name);
        )* )*

        $(#[$table_doc])*
        pub static TABLE: crate::Table =
            crate::Table {
                noun_phrase: $noun_phrase,
                rows: &[$( $( &rows::$name, )* )*],
                expected: 0 $( $( | crate::table::bit_if_expected(&rows::$name) )* )*,
                unknown_fields: $unknown_fields,
                index: crate::names::RowIndex::new(NAMES),
            };
    };
    (@name $name:ident $wire:literal) => { $wire };
    (@name $name:ident) => { stringify!($name) };
}

pub(crate) use table;
