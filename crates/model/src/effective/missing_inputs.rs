//! Works out which inputs of an undecided rule are missing.

use voxlint_schema::{Items, Row, Shape, Table, agent, facts, settings};

use super::Effective;
use super::input_access::Accessed;
use crate::fields::{bit, rows_in};
use crate::undecided::MissingInputs;
use crate::value::{UnknownReason, Value};
use crate::{Rule, Undecided, quote, verdict};

impl Effective<'_> {
    /// A rule that is undecided after it has read these inputs; `None` if nothing is missing that a user could provide.
    pub fn undecided(
        &self,
        rule: &'static Rule,
        accessed: Accessed,
        is_touched: bool,
    ) -> Option<Undecided> {
        let mut missing = self.missing_inputs(accessed);
        if !missing.needs_stored() && !missing.needs_facts() {
            let contradictory = self.contradictory(accessed);
            if contradictory != 0 {
                let names: Vec<&str> = names(contradictory).collect();
                return Some(Undecided::new(rule, verdict::contradictory(&names)));
            }
            let lost = self.lost(accessed);
            if lost != 0 {
                let names = quote::list(names(lost));
                let why = format!("depends on {names}, which cannot be read");
                return Some(Undecided { is_touched, ..Undecided::new(rule, why) });
            }
            // The facts are given, and were not enough. Only lists of objects can lack details.
            let has_details = |row: &Row| {
                matches!(row.shape, Shape::Map(_) | Shape::Entries(_) | Shape::List(Items::Maps(_)))
            };
            let facts = match rows(accessed.facts, &facts::TABLE, has_details) {
                0 => accessed.facts,
                facts => facts,
            };
            missing = MissingInputs { facts, are_details: true, ..missing };
            if !missing.needs_facts() {
                return None;
            }
        }
        Some(Undecided { is_touched, ..Undecided::without_inputs(rule, missing) })
    }

    /// The inputs among those that were read that are not known.
    fn missing_inputs(&self, accessed: Accessed) -> MissingInputs {
        let is_given = |row: &Row| {
            self.agent_value(row).is_some()
                || (self.agent_type.is_some() && std::ptr::eq(row, agent::agent_type.row))
        };
        let not_stored = rows(accessed.stored, &settings::TABLE, |row| !self.is_stored(row));
        let replaced = rows(not_stored, &settings::TABLE, |row| self.is_in_document(row));
        let not_given = rows(accessed.settings, &settings::TABLE, |row| {
            is(&self.value(row), UnknownReason::NotGiven)
        });
        MissingInputs {
            settings: not_given | (not_stored & !replaced),
            replaced,
            agent: rows(accessed.agent, &agent::TABLE, |row| !is_given(row)),
            facts: rows(accessed.facts, &facts::TABLE, |row| self.fact_value(row).is_none()),
            are_details: false,
        }
    }

    /// Whether the stored configuration gives a row one or several values.
    fn is_stored(&self, row: &Row) -> bool {
        let stored = self.stored_value(row);
        matches!(stored, Value::Known(..)) || is(&stored, UnknownReason::Contradictory)
    }

    /// The settings for which the stored configuration gives different values.
    fn contradictory(&self, accessed: Accessed) -> u128 {
        let reason = UnknownReason::Contradictory;
        rows(accessed.settings, &settings::TABLE, |row| is(&self.value(row), reason))
            | rows(accessed.stored, &settings::TABLE, |row| is(&self.stored_value(row), reason))
    }

    /// The settings that cannot be read because of a fault in the document's text.
    fn lost(&self, accessed: Accessed) -> u128 {
        let read = accessed.settings | accessed.written;
        rows(read, &settings::TABLE, |row| is(&self.value(row), UnknownReason::Lost))
    }
}

fn is<T>(value: &Value<T>, reason: UnknownReason) -> bool {
    matches!(value, Value::Unknown(of) if *of == reason)
}

/// The rows of a set for which something is true.
fn rows(set: u128, table: &'static Table, is_one: impl Fn(&Row) -> bool) -> u128 {
    rows_in(set, table).filter(|row| is_one(row)).fold(0, |rows, row| rows | bit(row))
}

fn names(settings: u128) -> impl Iterator<Item = &'static str> {
    rows_in(settings, &settings::TABLE).map(|row| row.name)
}
