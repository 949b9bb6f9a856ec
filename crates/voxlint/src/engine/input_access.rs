//! Which inputs a rule has read, and which of them are missing.

use voxlint_schema::{Row, Table, agent, facts, settings};

use super::effective::Effective;
use crate::value::{UnknownReason, Value};

/// The rows that a rule has read: for each table a set with one bit a row. Tables have fewer rows than a set has bits, which
/// the compiler checks where tables are declared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Accessed {
    pub(super) settings: u128,
    /// Settings that were read as they are stored, whatever the document says.
    pub(super) stored: u128,
    /// Settings that were read as they are written in the document, whatever is stored.
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

impl Effective<'_> {
    /// The inputs among those that were read that are not known.
    pub(crate) fn missing_inputs(&self, accessed: Accessed) -> MissingInputs {
        let is = |value, reason| matches!(value, Value::Unknown(of) if of == reason);
        let (not_given, contradictory) = (UnknownReason::NotGiven, UnknownReason::Contradictory);
        let has = |set: u128, row: &Row| set & bit(row) != 0;
        MissingInputs {
            settings: rows(&settings::TABLE, |row| {
                let stored = || self.stored_value(row);
                let is_stored =
                    || matches!(stored(), Value::Known(..)) || is(stored(), contradictory);
                (has(accessed.settings, row) && is(self.value(row), not_given))
                    || (has(accessed.stored, row) && !is_stored())
            }),
            agent: rows(&agent::TABLE, |row| {
                let is_given =
                    self.agent_type.is_some() && std::ptr::eq(row, agent::agent_type.row);
                has(accessed.agent, row) && self.agent_value(row).is_none() && !is_given
            }),
            contradictory: rows(&settings::TABLE, |row| {
                (has(accessed.settings, row) && is(self.value(row), contradictory))
                    || (has(accessed.stored, row) && is(self.stored_value(row), contradictory))
            }),
            lost: rows(&settings::TABLE, |row| {
                has(accessed.settings | accessed.written, row)
                    && is(self.value(row), UnknownReason::Lost)
            }),
            facts: rows(&facts::TABLE, |row| {
                has(accessed.facts, row) && self.fact_value(row).is_none()
            }),
            given_facts: rows(&facts::TABLE, |row| {
                has(accessed.facts, row) && self.fact_value(row).is_some()
            }),
        }
    }
}

fn rows(table: &'static Table, is_one: impl Fn(&Row) -> bool) -> Vec<&'static Row> {
    table.rows.iter().copied().filter(|row| is_one(row)).collect()
}
