use voxlint_model::heard::shown_name;
use voxlint_schema::settings::agent_function::{TABLE, description, displayName, function_type};

use crate::prelude::*;

rule! {
    /// The description of a function is empty.
    ///
    /// The language model decides by the description when to use a function, and here it has nothing but the name. Functions of
    /// the types `end_call` and `call_transfer` are not reported, because the type says what they do. A missing description is
    /// reported by `missing-field`, and one of white space by `blank-text`.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [{ "displayName": "check_slots", "type": "custom", "description": "", "config": {} }]
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [{ "displayName": "hang_up", "type": "end_call", "description": "", "config": {} }]
    /// }
    /// ```
    "function-description-empty": Object {
        group: Heard,
        basis: Inferred("Language models choose functions by their descriptions."),
        section: "2.3",
        advice: Info,
        table: TABLE,
    }
}

fn check(function: &ObjectValue<'_>) -> Checked<Verdict> {
    let (text, place) = function.get(&description).ok_or(NoFinding::Holds)?;
    let is_plain = || {
        let of_type = function.get(&function_type);
        of_type.is_some_and(|(it, _)| matches!(&*it, "end_call" | "call_transfer"))
    };
    if !text.is_empty() || is_plain() {
        return Err(NoFinding::Holds);
    }
    let message = match function.get(&displayName) {
        Some((name, _)) => format!("the description of {} is empty", shown_name(&name)),
        None => "the description of the function is empty".to_owned(),
    };
    Ok(Finding::new(place, message)
        .help("say when to use the function, and what it needs")
        .advice())
}
