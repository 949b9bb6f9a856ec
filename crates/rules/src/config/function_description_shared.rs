use std::collections::HashMap;

use voxlint_model::heard::shown_name;
use voxlint_schema::settings::agent_function;

use super::shared::text_of;
use crate::prelude::*;

rule! {
    /// Two functions have the same description.
    ///
    /// The language model decides by the description when to use a function. If two have the same one, usually copied with the
    /// rest of the function, it chooses by the name alone. Upper and lower case and white space around the text make no
    /// difference. Functions with the same name are reported by `function-listed-twice`.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [
    ///     { "displayName": "book_table", "type": "custom", "description": "Book a table.", "config": {} },
    ///     { "displayName": "cancel_table", "type": "custom", "description": "Book a table.", "config": {} }
    ///   ]
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [
    ///     { "displayName": "book_table", "type": "custom", "description": "Book a table.", "config": {} },
    ///     { "displayName": "cancel_table", "type": "custom", "description": "Cancel a booking.", "config": {} }
    ///   ]
    /// }
    /// ```
    "function-description-shared": Config {
        group: Heard,
        basis: Inferred("Language models choose functions by their descriptions."),
        section: "2.3",
        reads: [agent_functions],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let mut verdicts = Verdicts::none();
    let Value::Known(functions, list) = config.written(&agent_functions) else { return verdicts };
    let mut described: HashMap<String, Node<'_>> = HashMap::new();
    for function in functions.elements() {
        let text = text_of(function, &agent_function::description).unwrap_or_default();
        let text = text.trim().to_lowercase();
        if let Some(first) = described.get(&text) {
            verdicts.add(compare(*first, function, list.origin));
        } else if !text.is_empty() {
            described.insert(text, function);
        }
    }
    verdicts
}

fn compare(first: Node<'_>, second: Node<'_>, origin: Origin) -> Verdict {
    let names = [first, second].map(|it| text_of(it, &agent_function::displayName));
    let [Some(one), Some(other)] = names else { return Verdict::Holds };
    if suggest::is_respelling(&one, &other) {
        return Verdict::Holds;
    }
    let place = |function: Node<'_>| {
        let text = function.field(agent_function::description.row).unwrap_or(function);
        Place::of(origin, text)
    };
    let message =
        format!("{} and {} have the same description", shown_name(&one), shown_name(&other));
    Finding::new(place(second), message)
        .label("the same text")
        .also(place(first), "first here")
        .help("say for each of the two when to use it")
        .advice()
}
