use crate::{Presence, Row};

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
                index: crate::names::RowIndex::new(&[$( $( table!(@name $name $($wire)?), )* )*]),
            };
    };
    (@name $name:ident $wire:literal) => { $wire };
    (@name $name:ident) => { stringify!($name) };
}

pub(crate) use table;
