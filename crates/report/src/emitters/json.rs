//! The whole run as one JSON document. Its members are a contract with other tools: they may be added, never renamed.

use std::io;

use serde::Serialize;

use crate::emitter::Emitter;
use crate::located::LocatedDocument;
use crate::run::{FailedFile, RunInfo, RunOutcome, SkippedFile};
use crate::summary::RunSummary;
use crate::tool::{SCHEMA_VERSION, TOOL, Tool};

use super::json_records::Records;

#[derive(Serialize)]
struct Output<'a> {
    schema: u32,
    tool: Tool,
    files: &'a [JsonFile],
    skipped: Vec<SkippedEntry<'a>>,
    failures: Vec<FailureEntry<'a>>,
    summary: SummaryEntry,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum JsonFile {
    Document(Box<LocatedDocument>),
    Records(Records),
}

#[derive(Serialize)]
pub(super) struct SkippedEntry<'a> {
    path: &'a str,
    why: &'a str,
}

impl<'a> From<&'a SkippedFile> for SkippedEntry<'a> {
    fn from(SkippedFile { path, why }: &'a SkippedFile) -> Self {
        Self { path, why }
    }
}

#[derive(Serialize)]
pub(super) struct FailureEntry<'a> {
    path: &'a str,
    message: &'a str,
}

impl<'a> From<&'a FailedFile> for FailureEntry<'a> {
    fn from(FailedFile { path, message }: &'a FailedFile) -> Self {
        Self { path, message }
    }
}

#[derive(Serialize)]
pub(super) struct SummaryEntry {
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

impl From<RunSummary> for SummaryEntry {
    fn from(summary: RunSummary) -> Self {
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

/// The files of a run. Of a clean document in a file with others, only the undecided rules are kept.
#[derive(Default)]
pub(crate) struct JsonEmitter {
    files: Vec<JsonFile>,
}

impl Emitter for JsonEmitter {
    fn write_document(
        &mut self,
        _: &mut dyn io::Write,
        _: &RunInfo<'_>,
        document: LocatedDocument,
        is_further: bool,
    ) -> io::Result<()> {
        match self.files.last_mut() {
            Some(JsonFile::Records(records)) if is_further => records.add(document),
            _ if document.record.is_some() => {
                self.files.push(JsonFile::Records(Records::new(document)));
            }
            _ => self.files.push(JsonFile::Document(Box::new(document))),
        }
        Ok(())
    }

    fn finish(
        &mut self,
        out: &mut dyn io::Write,
        _: &RunInfo<'_>,
        outcome: &RunOutcome<'_>,
    ) -> io::Result<()> {
        let output = Output {
            schema: SCHEMA_VERSION,
            tool: TOOL,
            files: &self.files,
            skipped: outcome.skipped.iter().map(SkippedEntry::from).collect(),
            failures: outcome.failed.iter().map(FailureEntry::from).collect(),
            summary: outcome.summary.into(),
        };
        serde_json::to_writer_pretty(&mut *out, &output)?;
        out.write_all(b"\n")
    }
}
