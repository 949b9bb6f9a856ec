use std::borrow::Cow;
use std::ops::Range;

use voxlint_schema::settings::{
    agent_function, agent_functions, default_dynamic_variables, prompt_text, voicemail_message,
    welcome_message,
};
use voxlint_syntax::{Member, Node};

use super::text_of;
use crate::Safety;
use crate::engine::effective::Effective;
use crate::fields::GetField as _;
use crate::heard::{Prose, called_names, shown_name};
use crate::place::Place;
use crate::rule::rule;
use crate::suggest;
use crate::value::Value;
use crate::variables::mentions::{each_name, other_settings};
use crate::verdict::{Finding, ProposedEdit, ProposedFix, Replacement, Verdict, Verdicts};

rule! {
    /// The prompt calls a function that the agent does not have.
    ///
    /// The language model can only call the functions in `agent_functions`. Told to call another one, it says that it has done
    /// so, or says the name aloud, and nothing happens.
    ///
    /// A name counts where the words around it say that it is a function: `book_slot()`, "call `endCall`", "the `send_link`
    /// tool", or an item of a list below a heading such as "Tools". Names that differ only in case and separators from that of
    /// a function are the function. Names of variables, and names that other settings mention, are not reported. Each name is
    /// reported once.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "prompt_text": "Say goodbye, then call `end_call`.",
    ///   "agent_functions": [
    ///     { "displayName": "end_call_tool", "type": "end_call", "description": "End the call.", "config": {} }
    ///   ]
    /// }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "prompt_text": "Say goodbye, then call `end_call`." }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "prompt_text": "Say goodbye, then call `end_call`.",
    ///   "agent_functions": [
    ///     { "displayName": "end_call", "type": "end_call", "description": "End the call.", "config": {} }
    ///   ]
    /// }
    /// ```
    "unknown-function": Config {
        group: Heard,
        basis: Inferred("The language model can only call the functions of the agent."),
        section: "2.3",
        fix: Unsafe("Writes the name of the function that is most likely meant wherever the prompt calls it, if only one is."),
        reads: [
            prompt_text,
            welcome_message,
            voicemail_message,
            default_dynamic_variables,
            agent_functions,
        ],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let Some(prompt) = config.prose_of(&prompt_text) else { return Verdicts::none() };
    let called = called_names(&prompt.text, prompt.clues());
    if called.is_empty() {
        return Verdicts::none();
    }
    let (functions, place) = match config.get(&agent_functions) {
        Value::Known(functions, place) if !functions.is_incomplete() => (functions, Some(place)),
        Value::Known(..) => return Verdicts::none(),
        Value::Absent(place) => return missing(config, prompt, &called, &[], place.as_ref()),
        Value::Unknown(_) => return Verdict::Undecided.into(),
    };
    let names: Vec<(Cow<'_, str>, Node<'_>)> = functions
        .elements()
        .filter_map(|it| Some((text_of(it, &agent_function::displayName)?, it)))
        .collect();
    if names.len() < functions.elements().count() {
        return Verdicts::none();
    }
    missing(config, prompt, &called, &names, place.as_ref())
}

/// The findings about names that no function has.
fn missing(
    config: &Effective<'_>,
    prompt: &Prose<'_>,
    called: &[Range<usize>],
    functions: &[(Cow<'_, str>, Node<'_>)],
    place: Option<&Place>,
) -> Verdicts {
    let text = |range: &Range<usize>| prompt.text.get(range.clone()).unwrap_or_default();
    let is_function = |name: &str| functions.iter().any(|(it, _)| suggest::is_respelling(it, name));
    let mut verdicts = Verdicts::none();
    let mut told: Vec<&str> = Vec::new();
    for range in called {
        let name = text(range);
        if told.contains(&name) || is_function(name) || is_named_elsewhere(config, name) {
            continue;
        }
        told.push(name);
        let message =
            format!("the prompt calls {}, and the agent has no such function", shown_name(name));
        let mut finding = Finding::new(prompt.place(range.clone()), message)
            .about_value(prompt.at.clone())
            .label("no such function")
            .once_for(name);
        if let Some(place) = place {
            finding = finding.also(place.clone().name(), "the functions of the agent");
        }
        let finding = match meant(name, functions) {
            Some(near) => {
                let edits =
                    called.iter().filter(|it| text(it) == name).map(|it| ProposedEdit::Replace {
                        at: prompt.place(it.clone()),
                        replacement: Replacement::Part(near.to_owned()),
                    });
                let fix = ProposedFix::new(
                    format!("write {}", shown_name(near)),
                    Safety::Unsafe,
                    edits.collect(),
                );
                finding.help(format!("did you mean {}?", shown_name(near))).fix(fix)
            }
            None => {
                finding.help(format!("add a function {}, or remove the sentence", shown_name(name)))
            }
        };
        verdicts.add(finding.advice());
    }
    verdicts
}

/// The function that a name most likely means: one with a similar name, or the only one of the type that the name says.
fn meant<'f>(name: &str, functions: &'f [(Cow<'_, str>, Node<'_>)]) -> Option<&'f str> {
    let names = || functions.iter().map(|(it, _)| it.as_ref());
    let flat = suggest::flatten(name);
    let by_name = suggest::nearest(name, names());
    let contains = |it: &&str| {
        let other = suggest::flatten(it);
        other.len() > 5 && flat.len() > 5 && (other.contains(&flat) || flat.contains(&other))
    };
    let only = |mut found: Vec<&'f str>| if found.len() == 1 { found.pop() } else { None };
    let of_type = |of_type: &str| {
        let is_it = |node: Node<'_>| {
            text_of(node, &agent_function::function_type).is_some_and(|it| it == of_type)
        };
        only(functions.iter().filter(|(_, node)| is_it(*node)).map(|(it, _)| it.as_ref()).collect())
    };
    let says = |words: &[&str]| words.iter().any(|word| flat.contains(word));
    by_name
        .or_else(|| only(names().filter(contains).collect()))
        .or_else(|| {
            says(&["endcall", "hangup", "endthecall"]).then(|| of_type("end_call")).flatten()
        })
        .or_else(|| says(&["transfer"]).then(|| of_type("call_transfer")).flatten())
}

/// Whether a variable, a field to extract or an argument of a function has the name.
fn is_named_elsewhere(config: &Effective<'_>, name: &str) -> bool {
    let is_functions = |member: &Member<'_>| member.name() == agent_functions.row.name;
    let has_name = |value: Node<'_>| {
        let mut found = false;
        each_name(value, |it| {
            found |= it == name;
            !found
        });
        found
    };
    let settings = || config.roots().flat_map(other_settings);
    let mut functions = settings().filter(is_functions).flat_map(|it| it.value.elements());
    config.known_variables().source(name).is_some()
        || config.variable_flow().variable(name).is_some()
        || settings().filter(|it| !is_functions(it)).any(|it| has_name(it.value))
        || functions.any(|it| it.field(agent_function::config.row).is_some_and(has_name))
}
