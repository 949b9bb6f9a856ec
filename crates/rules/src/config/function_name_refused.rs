use std::ops::Range;

use voxlint_model::heard::{MAX_NAME, is_in_accepted_name, shown_name};
use voxlint_schema::settings::agent_function;

use super::shared::text_of;
use crate::prelude::*;

rule! {
    /// The name of a function is one that interfaces of language models reject.
    ///
    /// Most interfaces only accept up to 64 ASCII letters, digits, `_` and `-` as the name of a function. The rule is off by
    /// default, because `displayName` may be a label: some services make a name from "Transfer to front desk" before the
    /// model sees it, and the description does not say whether this one does. Turn it on if you want the same name in the
    /// configuration, the prompt and the logs.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "prompt_text": "Offer callers a free slot.",
    ///   "agent_functions": [
    ///     { "displayName": "Check slots", "type": "custom", "description": "Find free slots.", "config": {} }
    ///   ]
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [
    ///     { "displayName": "check_slots", "type": "custom", "description": "Find free slots.", "config": {} }
    ///   ]
    /// }
    /// ```
    "function-name-refused": Config {
        group: Heard,
        default: Off,
        basis: Inferred("The description does not say whether the name is a label."),
        section: "2.3",
        fix: Unsafe("Writes `_` for the refused ASCII characters, if no other function has that name and the prompt is known and does not contain the old one."),
        reads: [prompt_text, welcome_message, voicemail_message, agent_functions],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let mut verdicts = Verdicts::none();
    let Value::Known(functions, list) = config.written(&agent_functions) else { return verdicts };
    for function in functions.elements() {
        let Some(name) = text_of(function, &agent_function::displayName) else { continue };
        let refused = refused(&name);
        if name.is_empty() || refused.is_none() && name.len() <= MAX_NAME {
            continue;
        }
        let node = function.field(agent_function::displayName.row).unwrap_or(function);
        let at = Place::of(list.origin, node);
        let finding = match refused {
            Some(range) => {
                let character = match name.get(range.clone()).unwrap_or_default() {
                    " " => "a space".to_owned(),
                    other => quote(other),
                };
                let message = format!("the function name {} contains {character}", quote(&name));
                Finding::new(at.clone().decoded(range), message)
                    .about_value(at.clone())
                    .label("refused by interfaces of models")
                    .help("use only ASCII letters, digits, `_` and `-`")
            }
            None => Finding::new(
                at.clone(),
                format!("the function name has {} characters, more than {MAX_NAME}", name.len()),
            )
            .help(format!(
                "shorten it to {MAX_NAME} characters, the limit of interfaces of models"
            )),
        };
        let fix = accepted(config, functions, &name).map(|new| {
            let title = format!("write {}", shown_name(&new));
            ProposedFix::replace(title, Safety::Unsafe, at, Replacement::Text(new))
        });
        verdicts.add(finding.fix(fix).advice());
    }
    verdicts
}

/// The first character that interfaces reject.
fn refused(name: &str) -> Option<Range<usize>> {
    let mut characters = name.char_indices();
    let (at, c) = characters.find(|(_, c)| !is_in_accepted_name(*c))?;
    Some(at..at + c.len_utf8())
}

/// The name with `_` in place of refused characters, if nothing else has it and no text mentions the old one. Letters of other
/// scripts have no place in it, so those names are left to people.
fn accepted(config: &Effective<'_>, functions: Node<'_>, name: &str) -> Option<String> {
    let words = name.split(|c| !is_in_accepted_name(c)).filter(|word| !word.is_empty());
    let new = words.collect::<Vec<_>>().join("_");
    let others = functions
        .elements()
        .filter_map(|it| text_of(it, &agent_function::displayName))
        .filter(|other| suggest::is_respelling(other, &new));
    let is_known = !matches!(config.get(&prompt_text), Value::Unknown(_));
    let mut texts = config.prose();
    let is_free =
        name.is_ascii() && !new.is_empty() && new.len() <= MAX_NAME && others.count() == 1;
    (is_free && is_known && !texts.any(|prose| prose.text.contains(name))).then_some(new)
}
