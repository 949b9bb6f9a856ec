use std::collections::HashMap;
use voxlint_rules::rule;

use super::shared::{SHARED_OUTBOUND, unknown_agent};
use crate::plan::claims::NUMBERS;
use crate::plan::fleet::{Fleet, FleetVerdict, FoundAcross, MAX_OTHERS};

rule! {
    /// Two documents of a plan claim the same inbound number for different agents.
    ///
    /// An update that publishes claims its numbers for live calls. Calls to one number reach one agent, so the agent whose
    /// update is sent last gets them, and the other one is not called any more. A number that is sent without publishing is not
    /// claimed. Several agents may share an outbound number, as far as the description tells: then the rule is undecided.
    ///
    /// Only `voxlint plan` runs the rule, because it compares documents. In the examples, a document that is not the last one
    /// is called `a.json`, and the finding is in `b.json`.
    ///
    /// ```json,stored
    /// { "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent" }
    /// ```
    ///
    /// ```json,beside
    /// { "version_number": 3, "is_published": true, "inbound_phone_number_id": "pn_main" }
    /// ```
    ///
    /// ```json,stored
    /// { "id": "ag_night_desk", "agent_type": "Single_Prompt_Agent" }
    /// ```
    ///
    /// ```json,advice
    /// { "version_number": 7, "is_published": true, "inbound_phone_number_id": "pn_main" }
    /// ```
    ///
    /// ```json,beside
    /// { "version_number": 3, "is_published": true, "inbound_phone_number_id": "pn_main" }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 7, "is_published": true, "inbound_phone_number_id": "pn_main" }
    /// ```
    ///
    /// ```json,beside
    /// { "version_number": 3, "is_published": true, "inbound_phone_number_id": "pn_main" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 7, "is_published": true, "inbound_phone_number_id": "pn_night" }
    /// ```
    "phone-number-claimed-twice": Fleet {
        group: Suspicious,
        basis: Inferred("The description says that a publishing update claims its numbers, but not what happens to the agent that had one."),
        section: "4.1 rule 5",
        reads: [is_published, inbound_phone_number_id, outbound_phone_number_id],
    }
}

fn check(fleet: &Fleet<'_>) -> Vec<FleetVerdict> {
    let mut said = Vec::new();
    for (used, _, claimers) in fleet.claims() {
        let is_inbound = used == 0;
        let mut earlier = Earlier::default();
        for &at in claimers {
            let (unknown, others, count) = earlier.add(at, fleet.agent_id(at));
            if let Some(unknown) = unknown {
                let why = unknown_agent(&fleet.name(unknown));
                said.push(FleetVerdict::Undecided(at, why, true));
            }
            if others.is_empty() {
                continue;
            }
            if !is_inbound {
                said.push(FleetVerdict::Undecided(at, SHARED_OUTBOUND.to_owned(), false));
                continue;
            }
            let Some(number) = fleet.agent(at).and_then(|agent| agent.claims.numbers.get(used))
            else {
                continue;
            };
            let Some((number, spot)) = &number.sent else { continue };
            let row = NUMBERS.get(used).map_or("", |row| row.name);
            let claim = if count == 1 { "claims" } else { "claim" };
            let message = format!(
                "`{row}` claims {}, which {} also {claim} for another agent",
                number.shown,
                fleet.names(&others, count)
            );
            let found = FoundAcross {
                at: spot.clone(),
                message,
                help: "let one agent have the number".to_owned(),
                severity: None,
                others,
            };
            said.push(FleetVerdict::Finding(at, Box::new(found)));
        }
    }
    said
}

/// The documents so far that claim one number, in such a way that thousands of them are not compared with each other.
#[derive(Default)]
struct Earlier<'a> {
    first: Option<usize>,
    /// The first one whose agent is not known.
    unknown: Option<usize>,
    /// How many there are of each agent, and of all known agents.
    counts: HashMap<&'a str, usize>,
    known: usize,
    /// Those of known agents, as many of each as a finding lists.
    listed: Vec<(usize, &'a str)>,
}

impl<'a> Earlier<'a> {
    /// Adds a document. Returns an earlier one that may be of another agent, the first ones of those that are, and their number.
    fn add(&mut self, at: usize, agent: Option<&'a str>) -> (Option<usize>, Vec<usize>, usize) {
        let first = self.first;
        self.first.get_or_insert(at);
        let Some(agent) = agent else {
            self.unknown.get_or_insert(at);
            return (first, Vec::new(), 0);
        };
        let own = self.counts.entry(agent).or_default();
        let count = self.known - *own;
        let others = self.listed.iter().filter(|(_, of)| *of != agent).map(|(other, _)| *other);
        let others = if count > 0 { others.take(MAX_OTHERS).collect() } else { Vec::new() };
        if *own < MAX_OTHERS {
            self.listed.push((at, agent));
        }
        *own += 1;
        self.known += 1;
        (self.unknown, others, count)
    }
}
