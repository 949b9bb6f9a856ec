//! Runs the rules across documents.

use std::sync::Arc;

use super::agent_plan::{AgentPlan, FleetFinding};
use super::claims::{ClaimPlace, NUMBERS, StoredNumber};
use super::fleet::{Fleet, FleetVerdict, FoundAcross, MAX_OTHERS};
use super::order::Order;
use voxlint_model::{Diagnostic, Rule, Undecided, VerdictKind};

use crate::fleet;

/// A claim of an inbound number that takes it from published agents.
struct Taking {
    at: usize,
    field: String,
    /// The documents of the other agents.
    from: Vec<Arc<str>>,
    /// What is added to the sentence about the change.
    clause: String,
}

/// The claims of planned documents that take an inbound number from an agent that is published with it. Whether two agents may
/// share an outbound number is not known.
fn takings(fleet: &Fleet<'_>) -> Vec<Taking> {
    let mut all = Vec::new();
    for (used, number, claimers) in fleet.claims().filter(|(used, ..)| *used == 0) {
        let held = |at: usize| fleet.agent(at)?.claims.numbers.get(used).map(|it| &it.held);
        let is_published = |at: &usize| {
            matches!(held(*at), Some(StoredNumber::Yes(_) | StoredNumber::Published(_)))
        };
        let holders = fleet.holders(used, number).iter().copied();
        // Each with the document that gives the number up.
        let holders: Vec<(usize, Option<usize>)> = holders
            .filter(is_published)
            .take(MAX_OTHERS)
            .map(|at| (at, fleet.released_by(at, used, number)))
            .collect();
        for &at in claimers.iter().filter(|at| fleet.beside(**at).is_none()) {
            let has_it = |(holder, by): &(usize, Option<usize>)| {
                fleet.is_same_agent(*holder, at) == Some(false)
                    && !by.is_some_and(|by| fleet.is_before(by, at))
            };
            let losers: Vec<usize> =
                holders.iter().copied().filter(has_it).map(|(holder, _)| holder).collect();
            let Some(&first) = losers.first() else { continue };
            let is_sure = matches!(held(first), Some(StoredNumber::Yes(_)));
            let takes = if is_sure { "takes it from" } else { "may take it from" };
            let (agent, name) = (fleet.agent_of(first), fleet.name(first));
            let names = losers.iter().filter_map(|it| fleet.agent(*it));
            all.push(Taking {
                at,
                field: format!("/{}", NUMBERS.get(used).map_or("", |row| row.name)),
                from: names.map(|it| Arc::clone(&it.name)).collect(),
                clause: format!(", which {takes} the published {agent} of {name}"),
            });
        }
    }
    all
}

/// Marks the changes that take a number from a published agent.
fn mark(agents: &mut [AgentPlan], takings: Vec<Taking>) {
    for Taking { at, field, from, clause } in takings {
        let Some(agent) = agents.get_mut(at) else { continue };
        agent.keep_alone();
        if let Some(change) = agent.changes.iter_mut().find(|change| change.field == field) {
            change.sentence.push_str(&clause);
            change.takes_from = from;
        }
    }
}

/// Runs the rules across documents, and gives each planned document what they say about it: the first `planned` ones. The
/// others are neighbors.
pub(super) fn check(agents: &mut [AgentPlan], planned: usize, order: &Order) {
    let mut said: Vec<(&'static Rule, FleetVerdict)> = Vec::new();
    let fleet = Fleet::new(agents, planned, order);
    let takings = takings(&fleet);
    for &(rule, check) in fleet::RULES {
        said.extend(check(&fleet).into_iter().map(|verdict| (rule, verdict)));
    }
    let names: Vec<Arc<str>> = agents.iter().map(|agent| Arc::clone(&agent.name)).collect();
    mark(agents, takings);
    let agents = agents.get_mut(..planned).unwrap_or_default();
    for (rule, verdict) in said {
        match verdict {
            FleetVerdict::Finding(at, found) => {
                let Some(agent) = agents.get_mut(at) else { continue };
                let FoundAcross { at: ClaimPlace { field, span }, message, .. } = *found;
                let mut diagnostic = Diagnostic::new(rule, VerdictKind::Advice, span, message);
                diagnostic.field = field;
                diagnostic.help = Some(found.help);
                diagnostic.severity = found.severity.unwrap_or(diagnostic.severity);
                let others = found.others.iter().take(MAX_OTHERS);
                let others = others.filter_map(|it| names.get(*it)).cloned();
                agent.findings.push(FleetFinding { diagnostic, others: others.collect() });
            }
            FleetVerdict::Undecided(at, why, needs_stored) => {
                let Some(agent) = agents.get_mut(at) else { continue };
                let is_known = |entry: &Undecided| entry.rule.id == rule.id && entry.why() == why;
                if !agent.undecided.iter().any(is_known) {
                    let mut entry = Undecided::new(rule, why);
                    entry.needs_stored = needs_stored;
                    agent.undecided.push(entry);
                }
            }
        }
    }
}
