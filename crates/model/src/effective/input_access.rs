//! What a rule has read.

use std::cell::Cell;

/// What a rule has read, with one bit per row. Tables have fewer rows than a set has bits, which the compiler checks where tables
/// are declared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accessed {
    /// Settings of the effective configuration.
    pub settings: u128,
    /// Settings that were read from the stored configuration, whatever the document contains.
    pub stored: u128,
    /// Settings that were read from the document, whatever is stored.
    pub written: u128,
    /// Fields of the agent.
    pub agent: u128,
    /// Facts about the workspace.
    pub facts: u128,
}

/// Notes what a rule reads.
#[derive(Debug, Default)]
pub(crate) struct AccessLog {
    pub(crate) settings: Cell<u128>,
    pub(crate) stored: Cell<u128>,
    pub(crate) written: Cell<u128>,
    pub(crate) agent: Cell<u128>,
    pub(crate) facts: Cell<u128>,
}

impl AccessLog {
    /// Returns and resets what has been read.
    pub(crate) fn take(&self) -> Accessed {
        Accessed {
            settings: self.settings.take(),
            stored: self.stored.take(),
            written: self.written.take(),
            agent: self.agent.take(),
            facts: self.facts.take(),
        }
    }
}
