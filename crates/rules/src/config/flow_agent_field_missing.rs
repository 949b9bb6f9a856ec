use voxlint_schema::Text;
use voxlint_schema::agent::agent_type;

use crate::prelude::*;

rule! {
    /// An update of a conversational flow agent lacks its identity or its background.
    ///
    /// The description calls `agent_identity` and `agent_background` required in an update of a
    /// `Conversational_Flow_Agent`. Elsewhere it calls every field but `version_number` optional, and an omitted field
    /// keeps its stored value. So an update that omits them is certainly rejected only if none is stored. The same applies
    /// to a minimal publish, which is said to need only two fields. The type of the agent is that of the stored
    /// configuration, whatever an update says.
    ///
    /// ```json,stored
    /// { "agent": { "id": "ag_front_desk", "agent_type": "Conversational_Flow_Agent" }, "version": {}, "complete": true }
    /// ```
    ///
    /// ```json,reject
    /// { "version_number": 3, "title": "Front desk", "agent_identity": "You are the front desk." }
    /// ```
    ///
    /// ```json,stored
    /// { "id": "ag_front_desk", "agent_type": "Conversational_Flow_Agent" }
    /// ```
    ///
    /// ```json,possible
    /// { "version_number": 3, "agent_identity": "You are the front desk." }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "agent_identity": "You are the front desk." }
    /// ```
    ///
    /// ```json,stored
    /// { "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "agent_identity": "You are the front desk." }
    /// ```
    "flow-agent-field-missing": Config {
        group: Correctness,
        basis: Read("It calls the two fields required in one place and optional in another."),
        section: "2.3",
        status: 400,
        reads: [version_number, is_published, agent_identity, agent_background],
        reads_agent: [agent_type],
        readings: [FLOW_AGENT_FIELDS, EMPTY_FLOW_AGENT_FIELDS, MINIMAL_PUBLISH],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    [&agent_identity, &agent_background]
        .into_iter()
        .map(|field| check_field(config, field))
        .collect()
}

fn check_field(config: &Effective<'_>, field: &Field<Text>) -> Verdict {
    let written = config.written(field);
    if written.known().is_some_and(|(text, _)| !text.is_empty()) {
        return Verdict::Holds;
    }
    let Some(root) = config.root() else { return Verdict::Holds };
    match config.is_flow_agent() {
        Some(true) => {}
        Some(false) => return Verdict::Holds,
        None => return Verdict::Undecided,
    }
    let name = field.row.name;
    let missing = Finding::new(
        Place::of(Origin::Document, root).opening(),
        format!("`{name}` is missing, and a conversational flow agent needs it"),
    )
    .about(field)
    .label(format!("no `{name}`"))
    .help(format!("add `{name}` to every update of this agent"));
    match (written, config.get(field)) {
        (Value::Known(_, at), _) => {
            Finding::new(at, format!("`{name}` is empty, and a conversational flow agent needs it"))
                .about(field)
                .help(format!("write a text for `{name}`"))
                .possible(Condition::first(&readings::EMPTY_FLOW_AGENT_FIELDS))
        }
        (Value::Unknown(UnknownReason::Lost), _) => Verdict::Undecided,
        // Another rule reports the invalid value.
        (Value::Unknown(_), _) => Verdict::Holds,
        (Value::Absent(_), Value::Absent(_)) if config.is_minimal_publish() => {
            missing.possible(Condition::first(&readings::MINIMAL_PUBLISH))
        }
        (Value::Absent(_), Value::Absent(_)) => missing.reject(),
        (Value::Absent(_), Value::Unknown(missing_there)) => {
            missing.possible(Condition::unknown(field, missing_there))
        }
        (Value::Absent(_), Value::Known(text, _)) => {
            let condition = Condition::first(&readings::FLOW_AGENT_FIELDS);
            missing.possible(if text.is_empty() {
                Condition::unknowable(readings::FLOW_AGENT_FIELDS.question)
            } else if config.is_minimal_publish() {
                condition.and(Assumption::first(&readings::MINIMAL_PUBLISH))
            } else {
                condition
            })
        }
    }
}
