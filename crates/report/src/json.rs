//! The machine-readable form. Its members are a contract with other tools: they may be added to, never renamed.

use std::io;

use serde::Serialize;

use crate::located::Document;
use crate::records::Records;
use crate::run::Ending;
use crate::writer::Sink;
use crate::{FailedFile, RunInfo, RunSummary, SkippedFile};

/// Changes only when a member is renamed or taken away.
pub(crate) const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Whole<'a> {
    schema: u32,
    tool: Tool,
    files: &'a [FileOrRecords],
    skipped: Vec<SkippedEntry<'a>>,
    failures: Vec<FailureEntry<'a>>,
    summary: SummaryEntry,
}

#[derive(Serialize)]
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
}

/// This program.
pub(crate) const TOOL: Tool = Tool { name: "voxlint", version: env!("CARGO_PKG_VERSION") };

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum FileOrRecords {
    File(Box<Document>),
    Records(Records),
}

impl FileOrRecords {
    fn new(document: Document) -> Self {
        match document.record {
            Some(_) => Self::Records(Records::new(document)),
            None => Self::File(Box::new(document)),
        }
    }
}

#[derive(Serialize)]
pub(crate) struct SkippedEntry<'a> {
    path: &'a str,
    why: &'a str,
}

impl<'a> From<&'a SkippedFile> for SkippedEntry<'a> {
    fn from(SkippedFile { path, why }: &'a SkippedFile) -> Self {
        Self { path, why }
    }
}

#[derive(Serialize)]
pub(crate) struct FailureEntry<'a> {
    path: &'a str,
    message: &'a str,
}

impl<'a> From<&'a FailedFile> for FailureEntry<'a> {
    fn from(FailedFile { path, message }: &'a FailedFile) -> Self {
        Self { path, message }
    }
}

#[derive(Serialize)]
pub(crate) struct SummaryEntry {
    files: u32,
    documents: u32,
    skipped: u32,
    errors: u32,
    warnings: u32,
    infos: u32,
    undecided: u32,
    suppressed: u32,
    baselined: u32,
}

impl From<&RunSummary> for SummaryEntry {
    fn from(summary: &RunSummary) -> Self {
        Self {
            files: summary.files,
            documents: summary.documents,
            skipped: summary.skipped,
            errors: summary.errors,
            warnings: summary.warnings,
            infos: summary.infos,
            undecided: summary.undecided,
            suppressed: summary.suppressed,
            baselined: summary.baselined,
        }
    }
}

/// The files of a run. Of clean documents beside others in a file, nothing is kept but what is undecided.
#[derive(Default)]
pub(crate) struct Json {
    files: Vec<FileOrRecords>,
}

impl Sink for Json {
    fn take(
        &mut self,
        _: &mut dyn io::Write,
        _: &RunInfo<'_>,
        document: Document,
        is_further: bool,
    ) -> io::Result<()> {
        match self.files.last_mut() {
            Some(FileOrRecords::Records(records)) if is_further => records.add(document),
            _ => self.files.push(FileOrRecords::new(document)),
        }
        Ok(())
    }

    fn finish(
        &mut self,
        out: &mut dyn io::Write,
        _: &RunInfo<'_>,
        ending: &Ending<'_>,
    ) -> io::Result<()> {
        let whole = Whole {
            schema: SCHEMA,
            tool: TOOL,
            files: &self.files,
            skipped: ending.skipped.iter().map(SkippedEntry::from).collect(),
            failures: ending.failures.iter().map(FailureEntry::from).collect(),
            summary: ending.summary.into(),
        };
        serde_json::to_writer_pretty(&mut *out, &whole)?;
        out.write_all(b"\n")
    }
}
