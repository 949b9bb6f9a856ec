//! Works out which inputs of a rule are missing.

use voxlint_schema::{Row, Table, agent, facts, settings};

use super::effective::Effective;
use super::input_access::{Accessed, MissingInputs, bit};
use crate::value::{UnknownReason, Value};

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
