//! The smallest update that turns the stored state into the desired one.

mod classify;
mod entries;
mod equality;
mod plan;
mod sentences;
mod setting;

use std::fmt;
use std::sync::Arc;

pub(crate) use equality::is_same;
use voxlint_schema::{DocumentKind, named, settings};
use voxlint_syntax::Node;

use crate::engine::usability::is_fault;
use crate::secrets::{self, Redactor};
use crate::{Diagnostic, DiffInputs, Document, Inputs, Report, Stored, VerdictKind, check};

/// The difference between a stored and a desired state.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// The body of the update (update agent): JSON on several lines, without a line break at the end. `None` if there is nothing
    /// to send.
    pub update: Option<String>,
    /// The changes, the riskiest ones first, then in the service's order.
    pub changes: Vec<FieldChange>,
    /// Settings that are stored and not desired, but that no update can unset.
    pub cannot_unset: Vec<CannotUnset>,
    /// Remarks: lower case, without a full stop.
    pub notes: Vec<String>,
    /// The result of checking the update. Its spans point into `update`.
    pub report: Option<Report>,
}

impl Difference {
    /// Whether the service would reject the update.
    pub fn is_rejected(&self) -> bool {
        let rejects = |found: &Diagnostic| found.verdict == VerdictKind::Reject;
        self.report.as_ref().is_some_and(|report| report.diagnostics.iter().any(rejects))
    }

    /// Masks the secrets of both states everywhere except in the update, which has to be sent as it is.
    fn mask(&mut self, inputs: &DiffInputs) {
        let mut redactor = Redactor::default();
        let states =
            [(inputs.old.document(), DocumentKind::Stored), (&inputs.new, DocumentKind::Settings)];
        let texts = inputs.texts.iter().map(|text| (text.document(), DocumentKind::Template));
        for (document, kind) in states.into_iter().chain(texts) {
            secrets::collect(document.tree(), document.extent(), kind, &mut redactor);
        }
        for change in &mut self.changes {
            [&mut change.old, &mut change.new]
                .into_iter()
                .flatten()
                .for_each(|value| redactor.redact_value(value));
            redactor.redact(&mut change.sentence);
        }
        for stay in &mut self.cannot_unset {
            redactor.redact_value(&mut stay.value);
            redactor.redact(&mut stay.sentence);
        }
        self.notes.iter_mut().for_each(|remark| redactor.redact(remark));
    }
}

/// One field of the update and what it does. It displays as one line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldChange {
    /// A JSON Pointer (RFC 6901) to the field.
    pub field: String,
    /// The kind of the change.
    pub kind: ChangeKind,
    /// The stored value: short, on one line, with secrets masked. `None` if it is not set or not known.
    pub old: Option<String>,
    /// The new value, likewise. `None` if it is not set.
    pub new: Option<String>,
    /// What the change does: lower case, without a full stop, with secrets masked.
    pub sentence: String,
}

impl fmt::Display for FieldChange {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.sentence)
    }
}

/// The kind of a change, the riskiest first. For an unknown stored value the worst case is assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ChangeKind {
    /// The draft goes live and cannot be edited any more.
    Publishing,
    /// A phone number is detached.
    NumberDetached,
    /// The phone number is replaced by another one.
    NumberMoved,
    /// Functions are removed. The list is replaced as a whole.
    FunctionsRemoved,
    /// Nothing is extracted from calls any more.
    AnalysisCleared,
    /// The fallback transcriber or the fallback language model is switched off.
    FallbackSwitchedOff,
    /// The fallback transcriber or the fallback language model is cleared, and the fallback may be on.
    FallbackCleared,
    /// A value that was not set, or not known, is set.
    Set,
    /// A value is changed.
    Changed,
    /// A value is cleared.
    Unset,
    /// The stored value has to be sent again: without it a new voice gets another model, only the request that publishes
    /// claims a phone number, and a conversational flow agent requires its identity and its background in every update.
    Repeated,
}

named! {
    ChangeKind, "a kind of change":
    Publishing = "publishing",
    NumberDetached = "number-detached",
    NumberMoved = "number-moved",
    FunctionsRemoved = "functions-removed",
    AnalysisCleared = "analysis-cleared",
    FallbackSwitchedOff = "fallback-switched-off",
    FallbackCleared = "fallback-cleared",
    Set = "set",
    Changed = "changed",
    Unset = "unset",
    Repeated = "repeated",
}

impl ChangeKind {
    /// Whether the change should be reviewed before the update is sent.
    pub fn is_dangerous(self) -> bool {
        self < Self::Set
    }
}

/// A setting that no update can unset. It displays as one line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CannotUnset {
    /// A JSON Pointer (RFC 6901) to the setting.
    pub field: String,
    /// The stored value: short, on one line, with secrets masked.
    pub value: String,
    /// What stays and why: lower case, without a full stop.
    pub sentence: String,
}

impl fmt::Display for CannotUnset {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.sentence)
    }
}

/// Why the difference cannot be computed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DiffError {
    /// The stored state cannot be read, or has a misspelled field.
    OldUnusable(Box<Report>),
    /// The desired settings cannot be read, or have a misspelled or repeated field, so that the update would unset the wrong
    /// one. Or a text is given twice, in the settings and in a file of its own.
    NewUnusable(Box<Report>),
    /// The desired settings are a document of another kind.
    NewNotSettings(Option<DocumentKind>),
    /// Neither document says which version the update is for.
    NoVersionNumber,
}

impl fmt::Display for DiffError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OldUnusable(report) => write!(formatter, "the stored state cannot be used: {}", first(report)),
            Self::NewUnusable(report) => write!(formatter, "the desired settings cannot be used: {}", first(report)),
            Self::NewNotSettings(Some(kind)) => {
                write!(formatter, "the desired settings must be the settings of a version, but the document looks like {}", kind.noun_phrase())
            }
            Self::NewNotSettings(None) => formatter.write_str(
                "the desired settings must be the settings of a version, but the document has no known setting",
            ),
            Self::NoVersionNumber => formatter.write_str(
                "neither document says which version the update is for: give one of them a `version_number`",
            ),
        }
    }
}

impl std::error::Error for DiffError {}

fn first(report: &Report) -> &str {
    report.diagnostics.first().map_or("", |found| &found.message)
}

/// The smallest update that turns the stored state into the desired one, by the rules of update agent: omitted fields keep
/// their values, lists and objects are replaced as a whole, null clears only where the description says so, and the empty
/// string detaches a phone number. The update is checked like any other.
///
/// Whether the version is published is its state and not a setting: desired settings that omit `is_published` leave it
/// unchanged.
///
/// ```
/// use voxlint::{DiffInputs, Document, Stored, diff};
///
/// let old = Document::parse(r#"{ "version_number": 3, "title": "Front desk", "transcriber_id": "tr_nova" }"#);
/// let new = Document::parse(r#"{ "title": "Night desk" }"#);
///
/// let difference = diff(&DiffInputs::new(Stored::new(old), new))?;
/// let update = "{\n  \"version_number\": 3,\n  \"title\": \"Night desk\",\n  \"transcriber_id\": null\n}";
/// assert_eq!(difference.update.as_deref(), Some(update));
/// let lines: Vec<String> = difference.changes.iter().map(ToString::to_string).collect();
/// assert_eq!(lines, ["changes `title` from `Front desk` to `Night desk`", "clears `transcriber_id`, which is `tr_nova`"]);
/// # Ok::<(), voxlint::DiffError>(())
/// ```
///
/// # Errors
///
/// If a document cannot be used, or if no version is given to update.
pub fn diff(inputs: &DiffInputs) -> Result<Difference, DiffError> {
    let DiffInputs { old, new, .. } = inputs;
    let faults = old.faults();
    if !faults.diagnostics.is_empty() {
        return Err(DiffError::OldUnusable(Box::new(faults)));
    }
    check_desired(inputs)?;

    let stored_number = number(old.parts().version);
    let desired_number = number(new.tree().root());
    let Some(number) = stored_number.or(desired_number) else {
        return Err(DiffError::NoVersionNumber);
    };
    let mut difference = plan::plan(inputs, number);
    if let (Some(stored), Some(wanted)) = (stored_number, desired_number)
        && stored.decimal() != wanted.decimal()
    {
        let remark = sentences::other_version(stored, wanted);
        difference.notes.insert(0, remark);
    }
    if let Some(update) = &difference.update {
        let document = Document::parse(update.as_str());
        let mut sent = Inputs::new(document).kind(DocumentKind::Update).stored(old.clone());
        (sent.facts, sent.agent_id) = (inputs.facts.clone(), inputs.agent_id.clone());
        difference.report = Some(check(&sent));
    }
    difference.mask(inputs);
    Ok(difference)
}

/// Checks that the desired document contains settings, and that it was read completely and unambiguously, so that the update
/// contains what was written.
fn check_desired(inputs: &DiffInputs) -> Result<(), DiffError> {
    let DiffInputs { new, texts, .. } = inputs;
    if let Some(kind) = new.recognise().filter(|kind| !kind.has_settings()) {
        return Err(DiffError::NewNotSettings(Some(kind)));
    }
    let mut faults =
        check(&Inputs::new(new.clone()).kind(DocumentKind::Settings).texts(Arc::clone(texts)));
    faults.diagnostics.retain(|found| {
        is_fault(found, DocumentKind::Settings) || found.rule.reports_texts_given_twice()
    });
    if !faults.diagnostics.is_empty() {
        return Err(DiffError::NewUnusable(Box::new(faults)));
    }
    let has_settings = |node: Node<'_>| {
        let mut members = node.members().peekable();
        members.peek().is_none()
            || members.any(|member| settings::TABLE.row(&member.name()).is_some())
    };
    if !new.tree().root().is_some_and(has_settings) {
        let kind = Stored::new(new.clone()).kind().filter(|kind| *kind == DocumentKind::Stored);
        return Err(DiffError::NewNotSettings(kind));
    }
    Ok(())
}

/// The version number of an object with settings.
fn number(settings: Option<Node<'_>>) -> Option<Node<'_>> {
    settings?.get(settings::version_number.row.name).filter(|number| number.decimal().is_some())
}
