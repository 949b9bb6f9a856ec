use crate::Row;

/// The fields of one kind of object, in the service's order.
#[derive(Debug)]
pub struct Table {
    /// What the object is, with its article: `"an update"`, `"a function"`.
    pub noun_phrase: &'static str,
    /// The fields.
    pub rows: &'static [&'static Row],
    /// What to say of members that no row names.
    pub unknown_fields: UnknownFields,
}

/// What the description lets one say of a member that it does not name.
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
    /// The row of that name.
    ///
    /// ```
    /// use voxlint_schema::settings;
    /// assert!(settings::TABLE.row("voice_id").is_some());
    /// assert!(settings::TABLE.row("voice").is_none());
    /// ```
    pub fn row(&self, name: &str) -> Option<&'static Row> {
        self.rows.iter().copied().find(|row| row.name.len() == name.len() && row.name == name)
    }
}

/// Declares a table: one typed [`crate::Field`] a row, named as the service names it, and the [`Table`] that lists them.
///
/// Left of `=` stands the service's name, so that one search finds the row, the rules that read it, their fixtures and
/// its page. A name that Rust reserves is spelled `identifier as "name"`.
macro_rules! table {
    (
        $(#[$table_doc:meta])*
        pub static TABLE: $what:literal, $extra:expr;
        $( $section:literal { $(
            $(#[doc = $doc:literal])+
            $name:ident $(as $wire:literal)?: $kind:ty = $spec:expr;
        )* } )*
    ) => {
        /// The place of each row in the table, counted by the compiler.
        #[allow(non_camel_case_types, reason = "the variants carry the service's names")]
        enum Place { $( $( $name, )* )* }

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
                        section: $section,
                        doc: &[$($doc),+],
                        index: Place::$name as usize,
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
            crate::Table { noun_phrase: $what, rows: &[$( $( &rows::$name, )* )*], unknown_fields: $extra };
    };
    (@name $name:ident $wire:literal) => { $wire };
    (@name $name:ident) => { stringify!($name) };
}

pub(crate) use table;
