//! Renders voxlint's diagnostics for terminals and for other tools.
//!
//! [`render`] turns what was found in one document into a [`Rendered`] piece, which needs the document's text no longer, so
//! that workers can drop the text at once; [`write_findings`] puts the pieces of a run together, and [`summary_line`] says
//! in one line how the run went. The crate knows no rule: everything it says of a finding stands in the finding.
//!
//! ```
//! use voxlint_report::{Format, Summary, write_findings};
//!
//! let mut out = Vec::new();
//! write_findings(&mut out, Format::Json, [], &[], &[], &Summary::default())?;
//! assert!(out.starts_with(b"{\n  \"schema\": 1,\n"));
//! # Ok::<(), std::io::Error>(())
//! ```

mod concise;
mod difference;
mod drawing;
mod escape;
mod frame;
mod full;
mod json;
mod places;
mod prediction;
mod records;
mod remark;
mod summary;
mod undecided;
mod window;

use std::{io, iter};

use voxlint::Origin;

pub use difference::{difference_remarks, write_changes, write_difference};
pub use escape::spelt_out;
pub use prediction::{prediction_in_full, write_prediction_json};
pub use summary::{Summary, summary_line, undecided_line};

/// The forms that findings are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// For people: every finding with the lines it is about, what is wrong there, and the way out.
    Full,
    /// One line a finding, `path:line:column: severity[rule] message`: for editors, grep and long lists.
    Concise,
    /// One JSON document of the whole run, with exact spans and fixes: for other tools.
    Json,
}

impl Format {
    /// Every format, the default first.
    pub const ALL: [Self; 3] = [Self::Full, Self::Concise, Self::Json];

    /// The name that the command line uses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Concise => "concise",
            Self::Json => "json",
        }
    }

    /// The format of that name.
    ///
    /// ```
    /// use voxlint_report::Format;
    /// assert_eq!(Format::from_name("concise"), Some(Format::Concise));
    /// assert_eq!(Format::from_name("Concise"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}

/// How the formats for people look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether severities and carets are coloured, with ANSI escape sequences.
    pub color: bool,
    /// The columns of the terminal. Longer lines of a document are shown in part; help and notes go on in further lines.
    /// The line with the message is left whole.
    pub width: usize,
    /// Whether the rules that could not be decided are listed, too.
    pub undecided: bool,
    /// Whether headlines are broken at the width, too: on a terminal, but not where a search should find them whole.
    pub break_headlines: bool,
}

impl Default for Style {
    /// No colours, 100 columns, findings only.
    fn default() -> Self {
        Self { color: false, width: 100, undecided: false, break_headlines: false }
    }
}

/// A document, and what was found in it.
#[derive(Clone, Copy, Debug)]
pub struct Checked<'a> {
    /// The file's path as it is to be shown, with forward slashes.
    pub path: &'a str,
    /// The document's text, or that of its file. Its byte offsets are those of the file on disk, unless it is a part of the
    /// file and the record says which.
    pub text: &'a str,
    /// Where the document stands in a file that holds several.
    pub record: Option<Record>,
    /// The lines of the text, where they are known already.
    pub lines: Option<&'a voxlint_syntax::LineIndex>,
    /// What voxlint has to say of it.
    pub report: &'a voxlint::Report,
    /// The other inputs that findings may point into.
    pub partners: &'a [(Origin, Partner<'a>)],
}

/// One document of a file that holds several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The document's number in its file, counted from 0.
    pub index: u64,
    /// The line of the file that the document begins on, counted from 1.
    pub line: u64,
    /// How many bytes of the file stand before the text: none where it is the text of the whole file.
    pub bytes_before: u64,
    /// How many lines of the file stand before the text.
    pub lines_before: u64,
}

/// A file that a document was checked with.
#[derive(Clone, Copy, Debug)]
pub struct Partner<'a> {
    /// The file's path as it is to be shown, with forward slashes.
    pub path: &'a str,
    /// The file's text.
    pub text: &'a str,
}

impl<'a> Checked<'a> {
    /// A document that was checked with nothing else known.
    pub const fn new(path: &'a str, text: &'a str, report: &'a voxlint::Report) -> Self {
        Self { path, text, record: None, lines: None, report, partners: &[] }
    }

    /// The document is one of several in its file.
    #[must_use]
    pub const fn record(self, record: Record) -> Self {
        Self { record: Some(record), ..self }
    }

    /// The lines of the text: worth finding once where a text holds many documents.
    #[must_use]
    pub const fn lines(self, lines: &'a voxlint_syntax::LineIndex) -> Self {
        Self { lines: Some(lines), ..self }
    }

    /// The other inputs.
    #[must_use]
    pub const fn with(self, partners: &'a [(Origin, Partner<'a>)]) -> Self {
        Self { partners, ..self }
    }

    /// The inputs that findings point into and whose text is known, the document first.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = (Origin, Partner<'a>)> {
        let document = (Origin::Document, Partner { path: self.path, text: self.text });
        let inputs = iter::once(document).chain(self.partners.iter().copied());
        inputs.filter(|(origin, _)| self.points_into(*origin))
    }

    /// The path and the text of an input, where they are known.
    pub(crate) fn input(&self, origin: Origin) -> Option<Partner<'a>> {
        self.inputs().find(|(of, _)| *of == origin).map(|(_, partner)| partner)
    }

    /// The lines of the text of an input.
    pub(crate) fn places(&self, origin: Origin, text: &'a str) -> places::Places<'a> {
        if origin != Origin::Document {
            return places::Places::new(text);
        }
        let Record { bytes_before, lines_before, .. } = self.record.unwrap_or_default();
        places::Places::with(text, self.lines).after(bytes_before, lines_before)
    }

    /// Whether a finding points into an input.
    fn points_into(&self, origin: Origin) -> bool {
        self.report.diagnostics.iter().any(|found| {
            found.origin == origin || found.related.iter().any(|place| place.origin == origin)
        })
    }

    /// The secrets in the text of an input.
    pub(crate) fn secrets(&self, origin: Origin) -> &'a [voxlint_syntax::Span] {
        if origin == Origin::Document {
            return &self.report.secrets;
        }
        let others = &self.report.other_secrets;
        others.iter().find(|(of, _)| *of == origin).map_or(&[], |(_, spans)| spans)
    }
}

/// What one document contributes to the output of a run. It keeps nothing of the document's text but the lines it shows.
#[derive(Debug)]
pub struct Rendered(Piece);

#[derive(Debug)]
enum Piece {
    /// Finished text, empty for a clean document.
    Text(String),
    Json(json::File, Option<u64>),
}

/// A file that was left alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The file's path as it is to be shown.
    pub path: String,
    /// Why, in a few words.
    pub why: String,
}

/// A file that could not be checked, though it should have been.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The file's path as it is to be shown.
    pub path: String,
    /// What went wrong, in a few words.
    pub message: String,
}

/// Renders what was found in one document.
///
/// Spans that lie outside the text or inside a character are no reason to panic: they are rounded outward to what there is.
/// What would steer a terminal (control characters, bidirectional overrides) is never passed on by the formats for people,
/// and the places that the report calls secrets are covered.
pub fn render(format: Format, style: &Style, checked: &Checked<'_>) -> Rendered {
    Rendered(match format {
        Format::Full => Piece::Text(full::render(style, checked)),
        Format::Concise => Piece::Text(concise::render(style, checked)),
        Format::Json => {
            Piece::Json(json::render(checked), checked.record.map(|record| record.index))
        }
    })
}

/// The findings of a run on their way out. Those for people are written as they come, so that nothing is kept of what has
/// been written; JSON is written at the end.
///
/// ```
/// use voxlint_report::{Checked, FindingsWriter, Format, Record, Style, Summary, render};
///
/// let mut out = Vec::new();
/// let mut findings = FindingsWriter::new(&mut out, Format::Concise);
/// for (index, line) in ["{ \"version_number\": [] }", "{ \"version_number\": {} }"].into_iter().enumerate() {
///     let report = voxlint::check_text(line);
///     let record = Record { index: index as u64, line: 7, lines_before: 6, bytes_before: 200 };
///     let checked = Checked::new("export.ndjson", line, &report).record(record);
///     findings.add_record(render(Format::Concise, &Style::default(), &checked))?;
/// }
/// findings.finish(&[], &[], &Summary::default())?;
/// assert!(out.starts_with(b"export.ndjson:7:21: error"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct FindingsWriter<'o> {
    out: &'o mut dyn io::Write,
    format: Format,
    is_begun: bool,
    files: Vec<json::FileOrRecords>,
}

impl<'o> FindingsWriter<'o> {
    /// Nothing has been written yet.
    pub fn new(out: &'o mut dyn io::Write, format: Format) -> Self {
        Self { out, format, is_begun: false, files: Vec::new() }
    }

    /// Takes what was found in a file, or in the first document of one that holds several.
    ///
    /// What was rendered in another format is left out.
    ///
    /// # Errors
    ///
    /// Whatever `out` answers.
    pub fn add(&mut self, rendered: Rendered) -> io::Result<()> {
        match rendered.0 {
            Piece::Json(file, record) => {
                self.files.push(json::FileOrRecords::new(file, record));
                Ok(())
            }
            Piece::Text(text) => self.write(&text),
        }
    }

    /// Takes what was found in the next document of the file that was added last.
    ///
    /// # Errors
    ///
    /// Whatever `out` answers.
    pub fn add_record(&mut self, rendered: Rendered) -> io::Result<()> {
        match (rendered.0, self.files.last_mut()) {
            (Piece::Json(file, Some(record)), Some(json::FileOrRecords::Records(records))) => {
                records.add(file, record);
                Ok(())
            }
            (piece, _) => self.add(Rendered(piece)),
        }
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        if self.is_begun && self.format == Format::Full {
            self.out.write_all(b"\n")?;
        }
        self.is_begun = true;
        self.out.write_all(text.as_bytes())
    }

    /// Writes what is left to be written. Only JSON speaks of skipped files, failures and the summary: for people they
    /// belong on another stream.
    ///
    /// # Errors
    ///
    /// Whatever `out` answers.
    pub fn finish(
        self,
        skipped: &[Skipped],
        failures: &[Failure],
        summary: &Summary,
    ) -> io::Result<()> {
        match self.format {
            Format::Full | Format::Concise => Ok(()),
            Format::Json => json::write(self.out, &self.files, skipped, failures, summary),
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
    format: Format,
    files: impl IntoIterator<Item = Rendered>,
    skipped: &[Skipped],
    failures: &[Failure],
    summary: &Summary,
) -> io::Result<()> {
    let mut findings = FindingsWriter::new(out, format);
    for file in files {
        findings.add(file)?;
    }
    findings.finish(skipped, failures, summary)
}
