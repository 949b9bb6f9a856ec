use std::collections::HashMap;
use voxlint_rules::rule;

use super::shared::unknown_agent;
use crate::AgentPlan;
use crate::plan::claims::{Reliance, StoredItem};
use crate::plan::fleet::{Fleet, FleetVerdict, FoundAcross};

rule! {
    /// A document relies on something stored that the plan of another document removes.
    ///
    /// Both are for the same version. One newly names a stored function in a prompt, uses the stored default of a variable, or
    /// switches on a fallback that is stored. The other one removes or replaces it. Each is fine alone.
    ///
    /// Only `voxlint plan` runs the rule, because it compares documents. In the examples, a document that is not the last one
    /// is called `a.json`, and the finding is in `b.json`.
    ///
    /// ```json,stored
    /// {
    ///   "agent": { "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent" },
    ///   "version": { "version_number": 3, "agent_functions": [{ "displayName": "look_up", "type": "custom", "description": "x", "config": {}}]}
    /// }
    /// ```
    ///
    /// ```json,beside
    /// { "version_number": 3, "agent_functions": []}
    /// ```
    ///
    /// ```json,stored
    /// {
    ///   "agent": { "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent" },
    ///   "version": { "version_number": 3, "agent_functions": [{ "displayName": "look_up", "type": "custom", "description": "x", "config": {}}]}
    /// }
    /// ```
    ///
    /// ```json,advice
    /// { "version_number": 3, "prompt_text": "Find the booking with look_up." }
    /// ```
    ///
    /// ```json,stored
    /// { "version_number": 3, "agent_functions": [{ "displayName": "look_up", "type": "custom", "description": "x", "config": {}}]}
    /// ```
    ///
    /// ```json,beside
    /// { "version_number": 3, "agent_functions": []}
    /// ```
    ///
    /// ```json,stored
    /// { "version_number": 3, "agent_functions": [{ "displayName": "look_up", "type": "custom", "description": "x", "config": {}}]}
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "prompt_text": "Find the booking with look_up." }
    /// ```
    ///
    /// ```json,stored
    /// {
    ///   "agent": { "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent" },
    ///   "version": { "version_number": 3, "agent_functions": [{ "displayName": "look_up", "type": "custom", "description": "x", "config": {}}]}
    /// }
    /// ```
    ///
    /// ```json,beside
    /// { "version_number": 3, "title": "Front desk" }
    /// ```
    ///
    /// ```json,stored
    /// {
    ///   "agent": { "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent" },
    ///   "version": { "version_number": 3, "agent_functions": [{ "displayName": "look_up", "type": "custom", "description": "x", "config": {}}]}
    /// }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "prompt_text": "Find the booking with look_up." }
    /// ```
    "id-removed-by-another-plan": Fleet {
        group: Suspicious,
        basis: Inferred("The list of functions is replaced as a whole, and omitted settings stay as they are stored."),
        section: "4.1 rules 1 and 2",
        reads: [agent_functions, default_dynamic_variables, stt_fallback_transcriber_id, llm_fallback_model, voice_id],
    }
}

fn check(fleet: &Fleet<'_>) -> Vec<FleetVerdict> {
    let mut removing: HashMap<(Option<&str>, &StoredItem), Vec<usize>> = HashMap::new();
    for (at, AgentPlan { claims, .. }) in fleet.all() {
        for thing in &claims.removes {
            removing.entry((claims.version.as_deref(), thing)).or_default().push(at);
        }
    }
    let mut said = Vec::new();
    for (at, AgentPlan { claims, .. }) in fleet.all() {
        for reliance in &claims.relies {
            let others = removing.get(&(claims.version.as_deref(), &reliance.on));
            let others = others.into_iter().flatten().copied().filter(|other| *other != at);
            let of = |same: Option<bool>| {
                others.clone().find(|other| fleet.is_same_agent(*other, at) == same)
            };
            match (of(Some(true)), of(None)) {
                (Some(other), _) => said.push(finding(fleet, at, other, reliance)),
                (None, Some(other)) => {
                    let why = unknown_agent(&fleet.name(other));
                    said.push(FleetVerdict::Undecided(at, why, true));
                }
                (None, None) => {}
            }
        }
    }
    said
}

fn finding(fleet: &Fleet<'_>, at: usize, other: usize, reliance: &Reliance) -> FleetVerdict {
    let Reliance { on: StoredItem { setting, name }, shown, at: spot } = reliance;
    let name_of_other = fleet.name(other);
    let does = if name.is_empty() { "changes" } else { "removes" };
    let found = FoundAcross {
        at: spot.clone(),
        message: format!(
            "this relies on {shown}, which the update of {name_of_other} {does} in the same version"
        ),
        help: format!("keep it in {name_of_other}, or give `{setting}` here as well"),
        severity: None,
        others: vec![other],
    };
    FleetVerdict::Finding(at, Box::new(found))
}
