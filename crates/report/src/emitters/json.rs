//! The whole run as one JSON document. Its fields are a contract with other tools: they may be added, never renamed.

use std::io;

use crate::emitter::{Emitter, Output};
use crate::json_text::pretty;
use crate::located::LocatedDocument;
use crate::run::RunOutcome;
use crate::tool::{SCHEMA_VERSION, TOOL};

use super::json_records::Records;

/// Writes each file when it is complete.
#[derive(Default)]
pub(crate) struct JsonEmitter {
    is_begun: bool,
    has_files: bool,
    /// The current file, if it has several documents.
    records: Option<Records>,
}

/// The indentation of the entries of files.
const DEPTH: usize = 2;

impl Emitter for JsonEmitter {
    fn add(
        &mut self,
        out: &mut Output<'_>,
        document: LocatedDocument,
        is_further: bool,
    ) -> io::Result<()> {
        match (document.index(), &mut self.records) {
            (Some(index), Some(records)) if is_further => {
                records.add(index, document);
                Ok(())
            }
            (Some(index), _) => {
                self.close_file(out)?;
                self.records = Some(Records::new(index, document));
                Ok(())
            }
            (None, _) => {
                self.close_file(out)?;
                self.file(out, &pretty(&document, DEPTH))
            }
        }
    }

    fn finish(&mut self, out: &mut Output<'_>, outcome: &RunOutcome<'_>) -> io::Result<()> {
        self.close_file(out)?;
        self.begin(out)?;
        out.write(if self.has_files { "\n  ],\n" } else { "],\n" })?;
        let loosened = outcome.loosened.map(|all| ("loosened", pretty(&all, 1)));
        for (name, value) in
            [("skipped", pretty(&outcome.skipped, 1)), ("failures", pretty(&outcome.failed, 1))]
                .into_iter()
                .chain(loosened)
                .chain([("summary", pretty(&outcome.summary, 1))])
        {
            let end = if name == "summary" { "\n}\n" } else { ",\n" };
            write!(out, "  \"{name}\": {value}{end}")?;
        }
        Ok(())
    }
}

impl JsonEmitter {
    /// Writes everything before the files.
    fn begin(&mut self, out: &mut Output<'_>) -> io::Result<()> {
        if std::mem::replace(&mut self.is_begun, true) {
            return Ok(());
        }
        let tool = pretty(&TOOL, 1);
        write!(out, "{{\n  \"schema\": {SCHEMA_VERSION},\n  \"tool\": {tool},\n  \"files\": [")
    }

    /// Writes the entry of a file.
    fn file(&mut self, out: &mut Output<'_>, entry: &str) -> io::Result<()> {
        self.begin(out)?;
        let is_first = !std::mem::replace(&mut self.has_files, true);
        write!(out, "{}{entry}", if is_first { "\n    " } else { ",\n    " })
    }

    /// Writes the file with several documents that has come to its end.
    fn close_file(&mut self, out: &mut Output<'_>) -> io::Result<()> {
        match self.records.take() {
            Some(records) => self.file(out, &records.into_entry(DEPTH)),
            None => Ok(()),
        }
    }
}
