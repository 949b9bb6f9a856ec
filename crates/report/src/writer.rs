//! The way of findings into a stream: documents are rendered one by one, anywhere, and written in their order.

use std::collections::HashSet;
use std::io;
use std::ops::Range;

use crate::guard::Guard;
use crate::located::Document;
use crate::run::Ending;
use crate::{
    CheckedDocument, FailedFile, OutputFormat, RenderOptions, RunInfo, RunSummary, SkippedFile,
};
use crate::{
    azure, checkstyle, concise, full, github, gitlab, grouped, json, junit, located, markdown,
    ndjson, rdjson, sarif, statistics,
};

/// What one document contributes to the output of a run. It keeps nothing of the document's text but the lines it shows.
#[derive(Debug)]
pub struct RenderedDocument(Piece);

#[derive(Debug)]
pub(crate) enum Piece {
    /// Finished text for people, empty for a clean document.
    Text(Text),
    /// The findings with their places.
    Document(Box<Document>),
}

/// What people read of a document.
#[derive(Debug, Default)]
pub(crate) struct Text {
    /// What stands once above all documents of a file, with its line break.
    pub(crate) heading: String,
    pub(crate) body: String,
    /// The parts of the body that explain readings of the description, in their order.
    pub(crate) explained: Vec<Explained>,
}

/// A part of a text that explains a reading of the description. It is the same at each finding of the rule, so it is written
/// once in a run.
#[derive(Debug)]
pub(crate) struct Explained {
    pub(crate) rule: String,
    pub(crate) reading: String,
    pub(crate) part: Range<usize>,
    /// What to write instead from the second time on.
    pub(crate) short: String,
}

/// Renders what was found in one document.
///
/// Spans that lie outside the text or inside a character are no reason to panic: they are rounded outward to what there is.
/// What would steer a terminal (control characters, bidirectional overrides) is never passed on by the formats for people,
/// and the places that the report calls secrets are covered.
pub fn render(
    format: OutputFormat,
    style: &RenderOptions,
    checked: &CheckedDocument<'_>,
) -> RenderedDocument {
    RenderedDocument(match format {
        OutputFormat::Full => Piece::Text(full::render(style, checked)),
        OutputFormat::Concise => {
            Piece::Text(Text { body: concise::render(style, checked), ..Text::default() })
        }
        OutputFormat::Grouped => Piece::Text(grouped::render(style, checked)),
        _ => Piece::Document(Box::new(located::document(style, checked))),
    })
}

/// A format that is made of the findings with their places.
pub(crate) trait Sink {
    /// Takes the next document of the run. `is_further`: it is of the same file as the one before.
    ///
    /// # Errors
    ///
    /// Whatever `out` answers.
    fn take(
        &mut self,
        out: &mut dyn io::Write,
        run: &RunInfo<'_>,
        document: Document,
        is_further: bool,
    ) -> io::Result<()>;

    /// Writes what is left to be written.
    ///
    /// # Errors
    ///
    /// Whatever `out` answers.
    fn finish(
        &mut self,
        out: &mut dyn io::Write,
        run: &RunInfo<'_>,
        ending: &Ending<'_>,
    ) -> io::Result<()>;
}

/// What a format does with the documents; `None` where it is finished text.
fn sink(format: OutputFormat) -> Option<Box<dyn Sink>> {
    Some(match format {
        OutputFormat::Full | OutputFormat::Concise | OutputFormat::Grouped => return None,
        OutputFormat::Statistics => Box::new(statistics::Statistics::default()),
        OutputFormat::Markdown => Box::new(markdown::Markdown::default()),
        OutputFormat::Json => Box::new(json::Json::default()),
        OutputFormat::Ndjson => Box::new(ndjson::Ndjson::default()),
        OutputFormat::Sarif => Box::new(sarif::Sarif::default()),
        OutputFormat::Github => Box::new(github::Github),
        OutputFormat::Gitlab => Box::new(gitlab::Gitlab::default()),
        OutputFormat::Junit => Box::new(junit::Junit::default()),
        OutputFormat::Checkstyle => Box::new(checkstyle::Checkstyle::default()),
        OutputFormat::Azure => Box::new(azure::Azure),
        OutputFormat::Rdjson => Box::new(rdjson::Rdjson::default()),
        OutputFormat::Rdjsonl => Box::new(rdjson::Rdjsonl),
    })
}

/// Writes where nothing is a command to a build server. Formats that are not named here see to it themselves.
fn guarded(
    format: OutputFormat,
    out: &mut dyn io::Write,
    write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
) -> io::Result<()> {
    match format {
        OutputFormat::Json
        | OutputFormat::Ndjson
        | OutputFormat::Sarif
        | OutputFormat::Gitlab
        | OutputFormat::Rdjson
        | OutputFormat::Rdjsonl => write(&mut Guard::json(out)),
        OutputFormat::Junit | OutputFormat::Checkstyle => write(&mut Guard::xml(out)),
        _ => write(out),
    }
}

/// The findings of a run on their way out. Most formats are written as the documents come, so that nothing is kept of what
/// has been written; the others keep their findings to the end, and of clean documents next to nothing.
///
/// ```
/// use voxlint_report::{CheckedDocument, FindingsWriter, OutputFormat, Record, RunInfo, RenderOptions, RunSummary, render};
///
/// let mut out = Vec::new();
/// let mut findings = FindingsWriter::new(&mut out, OutputFormat::Concise, RunInfo::default());
/// for (index, line) in ["{ \"version_number\": [] }", "{ \"version_number\": {} }"].into_iter().enumerate() {
///     let report = voxlint::check_text(line);
///     let record = Record { index: index as u64, line: 7, lines_before: 6, bytes_before: 200 };
///     let checked = CheckedDocument::new("export.ndjson", line, &report).record(record);
///     findings.add_record(render(OutputFormat::Concise, &RenderOptions::default(), &checked))?;
/// }
/// findings.finish(&[], &[], &RunSummary::default())?;
/// assert!(out.starts_with(b"export.ndjson:7:21: error"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct FindingsWriter<'o> {
    out: &'o mut dyn io::Write,
    format: OutputFormat,
    run: RunInfo<'o>,
    /// `None` for finished text.
    sink: Option<Box<dyn Sink>>,
    /// Whether an empty line parts what is written of two documents or files.
    is_parted: bool,
    is_begun: bool,
    /// The heading that was written last.
    heading: String,
    /// The readings that have been explained, each with the rule whose findings depend on it. Documents are rendered in any
    /// order, so which of them explains a reading is decided here, where they have their order.
    explained: HashSet<(String, String)>,
}

impl<'o> FindingsWriter<'o> {
    /// Nothing has been written yet.
    pub fn new(out: &'o mut dyn io::Write, format: OutputFormat, run: RunInfo<'o>) -> Self {
        let is_parted = matches!(format, OutputFormat::Full | OutputFormat::Grouped);
        let sink = sink(format);
        let (heading, explained) = (String::new(), HashSet::new());
        Self { out, format, run, sink, is_parted, is_begun: false, heading, explained }
    }

    /// Takes what was found in a file, or in the first document of one that holds several.
    ///
    /// What was rendered in another format is left out.
    ///
    /// # Errors
    ///
    /// Whatever `out` answers.
    pub fn add(&mut self, rendered: RenderedDocument) -> io::Result<()> {
        self.heading.clear();
        self.take(rendered, false)
    }

    /// Takes what was found in the next document of the file that was added last.
    ///
    /// # Errors
    ///
    /// Whatever `out` answers.
    pub fn add_record(&mut self, rendered: RenderedDocument) -> io::Result<()> {
        self.take(rendered, true)
    }

    fn take(&mut self, rendered: RenderedDocument, is_further: bool) -> io::Result<()> {
        match (rendered.0, &mut self.sink) {
            (Piece::Text(text), None) => self.write(text),
            (Piece::Document(document), Some(sink)) => guarded(self.format, self.out, |out| {
                sink.take(out, &self.run, *document, is_further)
            }),
            _ => Ok(()),
        }
    }

    fn write(&mut self, text: Text) -> io::Result<()> {
        if text.body.is_empty() {
            return Ok(());
        }
        let is_headed = text.heading.is_empty() || text.heading != self.heading;
        if self.is_begun && self.is_parted && is_headed {
            self.out.write_all(b"\n")?;
        }
        self.is_begun = true;
        if is_headed {
            self.out.write_all(text.heading.as_bytes())?;
            self.heading = text.heading;
        }
        let mut at = 0;
        for Explained { rule, reading, part, short } in text.explained {
            if !self.explained.insert((rule, reading)) {
                let before = text.body.get(at..part.start).unwrap_or_default();
                self.out.write_all(before.as_bytes())?;
                self.out.write_all(short.as_bytes())?;
                at = part.end;
            }
        }
        self.out.write_all(text.body.get(at..).unwrap_or_default().as_bytes())
    }

    /// Writes what is left to be written. Only the formats for other tools speak of skipped files, failures and the summary:
    /// for people they belong on another stream.
    ///
    /// # Errors
    ///
    /// Whatever `out` answers.
    pub fn finish(
        self,
        skipped: &[SkippedFile],
        failures: &[FailedFile],
        summary: &RunSummary,
    ) -> io::Result<()> {
        match self.sink {
            Some(mut sink) => {
                let ending = Ending { skipped, failures, summary };
                guarded(self.format, self.out, |out| sink.finish(out, &self.run, &ending))
            }
            None => Ok(()),
        }
    }
}

/// Writes the findings of a run, in the order of `files`, each of which holds one document.
///
/// # Errors
///
/// Whatever `out` answers.
pub fn write_findings(
    out: &mut dyn io::Write,
    format: OutputFormat,
    run: &RunInfo<'_>,
    files: impl IntoIterator<Item = RenderedDocument>,
    skipped: &[SkippedFile],
    failures: &[FailedFile],
    summary: &RunSummary,
) -> io::Result<()> {
    let mut findings = FindingsWriter::new(out, format, *run);
    for file in files {
        findings.add(file)?;
    }
    findings.finish(skipped, failures, summary)
}
