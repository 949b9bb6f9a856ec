use memchr::memmem;
use voxlint_model::heard::{Words, shown_name, words};
use voxlint_schema::settings::agent_function;

use super::shared::text_of;
use crate::prelude::*;

rule! {
    /// A function is not mentioned in the prompt, which mentions others.
    ///
    /// The language model calls a function when the prompt or the description of the function tells it to. A prompt that goes
    /// through its functions one by one, and leaves one out, was probably written before the function, or the function is left
    /// over.
    ///
    /// A function counts as mentioned if its name is in a text, in any spelling, or if all words of its name are, in any form.
    /// The rule reports only functions with English names beside English prompts that mention another function by its name, and none
    /// that ends the call: models know when to do that.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "prompt_text": "When the caller names a day, call `check_slots`.",
    ///   "agent_functions": [
    ///     { "displayName": "check_slots", "type": "custom", "description": "Find free slots.", "config": {} },
    ///     { "displayName": "refund_invoice", "type": "custom", "description": "Pay an invoice back.", "config": {} }
    ///   ]
    /// }
    /// ```
    ///
    /// ```json,undecided
    /// {
    ///   "version_number": 3,
    ///   "agent_functions": [
    ///     { "displayName": "check_slots", "type": "custom", "description": "Find free slots.", "config": {} },
    ///     { "displayName": "refund_invoice", "type": "custom", "description": "Pay an invoice back.", "config": {} }
    ///   ]
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "prompt_text": "When the caller names a day, call `check_slots`. Refunds: only for an invoice of this year.",
    ///   "agent_functions": [
    ///     { "displayName": "check_slots", "type": "custom", "description": "Find free slots.", "config": {} },
    ///     { "displayName": "refund_invoice", "type": "custom", "description": "Pay an invoice back.", "config": {} }
    ///   ]
    /// }
    /// ```
    "unmentioned-function": Config {
        group: Heard,
        basis: Inferred("A function that no text mentions is called by chance."),
        section: "2.3",
        advice: Info,
        reads: [prompt_text, welcome_message, voicemail_message, agent_functions],
    }
}

/// The number of functions whose descriptions are read for the names of others.
const DESCRIBED: usize = 100;

/// Words that many names have and that say little.
static COMMON: Words = words![
    "tool|function|func|fn|api|the|and|for|with|from|to|of|by|in|on|a|an|or|get|do|agent|call|handle|process|create|update|\
    add|fetch|retrieve|find|lookup|look|save|store|submit|collect|set",
];

fn check(config: &Effective<'_>) -> Verdicts {
    let Value::Known(functions, place) = config.get(&agent_functions) else {
        return Verdicts::none();
    };
    let is_several = functions.elements().nth(1).is_some();
    if !is_several || functions.is_incomplete() {
        return Verdicts::none();
    }
    let Some(prompt) = config.prose_of(&prompt_text) else {
        let is_unknown = matches!(config.get(&prompt_text), Value::Unknown(_));
        return if is_unknown { Verdict::Undecided } else { Verdict::Holds }.into();
    };
    let is_english =
        [" the ", " you ", " and ", " your "].iter().any(|word| prompt.text.contains(word));
    if !is_english || !(place.is_in_document() || prompt.at.is_in_document()) {
        return Verdicts::none();
    }
    let names = prompt.names().iter().filter_map(|range| prompt.text.get(range.clone()));
    let names: Vec<&str> = names.collect();
    let mut is_one_named = false;
    let mut others = Vec::new();
    for function in functions.elements() {
        let Some(name) = text_of(function, &agent_function::displayName) else { continue };
        if names.contains(&&*name) {
            is_one_named = true;
        } else if text_of(function, &agent_function::function_type)
            .is_none_or(|it| it != "end_call")
        {
            others.push((function, name));
        }
    }
    if !is_one_named || others.is_empty() {
        return Verdicts::none();
    }
    // What one function says about another counts, too.
    let described = functions.elements().take(DESCRIBED).filter_map(|it| {
        let text = text_of(it, &agent_function::description)?;
        Some((it.id(), text.to_ascii_lowercase()))
    });
    let described: Vec<_> = described.collect();
    let mut verdicts = Verdicts::none();
    for (function, name) in others {
        // Its type says that it transfers the call.
        let is_transfer = text_of(function, &agent_function::function_type)
            .is_some_and(|it| it == "call_transfer");
        let own = function.id();
        let has = |part: &str| {
            let has = |text: &str| memmem::find(text.as_bytes(), part.as_bytes()).is_some();
            config.prose().any(|prose| has(prose.lower()))
                || described.iter().any(|(id, text)| *id != own && has(text))
        };
        if is_mentioned(&name, is_transfer, has) {
            continue;
        }
        verdicts.add(finding(function, &name, &place, &prompt.at).advice());
    }
    verdicts
}

fn finding(function: Node<'_>, name: &str, list: &Place, prompt: &Place) -> Finding {
    let at = function.field(agent_function::displayName.row).unwrap_or(function);
    let message = format!("the prompt mentions other functions, but not {}", shown_name(name));
    Finding::new(Place::of(list.origin, at), message)
        .label("never mentioned")
        .also(prompt.clone().name(), "mentions other functions by name")
        .help(format!(
            "say in the prompt when to call {}, or remove the function",
            shown_name(name)
        ))
}

/// Whether texts in lower case have a name, in any spelling, or all of its words in any form.
fn is_mentioned(name: &str, is_transfer: bool, has: impl Fn(&str) -> bool) -> bool {
    let words = suggest::name_words(name);
    let content: Vec<&str> = words
        .iter()
        .map(String::as_str)
        .filter(|word| {
            let says_little = COMMON.contains(word)
                || is_transfer && *word == "transfer"
                || word.bytes().any(|byte| byte.is_ascii_digit());
            word.len() > 2 && !says_little
        })
        .collect();
    // A name without words of its own cannot be looked for.
    if content.is_empty() || !name.is_ascii() {
        return true;
    }
    has(&suggest::flatten(name)) || content.iter().all(|word| has(stem(word)))
}

/// What the forms of a word have in common: `cancel` of `cancellation`, `verif` of `verifies`.
fn stem(word: &str) -> &str {
    const ENDINGS: [&str; 10] =
        ["ations", "ation", "tion", "ing", "ies", "ed", "es", "s", "y", "e"];
    let end =
        ENDINGS.iter().find_map(|ending| word.strip_suffix(ending).filter(|stem| stem.len() > 2));
    end.unwrap_or(word)
}
