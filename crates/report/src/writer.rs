//! The path of findings into a stream: documents are rendered one by one on any thread, and written in their order.

use std::io;

use crate::document::CheckedDocument;
use crate::emitter::{Emitter, Output};
use crate::escaping_writer::EscapingWriter;
use crate::format::{Escaping, OutputFormat};
use crate::located::{LocatedDocument, locate};
use crate::options::RenderOptions;
use crate::run::{RunInfo, RunOutcome};

/// The contribution of one document to the output of a run. Of the document's text it keeps only the lines that it shows.
#[derive(Debug)]
pub struct RenderedDocument(Box<LocatedDocument>);

/// Renders the findings of one document.
///
/// Spans outside the text or inside a character are extended to whole characters. The formats for people never pass on
/// characters that steer a terminal (control characters, bidirectional overrides), and the secrets that the report names
/// are masked.
pub fn render(
    format: OutputFormat,
    options: &RenderOptions,
    checked: &CheckedDocument<'_>,
) -> RenderedDocument {
    RenderedDocument(Box::new(locate(checked, options, format.sections(options))))
}

/// Writes the findings of a run. Most formats are written as the documents arrive, and keep nothing of them; the others
/// keep their findings to the end, and of clean documents next to nothing.
///
/// ```
/// use voxlint_report::{
///     CheckedDocument, DocumentPosition, FindingsWriter, OutputFormat, RenderOptions, RunInfo,
///     RunOutcome, render,
/// };
///
/// let mut out = Vec::new();
/// let mut findings = FindingsWriter::new(&mut out, OutputFormat::Concise, RunInfo::default());
/// for (index, line) in ["{ \"version_number\": [] }", "{ \"version_number\": {} }"].into_iter().enumerate() {
///     let report = voxlint::check_text(line);
///     let index = index as u64;
///     let position = DocumentPosition { index, line: 7, lines_before: 6, bytes_before: 200 };
///     let checked = CheckedDocument::new("export.ndjson", line, &report).position(position);
///     findings.add_record(render(OutputFormat::Concise, &RenderOptions::default(), &checked))?;
/// }
/// findings.finish(&RunOutcome::default())?;
/// assert!(out.starts_with(b"export.ndjson:7:21: error"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct FindingsWriter<'o> {
    out: &'o mut dyn io::Write,
    escaping: Escaping,
    run: RunInfo<'o>,
    emitter: Box<dyn Emitter>,
}

impl<'o> FindingsWriter<'o> {
    /// A writer that has not written anything yet.
    pub fn new(out: &'o mut dyn io::Write, format: OutputFormat, run: RunInfo<'o>) -> Self {
        Self { out, escaping: format.escaping(), run, emitter: format.emitter() }
    }

    /// Adds the findings of a file, or of the first document of a file with several documents. They must have been rendered
    /// in the format of this writer.
    ///
    /// # Errors
    ///
    /// Any error of the stream.
    pub fn add(&mut self, rendered: RenderedDocument) -> io::Result<()> {
        self.document(*rendered.0, false)
    }

    /// Adds the findings of the next document of the file that was added last.
    ///
    /// # Errors
    ///
    /// Any error of the stream.
    pub fn add_record(&mut self, rendered: RenderedDocument) -> io::Result<()> {
        self.document(*rendered.0, true)
    }

    fn document(&mut self, mut document: LocatedDocument, is_further: bool) -> io::Result<()> {
        document.is_further = is_further;
        self.escaped(|emitter, out| emitter.document(out, document))
    }

    /// Writes the rest of the output. Only the formats for other tools name skipped and failed files and the summary: for
    /// people these are on another stream.
    ///
    /// # Errors
    ///
    /// Any error of the stream.
    pub fn finish(mut self, outcome: &RunOutcome<'_>) -> io::Result<()> {
        self.escaped(|emitter, out| emitter.finish(out, outcome))
    }

    /// Writes to the stream with the escapes of the format.
    fn escaped(
        &mut self,
        write: impl FnOnce(&mut dyn Emitter, &mut Output<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let (run, emitter) = (&self.run, &mut *self.emitter);
        let mut escaping;
        let stream: &mut dyn io::Write = match self.escaping {
            Escaping::Json => {
                escaping = EscapingWriter::json(self.out);
                &mut escaping
            }
            Escaping::Xml => {
                escaping = EscapingWriter::xml(self.out);
                &mut escaping
            }
            Escaping::ByEmitter => self.out,
        };
        write(emitter, &mut Output { stream, run })
    }
}

/// Writes the findings of a run, in the order of `files`, each of which holds one document.
///
/// # Errors
///
/// Any error of `out`.
pub fn write_findings(
    out: &mut dyn io::Write,
    format: OutputFormat,
    run: &RunInfo<'_>,
    files: impl IntoIterator<Item = RenderedDocument>,
    outcome: &RunOutcome<'_>,
) -> io::Result<()> {
    let mut findings = FindingsWriter::new(out, format, *run);
    for file in files {
        findings.add(file)?;
    }
    findings.finish(outcome)
}
