use voxlint_schema::facts::{ACTIVE, PAUSED, workflow, workflows};

use super::shared::{State, has_id, text_of, uncertainty_of};
use crate::prelude::*;

rule! {
    /// The outbound number is changed while active workflows call from it.
    ///
    /// Changing or detaching the outbound number is rejected while an active workflow uses the stored number. Pause the
    /// workflow first. Sending the same number again is not a change. The stored configuration shows which number is stored, and
    /// the facts which workflows are active.
    ///
    /// The description names two states in prose: a workflow that is `active` uses its numbers, and one that is `paused`
    /// does not. A state with another spelling, such as `Active`, or with another name may count.
    ///
    /// ```json,stored
    /// { "version_number": 3, "is_published": false, "outbound_phone_number_id": "pn_front_desk" }
    /// ```
    ///
    /// ```json,facts
    /// { "workflows": [{ "id": "wf_recall", "state": "active", "outbound_phone_number_ids": ["pn_front_desk"] }] }
    /// ```
    ///
    /// ```json,reject
    /// { "version_number": 3, "is_published": true, "outbound_phone_number_id": "pn_night_desk" }
    /// ```
    ///
    /// ```json,stored
    /// { "version_number": 3, "is_published": false, "outbound_phone_number_id": "pn_front_desk" }
    /// ```
    ///
    /// ```json,facts
    /// { "workflows": [{ "id": "wf_recall", "state": "active", "outbound_phone_number_ids": ["pn_front_desk"] }] }
    /// ```
    ///
    /// ```json,possible
    /// { "version_number": 3, "outbound_phone_number_id": "pn_night_desk" }
    /// ```
    ///
    /// ```json,facts
    /// { "workflows": [{ "id": "wf_recall", "state": "active", "outbound_phone_number_ids": ["pn_front_desk"] }] }
    /// ```
    ///
    /// ```json,possible
    /// { "version_number": 3, "is_published": true, "outbound_phone_number_id": "pn_night_desk" }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "is_published": true, "outbound_phone_number_id": "pn_night_desk" }
    /// ```
    ///
    /// ```json,facts
    /// { "workflows": [{ "id": "wf_recall", "state": "paused", "outbound_phone_number_ids": ["pn_front_desk"] }] }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "is_published": true, "outbound_phone_number_id": "pn_night_desk" }
    /// ```
    "outbound-number-in-use": Config {
        group: Correctness,
        basis: Read("It does not say how the states of workflows are spelled."),
        section: "3 rule 4",
        status: 409,
        reads: [is_published, outbound_phone_number_id],
        reads_facts: [workflows],
        readings: [CALLS_WITHOUT_PUBLISHING, STATE_SPELLING],
    }
}

fn check(config: &Effective<'_>) -> Checked<Verdict> {
    if !config.is_update() {
        return Err(NoFinding::Holds);
    }
    let (number, at) = config.written(&outbound_phone_number_id).or_undecided()?;
    let stored = match config.stored(&outbound_phone_number_id) {
        Value::Known(stored, _) if stored.is_empty() || stored == number => {
            return Err(NoFinding::Holds);
        }
        Value::Absent(_) => return Err(NoFinding::Holds),
        Value::Known(stored, place) => Some((stored, place)),
        Value::Unknown(_) => None,
    };
    let (flows, _) = config.fact(&workflows).ok_or(NoFinding::Undecided)?;
    let callers: Vec<(Node<'_>, NumberUse)> = flows
        .elements()
        .map(|flow| (flow, use_of(flow, stored.as_ref().map(|(number, _)| number.as_ref()))))
        .filter(|(_, used)| *used != NumberUse::None)
        .collect();
    // A workflow that certainly uses the number comes first.
    let (flow, used) = callers.iter().min_by_key(|(_, used)| *used).ok_or(NoFinding::Holds)?;

    let done = if number.is_empty() { "detached" } else { "changed" };
    let name = match text_of(*flow, &workflow::id) {
        Some(id) => format!("workflow {}", quote(&id)),
        None => "a workflow".to_owned(),
    };
    let (more, call) = match callers.len() - 1 {
        0 => (String::new(), "calls"),
        1 => (" and another".to_owned(), "call"),
        more => (format!(" and {more} others"), "call"),
    };
    let message = match &stored {
        Some((stored, _)) => {
            format!(
                "the outbound number is {done} while {name}{more} {call} from {}",
                quote(stored)
            )
        }
        None => format!("the outbound number is {done} while {name}{more} may call from it"),
    };
    let mut finding = Finding::new(at, message)
        .about(&outbound_phone_number_id)
        .also(Place::of(Origin::Facts, *flow).opening(), "the workflow")
        .help("pause the workflow first, or keep the number");
    finding = finding.also(stored.clone().map(|(_, place)| place), "the number in use");
    let publishing = config.written(&is_published);
    let by_state = || {
        let numbers =
            |flow: &Node<'_>| flow.field(workflow::outbound_phone_number_ids.row).is_some();
        let states = callers
            .iter()
            .map(|(flow, _)| text_of(*flow, &workflow::state).filter(|_| numbers(flow)));
        let otherwise =
            "the facts do not say whether the workflow is active and calls from this number";
        uncertainty_of(&states.collect::<Vec<_>>(), &[ACTIVE], "a workflow", otherwise)
    };
    Ok(match (publishing, used, stored) {
        (Value::Known(true, _), NumberUse::Certain, Some(_)) => finding.reject(),
        (Value::Known(true, _), _, Some(_)) => finding.possible(by_state()),
        (Value::Known(true, _), _, None) => {
            finding.possible(Condition::Stored(outbound_phone_number_id.row))
        }
        (Value::Unknown(UnknownReason::Lost), ..) | (_, _, None) => Verdict::Undecided,
        (Value::Unknown(missing), ..) => {
            finding.possible(Condition::unknown(&is_published, missing))
        }
        (_, NumberUse::Certain, _) => {
            finding.possible(Condition::first(&readings::CALLS_WITHOUT_PUBLISHING))
        }
        _ => {
            finding.possible(by_state().and(Assumption::first(&readings::CALLS_WITHOUT_PUBLISHING)))
        }
    })
}

/// Whether a workflow calls from a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum NumberUse {
    Certain,
    Possible,
    None,
}

/// Whether a workflow is active and calls from this number, or from any if the number is not known.
fn use_of(flow: Node<'_>, number: Option<&str>) -> NumberUse {
    let state = text_of(flow, &workflow::state);
    let numbers = flow
        .field(workflow::outbound_phone_number_ids.row)
        .filter(|numbers| numbers.kind() == Kind::Array);
    // If the stored number is not known, any active workflow may call from it.
    let calls = match number {
        Some(number) => numbers.map(|numbers| has_id(numbers, number)),
        None => Some(true),
    };
    match (state.as_deref().map(|state| State::of(state, &[ACTIVE], PAUSED)), calls) {
        (Some(State::No), _) | (_, Some(false)) => NumberUse::None,
        (Some(State::Yes), Some(true)) => NumberUse::Certain,
        _ => NumberUse::Possible,
    }
}
