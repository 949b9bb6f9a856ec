//! The smallest update that turns the stored configuration into the desired one.

mod classify;
mod consequences;
mod difference;
mod entries;
mod plan;
mod sentences;

use std::fmt;
use std::sync::Arc;

pub(crate) use difference::mask;
pub use difference::{CannotUnset, ChangeKind, ChangedTexts, Difference, FieldChange};
pub use entries::item_name;
pub(crate) use entries::{Entry, side_by_side};
pub(crate) use sentences::excerpt;
pub use sentences::{changed_value, short_value};
use voxlint_engine::Faults as _;
use voxlint_engine::check;
use voxlint_engine::usability::is_fault_of_desired;
use voxlint_model::{DiffInputs, Document, Inputs, Report, Stored};
use voxlint_schema::{DocumentKind, settings};
use voxlint_syntax::Node;

/// Why the difference cannot be computed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DiffError {
    /// The stored configuration cannot be read, or has a misspelled field.
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
            Self::OldUnusable(report) => write!(formatter, "the stored configuration cannot be used: {}", first(report)),
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
    report.diagnostics.first().map_or("", |finding| &finding.message)
}

/// The smallest update that turns the stored configuration into the desired one, by the rules of update agent: omitted fields keep
/// their values, lists and objects are replaced as a whole, null clears only where the description says so, and the empty
/// string detaches a phone number. The update is checked like any other.
///
/// A setting that the desired settings omit keeps its stored value, as in an update, unless they are
/// [`complete`](DiffInputs::complete). Whether the version is published is its state and not a setting: complete settings
/// that omit `is_published` leave it unchanged.
///
/// ```
/// use voxlint::{DiffInputs, Document, Stored, diff};
///
/// let old = Document::parse(r#"{ "version_number": 3, "title": "Front desk", "transcriber_id": "tr_nova" }"#);
/// let new = Document::parse(r#"{ "title": "Night desk" }"#);
///
/// let inputs = DiffInputs::new(Stored::new(old), new);
/// let update = diff(&inputs)?.update;
/// assert_eq!(update.as_deref(), Some("{\n  \"version_number\": 3,\n  \"title\": \"Night desk\"\n}"));
///
/// let difference = diff(&inputs.complete())?;
/// let update = "{\n  \"version_number\": 3,\n  \"title\": \"Night desk\",\n  \"transcriber_id\": null\n}";
/// assert_eq!(difference.update.as_deref(), Some(update));
/// let lines: Vec<String> = difference.changes.iter().map(ToString::to_string).collect();
/// assert_eq!(lines, ["changes `title` from `Front desk` to `Night desk`", "clears `transcriber_id` (now `tr_nova`)"]);
/// # Ok::<(), voxlint::DiffError>(())
/// ```
///
/// # Errors
///
/// If a document cannot be used, or if no version is given to update.
pub fn diff(inputs: &DiffInputs) -> Result<Difference, DiffError> {
    let mut difference = least_update(inputs)?;
    if let Some(update) = &difference.update {
        let document = Document::parse(update.as_str());
        let mut sent = Inputs::new(document).kind(DocumentKind::Update).stored(inputs.old.clone());
        (sent.facts, sent.agent_id) = (inputs.facts.clone(), inputs.agent_id.clone());
        sent.agent_type.clone_from(&inputs.agent_type);
        sent.readings = Arc::clone(&inputs.readings);
        difference.report = Some(check(&sent));
    }
    difference.mask(&mask(inputs));
    Ok(difference)
}

/// The update and the changes, not checked and not masked.
pub(crate) fn least_update(inputs: &DiffInputs) -> Result<Difference, DiffError> {
    let DiffInputs { old, new, is_complete, .. } = inputs;
    let faults = old.faults();
    if !faults.diagnostics.is_empty() {
        return Err(DiffError::OldUnusable(Box::new(faults)));
    }
    check_desired(inputs)?;

    let stored_number = number(old.parts().version);
    let desired_number = number(new.tree().root());
    // An update names its version. Stored settings of another one are then unknown.
    let number = if *is_complete {
        stored_number.or(desired_number)
    } else {
        desired_number.or(stored_number)
    };
    let Some(number) = number else { return Err(DiffError::NoVersionNumber) };
    let mut difference = plan::plan(inputs, number);
    if let (Some(stored), Some(wanted)) = (stored_number, desired_number)
        && *is_complete
        && stored.decimal() != wanted.decimal()
    {
        let remark = sentences::other_version(stored, wanted);
        difference.notes.insert(0, remark);
    }
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
    faults.diagnostics.retain(is_fault_of_desired);
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
