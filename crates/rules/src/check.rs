//! What a rule of each family is given, and what it gives.

use voxlint_model::Rule;

use crate::prelude::*;

/// The text and its tree.
pub type Document = fn(&voxlint_model::Document, DocumentKind) -> Verdicts;
/// An object and the table that describes it.
pub type Object = fn(&ObjectValue<'_>) -> Verdicts;
/// A value and the row that describes it.
pub type Value = fn(&FieldValue<'_>) -> Verdicts;
/// The text of a string whose value its row allows.
pub type Text = fn(&TextValue<'_>) -> Verdicts;
/// A template, parsed once for all rules.
pub type Template = fn(&TemplateValue<'_>) -> Verdicts;
/// The effective configuration.
pub type Config = fn(&Effective<'_>) -> Verdicts;

/// What a rule says, which ends with an error as soon as it has nothing to say.
pub type Checked<V> = Result<V, NoFinding>;

/// The rules of a family, without their functions.
pub fn of<Check>(family: &'static [(&'static Rule, Check)]) -> impl Iterator<Item = &'static Rule> {
    family.iter().map(|(rule, _)| *rule)
}
