use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;
use voxlint_model::heard::{is_whole_word, sentence_at};
use voxlint_schema::settings::agent_function;

use super::shared::{has_function, text_of};
use crate::prelude::*;

rule! {
    /// An agent that cannot transfer calls has transfer destinations, or a prompt that transfers calls.
    ///
    /// `agent_transfer_destinations` are the numbers that calls may be transferred to. Without a function of the type
    /// `call_transfer` the agent never uses them. Told to transfer a call, it says that it does, and nothing happens.
    ///
    /// In prompts the rule reads "transfer the call", "transfer to a human" and similar words in English and French, and reports
    /// them if no function says that it transfers, forwards, escalates or connects calls.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "default_dynamic_variables": {"agent_transfer_destinations": "+14155550100"},
    ///   "agent_functions": [
    ///     { "displayName": "hang_up", "type": "end_call", "description": "End the call.", "config": {}}
    ///   ]
    /// }
    /// ```
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "prompt_text": "If the caller asks for a person, transfer the call.",
    ///   "agent_functions": [
    ///     { "displayName": "hang_up", "type": "end_call", "description": "End the call.", "config": {}}
    ///   ]
    /// }
    /// ```
    ///
    /// ```json,undecided
    /// {
    ///   "version_number": 3,
    ///   "default_dynamic_variables": {"agent_transfer_destinations": "+14155550100"}
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "default_dynamic_variables": {"agent_transfer_destinations": "+14155550100"},
    ///   "agent_functions": [
    ///     { "displayName": "transfer", "type": "call_transfer", "description": "Transfer to billing.", "config": {}}
    ///   ]
    /// }
    /// ```
    "transfer-without-function": Config {
        group: Suspicious,
        basis: Inferred("The description names the destinations and the type of the function, but does not say that they belong together."),
        section: "2.3",
        advice: Info,
        reads: [prompt_text, default_dynamic_variables, agent_functions],
    }
}

fn check(config: &Effective<'_>) -> Checked<Verdict> {
    let destinations = match config.written(&default_dynamic_variables) {
        Value::Known(variables, place) => {
            destinations_in(variables).map(|it| Place::of(place.origin, it))
        }
        _ => None,
    };
    let told = || {
        let prompt = config.prose_of(&prompt_text).filter(|prompt| prompt.at.is_in_document())?;
        Some(prompt.place(told_to_transfer(&prompt.text)?))
    };
    let is_listed = destinations.is_some();
    let place = destinations.or_else(told).ok_or(NoFinding::Holds)?;
    let beside = match config.get(&agent_functions) {
        Value::Known(functions, beside)
            if has_function(functions, "call_transfer") == Some(false)
                && (is_listed || !functions.elements().any(may_transfer)) =>
        {
            beside
        }
        Value::Known(..) | Value::Absent(_) => return Err(NoFinding::Holds),
        Value::Unknown(_) => return Err(NoFinding::Undecided),
    };
    let finding = if is_listed {
        let message =
            "the agent cannot use these numbers: it has no function of the type `call_transfer`";
        Finding::new(place.clone().name(), message)
            .about_value(place)
            .help("add a `call_transfer` function, or remove the numbers")
    } else {
        Finding::new(place, "the prompt transfers calls, and no function of the agent does")
            .label("cannot be done")
            .help("add a `call_transfer` function, or say what to do instead")
    };
    Ok(finding.also(beside.name(), "no `call_transfer` here").advice())
}

/// Where a prompt tells the agent to transfer a call.
fn told_to_transfer(text: &str) -> Option<Range<usize>> {
    const OBJECTS: [&str; 8] = [
        " the call",
        " the caller",
        " you",
        " them",
        " to a human",
        " to a person",
        " to a live",
        "érer l'appel",
    ];
    /// The words before it, if any.
    const LEADS: [&str; 10] =
        ["me", "i'll", "i’ll", "will", "to", "then", "immediately", "gracefully", "please", "de"];
    /// What makes it something that another system does, or that the agent must not do.
    const OTHER: [&str; 10] = [
        "want", "not ", "n't ", "never", "cannot", "unable", " no ", "configur", " pas ", "jamais",
    ];
    memmem::find_iter(text.as_bytes(), "ransf").find_map(|at| {
        let rest = text.get(at..)?;
        let rest = rest.strip_prefix("ransfer").or_else(|| rest.strip_prefix("ransf"))?;
        let object = OBJECTS.iter().find(|object| rest.starts_with(**object))?;
        let range = at.checked_sub(1)?..text.len() - rest.len() + object.len();
        let sentence = sentence_at(text, at);
        let before = text.get(sentence.start..range.start)?.trim_end().to_lowercase();
        let last = before.rsplit(' ').next().unwrap_or_default();
        let is_told = LEADS.contains(&last) || !last.ends_with(char::is_alphanumeric);
        let sentence = text.get(sentence)?.to_lowercase();
        let ends = text.get(range.end..)?.trim_start_matches(['"', '”', '*', '`']);
        let is_end = !ends.starts_with(|c: char| c.is_alphanumeric() || c == ' ');
        let is_whole = is_whole_word(text, &range) && (is_end || object.starts_with(" to "));
        (is_whole && is_told && !OTHER.iter().any(|word| sentence.contains(word))).then_some(range)
    })
}

/// Whether the name or the description of a function says that it passes calls on.
fn may_transfer(function: Node<'_>) -> bool {
    const WORDS: [&str; 13] = [
        "transf",
        "hand",
        "escalat",
        "forward",
        "connect",
        "human",
        "rout",
        "redirect",
        "put through",
        "weiterleit",
        "verbind",
        "vermittel",
        "dial",
    ];
    let says = |text: Option<Cow<'_, str>>| {
        text.is_some_and(|text| {
            let text = text.to_lowercase();
            WORDS.iter().any(|word| text.contains(word))
        })
    };
    says(text_of(function, &agent_function::displayName))
        || says(text_of(function, &agent_function::description))
}

/// The transfer destinations in an object of default variables.
fn destinations_in(variables: Node<'_>) -> Option<Node<'_>> {
    let node = variables.field(default_dynamic_variables::agent_transfer_destinations.row)?;
    node.as_str().is_some_and(|text| !text.trim().is_empty()).then_some(node)
}
