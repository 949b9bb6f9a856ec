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
//! write_findings(&mut out, Format::Json, &[], &[], &[], &Summary::default())?;
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
    /// The file's text. Its byte offsets are those of the file on disk.
    pub text: &'a str,
    /// What voxlint has to say of it.
    pub report: &'a voxlint::Report,
    /// The other inputs that findings may point into.
    pub partners: &'a [(Origin, Partner<'a>)],
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
        Self { path, text, report, partners: &[] }
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
    Json(json::File),
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
        Format::Json => Piece::Json(json::render(checked)),
    })
}

/// Writes the findings of a run, in the order of `files`.
///
/// The files must have been rendered in the same format; those that were not are left out. Only JSON speaks of skipped files,
/// failures and the summary: for people they belong on another stream.
///
/// # Errors
///
/// Whatever `out` answers.
pub fn write_findings(
    out: &mut dyn io::Write,
    format: Format,
    files: &[Rendered],
    skipped: &[Skipped],
    failures: &[Failure],
    summary: &Summary,
) -> io::Result<()> {
    let texts = || {
        files.iter().filter_map(|file| match &file.0 {
            Piece::Text(text) if !text.is_empty() => Some(text),
            _ => None,
        })
    };
    match format {
        Format::Full => {
            for (index, text) in texts().enumerate() {
                if index > 0 {
                    out.write_all(b"\n")?;
                }
                out.write_all(text.as_bytes())?;
            }
            Ok(())
        }
        Format::Concise => texts().try_for_each(|text| out.write_all(text.as_bytes())),
        Format::Json => {
            let files = files.iter().filter_map(|file| match &file.0 {
                Piece::Json(file) => Some(file),
                Piece::Text(_) => None,
            });
            json::write(out, files.collect(), skipped, failures, summary)
        }
    }
}
