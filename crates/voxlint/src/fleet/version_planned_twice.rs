use std::collections::HashMap;
use voxlint_rules::rule;

use voxlint_model::{Severity, quote};
use voxlint_schema::settings;

use super::shared::unknown_agent;
use crate::AgentPlan;
use crate::plan::fleet::{Fleet, FleetVerdict, FoundAcross, MAX_OTHERS};

rule! {
    /// Two documents of a plan are for the same version of the same agent.
    ///
    /// Each is compared with the stored version alone. If both set a setting to different values, the update that is sent last
    /// wins, and the next plan changes it back: that is a warning. If they have different settings, it is an info.
    ///
    /// Only `voxlint plan` runs the rule, because it compares documents. In the examples, a document that is not the last one
    /// is called `a.json`, and the finding is in `b.json`.
    ///
    /// ```json,stored
    /// { "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent" }
    /// ```
    ///
    /// ```json,beside
    /// { "version_number": 3, "title": "Front desk" }
    /// ```
    ///
    /// ```json,stored
    /// { "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent" }
    /// ```
    ///
    /// ```json,advice
    /// { "version_number": 3, "title": "Reception" }
    /// ```
    ///
    /// ```json,stored
    /// { "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent" }
    /// ```
    ///
    /// ```json,beside
    /// { "version_number": 3, "title": "Front desk" }
    /// ```
    ///
    /// ```json,stored
    /// { "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent" }
    /// ```
    ///
    /// ```json,advice
    /// { "version_number": 3, "is_published": true }
    /// ```
    ///
    /// ```json,beside
    /// { "version_number": 3, "title": "Front desk" }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "title": "Reception" }
    /// ```
    ///
    /// ```json,stored
    /// { "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent" }
    /// ```
    ///
    /// ```json,beside
    /// { "version_number": 3, "title": "Front desk" }
    /// ```
    ///
    /// ```json,stored
    /// { "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 4, "title": "Reception" }
    /// ```
    "version-planned-twice": Fleet {
        group: Suspicious,
        basis: Inferred("Each update replaces what an earlier one has set."),
        section: "4.1 rule 1",
        reads: [version_number],
    }
}

fn check(fleet: &Fleet<'_>) -> Vec<FleetVerdict> {
    let mut said = Vec::new();
    // The documents of each version so far, and the first one of each version whose agent is not known.
    let mut known: HashMap<(&str, &str), Vec<usize>> = HashMap::new();
    let mut unknown: HashMap<&str, usize> = HashMap::new();
    let mut first: HashMap<&str, usize> = HashMap::new();
    for (at, agent) in fleet.all() {
        let Some(version) = agent.claims.version.as_deref() else { continue };
        let Some(id) = agent.claims.agent.as_deref() else {
            if let Some(other) = first.get(version).or_else(|| unknown.get(version)) {
                said.push(FleetVerdict::Undecided(at, unknown_agent(&fleet.name(*other)), true));
            }
            unknown.entry(version).or_insert(at);
            continue;
        };
        first.entry(version).or_insert(at);
        if let Some(other) = unknown.get(version) {
            said.push(FleetVerdict::Undecided(at, unknown_agent(&fleet.name(*other)), true));
        }
        let others = known.entry((id, version)).or_default();
        if !others.is_empty() {
            said.push(finding(fleet, at, agent, others));
        }
        others.push(at);
    }
    said
}

fn finding(fleet: &Fleet<'_>, at: usize, agent: &AgentPlan, others: &[usize]) -> FleetVerdict {
    let mut differing: Vec<&str> = Vec::new();
    for other in others.iter().take(MAX_OTHERS).filter_map(|other| fleet.agent(*other)) {
        let differ = agent.claims.written.iter().filter(|(row, digest)| {
            other.claims.written.iter().any(|(of, other)| of == row && other != digest)
        });
        let rows = differ.filter_map(|(row, _)| settings::TABLE.rows.get(*row));
        differing.extend(rows.map(|row| row.name));
    }
    differing.sort_unstable();
    differing.dedup();
    let have = if others.len() == 1 { "is" } else { "are" };
    let names = fleet.names(others, others.len());
    let version = agent.version_number.as_deref().unwrap_or_default();
    let (what, severity) = if differing.is_empty() {
        (" and has other settings".to_owned(), Severity::Info)
    } else {
        let shown = 3;
        let more = match differing.len().saturating_sub(shown) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        differing.truncate(shown);
        let names = if more.is_empty() {
            quote::all(differing.iter().copied())
        } else {
            quote::list(differing.iter().copied())
        };
        (format!(" and gives other values for {names}{more}"), Severity::Warning)
    };
    let (have, what) = match others.len() {
        1 => (have, what),
        _ => (have, what.replace(" and has", " and have").replace(" and gives", " and give")),
    };
    let found = FoundAcross {
        at: agent.claims.start.clone(),
        message: format!("{names} {have} also for version {version} of this agent{what}"),
        help: "keep all settings of a version in one document".to_owned(),
        severity: Some(severity),
        others: others.iter().take(MAX_OTHERS).copied().collect(),
    };
    FleetVerdict::Finding(at, Box::new(found))
}
