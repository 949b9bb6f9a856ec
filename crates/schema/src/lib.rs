//! Internal to voxlint: the voice-agent service's field tables as data.
//!
//! One [`Row`] describes one field: its type, whether null clears it, its bounds, the role of its text and the catalogue
//! its ids come from, in the service's order and with the service's name. Validation, documentation, recognition and
//! suggestions all read these rows, so a field or a bound is changed in one place.
//!
//! The crate does not read documents.
//!
//! ```
//! use voxlint_schema::{Shape, settings};
//!
//! let row = settings::TABLE.row("kb_max_chunks").expect("a field of section 2.3");
//! let Shape::Number(number) = row.shape else { panic!("a number") };
//! assert_eq!((number.min, number.max), (Some(1), Some(10)));
//! ```

#![forbid(unsafe_code)]

mod kind;
mod named;
mod row;
mod spec;
mod table;

pub mod agent;
pub mod api_keys;
pub mod configuration;
pub mod error;
pub mod facts;
pub mod names;
pub mod other_names;
pub mod readings;
pub mod settings;
pub mod stored;
pub mod template;

pub use kind::DocumentKind;
pub use named::UnknownName;
pub use row::{
    Catalogue, DisputedRange, Field, Flag, Fractions, Items, List, Map, Null, Number, NumberShape,
    Presence, Role, Row, Shape, Table, TermLimits, Text, TextFormat, TextShape, UnknownFields,
};
pub(crate) use spec::{Spec, boolean, list, map, number, string, string_or_strings};
