//! The whole run as one JSON document. Its fields are a contract with other tools: they may be added, never renamed.

use std::io::{self, Write as _};

use serde::Serialize;

use crate::emitter::{Emitter, Output};
use crate::located::LocatedDocument;
use crate::run::{FailedFile, RunOutcome, SkippedFile};
use crate::summary::RunSummary;
use crate::tool::{SCHEMA_VERSION, TOOL, Tool};

use super::json_records::Records;

#[derive(Serialize)]
struct JsonRun<'a> {
    schema: u32,
    tool: Tool,
    files: &'a [JsonFile],
    skipped: &'a [SkippedFile],
    failures: &'a [FailedFile],
    summary: RunSummary,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum JsonFile {
    Document(Box<LocatedDocument>),
    Records(Records),
}

/// The files of a run. Of a clean document in a file with others, only the undecided rules are kept.
#[derive(Default)]
pub(crate) struct JsonEmitter {
    files: Vec<JsonFile>,
}

impl Emitter for JsonEmitter {
    fn document(&mut self, _: &mut Output<'_>, document: LocatedDocument) -> io::Result<()> {
        match self.files.last_mut() {
            Some(JsonFile::Records(records)) if document.is_further => records.add(document),
            _ if document.position.is_some() => {
                self.files.push(JsonFile::Records(Records::new(document)));
            }
            _ => self.files.push(JsonFile::Document(Box::new(document))),
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Output<'_>, outcome: &RunOutcome<'_>) -> io::Result<()> {
        let output = JsonRun {
            schema: SCHEMA_VERSION,
            tool: TOOL,
            files: &self.files,
            skipped: outcome.skipped,
            failures: outcome.failed,
            summary: outcome.summary,
        };
        serde_json::to_writer_pretty(&mut *out, &output)?;
        out.write_all(b"\n")
    }
}
