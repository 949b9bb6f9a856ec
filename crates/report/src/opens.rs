//! What is undecided in the documents of one file, each rule once.
//!
//! A file of a document a line has millions of them, and of most the same is undecided.

use std::collections::BTreeMap;

use crate::located::{Document, Open};

/// What is undecided in the documents of a file.
#[derive(Debug, Default)]
pub(crate) struct Opens {
    entries: BTreeMap<Open, Times>,
}

/// How often something is undecided.
#[derive(Debug)]
pub(crate) struct Times {
    /// The line of the first document of which it is.
    pub(crate) line: u64,
    pub(crate) count: u64,
}

impl Opens {
    /// Adds what is undecided in the next document.
    pub(crate) fn add(&mut self, document: &Document) {
        for open in &document.undecided {
            if let Some(times) = self.entries.get_mut(open) {
                times.count += 1;
            } else {
                self.entries.insert(open.clone(), Times { line: document.line(), count: 1 });
            }
        }
    }

    /// In the order of the rules' names.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Open, &Times)> {
        self.entries.iter()
    }
}
