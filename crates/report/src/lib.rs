//! Renders voxlint's diagnostics for terminals and for other tools.
//!
//! [`render`] turns what was found in one document into a [`RenderedDocument`] piece, which needs the document's text no longer, so
//! that workers can drop the text at once; [`write_findings`] puts the pieces of a run together, and [`summary_line`] says
//! in one line how the run went. The crate knows no rule: everything it says of a finding stands in the finding.
//!
//! ```
//! use voxlint_report::{OutputFormat, RunInfo, RunSummary, write_findings};
//!
//! let mut out = Vec::new();
//! write_findings(&mut out, OutputFormat::Json, &RunInfo::default(), [], &[], &[], &RunSummary::default())?;
//! assert!(out.starts_with(b"{\n  \"schema\": 1,\n"));
//! # Ok::<(), std::io::Error>(())
//! ```

mod annotation;
mod azure;
mod checked;
mod checkstyle;
mod concise;
mod difference;
mod drawing;
mod escape;
mod fingerprint;
mod format;
mod frame;
mod full;
mod github;
mod gitlab;
mod grouped;
mod guard;
mod json;
mod junit;
mod located;
mod markdown;
mod ndjson;
mod opens;
mod places;
mod prediction;
mod rdjson;
mod records;
mod remark;
mod repository;
mod run;
mod sarif;
mod sentence;
mod statistics;
mod summary;
mod undecided;
mod window;
mod writer;
mod xml;

pub use checked::{CheckedDocument, Record, RelatedFile};
pub use difference::{difference_notes, write_changes, write_difference_json};
pub use escape::{escape_json, escape_terminal, escape_terminal_lines};
pub use format::OutputFormat;
pub use prediction::{render_prediction, write_prediction_json};
pub use repository::Repository;
pub use run::{DOCUMENTATION_URL, RunInfo};
pub use summary::{RunSummary, summary_line, undecided_line};
pub use writer::{FindingsWriter, RenderedDocument, render, write_findings};

/// How the formats for people look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct RenderOptions {
    /// Whether severities and carets are coloured, with ANSI escape sequences.
    pub color: bool,
    /// The columns of the terminal. Longer lines of a document are shown in part; help and notes go on in further lines.
    /// The line with the message is left whole.
    pub width: usize,
    /// Whether the rules that could not be decided are listed, too.
    pub undecided: bool,
    /// Whether SARIF has the findings that a suppression or a baseline hides. Code scanning services that ignore
    /// `suppressions` would report them as alerts.
    pub suppressed: bool,
    /// Whether headlines are broken at the width, too: on a terminal, but not where a search should find them whole.
    pub wrap_headlines: bool,
    /// Where the documentation stands ([`DOCUMENTATION_URL`]), on a terminal that takes hyperlinks (OSC 8): the names of rules
    /// then lead to their pages.
    pub links: Option<&'static str>,
}

impl Default for RenderOptions {
    /// No colours, 100 columns, findings only.
    fn default() -> Self {
        Self {
            color: false,
            width: 100,
            undecided: false,
            suppressed: false,
            wrap_headlines: false,
            links: None,
        }
    }
}

/// A file that was left alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedFile {
    /// The file's path as it is to be shown.
    pub path: String,
    /// Why, in a few words.
    pub why: String,
}

/// A file that could not be checked, though it should have been.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedFile {
    /// The file's path as it is to be shown.
    pub path: String,
    /// What went wrong, in a few words.
    pub message: String,
}
