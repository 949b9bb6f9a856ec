//! Plans as JSON. As with findings, fields may be added, never renamed. `plan.schema.json` describes them.

use std::io;

use serde::Serialize;
use voxlint::{AgentPlan, Drift, Outcome, Plan, PlannedChange, PlannedStatus};

use crate::escaping_writer::EscapingWriter;
use crate::located::{LocatedFinding, UndecidedRule};
use crate::options::RenderOptions;
use crate::run::{FailedFile, SkippedFile};
use crate::tool::{SCHEMA_VERSION, TOOL, Tool};

use super::agent::{Documents, undecided_checks};
use super::planned::PlanReport;

#[derive(Serialize)]
struct PlanOutput<'a> {
    schema: u32,
    tool: Tool,
    summary: SummaryEntry,
    /// The agents whose bodies are sent, in the order to send them.
    order: Vec<&'a str>,
    agents: Vec<AgentEntry<'a>>,
    skipped: &'a [SkippedFile],
    failures: &'a [FailedFile],
}

#[derive(Serialize)]
struct SummaryEntry {
    agents: usize,
    no_change: usize,
    update: usize,
    publish: usize,
    refused: usize,
    depends: usize,
    no_stored_state: usize,
    /// The agents with dangerous changes.
    dangers: usize,
    /// The agents with a change made in the service that conflicts or would be overwritten.
    drifted: usize,
    conflicts: usize,
    /// The rules across documents that something unknown would decide, counted for each agent.
    undecided: usize,
}

#[derive(Serialize)]
struct AgentEntry<'a> {
    name: &'a str,
    agent_id: Option<&'a str>,
    version_number: Option<&'a str>,
    title: Option<&'a str>,
    outcome: &'static str,
    danger: bool,
    statuses: Vec<StatusEntry<'a>>,
    changes: Vec<ChangeEntry<'a>>,
    notes: &'a [String],
    drift: Vec<DriftEntry<'a>>,
    findings: Vec<FindingEntry>,
    undecided: Vec<UndecidedRule>,
}

#[derive(Serialize)]
struct StatusEntry<'a> {
    status: u16,
    phrase: &'static str,
    expected: bool,
    reasons: &'a [String],
}

#[derive(Serialize)]
struct ChangeEntry<'a> {
    field: &'a str,
    kind: &'static str,
    danger: bool,
    old: Option<&'a str>,
    new: Option<&'a str>,
    message: &'a str,
    overwrites: bool,
    /// Whether it edits a published version.
    live: bool,
    /// The names of the documents or stored configurations whose published agents have the number.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    takes_from: Vec<&'a str>,
    /// The whole texts, if they are long.
    #[serde(skip_serializing_if = "Option::is_none")]
    texts: Option<TextsEntry<'a>>,
}

#[derive(Serialize)]
struct TextsEntry<'a> {
    old: &'a str,
    new: &'a str,
}

#[derive(Serialize)]
struct DriftEntry<'a> {
    field: &'a str,
    kind: &'static str,
    base: Option<&'a str>,
    stored: Option<&'a str>,
    desired: Option<&'a str>,
    message: &'a str,
    overwritten: bool,
    published: bool,
}

#[derive(Serialize)]
struct FindingEntry {
    #[serde(flatten)]
    finding: LocatedFinding<'static>,
    /// The names of the other documents.
    others: Vec<String>,
}

pub(super) fn write(out: &mut dyn io::Write, report: &PlanReport<'_>) -> io::Result<()> {
    let plan = report.plan;
    let documents = Documents::new(report);
    let output = PlanOutput {
        schema: SCHEMA_VERSION,
        tool: TOOL,
        summary: summary(plan),
        order: plan.order.iter().filter_map(|at| Some(&*plan.agents.get(*at)?.name)).collect(),
        agents: plan.agents.iter().map(|agent| agent_entry(agent, &documents)).collect(),
        skipped: report.skipped,
        failures: report.failed,
    };
    serde_json::to_writer_pretty(EscapingWriter::json(out), &output)?;
    out.write_all(b"\n")
}

fn summary(plan: &Plan) -> SummaryEntry {
    let counts = &plan.counts;
    SummaryEntry {
        agents: plan.agents.len(),
        no_change: counts.no_change,
        update: counts.update,
        publish: counts.publish,
        refused: counts.refused,
        depends: counts.depends,
        no_stored_state: counts.no_stored_state,
        dangers: counts.dangers,
        drifted: counts.drifted,
        conflicts: counts.conflicts,
        undecided: undecided_checks(plan),
    }
}

fn agent_entry<'a>(agent: &'a AgentPlan, documents: &Documents<'_>) -> AgentEntry<'a> {
    let located = documents.findings(agent, &RenderOptions::default(), false);
    let others = agent.findings.iter().map(|finding| &finding.others);
    let others = others.map(|others| others.iter().map(ToString::to_string).collect());
    let findings = located.diagnostics.into_iter().zip(others);
    AgentEntry {
        name: &agent.name,
        agent_id: agent.agent_id.as_deref(),
        version_number: agent.version_number.as_deref(),
        title: agent.title.as_deref(),
        outcome: Outcome::name(agent.outcome),
        danger: agent.has_danger(),
        statuses: agent.statuses.iter().map(status_entry).collect(),
        changes: agent.changes.iter().map(change_entry).collect(),
        notes: &agent.notes,
        drift: agent.drift.iter().map(drift_entry).collect(),
        findings: findings.map(|(finding, others)| FindingEntry { finding, others }).collect(),
        undecided: located.undecided,
    }
}

fn status_entry(status: &PlannedStatus) -> StatusEntry<'_> {
    StatusEntry {
        status: status.status,
        phrase: status.phrase,
        expected: status.is_expected,
        reasons: &status.reasons,
    }
}

fn change_entry(change: &PlannedChange) -> ChangeEntry<'_> {
    ChangeEntry {
        field: &change.field,
        kind: change.kind.name(),
        danger: change.is_dangerous(),
        old: change.old.as_deref(),
        new: change.new.as_deref(),
        message: &change.sentence,
        overwrites: change.overwrites,
        live: change.is_live,
        takes_from: change.takes_from.iter().map(|name| &**name).collect(),
        texts: change.texts.as_ref().map(|texts| TextsEntry { old: &texts.old, new: &texts.new }),
    }
}

fn drift_entry(drift: &Drift) -> DriftEntry<'_> {
    DriftEntry {
        field: &drift.field,
        kind: drift.kind.name(),
        base: drift.base.as_deref(),
        stored: drift.stored.as_deref(),
        desired: drift.desired.as_deref(),
        message: &drift.sentence,
        overwritten: drift.is_overwritten,
        published: drift.is_published,
    }
}
