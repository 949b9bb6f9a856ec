//! The machine-readable form of one JSON object a line, written as the run goes on.

use std::io;

use serde::Serialize;

use crate::RunInfo;
use crate::json::{FailureEntry, SCHEMA, SkippedEntry, SummaryEntry, TOOL, Tool};
use crate::located::{Document, Finding, Open};
use crate::run::Ending;
use crate::writer::Sink;

#[derive(Default)]
pub(crate) struct Ndjson {
    is_begun: bool,
}

/// A line. The names of the types are a contract with other tools, as the members are.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line<'a> {
    Run {
        schema: u32,
        tool: Tool,
    },
    Finding {
        #[serde(flatten)]
        of: Of<'a>,
        #[serde(flatten)]
        finding: &'a Finding,
    },
    Undecided {
        #[serde(flatten)]
        of: Of<'a>,
        #[serde(flatten)]
        open: &'a Open,
    },
    Skipped(SkippedEntry<'a>),
    Failure(FailureEntry<'a>),
    Summary(SummaryEntry),
}

/// The document that a line is about.
#[derive(Clone, Copy, Serialize)]
struct Of<'a> {
    document: &'a str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<u64>,
}

impl Ndjson {
    fn write(&mut self, out: &mut dyn io::Write, line: &Line<'_>) -> io::Result<()> {
        if !self.is_begun {
            self.is_begun = true;
            self.write(out, &Line::Run { schema: SCHEMA, tool: TOOL })?;
        }
        serde_json::to_writer(&mut *out, line)?;
        out.write_all(b"\n")
    }
}

impl Sink for Ndjson {
    fn take(
        &mut self,
        out: &mut dyn io::Write,
        _: &RunInfo<'_>,
        document: Document,
        _: bool,
    ) -> io::Result<()> {
        let record = document.record.map(|record| record.index);
        let of = Of { document: &document.path, kind: document.kind, record };
        for finding in &document.diagnostics {
            self.write(out, &Line::Finding { of, finding })?;
        }
        for open in &document.undecided {
            self.write(out, &Line::Undecided { of, open })?;
        }
        Ok(())
    }

    fn finish(
        &mut self,
        out: &mut dyn io::Write,
        _: &RunInfo<'_>,
        ending: &Ending<'_>,
    ) -> io::Result<()> {
        for skipped in ending.skipped {
            self.write(out, &Line::Skipped(skipped.into()))?;
        }
        for failure in ending.failures {
            self.write(out, &Line::Failure(failure.into()))?;
        }
        self.write(out, &Line::Summary(ending.summary.into()))
    }
}
