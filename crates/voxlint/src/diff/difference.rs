//! The result of comparing a stored configuration with the desired settings.

use std::fmt;

use voxlint_model::masking::{DocumentSecrets, Mask, SECRET_CHANGED};
use voxlint_model::{Diagnostic, DiffInputs, Report, VerdictKind};
use voxlint_schema::{DocumentKind, named};

/// The difference between a stored configuration and the desired settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
        let rejects = |finding: &Diagnostic| finding.verdict == VerdictKind::Reject;
        self.report.as_ref().is_some_and(|report| report.diagnostics.iter().any(rejects))
    }

    /// Whether the update publishes the version.
    pub(crate) fn publishes(&self) -> bool {
        self.changes.iter().any(|change| change.kind == ChangeKind::Publishing)
    }

    /// Masks secrets everywhere except in the update, which has to be sent unchanged.
    pub(crate) fn mask(&mut self, mask: &Mask) {
        for change in &mut self.changes {
            change.sentence = mask.sentence(&change.sentence);
            [&mut change.old, &mut change.new]
                .into_iter()
                .flatten()
                .for_each(|value| *value = mask.value(value));
            let mut spelled = change.spelled.take();
            if spelled.as_mut().is_some_and(|(old, new)| mask.pair(old, new)) {
                for shown in change.new.iter_mut().chain([&mut change.sentence]) {
                    shown.push(' ');
                    shown.push_str(SECRET_CHANGED);
                }
            }
            if let Some(ChangedTexts { old, new, .. }) = &mut change.texts {
                mask.pair(old, new);
            }
        }
        for stay in &mut self.cannot_unset {
            stay.value = mask.value(&stay.value);
            stay.sentence = mask.sentence(&stay.sentence);
        }
        self.notes.iter_mut().for_each(|remark| *remark = mask.sentence(remark));
    }
}

/// The secrets of both states.
pub(crate) fn mask(inputs: &DiffInputs) -> Mask {
    let mut mask = Mask::default();
    let states =
        [(inputs.old.document(), DocumentKind::Stored), (&inputs.new, DocumentKind::Settings)];
    let texts = inputs.texts.iter().map(|text| (text.document(), DocumentKind::Template));
    for (document, kind) in states.into_iter().chain(texts) {
        DocumentSecrets::of(document, kind).collect(&mut mask);
    }
    mask
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
    /// The whole old and new text, if one of them is long.
    pub texts: Option<ChangedTexts>,
    /// Two short texts with their secrets, until they are masked.
    pub(super) spelled: Option<(String, String)>,
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
    /// Nothing is extracted from calls any more, or some items are not.
    AnalysisCleared,
    /// The numbers that calls may be transferred to are changed, or the configuration of a function that transfers calls,
    /// or the host to which another function sends requests.
    DestinationsChanged,
    /// A prompt is emptied.
    PromptEmptied,
    /// The fallback transcriber or the fallback language model is switched off.
    FallbackSwitchedOff,
    /// The fallback transcriber or the fallback language model is cleared, and the fallback may be on.
    FallbackCleared,
    /// Something is switched off while settings for it are set. They take no effect any more.
    SwitchedOff,
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
    DestinationsChanged = "destinations-changed",
    PromptEmptied = "prompt-emptied",
    FallbackSwitchedOff = "fallback-switched-off",
    FallbackCleared = "fallback-cleared",
    SwitchedOff = "switched-off",
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

/// A text before and after a change, as a whole, with secrets masked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChangedTexts {
    /// The stored text; empty if none is set.
    pub old: String,
    /// The new text; empty if it is unset.
    pub new: String,
    /// Of a list: the items that differ, each with the one of the same name.
    pub(crate) items: Vec<(String, String)>,
}

impl ChangedTexts {
    /// Two texts, with secrets masked.
    pub const fn new(old: String, new: String) -> Self {
        Self { old, new, items: Vec::new() }
    }

    /// The old and the new texts to compare with each other: the items of the same name in a list, and otherwise the whole
    /// texts. An item that is added or removed is compared with an empty text.
    pub fn parts(&self) -> Vec<(&str, &str)> {
        if self.items.is_empty() {
            return vec![(&self.old, &self.new)];
        }
        self.items.iter().map(|(old, new)| (old.as_str(), new.as_str())).collect()
    }
}
