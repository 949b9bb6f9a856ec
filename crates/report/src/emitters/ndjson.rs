//! One JSON object per line, written as the run goes on.

use std::io;

use serde::Serialize;

use crate::emitter::{Emitter, Output};
use crate::located::{LocatedDocument, LocatedFinding, UndecidedRule};
use crate::run::{FailedFile, RunOutcome, SkippedFile};
use crate::summary::RunSummary;
use crate::tool::{SCHEMA_VERSION, TOOL, Tool};

#[derive(Default)]
pub(crate) struct NdjsonEmitter {
    is_begun: bool,
}

/// A line. The names of the types are a contract with other tools, like the fields.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum NdjsonLine<'a> {
    Run {
        schema: u32,
        tool: Tool,
    },
    Finding {
        #[serde(flatten)]
        of: DocumentEntry<'a>,
        #[serde(flatten)]
        finding: &'a LocatedFinding,
    },
    Undecided {
        #[serde(flatten)]
        of: DocumentEntry<'a>,
        #[serde(flatten)]
        rule: &'a UndecidedRule,
    },
    Skipped(&'a SkippedFile),
    Failure(&'a FailedFile),
    Summary(RunSummary),
}

/// The document of a line.
#[derive(Clone, Copy, Serialize)]
struct DocumentEntry<'a> {
    document: &'a str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<u64>,
}

impl NdjsonEmitter {
    fn write(&mut self, out: &mut dyn io::Write, line: &NdjsonLine<'_>) -> io::Result<()> {
        if !self.is_begun {
            self.is_begun = true;
            self.write(out, &NdjsonLine::Run { schema: SCHEMA_VERSION, tool: TOOL })?;
        }
        serde_json::to_writer(&mut *out, line)?;
        out.write_all(b"\n")
    }
}

impl Emitter for NdjsonEmitter {
    fn document(&mut self, out: &mut Output<'_>, document: LocatedDocument) -> io::Result<()> {
        let (path, record) = (&document.path, document.index());
        let of = DocumentEntry { document: path, kind: document.kind, record };
        for finding in &document.diagnostics {
            self.write(out, &NdjsonLine::Finding { of, finding })?;
        }
        for rule in &document.undecided {
            self.write(out, &NdjsonLine::Undecided { of, rule })?;
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Output<'_>, outcome: &RunOutcome<'_>) -> io::Result<()> {
        for skipped in outcome.skipped {
            self.write(out, &NdjsonLine::Skipped(skipped))?;
        }
        for failure in outcome.failed {
            self.write(out, &NdjsonLine::Failure(failure))?;
        }
        self.write(out, &NdjsonLine::Summary(outcome.summary))
    }
}
