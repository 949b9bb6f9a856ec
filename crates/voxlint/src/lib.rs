//! Tells what a voice-agent service will answer to an agent configuration before it is published.
//!
//! Text in, diagnostics out: the crate reads no files, no environment and no clock.
//!
//! ```
//! use voxlint::syntax::LineIndex;
//! use voxlint::{Document, Inputs, check, predict};
//!
//! let text = "{\n  \"version_number\": 3,\n  \"kb_max_chunks\": 12\n}";
//! let inputs = Inputs::new(Document::parse(text));
//!
//! // What is wrong, and at which characters.
//! let lines = LineIndex::new(text);
//! for found in check(&inputs).diagnostics {
//!     let at = lines.position(text, found.span.start);
//!     println!("{}:{}: {} [{}]", at.line, at.column, found.message, found.rule.id);
//!     assert_eq!((at.line, at.column), (3, 20));
//!     assert_eq!(found.rule.id, "out-of-range");
//! }
//!
//! // What the service would answer.
//! let prediction = predict(&inputs).expect("an update");
//! let statuses: Vec<u16> = prediction.answers.iter().map(|answer| answer.status).collect();
//! assert_eq!(statuses, [400]);
//! ```
//!
//! | to | take |
//! |---|---|
//! | check a document, in JSON, YAML, TOML or Handlebars | [`check`], with [`Document::parse_as`] |
//! | tell it what the service holds and what the workspace has | [`Inputs::stored`], [`Inputs::facts`] |
//! | know the answer, with its body | [`predict`] |
//! | get the least update between two states | [`diff`] |
//! | honour a team's `voxlint.toml` | the crate `voxlint-config` |
//! | render findings for people or for tools | the crate `voxlint-report` |
//!
//! It brings twelve small crates along, seven without the features `yaml` and `toml`, and none of them touches the network.
//! The folder `examples` has a gateway that checks a body before it forwards it, a batch job over a document a line, and the
//! loop of an editor.
//!
//! # What stays as it is
//!
//! Rule ids, their verdicts' meaning, JSON members, exit codes and the names of this crate follow semantic versioning: they
//! go away or change their meaning only with a new major version (before 1.0: a new minor one), after a release that says
//! so. A new rule, a rule that finds more, or a fix of a rule that was wrong may come with any version, because the service
//! is what decides; so may new members of what the crate hands out (reports, findings, answers), which nobody else need
//! build. The texts of messages are for people and may change. A newer compiler than the one of `rust-version` is
//! asked for only with a new minor version.
//!
//! Every rule answers from what is known. An update leaves most of the configuration unsaid: a member that it omits keeps
//! its stored value. A rule that hangs on such a value is [undecided](Report::undecided) and never guesses.

mod diagnostic;
mod diff;
mod document;
mod engine;
mod facts;
mod fix_text;
mod house_rule;
mod identity;
mod inputs;
mod json;
#[cfg(feature = "miette")]
mod miette;
mod place;
mod predict;
mod quote;
mod recognition;
mod rule;
#[cfg(feature = "serde")]
mod serialize;
mod stored;
mod suppression_comment;
mod text;
mod value;
mod variables;
mod verdict;
mod wildcard;

#[cfg(feature = "toml")]
pub mod configuration;
pub mod docs;
pub mod pointer;
pub mod rules;
pub mod secrets;
pub mod suggest;

pub use diagnostic::{
    Diagnostic, Fix, Origin, Related, Report, Safety, Severity, Suppressed, SuppressedBy, TextEdit,
    Undecided, Unread, VerdictKind,
};
pub use diff::{CannotUnset, ChangeKind, DiffError, Difference, FieldChange, diff};
pub use document::{Document, Source};
pub use engine::{check, check_text};
pub use facts::Facts;
pub use house_rule::{Constraint, HouseRule, TextPattern};
pub use identity::{Identities, Identity};
pub use inputs::{DiffInputs, Inputs, TextFile};
#[cfg(feature = "miette")]
pub use miette::MietteDiagnostic;
pub use pointer::{PointerError, PointerPattern};
pub use predict::{Answer, AnswerReason, Body, Prediction, predict};
pub use recognition::{Recognition, Unrecognised};
pub use rule::{Family, Rule, RuleRef};
pub use stored::Stored;
pub use suppression_comment::SuppressionComment;
pub use voxlint_schema as schema;
pub use voxlint_schema::DocumentKind;
pub use voxlint_syntax as syntax;
pub use wildcard::Wildcard;

/// The programs that the guides show.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../../../docs/guide.md")]
pub struct Guides;
