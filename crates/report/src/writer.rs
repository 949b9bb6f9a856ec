//! The path of findings into a stream: documents are rendered one by one on any thread, and written in their order.

use std::io;

use crate::document::CheckedDocument;
use crate::emitter::{Emitter, Output};
use crate::format::OutputFormat;
use crate::located::{LocatedDocument, locate};
use crate::options::RenderOptions;
use crate::run::{RunInfo, RunOutcome};

/// The contribution of one document to the output of a run. Of the document's text it keeps only the lines that it shows.
#[derive(Debug)]
pub struct RenderedDocument(LocatedDocument);

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
    let sections = format.sections(options);
    RenderedDocument(locate(checked, &format.options(options), sections))
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
/// let (format, run, options) = (OutputFormat::Concise, RunInfo::default(), RenderOptions::default());
/// let mut findings = FindingsWriter::new(&mut out, format, run);
/// for (index, line) in ["{ \"version_number\": [] }", "{ \"version_number\": {} }"].into_iter().enumerate() {
///     let report = voxlint::check_text(line);
///     let index = index as u64;
///     let position = DocumentPosition { index, line: 7, lines_before: 6, bytes_before: 200 };
///     let checked = CheckedDocument::new("export.ndjson", line, &report).position(position);
///     findings.add_record(render(format, &options, &checked))?;
/// }
/// findings.finish(&RunOutcome::default())?;
/// assert!(out.starts_with(b"export.ndjson:7:21: error"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct FindingsWriter<'o> {
    out: &'o mut dyn io::Write,
    run: RunInfo<'o>,
    emitter: Box<dyn Emitter>,
}

impl<'o> FindingsWriter<'o> {
    /// A writer that has not written anything yet.
    pub fn new(out: &'o mut dyn io::Write, format: OutputFormat, run: RunInfo<'o>) -> Self {
        Self { out, run, emitter: format.emitter() }
    }

    /// Adds the findings of a file, or of the first document of a file with several documents. They must have been rendered
    /// in the format of this writer.
    ///
    /// # Errors
    ///
    /// Any error of the stream, or if the document was rendered in another format.
    pub fn add(&mut self, rendered: RenderedDocument) -> io::Result<()> {
        self.page(rendered, false)
    }

    /// Adds the findings of the next document of the file that was added last.
    ///
    /// # Errors
    ///
    /// Any error of the stream, or if the document was rendered in another format.
    pub fn add_record(&mut self, rendered: RenderedDocument) -> io::Result<()> {
        self.page(rendered, true)
    }

    /// Adds why the document with this number in the file that was added last was not checked, for NDJSON with
    /// [`RenderOptions::document_lines`]. The other formats list such documents in their [`RunOutcome`] only.
    ///
    /// # Errors
    ///
    /// Any error of the stream.
    pub fn add_unchecked(&mut self, path: &str, index: u64, why: &str) -> io::Result<()> {
        let mut out = Output { stream: self.out, run: &self.run };
        self.emitter.add_unchecked(&mut out, path, index, why)
    }

    fn page(&mut self, rendered: RenderedDocument, is_further: bool) -> io::Result<()> {
        let mut out = Output { stream: self.out, run: &self.run };
        self.emitter.add(&mut out, rendered.0, is_further)
    }

    /// Makes everything so far visible to readers of the stream, because the next document may not be there for a while.
    ///
    /// # Errors
    ///
    /// Any error of the stream.
    pub fn pause(&mut self) -> io::Result<()> {
        let mut out = Output { stream: self.out, run: &self.run };
        self.emitter.pause(&mut out)?;
        self.out.flush()
    }

    /// Writes the rest of the output. Only the formats for other tools name skipped and failed files and the summary: for
    /// people these are on another stream.
    ///
    /// # Errors
    ///
    /// Any error of the stream.
    pub fn finish(mut self, outcome: &RunOutcome<'_>) -> io::Result<()> {
        let mut out = Output { stream: self.out, run: &self.run };
        self.emitter.finish(&mut out, outcome)
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
