use voxlint_schema::settings::{inbound_phone_number_id, is_published, outbound_phone_number_id};

use super::{SHARED_OUTBOUND, unknown_agent};
use crate::plan::claims::NUMBERS;
use crate::plan::fleet::{Fleet, FleetVerdict, FoundAcross, MAX_OTHERS};
use crate::rule::rule;

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
        for (count, &at) in claimers.iter().enumerate() {
            let earlier = claimers.get(..count).unwrap_or_default();
            let of = |same: Option<bool>| {
                let these = earlier.iter().copied();
                these.filter(move |other| fleet.is_same_agent(*other, at) == same)
            };
            let others: Vec<usize> = of(Some(false)).collect();
            if let Some(unknown) = of(None).next() {
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
            let claim = if others.len() == 1 { "claims" } else { "claim" };
            let message = format!(
                "`{row}` claims {}, which {} also {claim} for another agent",
                number.shown,
                fleet.names(&others)
            );
            let found = FoundAcross {
                at: spot.clone(),
                message,
                help: "let one agent have the number".to_owned(),
                severity: None,
                others: others.into_iter().take(MAX_OTHERS).collect(),
            };
            said.push(FleetVerdict::Finding(at, Box::new(found)));
        }
    }
    said
}
