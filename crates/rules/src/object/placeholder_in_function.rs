use voxlint_model::text::placeholders::in_setting;
use voxlint_schema::settings::agent_function;

use crate::prelude::*;

rule! {
    /// A setting of a function is a placeholder that was never filled in.
    ///
    /// A call that is transferred to `+1XXXXXXXXXX`, or a request with the header `Bearer YOUR_API_KEY`, fails. The rule reports values in `config`
    /// that are a telephone number with an `X` in place of digits, or contain a word in capitals that asks for a replacement, such as
    /// `REPLACE_WITH_NUMBER`, `CHANGE_ME` or `YOUR_API_KEY`. Descriptions, examples and formats of parameters are not reported.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [{
    ///     "displayName": "transfer", "type": "call_transfer", "description": "Transfers to billing.",
    ///     "config": { "destination": "+1XXXXXXXXXX" }
    ///   }]
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [{
    ///     "displayName": "transfer", "type": "call_transfer", "description": "Transfers to billing.",
    ///     "config": { "destination": "{{billing_number}}", "description": "as in +1XXXXXXXXXX" }
    ///   }]
    /// }
    /// ```
    "placeholder-in-function": Object {
        group: Heard,
        basis: Inferred("The description does not say what `config` contains."),
        section: "2.3",
        table: agent_function::TABLE,
    }
}

fn check(function: &ObjectValue<'_>) -> Verdicts {
    let mut verdicts = Verdicts::none();
    let Some((config, _)) = function.get(&agent_function::config) else { return verdicts };
    for node in config.inside().filter(|node| !node.is_name()) {
        let Some(text) = node.as_str() else { continue };
        let Some(range) = in_setting(&text).filter(|_| !is_explained(node)) else { continue };
        let place = Place::of(function.origin, node);
        let name = node.name().and_then(Node::as_str);
        let shown = name.map_or_else(|| "a value".to_owned(), |name| quote(&name));
        let message = format!("{shown} is a placeholder that was never filled in");
        let finding = Finding::new(place.clone().decoded(range), message)
            .about_value(place)
            .label("a placeholder")
            .help("replace it with the value it stands for")
            .once_for(&*text);
        verdicts.add(finding.advice());
    }
    verdicts
}

/// Whether a value is written for people or for the model, which may show a format.
fn is_explained(node: Node<'_>) -> bool {
    const KEYS: [&str; 9] = [
        "description",
        "example",
        "examples",
        "format",
        "pattern",
        "title",
        "message",
        "content",
        "placeholder",
    ];
    let name = node.name().and_then(Node::as_str).unwrap_or_default();
    KEYS.contains(&name.as_ref())
}
