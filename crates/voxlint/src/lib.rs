//! Predicts what a voice-agent service will answer to an agent configuration, before it is published.
//!
//! Text in, diagnostics out: the crate does not use files, the environment or the clock.
//!
//! ```
//! use voxlint::syntax::LineIndex;
//! use voxlint::{Document, Inputs, check, predict};
//!
//! let text = "{\n  \"version_number\": 3,\n  \"kb_max_chunks\": 12\n}";
//! let inputs = Inputs::new(Document::parse(text));
//!
//! // What is wrong, and where.
//! let lines = LineIndex::new(text);
//! for finding in check(&inputs).diagnostics {
//!     let at = lines.position(text, finding.span.start);
//!     println!("{}:{}: {finding}", at.line, at.column);
//!     assert_eq!((at.line, at.column), (3, 20));
//!     assert_eq!(finding.rule.id, "out-of-range");
//! }
//!
//! // What the service would answer.
//! let prediction = predict(&inputs).expect("an update");
//! let statuses: Vec<u16> = prediction.answers.iter().map(|answer| answer.status).collect();
//! assert_eq!(statuses, [400]);
//! ```
//!
//! | task | use |
//! |---|---|
//! | check a document, in JSON, YAML, TOML or Handlebars | [`check`], with [`Document::parse_as`] |
//! | provide the stored configuration and facts about the workspace | [`Inputs::stored`], [`Inputs::facts`] |
//! | predict the answer with its body | [`predict`] |
//! | compute the smallest update between two states | [`diff`] |
//! | plan what would happen if many documents were sent now | [`plan_agent`], then [`plan`](plan()) |
//! | list the template variables and what provides them | [`template_variables`] |
//! | find every place where the name of a variable is written | [`variable_names`] |
//! | show what callers would hear | [`render`] |
//! | apply a `voxlint.toml` | the crate `voxlint-config` |
//! | render findings for people or for tools | the crate `voxlint-report` |
//!
//! It has fourteen small dependencies, nine without the features `yaml` and `toml`, and none of them uses the network. The
//! folder `examples` contains a gateway that checks a body before it forwards it, a batch job for one document per line, and
//! the loop of an editor.
//!
//! # Stability
//!
//! Rule ids, the meaning of verdicts, JSON members, configuration keys, exit codes and the public names of this crate follow
//! semantic versioning. They are removed or change their meaning only in a new major version (before 1.0: a new minor one),
//! after a release that announces it. Any version may add a rule, extend one or correct one, because the service decides what
//! is valid. Any version may also add fields to the types that the crate returns (reports, findings, answers), and variants to
//! enums that are `#[non_exhaustive]`. Messages are for people and may change. A newer compiler than `rust-version` is required
//! only by a new minor version. The other crates of voxlint are internal. `docs/stability.md` in the repository
//! says this of all interfaces.
//!
//! # Undecided rules
//!
//! An update contains only the fields to change. An omitted field keeps its stored value. A rule that depends on a value that
//! is not known is [undecided](Report::undecided). It never guesses.

#![forbid(unsafe_code)]

mod blocks;
mod cancellation;
mod check;
mod diagnostic;
mod diff;
mod document;
mod document_position;
mod effective;
mod engine;
mod equality;
mod facts;
mod fields;
mod heard;
mod house_rule;
mod identity;
mod inputs;
mod json;
mod limits;
mod masking;
mod meant_number;
#[cfg(feature = "miette")]
mod miette;
mod other_names;
mod place;
mod plan;
mod predict;
mod quote;
mod recognition;
mod rendering;
mod text_traits;
#[macro_use]
mod rule;
mod marks;
mod secret;
#[cfg(feature = "serde")]
mod serialize;
mod severity;
mod states;
mod stored;
mod suppression_comment;
mod text;
mod trace;
mod undecided;
mod value;
mod variables;
mod verdict;
mod wildcard;
mod without_effect;

#[cfg(feature = "toml")]
pub mod configuration;
pub mod docs;
pub mod fixes;
pub mod pointer;
pub mod rules;
pub mod secrets;
pub mod suggest;

pub use cancellation::Cancellation;
pub use check::{check, check_text, check_traced};
pub use diagnostic::{Diagnostic, Fix, Related, Report, Suppressed, SuppressedBy};
pub use diff::{CannotUnset, ChangeKind, ChangedTexts, DiffError, Difference, FieldChange, diff};
pub use document::{Document, Source, TextFile};
pub use document_position::DocumentPosition;

pub use facts::Facts;
pub use house_rule::{Constraint, HouseCheck, HouseRule, Setting, TextPattern};
pub use identity::{FindingIdentities, FindingIdentity};
pub use inputs::{DiffInputs, Inputs};
#[cfg(feature = "miette")]
pub use miette::MietteDiagnostic;
pub use place::{Origin, UnreadPart};
pub use plan::{
    AgentPlan, Drift, DriftKind, FleetFinding, Neighbor, Outcome, Plan, PlanCounts, PlanInputs,
    PlannedChange, PlannedStatus, plan, plan_agent, plan_among,
};
pub use pointer::{PointerError, PointerPattern};
pub use predict::{Answer, AnswerBody, AnswerReason, Prediction, predict};
pub use quote::counted;
pub use recognition::{Recognition, Unrecognised};
pub use rendering::{RenderedTag, RenderedTemplate, RenderedTemplates, RenderedText, render};
pub use rule::{Basis, Family, Group, Rule, RuleFix, RuleRef};
pub use severity::{Safety, Severity, VerdictKind};
pub use stored::Stored;
pub use suppression_comment::SuppressionComment;
pub use text::time_zones::{time_zone_rule, time_zones};
pub use trace::{Gate, Step, Trace};
pub use undecided::Undecided;
pub use variables::{
    GapCause, NameGap, NameScope, SERVICE_VARIABLES, TemplateName, TemplateVariable, VariableGap,
    VariableName, VariableNames, VariablePlace, VariableReference, VariableRole, VariableSource,
    VariableTable, is_odd_variable_name, template_names, template_variables, variable_names,
};
pub use voxlint_schema as schema;
pub use voxlint_schema::DocumentKind;
pub use voxlint_syntax as syntax;
pub use voxlint_syntax::TextEdit;
pub use wildcard::{Wildcard, WildcardSet};

/// The programs in the guides.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../../../docs/guide.md")]
pub struct Guides;
