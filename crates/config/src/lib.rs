//! Reads `voxlint.toml`: which documents there are and what they are checked against, how loudly rules speak, what a team
//! asks of its own documents, and which findings it has decided to live with.
//!
//! Text in, settings out: the crate reads no files, no environment and no clock. [`Configuration::load`] asks its caller for
//! the text of each file, [`Configuration::for_file`] says what holds for a document, [`FileSettings::apply`] applies that to
//! what was found in it, and [`Configuration::check_suppressions`] says in the end what has become of the suppressions.
//!
//! ```
//! use voxlint_config::{Configuration, Date, VisitedPaths, SuppressionUsage};
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
//! let mut report = voxlint::check_text(r#"{ "version_number": 3, "titel": "Front desk" }"#);
//! let settings = configuration.for_file("drafts/en.json");
//! settings.apply(&mut report, "2027-01-31".parse()?);
//! assert_eq!(report.diagnostics[0].severity, voxlint::Severity::Info);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What is wrong with a configuration is a diagnostic like any other, with its place and the way out.
//!
//! ```
//! use voxlint_config::{Configuration, LoadError};
//!
//! let text = "[rules]\nunknown-fields = 'error'\n";
//! let error = Configuration::load("voxlint.toml", &mut |_| Ok(text.to_owned())).unwrap_err();
//! let LoadError::Faults(files) = error else { panic!("it can be read") };
//! let fault = &files[0].report.diagnostics[0];
//! assert_eq!(fault.message, "there is no rule `unknown-fields`");
//! assert_eq!(fault.help.as_deref(), Some("did you mean `unknown-field`?"));
//! assert_eq!(fault.span.slice(&files[0].text), "unknown-fields");
//! ```

mod baseline;
mod comments;
mod config_file;
mod configuration;
mod date;
mod diagnostic;
mod house;
mod level;
mod load;
mod path;
mod pattern;
mod read;
mod reader;
mod rule_selection;
mod settings;
mod show;
mod sourced;
mod suppressions;
mod unmatched;

pub use baseline::{BASELINE_NAME, Baseline, BaselineEntry, BaselineError, FileBaseline};
pub use configuration::Configuration;
pub use date::{Date, DateError};
pub use level::Level;
pub use load::{FileReport, LoadError};
pub use path::normalize_path;
pub use pattern::Pattern;
pub use rule_selection::{RuleSelection, SYNTAX_ERROR};
pub use settings::FileSettings;
pub use show::{ResolvedSetting, show_json, show_text, to_toml};
pub use sourced::{SettingSource, Sourced};
pub use suppressions::{SuppressionUsage, VisitedPaths};
pub use unmatched::{RelatedPattern, UnmatchedPattern};
