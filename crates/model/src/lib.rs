//! Internal to voxlint: what rules are about: documents with their values, secrets and variables, the effective configuration, and
//! the words of verdicts and findings.
//!
//! It knows no rule. `voxlint` exports what callers need of it.

#![forbid(unsafe_code)]

pub mod blocks;
pub mod cancellation;
pub mod diagnostic;
pub mod document;
pub mod document_position;
pub mod effective;
pub mod equality;
pub mod facts;
pub mod fields;
pub mod heard;
pub mod house_rule;
pub mod inputs;
pub mod json;
pub mod marks;
pub mod masking;
pub mod meant_number;
pub mod other_names;
pub mod place;
pub mod pointer;
pub mod quote;
pub mod readings;
pub mod recognition;
pub mod rule;
pub mod secret;
#[cfg(feature = "serde")]
mod serialize;
pub mod severity;
pub mod stored;
pub mod suggest;
mod suppression_comment;
pub mod text;
pub mod text_traits;
pub mod undecided;
pub mod value;
pub mod variables;
pub mod verdict;
pub mod wildcard;

pub use cancellation::Cancellation;
pub use diagnostic::{Diagnostic, Fix, Related, Report, Suppressed, SuppressedBy};
pub use document::{Document, Source, TextFile};
pub use document_position::DocumentPosition;
pub use facts::Facts;
pub use house_rule::{Constraint, HouseCheck, HouseRule, Setting, TextPattern};
pub use inputs::{DiffInputs, Inputs};
pub use place::{Origin, UnreadPart};
pub use pointer::{PointerError, PointerPattern};
pub use quote::counted;
pub use recognition::{Recognition, Unrecognised};
pub use rule::{Basis, Family, Group, Rule, RuleFix, RuleRef};
pub use severity::{Safety, Severity, VerdictKind};
pub use stored::Stored;
pub use suppression_comment::SuppressionComment;
pub use undecided::Undecided;
pub use variables::{GapCause, SERVICE_VARIABLES, VariableRole, VariableSource};
pub use wildcard::{Wildcard, WildcardSet};
