//! Tells what a voice-agent service will answer to an agent configuration before it is published.
//!
//! Text in, diagnostics out: the crate reads no files, no environment and no clock.
//!
//! ```
//! let report = voxlint::check_text(r#"{ "version_number": 3, "kb_max_chunks": 12 }"#);
//!
//! let finding = &report.diagnostics[0];
//! assert_eq!(finding.rule.id, "out-of-range");
//! assert_eq!(finding.field, "/kb_max_chunks");
//! assert_eq!(finding.status, Some(400));
//! assert_eq!((finding.span.start, finding.span.end), (40, 42));
//! ```
//!
//! Every rule answers from what is known. An update leaves most of the configuration unsaid: a member that it omits keeps
//! its stored value. A rule that hangs on such a value is [undecided](Report::undecided) and never guesses.

mod characters;
mod check;
mod destinations;
mod diagnostic;
mod diff;
mod directive;
mod document;
mod effective;
mod facts;
mod house;
mod identity;
mod instant;
mod json;
mod json_schema;
mod keywords;
mod place;
mod pointer;
mod predict;
mod quote;
mod recognise;
mod resolve;
mod rule;
mod secrets;
mod spelling;
mod stored;
mod suggest;
mod time_zones;
mod value;
mod variables;
mod verdict;
mod wildcard;

pub mod pages;
pub mod rules;
pub mod skeleton;

#[cfg(feature = "toml")]
pub use check::configuration_faults;
pub use check::{Inputs, TextFile, check, check_text};
pub use diagnostic::{
    Diagnostic, Fix, Hidden, HiddenBy, Origin, Related, Report, Safety, Severity, TextEdit,
    Undecided, VerdictKind,
};
pub use diff::{ChangeKind, DiffError, DiffInputs, Difference, FieldChange, Stay, diff};
pub use directive::Directive;
pub use document::{Document, Source};
pub use facts::Facts;
pub use house::{Demand, HouseRule, TextPattern};
pub use identity::Identity;
pub use json_schema::json_schema;
pub use pointer::{PointerError, PointerPattern};
pub use predict::{Answer, Body, Prediction, Reason, predict};
pub use rule::{Family, Rule, RuleRef};
pub use stored::Stored;
pub use suggest::nearest;
pub use voxlint_schema as schema;
pub use voxlint_schema::DocumentKind;
pub use voxlint_syntax as syntax;
pub use wildcard::Wildcard;
