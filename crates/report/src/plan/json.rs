//! Plans as JSON. As with findings, fields may be added, never renamed. `plan.schema.json` describes them.

use std::io;

use serde::Serialize;
use voxlint::{AgentPlan, Drift, HeardChange, Outcome, PlanCounts, PlannedChange, PlannedStatus};

use crate::json_text::write_document;
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
    summary: SummaryEntry<'a>,
    /// The agents whose bodies are sent, in the order to send them.
    order: Vec<&'a str>,
    agents: Vec<AgentEntry<'a>>,
    skipped: &'a [SkippedFile],
    failures: &'a [FailedFile],
}

#[derive(Serialize)]
struct SummaryEntry<'a> {
    agents: usize,
    #[serde(flatten)]
    counts: &'a PlanCounts,
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
    statuses: &'a [PlannedStatus],
    changes: &'a [PlannedChange],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    heard: &'a [HeardChange],
    notes: &'a [String],
    drift: &'a [Drift],
    findings: Vec<FindingEntry>,
    undecided: Vec<UndecidedRule>,
}

#[derive(Serialize)]
struct FindingEntry {
    #[serde(flatten)]
    finding: LocatedFinding,
    /// The names of the other documents.
    others: Vec<String>,
}

pub(super) fn write(out: &mut dyn io::Write, report: &PlanReport<'_>) -> io::Result<()> {
    let plan = report.plan;
    let documents = Documents::new(report);
    let output = PlanOutput {
        schema: SCHEMA_VERSION,
        tool: TOOL,
        summary: SummaryEntry {
            agents: plan.agents.len(),
            counts: &plan.counts,
            undecided: undecided_checks(plan),
        },
        order: plan.order.iter().filter_map(|at| Some(&*plan.agents.get(*at)?.name)).collect(),
        agents: plan.agents.iter().map(|agent| agent_entry(agent, &documents)).collect(),
        skipped: report.skipped,
        failures: report.failed,
    };
    write_document(out, &output)
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
        statuses: &agent.statuses,
        changes: &agent.changes,
        heard: &agent.heard,
        notes: &agent.notes,
        drift: &agent.drift,
        findings: findings.map(|(finding, others)| FindingEntry { finding, others }).collect(),
        undecided: located.undecided,
    }
}
