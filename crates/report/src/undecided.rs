//! The undecided rules of a file, each listed once.
//!
//! A file with one document per line may hold millions of documents, most of which share the same undecided rules.

use std::collections::BTreeMap;

use crate::located::UndecidedRule;

/// The undecided rules of the documents of one file.
#[derive(Debug, Default)]
pub(crate) struct UndecidedRules(BTreeMap<UndecidedRule, Occurrences>);

/// The documents for which a rule is undecided.
#[derive(Debug)]
pub(crate) struct Occurrences {
    /// The line of the first of these documents.
    pub(crate) line: u64,
    pub(crate) count: u64,
}

impl UndecidedRules {
    /// Adds those of the next document, which begins at a line.
    pub(crate) fn add(&mut self, undecided: Vec<UndecidedRule>, line: u64) {
        for undecided in undecided {
            self.0.entry(undecided).or_insert(Occurrences { line, count: 0 }).count += 1;
        }
    }

    /// The rules in the order of their ids.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&UndecidedRule, &Occurrences)> {
        self.0.iter()
    }
}
