use voxlint_schema::settings::agent_function::{TABLE, description, displayName};

use crate::prelude::*;

rule! {
    /// The description of a function only repeats its name.
    ///
    /// The language model decides by the description when to use a function. `look_up_order`, described as "Look up order", tells
    /// it nothing that the name does not say: which order, when, and what to ask the caller before.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [
    ///     { "displayName": "look_up_order", "type": "custom", "description": "Look up order.", "config": {}}
    ///   ]
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [
    ///     { "displayName": "look_up_order", "type": "custom", "description": "Look the order up as soon as the caller has said its number.", "config": {}}
    ///   ]
    /// }
    /// ```
    "function-description-repeats-name": Object {
        group: Suspicious,
        basis: Inferred("Language models choose functions by their descriptions."),
        section: "2.3",
        advice: Info,
        table: TABLE,
    }
}

fn check(function: &ObjectValue<'_>) -> Verdict {
    let (Some((name, beside)), Some((text, place))) =
        (function.get(&displayName), function.get(&description))
    else {
        return Verdict::Holds;
    };
    if words(&name).next().is_none() || !words(&name).eq(words(&text)) {
        return Verdict::Holds;
    }
    Finding::new(place, "the description only repeats the name of the function")
        .also(beside, "the name")
        .help("say when to use the function, and what it needs")
        .advice()
}

/// The letters and digits of a text in lower case.
fn words(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
}
