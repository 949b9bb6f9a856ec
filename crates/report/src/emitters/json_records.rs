//! The documents of one file, combined for the JSON format.
//!
//! A file with one document per line may hold millions of documents, most of them clean. Of those only the undecided rules
//! are kept, once for all documents that share them.

use std::collections::BTreeMap;
use std::io::Write as _;

use serde::Serialize;
use serde::ser::Serializer;

use crate::json_text::{pretty, write_pretty};
use crate::located::{LocatedDocument, UndecidedRule};

/// One of the documents of a file.
pub(crate) struct Record {
    number: u64,
    path: String,
    kind: &'static str,
    findings: Vec<u8>,
    /// The end of each finding.
    ends: Vec<usize>,
    undecided: Vec<UndecidedRule>,
}

impl Record {
    /// The document with this number, for an entry of its file that is indented by `depth` levels.
    pub(super) fn new(number: u64, document: LocatedDocument<'_>, depth: usize) -> Self {
        let (mut findings, mut ends) = (Vec::new(), Vec::new());
        for finding in &document.diagnostics {
            write_pretty(&mut findings, finding, depth + 2);
            ends.push(findings.len());
        }
        let LocatedDocument { path, kind, undecided, .. } = document;
        Self { number, path: path.into_owned(), kind, findings, ends, undecided }
    }

    /// The findings, each without its opening brace.
    fn findings(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let findings = starts.zip(&self.ends);
        findings.map(|(start, end)| self.findings.get(start + 1..*end).unwrap_or_default())
    }
}

/// A file with several documents.
pub(super) struct Records {
    path: String,
    /// The kind of the first document.
    kind: &'static str,
    kinds_differ: bool,
    /// The documents with findings.
    faulty: Vec<Record>,
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
    pub(super) fn new(mut first: Record) -> Self {
        let mut records = Self {
            path: std::mem::take(&mut first.path),
            kind: first.kind,
            kinds_differ: false,
            faulty: Vec::new(),
            undecided: UndecidedLists::default(),
        };
        records.add(first);
        records
    }

    /// Adds the next document.
    pub(super) fn add(&mut self, mut record: Record) {
        let kind = record.kind;
        self.kinds_differ |= kind != self.kind;
        let rules = std::mem::take(&mut record.undecided);
        self.undecided.add(UndecidedList { kind, rules }, record.number);
        if !record.ends.is_empty() {
            self.faulty.push(Record { path: String::new(), ..record });
        }
    }

    /// The kind of a document in its entries: only if the documents of the file are of several kinds.
    fn shown(&self, kind: &'static str) -> Option<&'static str> {
        self.kinds_differ.then_some(kind)
    }

    /// The entry of the file, indented by `depth` levels.
    pub(super) fn into_entry(self, depth: usize) -> Vec<u8> {
        let indent = |levels: usize| format!("\n{:1$}", "", 2 * (depth + levels));
        let (member, element, inner) = (indent(1), indent(2), indent(3));
        let mut out = Vec::new();
        // Memory takes everything.
        let _ = write!(out, "{{{member}\"path\": ");
        write_pretty(&mut out, &self.path, 0);
        let _ = write!(out, ",{member}\"kind\": \"{}\",{member}\"diagnostics\": [", self.kind);
        let mut comma = "";
        for record in &self.faulty {
            for finding in record.findings() {
                let _ = write!(out, "{comma}{element}{{{inner}\"record\": {},", record.number);
                if let Some(kind) = self.shown(record.kind) {
                    let _ = write!(out, "{inner}\"kind\": \"{kind}\",");
                }
                out.extend_from_slice(finding);
                comma = ",";
            }
        }
        let end = if comma.is_empty() { "" } else { &member };
        let undecided = pretty(&UndecidedEntries(&self), depth + 1);
        let _ = write!(out, "{end}],{member}\"undecided\": ");
        out.extend_from_slice(&undecided);
        let _ = write!(out, "{}}}", indent(0));
        out
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
                rules.map(move |(kind, entry)| Numbered {
                    record,
                    kind: records.shown(kind),
                    entry,
                })
            })
        }))
    }
}
