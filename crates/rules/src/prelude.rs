//! The words of rules: what most of them import.

pub(crate) use voxlint_model::document::Document;
pub(crate) use voxlint_model::effective::Effective;
pub(crate) use voxlint_model::fields::GetField as _;
pub(crate) use voxlint_model::place::Place;
pub(crate) use voxlint_model::quote::{excerpt, quote};
pub(crate) use voxlint_model::readings::Assumption;
pub(crate) use voxlint_model::value::{
    FieldValue, ObjectValue, TemplateValue, TextValue, UnknownReason, Value,
};
pub(crate) use voxlint_model::verdict::{
    Condition, Finding, NoFinding, ProposedEdit, ProposedFix, Replacement, Verdict, Verdicts,
};
pub(crate) use voxlint_model::{Origin, Safety, VerdictKind, suggest};
pub(crate) use voxlint_schema::{
    DocumentKind, Field, Role, Row, Shape, TextFormat, agent, facts, readings, settings,
};
pub(crate) use voxlint_syntax::{Decimal, Kind, Member, Node, Span};

pub(crate) use crate::check::Checked;
pub(crate) use crate::without_effect::{When, WithoutEffect};
