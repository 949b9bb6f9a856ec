//! Internal to voxlint: writes voxlint's findings for terminals and for other tools.
//!
//! [`render`] turns the findings of one document into a [`RenderedDocument`], which no longer needs the document's text, so
//! that workers can drop the text at once. [`write_findings`] writes the documents of a run, and [`summary_line`] sums the
//! run up in one line. The crate knows no rule: it takes everything from the findings.
//!
//! Some formats need further libraries, and can be left out: the features `html`, `sarif` (with GitLab's format) and `xml` (`JUnit`
//! and Checkstyle) are on by default.
//!
//! ```
//! use voxlint_report::{OutputFormat, RunInfo, RunOutcome, write_findings};
//!
//! let mut out = Vec::new();
//! write_findings(&mut out, OutputFormat::Json, &RunInfo::default(), [], &RunOutcome::default())?;
//! assert!(out.starts_with(b"{\n  \"schema\": 1,\n"));
//! # Ok::<(), std::io::Error>(())
//! ```

#![forbid(unsafe_code)]
#![cfg_attr(
    not(all(feature = "html", feature = "sarif", feature = "xml")),
    allow(dead_code, reason = "only formats that are left out use some parts")
)]

mod annotation;
mod difference;
mod document;
mod documentation;
mod emitter;
mod emitters;
mod escape;
#[cfg(feature = "sarif")]
mod fingerprint;
mod format;
#[cfg(feature = "html")]
mod html;
mod json_text;
mod located;
mod markdown;
mod notes;
mod options;
mod patch;
mod plan;
mod prediction;
mod rendering;
mod repository;
mod run;
mod snippet;
mod source_map;
mod summary;
mod tool;
mod undecided;
mod variables;
mod why;
mod writer;

pub use difference::{difference_notes, write_changes, write_difference_json};
pub use document::{CheckedDocument, RelatedFile, UnappliedFixes};
pub use documentation::{DOCUMENTATION_URL, page_url};
pub use escape::{escape_json, escape_terminal, escape_terminal_lines};
pub use format::OutputFormat;
pub use options::RenderOptions;
pub use patch::{Masked, Patch, PatchInput, render_patch};
pub use plan::{PlanFormat, PlanReport, PlannedDocument, plan_schema, plan_summary, write_plan};
pub use prediction::{render_prediction, write_prediction_json};
pub use rendering::{show_templates, write_templates_json};
pub use repository::Repository;
pub use run::{FailedFile, RunInfo, RunOutcome, SkippedFile};
pub use summary::{RunSummary, UnappliedCounts, summary_line, unapplied_part, undecided_line};
pub use tool::report_schema;
pub use variables::{LocatedVariables, render_variables, write_variables_json};
pub use voxlint::DocumentPosition;
pub use why::{Lines, LocatedTrace, render_why, write_why_json};
pub use writer::{FindingsWriter, RenderedDocument, render, write_findings};
