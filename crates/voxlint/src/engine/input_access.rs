//! What a rule has read, and what of it is missing.

use std::cell::Cell;

use voxlint_schema::{Row, Table, agent, facts, settings};

use crate::fields::rows_in;
use crate::quote;

/// What a rule has read, with one bit per row. Tables have fewer rows than a set has bits, which the compiler checks where tables
/// are declared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Accessed {
    pub(super) settings: u128,
    /// Settings that were read from the stored configuration, whatever the document contains.
    pub(super) stored: u128,
    /// Settings that were read from the document, whatever is stored.
    pub(super) written: u128,
    pub(super) agent: u128,
    pub(super) facts: u128,
}

/// Notes what a rule reads.
#[derive(Debug, Default)]
pub(super) struct AccessLog {
    pub(super) settings: Cell<u128>,
    pub(super) stored: Cell<u128>,
    pub(super) written: Cell<u128>,
    pub(super) agent: Cell<u128>,
    pub(super) facts: Cell<u128>,
}

impl AccessLog {
    /// Returns and resets what has been read.
    pub(super) fn take(&self) -> Accessed {
        Accessed {
            settings: self.settings.take(),
            stored: self.stored.take(),
            written: self.written.take(),
            agent: self.agent.take(),
            facts: self.facts.take(),
        }
    }
}

/// The inputs that would decide a rule, with one bit per row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MissingInputs {
    pub(super) settings: u128,
    /// Settings whose stored value is missing, although the document has another one.
    pub(super) replaced: u128,
    pub(super) agent: u128,
    pub(super) facts: u128,
    /// Whether the facts are given and lack details.
    pub(super) are_details: bool,
}

impl MissingInputs {
    /// One stored setting.
    pub(crate) const fn of_stored_value(row: &Row) -> Self {
        Self {
            settings: crate::fields::bit(row),
            replaced: 0,
            agent: 0,
            facts: 0,
            are_details: false,
        }
    }

    /// Whether the stored configuration would help.
    pub(crate) const fn needs_stored(&self) -> bool {
        self.settings | self.replaced | self.agent != 0
    }

    /// Whether only stored settings are missing.
    pub(crate) const fn needs_only_settings(&self) -> bool {
        self.needs_stored() && self.agent | self.facts == 0
    }

    /// Whether a fact about the workspace would help.
    pub(crate) const fn needs_facts(&self) -> bool {
        self.facts != 0
    }

    /// Why a rule without these inputs is undecided.
    pub(crate) fn why(&self) -> String {
        let owners: Vec<String> = self
            .named()
            .map(|(rows, table, _, owner)| {
                let names = rows_in(rows, table).map(|row| row.name);
                format!("{owner} {}", quote::list(names))
            })
            .collect();
        let details = if self.are_details { "details that are not given of " } else { "" };
        format!("depends on {details}{}", owners.join(" and "))
    }

    /// The inputs as JSON Pointers.
    pub(crate) fn pointers(&self) -> Vec<String> {
        let pointers = self.named().flat_map(|(rows, table, prefix, _)| {
            rows_in(rows, table).map(move |row| format!("{prefix}/{}", row.name))
        });
        pointers.collect()
    }

    /// The inputs with their table, the prefix of their JSON Pointers and the owner in messages.
    fn named(&self) -> impl Iterator<Item = (u128, &'static Table, &'static str, &'static str)> {
        let inputs: [(u128, &'static Table, _, _); 4] = [
            (self.settings, &settings::TABLE, "", "the stored"),
            (self.replaced, &settings::TABLE, "stored:", "the stored"),
            (self.agent, &agent::TABLE, "agent:", "the agent's stored"),
            (self.facts, &facts::TABLE, "facts:", "the workspace's"),
        ];
        inputs.into_iter().filter(|(rows, ..)| *rows != 0)
    }
}
