//! The documents of one file, combined for the JSON format.
//!
//! A file with one document per line may hold millions of documents, most of them clean. Of those only the undecided rules
//! are kept, once for all documents that share them.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::ser::Serializer;

use crate::located::{LocatedDocument, LocatedFinding, UndecidedRule};

/// A file with several documents.
#[derive(Debug)]
pub(super) struct Records {
    path: String,
    /// The kind of the first document.
    kind: &'static str,
    kinds_differ: bool,
    /// The findings, each with the number and the kind of its document.
    diagnostics: Vec<(u64, &'static str, LocatedFinding)>,
    undecided: UndecidedLists,
}

#[derive(Debug, Default)]
struct UndecidedLists {
    /// The distinct lists of undecided rules, with their numbers.
    lists: BTreeMap<UndecidedList, usize>,
    ranges: Vec<RecordRange>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct UndecidedList {
    kind: &'static str,
    rules: Vec<UndecidedRule>,
}

/// Consecutive documents with the same undecided rules.
#[derive(Debug)]
struct RecordRange {
    list: usize,
    first: u64,
    count: u64,
}

impl Records {
    /// Starts with the first document of a file.
    pub(super) fn new(document: LocatedDocument) -> Self {
        let mut records = Self {
            path: document.path.clone(),
            kind: document.kind,
            kinds_differ: false,
            diagnostics: Vec::new(),
            undecided: UndecidedLists::default(),
        };
        records.add(document);
        records
    }

    /// Adds the next document.
    pub(super) fn add(&mut self, document: LocatedDocument) {
        let (record, kind) = (document.index().unwrap_or_default(), document.kind);
        self.kinds_differ |= kind != self.kind;
        self.diagnostics.extend(document.diagnostics.into_iter().map(|it| (record, kind, it)));
        self.undecided.add(UndecidedList { kind, rules: document.undecided }, record);
    }

    fn numbered<'a, T>(&self, record: u64, kind: &'static str, entry: &'a T) -> Numbered<'a, T> {
        Numbered { record, kind: self.kinds_differ.then_some(kind), entry }
    }
}

impl UndecidedLists {
    fn add(&mut self, list: UndecidedList, record: u64) {
        if list.rules.is_empty() {
            return;
        }
        let next = self.lists.len();
        let list = *self.lists.entry(list).or_insert(next);
        match self.ranges.last_mut() {
            Some(range) if range.list == list && range.first + range.count == record => {
                range.count += 1;
            }
            _ => self.ranges.push(RecordRange { list, first: record, count: 1 }),
        }
    }
}

#[derive(Serialize)]
struct FileEntry<'a> {
    path: &'a str,
    kind: &'static str,
    diagnostics: DiagnosticEntries<'a>,
    undecided: UndecidedEntries<'a>,
}

impl Serialize for Records {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let entry = FileEntry {
            path: &self.path,
            kind: self.kind,
            diagnostics: DiagnosticEntries(self),
            undecided: UndecidedEntries(self),
        };
        entry.serialize(serializer)
    }
}

/// An entry with the number of its document.
#[derive(Serialize)]
struct Numbered<'a, T> {
    record: u64,
    /// Only if the documents of the file are of several kinds.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(flatten)]
    entry: &'a T,
}

struct DiagnosticEntries<'a>(&'a Records);

impl Serialize for DiagnosticEntries<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let findings = self.0.diagnostics.iter();
        serializer.collect_seq(
            findings.map(|(record, kind, finding)| self.0.numbered(*record, kind, finding)),
        )
    }
}

struct UndecidedEntries<'a>(&'a Records);

impl Serialize for UndecidedEntries<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(records) = self;
        let mut lists: Vec<_> = records.undecided.lists.iter().collect();
        lists.sort_by_key(|(_, number)| **number);
        let lists = &lists;
        serializer.collect_seq(records.undecided.ranges.iter().flat_map(|range| {
            let list = lists.get(range.list).map(|(list, _)| *list);
            (range.first..range.first + range.count).flat_map(move |record| {
                let rules =
                    list.into_iter().flat_map(|list| list.rules.iter().map(|it| (list.kind, it)));
                rules.map(move |(kind, rule)| records.numbered(record, kind, rule))
            })
        }))
    }
}
