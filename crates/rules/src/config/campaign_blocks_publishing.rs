use voxlint_schema::facts::{BLOCKING_STATES, COMPLETED, campaign, campaigns};

use super::shared::{State, text_of, uncertainty_of};
use crate::prelude::*;

rule! {
    /// A version is published while a batch campaign blocks its agent.
    ///
    /// While a campaign is running or may still begin (any state from draft to running), its agent cannot be published. The
    /// facts list the campaigns of the workspace. The agent is the one that the update is sent to, or else the stored one.
    ///
    /// The description names the states in prose: `draft`, `waiting`, `scheduled`, `active` and `running` block, and a
    /// campaign that is `completed` does not. A state with another spelling, such as `RUNNING`, or with another name may
    /// block.
    ///
    /// ```json,stored
    /// { "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent" }
    /// ```
    ///
    /// ```json,facts
    /// { "campaigns": [{ "id": "ca_spring", "agent_id": "ag_front_desk", "state": "running" }] }
    /// ```
    ///
    /// ```json,reject
    /// { "version_number": 3, "is_published": true }
    /// ```
    ///
    /// ```json,facts
    /// { "campaigns": [{ "id": "ca_spring", "agent_id": "ag_front_desk", "state": "running" }] }
    /// ```
    ///
    /// ```json,possible
    /// { "version_number": 3, "is_published": true }
    /// ```
    ///
    /// ```json,stored
    /// { "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent" }
    /// ```
    ///
    /// ```json,facts
    /// { "campaigns": [{ "id": "ca_spring", "agent_id": "ag_front_desk", "state": "RUNNING" }] }
    /// ```
    ///
    /// ```json,possible
    /// { "version_number": 3, "is_published": true }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "is_published": true }
    /// ```
    ///
    /// ```json,facts
    /// { "campaigns": [{ "id": "ca_spring", "agent_id": "ag_front_desk", "state": "completed" }] }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "is_published": true }
    /// ```
    "campaign-blocks-publishing": Config {
        group: Correctness,
        basis: Read("It does not say how the states are spelled."),
        section: "3 rule 3",
        status: 409,
        reads: [is_published],
        reads_agent: [agent::id],
        reads_facts: [campaigns],
        readings: [STATE_SPELLING],
    }
}

fn check(config: &Effective<'_>) -> Checked<Verdict> {
    let (_, at) = config.written(&is_published).filter(|is_on| *is_on).or_holds()?;
    if !config.is_update() {
        return Err(NoFinding::Holds);
    }
    let (known, _) = config.fact(&campaigns).ok_or(NoFinding::Undecided)?;
    let agent = config.agent_id();
    let blocking: Vec<(Node<'_>, Blocks)> = known
        .elements()
        .map(|entry| (entry, blocks(entry, agent.as_deref())))
        .filter(|(_, blocks)| *blocks != Blocks::No)
        .collect();
    // A campaign that certainly blocks comes first.
    let (entry, blocks) =
        blocking.iter().min_by_key(|(_, blocks)| *blocks).ok_or(NoFinding::Holds)?;

    let state = text_of(*entry, &campaign::state);
    let name = match text_of(*entry, &campaign::id) {
        Some(id) => format!("campaign {}", quote(&id)),
        None => "a campaign".to_owned(),
    };
    let is = state.map_or_else(String::new, |state| format!(" is {} and", quote(&state)));
    let verb = if *blocks == Blocks::Yes { "blocks" } else { "may block" };
    let more = match blocking.len() - 1 {
        0 => String::new(),
        1 => ", as does another campaign".to_owned(),
        more => format!(", as do {more} other campaigns"),
    };
    let finding = Finding::new(at, format!("{name}{is} {verb} publishing{more}"))
        .about(&is_published)
        .also(Place::of(Origin::Facts, *entry).opening(), "the campaign")
        .help("publish after the campaign has ended, or remove the agent from it");
    let by_state = || {
        let states = blocking.iter().map(|(entry, _)| {
            text_of(*entry, &campaign::state)
                .filter(|_| entry.field(campaign::agent_id.row).is_some())
        });
        let otherwise = "the facts do not give the agent or the state of the campaign";
        uncertainty_of(&states.collect::<Vec<_>>(), &BLOCKING_STATES, "a campaign", otherwise)
    };
    Ok(match (blocks, agent) {
        (Blocks::Yes, _) => finding.reject(),
        (_, None) => finding.possible(Condition::unknowable(
            "the id of the agent is not known, so the campaign may belong to another agent",
        )),
        _ => finding.possible(by_state()),
    })
}

/// Whether a campaign blocks publishing an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Blocks {
    Yes,
    Maybe,
    No,
}

fn blocks(entry: Node<'_>, agent: Option<&str>) -> Blocks {
    let state = text_of(entry, &campaign::state);
    let of = text_of(entry, &campaign::agent_id);
    let is_of_agent = agent.zip(of.as_deref()).map(|(agent, of)| agent == of);
    let is_blocking = state.as_deref().map(|state| State::of(state, &BLOCKING_STATES, COMPLETED));
    match (is_of_agent, is_blocking) {
        (Some(false), _) | (_, Some(State::No)) => Blocks::No,
        (Some(true), Some(State::Yes)) => Blocks::Yes,
        _ => Blocks::Maybe,
    }
}
