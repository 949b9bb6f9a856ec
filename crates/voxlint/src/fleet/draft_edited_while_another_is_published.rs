use super::shared::unknown_agent;
use crate::AgentPlan;
use crate::plan::fleet::{Fleet, FleetVerdict, FoundAcross};
use voxlint_model::Severity;
use voxlint_rules::rule;

rule! {
    /// A plan edits one version of an agent and publishes another one.
    ///
    /// The edits are not in the version that is published, so callers do not get them. Perhaps they were meant for it.
    ///
    /// Only `voxlint plan` runs the rule, because it compares documents. In the examples, a document that is not the last one
    /// is called `a.json`, and the last one `b.json`.
    ///
    /// ```json,stored
    /// {
    ///   "agent": { "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent" },
    ///   "version": { "version_number": 4, "is_published": false, "title": "Desk" }
    /// }
    /// ```
    ///
    /// ```json,beside
    /// { "version_number": 4, "title": "Front desk" }
    /// ```
    ///
    /// ```json,stored
    /// {
    ///   "agent": { "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent" },
    ///   "version": { "version_number": 5, "is_published": false }
    /// }
    /// ```
    ///
    /// ```json,advice
    /// { "version_number": 5, "is_published": true }
    /// ```
    ///
    /// ```json,beside
    /// { "version_number": 4, "title": "Front desk" }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 5, "is_published": true }
    /// ```
    ///
    /// ```json,stored
    /// {
    ///   "agent": { "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent" },
    ///   "version": { "version_number": 4, "is_published": false, "title": "Front desk" }
    /// }
    /// ```
    ///
    /// ```json,beside
    /// { "version_number": 4, "title": "Front desk" }
    /// ```
    ///
    /// ```json,stored
    /// {
    ///   "agent": { "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent" },
    ///   "version": { "version_number": 5, "is_published": false }
    /// }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 5, "is_published": true }
    /// ```
    "draft-edited-while-another-is-published": Fleet {
        group: Suspicious,
        basis: Inferred("Each version has its own settings, and only the published one serves calls."),
        section: "3",
        advice: Info,
        reads: [version_number, is_published],
    }
}

fn check(fleet: &Fleet<'_>) -> Vec<FleetVerdict> {
    let mut said = Vec::new();
    let unknown_publisher = fleet
        .all()
        .find(|(_, agent)| agent.claims.agent.is_none() && agent.claims.publishes)
        .map(|(at, _)| at);
    let any_publisher = fleet.all().find(|(_, agent)| agent.claims.publishes).map(|(at, _)| at);
    if any_publisher.is_none() {
        return said;
    }
    for (at, agent) in fleet.all().filter(|(_, agent)| edits(agent)) {
        if agent.claims.agent.is_none() {
            if let Some(other) = any_publisher {
                let why = unknown_agent(&fleet.name(other));
                said.push(FleetVerdict::Undecided(at, why, true));
            }
            continue;
        }
        let mut published = fleet.of_same_agent(at).filter(|(_, other)| {
            other.claims.publishes
                && other.claims.version.is_some()
                && other.claims.version != agent.claims.version
        });
        match (published.next(), unknown_publisher) {
            (Some((other, of)), _) => said.push(finding(fleet, at, agent, (other, of))),
            (None, Some(other)) => {
                let why = unknown_agent(&fleet.name(other));
                said.push(FleetVerdict::Undecided(at, why, true));
            }
            (None, None) => {}
        }
    }
    said
}

/// Whether a document changes a version, as far as that is known, and does not publish it.
fn edits(agent: &AgentPlan) -> bool {
    let is_sent = agent.is_sent() || agent.outcome == crate::Outcome::NoStoredState;
    is_sent && !agent.claims.publishes && agent.claims.version.is_some()
}

fn finding(
    fleet: &Fleet<'_>,
    at: usize,
    agent: &AgentPlan,
    (other, published): (usize, &AgentPlan),
) -> FleetVerdict {
    let number = |of: &AgentPlan| of.version_number.clone().unwrap_or_default();
    let (here, there) = (number(agent), number(published));
    let found = FoundAcross {
        at: agent.claims.start.clone(),
        message: format!(
            "version {here} is edited while {} publishes version {there} of the same agent, so these edits do not become live",
            fleet.name(other)
        ),
        help: format!("make the edits in version {there}, if they belong there"),
        severity: Some(Severity::Info),
        others: vec![other],
    };
    FleetVerdict::Finding(at, Box::new(found))
}
