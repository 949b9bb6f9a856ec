//! The documents of one file, combined for the JSON format.
//!
//! A file with one document per line may hold millions of documents, most of them clean. Of those only the undecided rules
//! are kept, once for all documents that share them.

use std::collections::BTreeMap;
use std::mem;

use serde::Serialize;
use serde::ser::Serializer;

use crate::json_text::pretty;
use crate::located::{LocatedDocument, LocatedFinding, UndecidedRule};

/// A file with several documents.
pub(super) struct Records {
    path: String,
    /// The kind of the first document.
    kind: &'static str,
    kinds_differ: bool,
    /// The documents with findings, each with its number.
    faulty: Vec<(u64, &'static str, Vec<LocatedFinding>)>,
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
    pub(super) fn new(number: u64, mut first: LocatedDocument) -> Self {
        let mut records = Self {
            path: mem::take(&mut first.path),
            kind: first.kind,
            kinds_differ: false,
            faulty: Vec::new(),
            undecided: UndecidedLists::default(),
        };
        records.add(number, first);
        records
    }

    /// Adds the next document.
    pub(super) fn add(&mut self, number: u64, document: LocatedDocument) {
        let LocatedDocument { kind, diagnostics, undecided, .. } = document;
        self.kinds_differ |= kind != self.kind;
        self.undecided.add(UndecidedList { kind, rules: undecided }, number);
        if !diagnostics.is_empty() {
            self.faulty.push((number, kind, diagnostics));
        }
    }

    /// An entry about a document. Its kind is only in it if the documents of the file are of several kinds.
    fn numbered<'a, T>(&self, record: u64, kind: &'static str, entry: &'a T) -> Numbered<'a, T> {
        Numbered { record, kind: self.kinds_differ.then_some(kind), entry }
    }

    /// The entry of the file, indented by `depth` levels.
    pub(super) fn into_entry(self, depth: usize) -> String {
        let faulty = self.faulty.iter();
        let diagnostics = faulty.flat_map(|(number, kind, findings)| {
            findings.iter().map(|finding| self.numbered(*number, kind, finding))
        });
        let (path, kind) = (self.path.as_str(), self.kind);
        let diagnostics = diagnostics.collect();
        pretty(&FileEntry { path, kind, diagnostics, undecided: UndecidedEntries(&self) }, depth)
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
    diagnostics: Vec<Numbered<'a, LocatedFinding>>,
    undecided: UndecidedEntries<'a>,
}

/// An entry with the number of its document.
#[derive(Serialize)]
struct Numbered<'a, T> {
    record: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(flatten)]
    entry: &'a T,
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
                rules.map(move |(kind, entry)| records.numbered(record, kind, entry))
            })
        }))
    }
}
