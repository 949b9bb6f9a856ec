//! Internal to voxlint: reads `voxlint.toml`: the kinds and related files of documents, rule levels, house rules and suppressions.
//!
//! The crate is pure: it reads no files, no environment and no clock. [`Configuration::load`] asks its caller for the text of
//! each file. [`Configuration::for_file`] returns the settings for a document. [`check_document`] checks it with them,
//! and [`Configuration::check_suppressions`] reports unused suppressions when all documents have been checked.
//!
//! ```
//! use voxlint::{Document, Inputs, Trace};
//! use voxlint_config::{CheckSettings, Configuration, DocumentScope, check_document};
//!
//! let text = "
//!     [rules]
//!     unknown-field = 'error'
//!
//!     [[overrides]]
//!     files = 'drafts/'
//!     rules = { correctness = 'info' }
//! ";
//! let configuration = Configuration::load("voxlint.toml", &mut |_| Ok(text.to_owned()))?;
//! let settings = CheckSettings::new(configuration.for_file("drafts/en.json"), "2027-01-31".parse()?);
//!
//! let inputs = Inputs::new(Document::parse(r#"{ "version_number": 3, "titel": "Front desk" }"#));
//! let report = check_document(inputs, &settings, DocumentScope::default(), &mut Trace::off()).report;
//! assert_eq!(report.diagnostics[0].severity, voxlint::Severity::Info);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A fault in a configuration is a diagnostic with a location and help.
//!
//! ```
//! use voxlint_config::{Configuration, LoadError};
//!
//! let text = "[rules]\nunknown-fields = 'error'\n";
//! let error = Configuration::load("voxlint.toml", &mut |_| Ok(text.to_owned())).unwrap_err();
//! let LoadError::Faults(files) = error else { panic!("the file can be read") };
//! let fault = &files[0].report.diagnostics[0];
//! assert_eq!(fault.message, "there is no rule `unknown-fields`");
//! assert_eq!(fault.help.as_deref(), Some("did you mean `unknown-field`?"));
//! assert_eq!(fault.span.slice(&files[0].text), "unknown-fields");
//! ```

#![forbid(unsafe_code)]

mod baseline;
mod check_document;
mod config_file;
mod configuration;
mod date;
mod diagnostic;
mod house_rules;
mod level;
mod limited;
mod load;
mod looser;
mod parse_file;
mod pattern;
mod rule_names;
mod rule_selection;
mod settings;
mod show;
mod sourced;
mod suppression_comments;
mod suppressions;
mod unmatched;
mod value_reader;
mod write_readings;

pub use baseline::{BASELINE_NAME, Baseline, BaselineEntry, BaselineError, FileBaseline};
pub use check_document::{
    CheckSettings, Checked, DocumentScope, SuppressionMode, check_document, filter_plan,
    fix_document,
};
pub use config_file::BaseSetting;
pub use configuration::Configuration;
pub use date::{Date, DateError};
pub use level::{Level, LevelError};
pub use load::{FileReport, LoadError, ReadError};
pub use looser::Looser;
pub use pattern::Pattern;
pub use rule_selection::{RuleSelection, UnknownRule};
pub use settings::FileSettings;
pub use show::{ResolvedSetting, show_json, show_text, to_toml};
pub use sourced::{SettingSource, Sourced};
pub use suppression_comments::{CommentState, compare_comments};
pub use suppressions::{SuppressionUsage, VisitedPaths};
pub use unmatched::{RelatedPattern, UnmatchedPattern};
pub use value_reader::STEM;
pub use write_readings::with_readings;
