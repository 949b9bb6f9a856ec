//! One JSON object per line, written as the run goes on.

use std::io;

use serde::Serialize;
use voxlint::Severity;

use crate::emitter::{Emitter, Output};
use crate::json_text::compact;
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
    /// The end of the lines about a document, if they are asked for.
    Document(DocumentEnd<'a>),
    Skipped(&'a SkippedFile),
    Failure(&'a FailedFile),
    /// What checks less than the settings that judge the run.
    Loosened {
        message: &'a str,
    },
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

/// The end of the lines about a document.
#[derive(Serialize)]
struct DocumentEnd<'a> {
    document: &'a str,
    /// Null if it was not checked.
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<u64>,
    checked: bool,
    /// Why it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
    errors: u64,
    warnings: u64,
    infos: u64,
    undecided: usize,
}

impl<'a> DocumentEnd<'a> {
    fn of_checked(document: &'a LocatedDocument) -> Self {
        let count = |severity| {
            let found = document.diagnostics.iter().filter(|found| found.severity == severity);
            found.map(|found| u64::from(found.count)).sum()
        };
        Self {
            document: &document.path,
            kind: Some(document.kind),
            record: document.index(),
            checked: true,
            why: None,
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            infos: count(Severity::Info),
            undecided: document.undecided.len(),
        }
    }

    const fn of_unchecked(document: &'a str, record: u64, why: &'a str) -> Self {
        Self {
            document,
            kind: None,
            record: Some(record),
            checked: false,
            why: Some(why),
            errors: 0,
            warnings: 0,
            infos: 0,
            undecided: 0,
        }
    }
}

fn write(out: &mut String, line: &NdjsonLine<'_>) {
    out.push_str(&compact(line));
    out.push('\n');
}

impl NdjsonEmitter {
    /// Writes lines, after the line about the run.
    fn write(&mut self, out: &mut Output<'_>, lines: &str) -> io::Result<()> {
        if !std::mem::replace(&mut self.is_begun, true) {
            let mut first = String::new();
            write(&mut first, &NdjsonLine::Run { schema: SCHEMA_VERSION, tool: TOOL });
            out.write(&first)?;
        }
        out.write(lines)
    }
}

impl Emitter for NdjsonEmitter {
    fn add(&mut self, out: &mut Output<'_>, document: LocatedDocument, _: bool) -> io::Result<()> {
        let (path, record) = (&document.path, document.index());
        let of = DocumentEntry { document: path, kind: document.kind, record };
        let mut page = String::new();
        for finding in &document.diagnostics {
            write(&mut page, &NdjsonLine::Finding { of, finding });
        }
        for rule in &document.undecided {
            write(&mut page, &NdjsonLine::Undecided { of, rule });
        }
        if document.options.document_lines {
            write(&mut page, &NdjsonLine::Document(DocumentEnd::of_checked(&document)));
        }
        if page.is_empty() { Ok(()) } else { self.write(out, &page) }
    }

    fn add_unchecked(
        &mut self,
        out: &mut Output<'_>,
        path: &str,
        index: u64,
        why: &str,
    ) -> io::Result<()> {
        let mut page = String::new();
        write(&mut page, &NdjsonLine::Document(DocumentEnd::of_unchecked(path, index, why)));
        self.write(out, &page)
    }

    fn pause(&mut self, out: &mut Output<'_>) -> io::Result<()> {
        self.write(out, "")
    }

    fn finish(&mut self, out: &mut Output<'_>, outcome: &RunOutcome<'_>) -> io::Result<()> {
        let mut lines = String::new();
        for skipped in outcome.skipped {
            write(&mut lines, &NdjsonLine::Skipped(skipped));
        }
        for failure in outcome.failed {
            write(&mut lines, &NdjsonLine::Failure(failure));
        }
        for message in outcome.loosened.into_iter().flatten() {
            write(&mut lines, &NdjsonLine::Loosened { message });
        }
        write(&mut lines, &NdjsonLine::Summary(outcome.summary));
        self.write(out, &lines)
    }
}
