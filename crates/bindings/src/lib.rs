//! Internal to voxlint: the shared core of the bindings to other languages, which only translate values. It takes texts, and returns
//! results in the [JSON format](https://docs.rs/voxlint-report) of the command line.
//!
//! A [`Context`] is the stored configuration, the workspace facts and a `voxlint.toml` that documents are checked with. It is
//! parsed once, and any number of threads may share it. A [`Project`] checks the files of a folder, like `voxlint check FOLDER`.
//! An input or argument that cannot be used is an [`Error`]. Mistakes in a document are findings in its result.
//!
//! ```
//! use voxlint_bindings::{Context, ContextOptions, DocumentOptions};
//!
//! let stored = br#"{ "version": { "version_number": 3, "title": "Desk" }, "complete": true }"#;
//! let context = Context::new(&ContextOptions { stored: Some(stored), ..ContextOptions::default() })?;
//! let document = br#"{ "version_number": 3, "kb_max_chunks": 12 }"#;
//! let options = DocumentOptions::default();
//!
//! let report = context.check(&document[..], &options);
//! assert_eq!(report.summary().errors, 1);
//! assert!(report.to_json().contains("\"rule\": \"out-of-range\""));
//!
//! let prediction = context.predict(&document[..], &options)?;
//! assert_eq!(prediction.statuses(), [400]);
//! # Ok::<(), voxlint_bindings::Error>(())
//! ```

#![forbid(unsafe_code)]

mod batch;
mod check;
mod context;
mod diff;
mod document_options;
mod error;
mod explain;
mod fix;
mod plan;
mod predict;
mod project;
mod report;
mod run;
mod texts;

pub use batch::Batch;
pub use context::{Context, ContextOptions};
pub use diff::Difference;
pub use document_options::{DocumentFormat, DocumentOptions};
pub use error::{Error, guarded};
pub use explain::explain;
pub use plan::{Plan, PlanEntry, plan};
pub use predict::Prediction;
pub use project::{CheckedRun, Project, ProjectOptions, check_files};
pub use report::Report;
pub use run::{failed_file, plan_report, related_file, skipped_files, with_checked, with_update};
pub use texts::{Texts, Unit};
pub use voxlint::Safety;
pub use voxlint_report::RunSummary;
