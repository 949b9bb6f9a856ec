//! Internal to voxlint: finds and lints the agent documents of a project: configuration discovery, related files, baselines, unsaved text.
//!
//! A [`Session`] holds the options and the caches. [`Session::lint_path`] and [`Session::lint_text`] lint one path;
//! [`Session::find_files`] and [`Session::lint_files`] lint many in parallel, with the rendering in the worker threads.
//! Files that cannot be read or used are [`Failure`]s. The crate never prints.
//!
//! ```
//! use std::path::Path;
//! use voxlint_project::{LintOptions, Session};
//!
//! let mut session = Session::new(LintOptions::default());
//! let text = r#"{ "version_number": 3, "kb_max_chunks": 12 }"#;
//! let linted = session.lint_text(Path::new("agents/unsaved.json"), text)?;
//! for document in &linted.documents {
//!     for found in &document.report.diagnostics {
//!         println!("{}: {} [{}]", document.path, found.message, found.rule.id);
//!     }
//! }
//! # assert_eq!(linted.documents.len(), 1);
//! # Ok::<(), voxlint_project::SessionError>(())
//! ```

#![forbid(unsafe_code)]

mod atomic_file;
mod baselines;
mod buffer;
mod changed;
mod configurations;
mod confinement;
mod contents;
mod document_related;
mod failure;
mod file_set;
mod file_status;
mod file_system;
mod find;
mod fixes;
mod git;
mod ignored_files;
mod input;
mod line_reader;
mod lint_files;
mod linted;
mod linter;
mod loose_templates;
mod loosened;
mod merge;
mod names;
mod notice;
mod only_changed;
mod options;
mod parallel;
mod plan;
mod reference;
mod related;
mod related_document;
mod session;
mod size_limit;
mod stdin_format;
mod text_files;
mod walk;

pub mod paths;

pub use atomic_file::{AtomicFile, resolve_links, write_atomically, write_new};
pub use baselines::{BaselineFile, BaselineSource, RecordedFindings};
pub use configurations::{ConfigurationSource, Configurations, WriteObjection, read_configuration};
pub use confinement::Confinement;
pub use contents::{check_contents, describe_io_error};
pub use document_related::{DocumentRelated, LoadedDocument};
pub use failure::{Failure, FaultyFile};
pub use file_set::{FileSet, SessionError};
pub use file_status::{
    DocumentCounts, FileEntry, FileRole, FileStatus, FileStatuses, KindCounts, SkipReason,
};
pub use file_system::{FileSystem, Overlay};
pub use find::ExplicitPathPolicy;
pub use fixes::{FileChange, FixOptions, FixResult};
pub use git::{Commit, GitError};
pub use ignored_files::IGNORE_NAME;
pub use input::{InputFile, ReadOptions, StdinFormat};
pub use line_reader::split_lines;
pub use lint_files::{Collector, FileStats, RunResult, UncheckedLine};
pub use linted::{LintedDocument, all_read, difference, predict, unread_parts};
pub use linter::Renderer;
pub use loosened::loosened;
pub use merge::merge_versions;
pub use names::CONFIGURATION_NAME;
pub use notice::Notice;
pub use options::{LintOptions, RelatedOptions};
pub use plan::{
    AdoptRun, AdoptedDocument, BaseSource, BodyChange, BodyChangeKind, PlanFolder, PlanRun,
    SavedBody,
};
pub use reference::Reference;
pub use related_document::RelatedDocument;
pub use session::{Judge, LintedPath, Session, today};
pub use stdin_format::{begins_with_document, suggest_stdin_format};
pub use text_files::{TextFileConvention, TextFileConventionError};
pub use voxlint::DocumentPosition;
pub use voxlint_config::{FileReport, SuppressionMode};
pub use voxlint_merge::{AdoptOptions, Entry, EntryKind, Prefer};
