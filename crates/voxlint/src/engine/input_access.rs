//! The inputs that a rule has read, and those of them that are missing.

use voxlint_schema::Row;

/// The rows that a rule has read: for each table a set with one bit per row. Tables have fewer rows than a set has bits, which
/// the compiler checks where tables are declared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Accessed {
    pub(super) settings: u128,
    /// Settings that were read from the stored state, whatever the document contains.
    pub(super) stored: u128,
    /// Settings that were read from the document, whatever is stored.
    pub(super) written: u128,
    pub(super) agent: u128,
    pub(super) facts: u128,
}

/// The set with one row.
pub(super) fn bit(row: &Row) -> u128 {
    1 << row.index
}

/// The inputs that a rule has read and that are not known.
#[derive(Debug)]
pub(crate) struct MissingInputs {
    pub(crate) settings: Vec<&'static Row>,
    pub(crate) agent: Vec<&'static Row>,
    pub(crate) facts: Vec<&'static Row>,
    /// The settings for which the stored state gives different values.
    pub(crate) contradictory: Vec<&'static Row>,
    /// The settings that cannot be read because of a fault in the document's text.
    pub(crate) lost: Vec<&'static Row>,
    /// The facts that are given. They were not enough if nothing else is missing.
    pub(crate) given_facts: Vec<&'static Row>,
}
