//! The plan of one document.

use std::sync::Arc;

use voxlint_model::{Diagnostic, Document, Family, Inputs, Report, Stored, Suppressed, Undecided};
use voxlint_schema::{named, settings};

use super::claims::Claims;
use super::former::{for_draft, stays};
use crate::{ChangeKind, ChangedTexts, HeardChange};

/// One document of a plan, and what is known about it.
///
/// ```
/// use voxlint::{Document, DriftKind, Inputs, PlanInputs, Stored, plan_agent};
///
/// let stored = |title: &str| Stored::new(Document::parse(format!(r#"{{ "version_number": 3, "title": "{title}" }}"#)));
/// let document = Document::parse(r#"{ "version_number": 3, "title": "Front desk" }"#);
/// let inputs = Inputs::new(document).stored(stored("Reception"));
///
/// // The repository last knew another title than the service has now.
/// let agent = plan_agent(&PlanInputs::new("agents/en.json", inputs).base(stored("Desk")));
/// assert_eq!(agent.drift[0].kind, DriftKind::Conflict);
/// assert!(agent.changes[0].overwrites && agent.has_drift());
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PlanInputs {
    /// What reports call the document: its path, with `:line` or `#n` if the file has several.
    pub name: Arc<str>,
    /// The document with its stored configuration, facts and text files.
    pub inputs: Inputs,
    /// The stored configuration that the repository last knew. With it, changes made in the service are found.
    pub base: Option<Stored>,
    /// What is said about the document in [`AgentPlan::notes`].
    pub notes: Vec<String>,
}

impl PlanInputs {
    /// A document with this name, without a base.
    pub fn new(name: impl Into<Arc<str>>, inputs: Inputs) -> Self {
        Self { name: name.into(), inputs, base: None, notes: Vec::new() }
    }

    /// Sets the stored configuration that the repository last knew; `None` leaves it unknown.
    #[must_use]
    pub fn base(mut self, base: impl Into<Option<Stored>>) -> Self {
        self.base = base.into();
        self
    }

    /// Says that the document is of an earlier time. If the version that it names is published by now, which cannot be edited, the update
    /// is for the only draft of the agent. The plan has notes about that, about a draft that is missing, and about the settings that
    /// only the document of `now` has, which an update of the former one leaves as they are.
    ///
    /// ```
    /// use voxlint::{Document, Inputs, PlanInputs, Stored, plan_agent};
    ///
    /// let stored = r#"{ "agent": { "versions": [
    ///     { "version_number": 3, "is_published": true }, { "version_number": 4, "is_published": false }
    /// ] }, "version": { "version_number": 4, "title": "Front desk" }, "complete": true }"#;
    /// let update = Document::parse(r#"{ "version_number": 3, "title": "Desk" }"#);
    /// let inputs = Inputs::new(update).stored(Stored::new(Document::parse(stored)));
    /// let agent = plan_agent(&PlanInputs::new("agents/en.json", inputs).former(None));
    /// assert_eq!(agent.notes, ["version 3 is published by now, so the update is for the draft, version 4"]);
    /// ```
    #[must_use]
    pub fn former(mut self, now: Option<&Document>) -> Self {
        if let Some((inputs, note)) = for_draft(&self.inputs) {
            self.inputs = inputs.unwrap_or(self.inputs);
            self.notes.push(note);
        }
        self.notes.extend(now.and_then(|now| stays(&self.inputs, now)));
        self
    }
}

/// What would happen to a document if it were sent now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// Everything that the document says is stored. Nothing is to be sent.
    NoChange,
    /// The update would be accepted.
    Update,
    /// The update would be accepted, and publishes the version.
    Publish,
    /// The update would be rejected.
    Refused,
    /// Whether the update is accepted depends on something unknown.
    Depends,
    /// The stored configuration is not known, and nothing certainly rejects the document.
    NoStoredState,
}

named! {
    Outcome, "an outcome":
    NoChange = "no-change",
    Update = "update",
    Publish = "publish",
    Refused = "refused",
    Depends = "depends",
    NoStoredState = "no-stored-state",
}

/// What would happen if one document were sent now.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AgentPlan {
    /// What reports call the document.
    pub name: Arc<str>,
    /// The whole id of the agent, with secrets masked; `None` if it is not known.
    pub agent_id: Option<String>,
    /// The number of the version, as written; `None` if neither the document nor the stored configuration has one.
    pub version_number: Option<String>,
    /// The title of the version, short, with secrets masked.
    pub title: Option<String>,
    /// What would happen.
    pub outcome: Outcome,
    /// The statuses that the service may answer with, ascending.
    pub statuses: Vec<PlannedStatus>,
    /// The least update, JSON on several lines. It is sent, so nothing in it is masked. `None` if there is nothing to send, or
    /// it would be rejected.
    pub body: Option<String>,
    /// What the update changes: dangerous changes first, then in the service's order.
    pub changes: Vec<PlannedChange>,
    /// What it changes in what callers hear of greetings and voicemails with branches or with other defaults.
    pub heard: Vec<HeardChange>,
    /// Remarks: lower case, without a full stop, with secrets masked. Among them the settings that no update can unset.
    pub notes: Vec<String>,
    /// Settings that were changed in the service, in the service's order. Empty without a base.
    pub drift: Vec<Drift>,
    /// The findings of the rules across documents. [`plan`](crate::plan()) adds them.
    pub findings: Vec<FleetFinding>,
    /// The rules across documents that something unknown would decide.
    pub undecided: Vec<Undecided>,
    /// The suppressed findings of the rules across documents. A plan alone suppresses nothing.
    pub suppressed: Vec<Suppressed>,
    /// What the other documents need to know of it.
    pub(crate) claims: Claims,
    /// The plan before other documents were looked at, if one changes it.
    pub(super) alone: Option<Box<AgentPlan>>,
}

impl AgentPlan {
    /// Whether a change should be reviewed before the update is sent: its kind is dangerous, it overwrites a change that was
    /// made in the service, it edits a published version, or it takes a number from a published agent.
    ///
    /// ```
    /// use voxlint::{Document, Inputs, PlanInputs, Stored, plan_agent};
    ///
    /// let stored = r#"{ "version": { "version_number": 3, "agent_functions": [{ "displayName": "end", "type": "end_call",
    ///                   "description": "ends the call", "config": {} }] } }"#;
    /// let document = Document::parse(r#"{ "version_number": 3, "agent_functions": [] }"#);
    /// let inputs = Inputs::new(document).stored(Stored::new(Document::parse(stored)));
    /// assert!(plan_agent(&PlanInputs::new("agents/en.json", inputs)).has_danger());
    /// ```
    pub fn has_danger(&self) -> bool {
        self.changes.iter().any(PlannedChange::is_dangerous)
    }

    /// Whether the service and the document disagree about a setting that was changed in the service: a conflict, or a change
    /// that the update would overwrite, or would publish although the document does not have it.
    pub fn has_drift(&self) -> bool {
        let mut all = self.drift.iter();
        all.any(|it| it.kind == DriftKind::Conflict || it.is_overwritten || it.is_published)
    }

    /// Whether the body is sent, unless something unknown turns out to reject it.
    pub fn is_sent(&self) -> bool {
        self.body.is_some()
    }

    /// Sorts the changes: dangerous ones first, then by kind. Within each kind they are in the service's order.
    pub(super) fn sort_changes(&mut self) {
        let order =
            |field: &str| settings::TABLE.row(field.strip_prefix('/')?).map(|row| row.index);
        self.changes
            .sort_by_key(|change| (!change.is_dangerous(), change.kind, order(&change.field)));
    }

    /// Keeps the plan before another document changes it.
    pub(super) fn keep_alone(&mut self) {
        if self.alone.is_none() {
            self.alone = Some(Box::new(self.clone()));
        }
    }

    /// The plan without what other documents have changed.
    pub(super) fn into_alone(mut self) -> Self {
        let alone = self.alone.take().map_or(self, |alone| *alone);
        Self { findings: Vec::new(), undecided: Vec::new(), suppressed: Vec::new(), ..alone }
    }

    /// Applies levels and suppressions to the findings of the rules across documents. `filter` gets them as a report about the
    /// document, and the plan keeps what it leaves.
    ///
    /// ```
    /// use voxlint::{Document, Inputs, PlanInputs, plan, plan_agent};
    ///
    /// let document = Document::parse(r#"{ "version_number": 3 }"#);
    /// let agent = plan_agent(&PlanInputs::new("agents/en.json", Inputs::new(document)));
    /// let mut plan = plan(vec![agent]);
    /// plan.agents[0].filter_findings(|report| report.diagnostics.clear());
    /// assert!(plan.agents[0].findings.is_empty());
    /// ```
    pub fn filter_findings(&mut self, filter: impl FnOnce(&mut Report)) {
        let found = std::mem::take(&mut self.findings);
        let diagnostics = found.iter().map(|finding| finding.diagnostic.clone()).collect();
        let mut report = Report::new(voxlint_schema::DocumentKind::Update, diagnostics);
        report.undecided = std::mem::take(&mut self.undecided);
        filter(&mut report);
        // The suppressions of the document are for findings of a check as well, which say whether they are unused.
        let diagnostics = report.diagnostics.into_iter();
        self.findings = diagnostics
            .filter(|found| found.rule.family() == Family::Fleet)
            .map(|diagnostic| {
                let is_it = |finding: &&FleetFinding| {
                    let of = &finding.diagnostic;
                    (&of.rule, &of.field, &of.message)
                        == (&diagnostic.rule, &diagnostic.field, &diagnostic.message)
                };
                let others = found.iter().find(is_it).map(|finding| finding.others.clone());
                FleetFinding { diagnostic, others: others.unwrap_or_default() }
            })
            .collect();
        self.undecided = report.undecided;
        self.suppressed.extend(report.suppressed);
    }
}

/// A status that the service may answer with.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlannedStatus {
    /// The HTTP status.
    pub status: u16,
    /// Its reason phrase.
    pub phrase: &'static str,
    /// Whether this answer is expected: 200 if nothing is certainly rejected, otherwise each status of a certain rejection.
    pub is_expected: bool,
    /// What the answer depends on, each in one line, with the id of the rule and with secrets masked.
    pub reasons: Vec<String>,
    /// How many of the reasons, which are the last ones, depend only on settings that the stored configuration does not list.
    pub not_listed: usize,
}

/// A setting that the update changes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlannedChange {
    /// A JSON Pointer (RFC 6901) to the setting.
    pub field: String,
    /// The kind of the change.
    pub kind: ChangeKind,
    /// The stored value: short, on one line, with secrets masked. `None` if it is not set or not known.
    pub old: Option<String>,
    /// The new value, likewise. `None` if it is unset.
    pub new: Option<String>,
    /// What the change does: lower case, without a full stop, with secrets masked.
    pub sentence: String,
    /// The whole texts, if one of them has several lines or more than 40 characters, and both are known. Of a list or an object:
    /// the items or fields that differ, JSON on several lines, unless the sentence names them.
    pub texts: Option<ChangedTexts>,
    /// Whether the stored value was changed in the service, so that this change overwrites it.
    pub overwrites: bool,
    /// Whether the version is published and the request has `update_deployment`, so that live calls may use the value at once.
    pub is_live: bool,
    /// The documents or stored configurations, by name, whose published agents have the inbound number that this change
    /// claims. [`plan`](crate::plan()) adds them.
    pub takes_from: Vec<Arc<str>>,
}

impl PlannedChange {
    /// Whether the change should be reviewed before the update is sent.
    pub fn is_dangerous(&self) -> bool {
        self.kind.is_dangerous() || self.overwrites || self.is_live || !self.takes_from.is_empty()
    }
}

/// A setting that was changed in the service since the repository last knew its stored configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Drift {
    /// A JSON Pointer (RFC 6901) to the setting.
    pub field: String,
    /// Who changed it.
    pub kind: DriftKind,
    /// The value that the repository last knew: short, on one line, with secrets masked. `None` if it was not set.
    pub base: Option<String>,
    /// The stored value, likewise.
    pub stored: Option<String>,
    /// The document's value, likewise. `None` if the document omits it or unsets it.
    pub desired: Option<String>,
    /// What happened: lower case, without a full stop, with secrets masked.
    pub sentence: String,
    /// Whether the update would overwrite the change made in the service.
    pub is_overwritten: bool,
    /// Whether the update publishes the version with a change that only the service made, and that the document does not have.
    pub is_published: bool,
}

/// Who changed a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DriftKind {
    /// Only the service.
    Service,
    /// Both, to the same value.
    Same,
    /// Both, to different values.
    Conflict,
}

named! {
    DriftKind, "a kind of drift":
    Service = "service",
    Same = "same",
    Conflict = "conflict",
}

/// A finding of a rule across documents, about one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FleetFinding {
    /// The finding. Its span is in the document.
    pub diagnostic: Diagnostic,
    /// The names of the other documents that it is about, at most 32.
    pub others: Vec<Arc<str>>,
}

/// The number of characters of a document's name that a message shows.
pub(super) const MAX_NAME: usize = 120;
