//! What the forms of a plan share about one agent.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;

use voxlint::schema::DocumentKind;
use voxlint::{
    AgentPlan, ChangedTexts, Drift, DriftKind, Outcome, Plan, PlannedStatus, Report, counted,
};

use crate::document::CheckedDocument;
use crate::located::{LocatedDocument, ReportSections, locate};
use crate::options::RenderOptions;

use super::planned::{PlanReport, PlannedDocument};

/// The agents in the order in which they are read: those that need somebody first, and among equals those with more changes made
/// in the service at stake, and then those with more dangerous changes.
pub(super) fn ranked<'a>(report: &PlanReport<'a>) -> Vec<&'a AgentPlan> {
    let mut agents: Vec<&AgentPlan> = report.plan.agents.iter().collect();
    agents.sort_by_key(|agent| {
        let risky = agent.drift.iter().filter(|drift| is_risky(drift)).count();
        (rank(agent), Reverse(risky), Reverse(dangers(agent)))
    });
    agents
}

fn rank(agent: &AgentPlan) -> u8 {
    match agent.outcome {
        Outcome::Refused => 0,
        _ if agent.has_danger() || agent.has_drift() => 1,
        Outcome::Publish => 2,
        Outcome::Depends => 3,
        Outcome::Update => 4,
        Outcome::NoChange => 6,
        _ => 5,
    }
}

/// What is marked as dangerous about an agent: its changes, and its conflicts that no change shows.
pub(super) fn dangers(agent: &AgentPlan) -> usize {
    let changes = agent.changes.iter().filter(|change| change.is_dangerous()).count();
    changes + agent.drift.iter().filter(|drift| is_marked(drift)).count()
}

/// Whether there is nothing to say about an agent but that it stays as it is.
pub(super) fn is_quiet(agent: &AgentPlan) -> bool {
    agent.outcome == Outcome::NoChange
        && agent.drift.is_empty()
        && agent.findings.is_empty()
        && agent.undecided.is_empty()
        && agent.notes.is_empty()
}

/// The outcome in a word or two.
pub(super) const fn outcome_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::NoChange => "no change",
        Outcome::Refused => "rejected",
        Outcome::Depends => "may be rejected",
        Outcome::NoStoredState => "no stored configuration",
        _ => outcome.name(),
    }
}

/// The longest id and title in a heading.
const MAX_ABOUT: usize = 40;

/// The agent, its version and its title, as far as they are known.
pub(super) fn about(agent: &AgentPlan) -> Vec<String> {
    let version = agent.version_number.as_ref().map(|number| format!("version {number}"));
    let parts = agent.agent_id.clone().into_iter().chain(version).chain(agent.title.clone());
    parts
        .map(|part| match part.char_indices().nth(MAX_ABOUT) {
            Some((end, _)) => format!("{}…", part.get(..end).unwrap_or_default()),
            None => part,
        })
        .collect()
}

/// The statuses that need an explanation: all but the only one of an update that is accepted.
pub(super) fn statuses(agent: &AgentPlan) -> Vec<&PlannedStatus> {
    let is_certain = agent.statuses.len() == 1;
    agent.statuses.iter().filter(|status| !(is_certain && status.status == 200)).collect()
}

/// The status with its phrase and how likely it is: `400 Bad Request`, or `may be 409 Conflict`.
pub(super) fn status_name(status: &PlannedStatus) -> String {
    let PlannedStatus { status: number, phrase, .. } = status;
    if status.is_expected {
        format!("{number} {phrase}")
    } else {
        format!("may be {number} {phrase}")
    }
}

/// The reasons of a status. Those that a stored configuration with all settings would decide are one.
pub(super) fn reasons(status: &PlannedStatus) -> Vec<Cow<'_, str>> {
    let count = status.not_listed;
    let listed = status.reasons.len().saturating_sub(if count > 1 { count } else { 0 });
    let mut reasons: Vec<Cow<'_, str>> =
        status.reasons.iter().take(listed).map(|it| it.as_str().into()).collect();
    if count > 1 {
        let checks = counted(count as u64, "check");
        reasons.push(
            format!("{checks} depend on settings that the stored configuration does not list (if it lists all that are set, add `\"complete\": true` to it)").into(),
        );
    }
    reasons
}

/// The texts of one greeting or voicemail that people are shown. The JSON form lists more.
const MAX_HEARD: usize = 8;

/// What callers hear of greetings and voicemails now and then: when, and the texts. What is left out has none.
pub(super) fn heard(agent: &AgentPlan) -> Vec<(String, Option<&ChangedTexts>)> {
    let mut all = Vec::new();
    for change in &agent.heard {
        let field = format!("`{}`", change.field.trim_start_matches('/'));
        all.extend(change.paths.iter().take(MAX_HEARD).map(|path| {
            let when = path.in_words();
            let comma = if when.is_empty() { "" } else { ", " };
            (format!("callers hear in {field}{comma}{when}:"), Some(&path.texts))
        }));
        let more = change.paths.len().saturating_sub(MAX_HEARD);
        let more = change.left_out.map(|left_out| more + left_out);
        if more != Some(0) {
            let texts = more.map(|count| counted(count as u64, "more text"));
            let texts = texts.unwrap_or_else(|| "more texts".to_owned());
            all.push((format!("{texts} in {field}"), None));
        }
    }
    all
}

/// The undecided checks of all agents.
pub(super) fn undecided_checks(plan: &Plan) -> usize {
    plan.agents.iter().map(|agent| agent.undecided.len()).sum()
}

/// Whether the drift should be reviewed before the update is sent.
pub(super) fn is_risky(drift: &Drift) -> bool {
    drift.is_overwritten || drift.kind == DriftKind::Conflict
}

/// Whether the drift is marked as dangerous: the change that overwrites it has the mark otherwise.
pub(super) fn is_marked(drift: &Drift) -> bool {
    drift.kind == DriftKind::Conflict && !drift.is_overwritten
}

/// The documents of a plan by name.
pub(super) struct Documents<'a>(HashMap<&'a str, PlannedDocument<'a>>);

impl<'a> Documents<'a> {
    pub(super) fn new(report: &PlanReport<'a>) -> Self {
        Self(report.documents.iter().map(|document| (document.name, *document)).collect())
    }

    /// The findings of an agent with their positions, as far as its text is known.
    pub(super) fn findings(
        &self,
        agent: &AgentPlan,
        options: &RenderOptions,
        with_snippets: bool,
    ) -> LocatedDocument {
        let found = agent.findings.iter().map(|finding| finding.diagnostic.clone()).collect();
        let mut report = Report::new(DocumentKind::Update, found);
        report.undecided.clone_from(&agent.undecided);
        let document = self.0.get(&*agent.name);
        let sections = ReportSections { snippets: with_snippets, ..ReportSections::JSON };
        let Some(PlannedDocument { path, text, position, related_files, .. }) = document else {
            let checked = CheckedDocument::new(&agent.name, "", &report);
            let mut located = locate(&checked, options, sections);
            located.forget_positions();
            return located;
        };
        let checked = CheckedDocument::new(path, text, &report).related_files(related_files);
        let checked = CheckedDocument { position: *position, ..checked };
        locate(&checked, options, sections)
    }
}
