//! The undecided rules of a file, each listed once.
//!
//! A file with one document per line may hold millions of documents, most of which share the same undecided rules.

use std::collections::BTreeMap;

use crate::located::{LocatedDocument, UndecidedRule};

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
    /// Adds those of the next document.
    pub(crate) fn add(&mut self, document: &LocatedDocument) {
        for undecided in &document.undecided {
            if let Some(occurrences) = self.0.get_mut(undecided) {
                occurrences.count += 1;
            } else {
                let first = Occurrences { line: document.start().line, count: 1 };
                self.0.insert(undecided.clone(), first);
            }
        }
    }

    /// The rules in the order of their ids.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&UndecidedRule, &Occurrences)> {
        self.0.iter()
    }
}
