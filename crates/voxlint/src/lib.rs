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
//! | show what callers would hear | [`render`], [`render_paths`] |
//! | apply a `voxlint.toml` | the crate `voxlint-config` |
//! | render findings for people or for tools | the crate `voxlint-report` |
//!
//! It has fifteen small dependencies, ten without the features `yaml` and `toml`, and none of them uses the network. The
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

mod diff;
mod fleet;
mod identity;
#[cfg(feature = "miette")]
mod miette;
mod paths;
mod plan;
mod predict;
mod rendering;
#[cfg(feature = "serde")]
mod serialize;
mod variables;

#[cfg(feature = "toml")]
pub mod configuration;
pub mod docs;
pub mod fixes;
pub mod learn;
pub mod pointer;
pub mod readings;
pub mod rules;
pub mod secrets;
pub mod suggest;

/// How changed values are described.
#[doc(hidden)]
pub mod wording {
    pub use crate::diff::{changed_value, item_name, short_value};
}

pub use diff::{CannotUnset, ChangeKind, ChangedTexts, DiffError, Difference, FieldChange, diff};
pub use identity::{FindingIdentities, FindingIdentity};
#[cfg(feature = "miette")]
pub use miette::MietteDiagnostic;
pub use paths::{HeardChange, HeardPath, PathCondition, Speech, SpokenGap, VariableState};
pub use plan::{
    AgentPlan, Drift, DriftKind, FleetFinding, Neighbor, Outcome, Plan, PlanCounts, PlanInputs,
    PlannedChange, PlannedStatus, plan, plan_agent, plan_among,
};
pub use predict::{Answer, AnswerBody, AnswerReason, Prediction, predict};
pub use rendering::{
    RenderedPath, RenderedTag, RenderedTemplate, RenderedTemplates, RenderedText, render,
    render_paths,
};
pub use variables::{
    NameGap, NameScope, TemplateName, TemplateVariable, VariableGap, VariableName, VariableNames,
    VariablePlace, VariableReference, VariableTable, is_odd_variable_name, template_names,
    template_variables, variable_names,
};
pub use voxlint_engine::{Faults, Gate, Step, Trace, check, check_text, check_traced};
pub use voxlint_model::text::time_zones::{time_zone_rule, time_zones};
pub use voxlint_model::{
    Basis, Cancellation, Constraint, Diagnostic, DiffInputs, Document, DocumentPosition, Facts,
    Family, Fix, GapCause, Group, HouseCheck, HouseRule, Inputs, Origin, PointerError,
    PointerPattern, Recognition, Related, Report, Rule, RuleFix, RuleRef, SERVICE_VARIABLES,
    Safety, Setting, Severity, Source, Stored, Suppressed, SuppressedBy, SuppressionComment,
    TextFile, TextPattern, Undecided, UnreadPart, Unrecognised, VariableRole, VariableSource,
    VerdictKind, Wildcard, WildcardSet, counted,
};
pub use voxlint_schema as schema;
pub use voxlint_schema::DocumentKind;
pub use voxlint_syntax as syntax;
pub use voxlint_syntax::TextEdit;

/// The programs in the guides.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../../../docs/rust.md")]
pub struct Guides;
