//! The documents of one file, put together for the machine-readable form.
//!
//! A file of a document a line has millions of them, and most are clean: nothing is kept of those but which rules were
//! undecided, and that is kept once for all documents of which it is the same.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::ser::Serializer;

use crate::located::{Document, Finding, Open};

/// A file with several documents.
#[derive(Debug)]
pub(crate) struct Records {
    path: String,
    /// The kind of the first document.
    kind: &'static str,
    kinds_differ: bool,
    diagnostics: Vec<Finding>,
    undecided: Undecided,
}

#[derive(Debug, Default)]
struct Undecided {
    /// What was undecided in one document or more.
    lists: BTreeMap<List, usize>,
    runs: Vec<Run>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct List {
    kind: &'static str,
    entries: Vec<Open>,
}

/// Documents side by side of which the same is undecided.
#[derive(Debug)]
struct Run {
    list: usize,
    first: u64,
    count: u64,
}

impl Records {
    /// The first document of a file.
    pub(crate) fn new(document: Document) -> Self {
        let mut records = Self {
            path: document.path.clone(),
            kind: document.kind,
            kinds_differ: false,
            diagnostics: Vec::new(),
            undecided: Undecided::default(),
        };
        records.add(document);
        records
    }

    /// The next one.
    pub(crate) fn add(&mut self, document: Document) {
        self.kinds_differ |= document.kind != self.kind;
        self.diagnostics.extend(document.diagnostics);
        let record = document.record.map_or(0, |record| record.index);
        self.undecided.add(List { kind: document.kind, entries: document.undecided }, record);
    }
}

impl Undecided {
    fn add(&mut self, list: List, record: u64) {
        if list.entries.is_empty() {
            return;
        }
        let next = self.lists.len();
        let list = *self.lists.entry(list).or_insert(next);
        match self.runs.last_mut() {
            Some(run) if run.list == list && run.first + run.count == record => run.count += 1,
            _ => self.runs.push(Run { list, first: record, count: 1 }),
        }
    }
}

#[derive(Serialize)]
struct FileEntry<'a> {
    path: &'a str,
    kind: &'static str,
    diagnostics: Diagnostics<'a>,
    undecided: UndecidedOf<'a>,
}

impl Serialize for Records {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let entry = FileEntry {
            path: &self.path,
            kind: self.kind,
            diagnostics: Diagnostics(self),
            undecided: UndecidedOf(self),
        };
        entry.serialize(serializer)
    }
}

/// An entry with what tells the documents apart.
#[derive(Serialize)]
struct Numbered<'a, T> {
    record: u64,
    /// Only where the documents of the file are of several kinds.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(flatten)]
    entry: &'a T,
}

struct Diagnostics<'a>(&'a Records);

impl Serialize for Diagnostics<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(records) = self;
        serializer.collect_seq(records.diagnostics.iter().map(|entry| {
            let (record, kind) = entry.of;
            Numbered { record, kind: records.kinds_differ.then_some(kind), entry }
        }))
    }
}

struct UndecidedOf<'a>(&'a Records);

impl Serialize for UndecidedOf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(records) = self;
        let mut lists: Vec<_> = records.undecided.lists.iter().collect();
        lists.sort_by_key(|(_, number)| **number);
        let lists = &lists;
        serializer.collect_seq(records.undecided.runs.iter().flat_map(|run| {
            let list = lists.get(run.list).map(|(list, _)| *list);
            (run.first..run.first + run.count).flat_map(move |record| {
                let entries = list.into_iter().flat_map(|list| &list.entries);
                entries.map(move |entry| Numbered {
                    record,
                    kind: list.map(|list| list.kind).filter(|_| records.kinds_differ),
                    entry,
                })
            })
        }))
    }
}
