use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use voxlint_model::heard::{Prose, called_names, shown_name};
use voxlint_model::variables::mentions::{each_name, other_settings};
use voxlint_schema::settings::agent_function;

use super::shared::text_of;
use crate::prelude::*;

rule! {
    /// The prompt calls a function that the agent does not have.
    ///
    /// The language model can only call the functions in `agent_functions`. Told to call another one, it says that it has done
    /// so, or says the name aloud, and nothing happens.
    ///
    /// A name counts where the words around it say that it is a function: `book_slot()`, "call `endCall`", "the `send_link`
    /// tool", or an item of a list below a heading such as "Tools". So does a name that begins or ends with a verb, "Then `book_slot`", in
    /// a line that is not about intents, fields or states. A name that differs from that of a function only in case and
    /// separators counts as that function. Names of variables, and names that other settings mention, are not reported. Each name is
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
    let (functions, place) = match config.get(&agent_functions) {
        Value::Known(functions, place) => (Some(functions), Some(place)),
        Value::Absent(place) => (None, place),
        Value::Unknown(_) if called_names(&prompt.text, prompt.names(), |_| false).is_empty() => {
            return Verdicts::none();
        }
        Value::Unknown(_) => return Verdict::Undecided.into(),
    };
    // What only the stored configuration says is not a mistake of this update.
    if !prompt.at.is_in_document() && !place.as_ref().is_some_and(Place::is_in_document) {
        return Verdicts::none();
    }
    let elements = || functions.into_iter().flat_map(Node::elements);
    let own = LazyCell::new(|| {
        let names = elements().filter_map(|it| text_of(it, &agent_function::displayName));
        let mut names: Vec<Cow<'_, str>> = names.collect();
        names.sort_unstable();
        names
    });
    let is_variable = |name: &str| {
        config.known_variables().source(name).is_some()
            || config.variable_flow().variable(name).is_some()
    };
    let called = called_names(&prompt.text, prompt.names(), |name| {
        is_variable(name) || own.binary_search_by(|it| it.as_ref().cmp(name)).is_ok()
    });
    if called.is_empty() {
        return Verdicts::none();
    }
    let named = elements().filter_map(|it| Some((text_of(it, &agent_function::displayName)?, it)));
    let named: Vec<(Cow<'_, str>, Node<'_>)> = named.collect();
    if functions.is_some_and(Node::is_incomplete) || named.len() < elements().count() {
        return Verdicts::none();
    }
    missing(config, prompt, &called, &named, place.as_ref())
}

/// The findings about names that no function has.
fn missing(
    config: &Effective<'_>,
    prompt: &Prose<'_>,
    called: &[Range<usize>],
    functions: &[(Cow<'_, str>, Node<'_>)],
    place: Option<&Place>,
) -> Verdicts {
    // A name in several spellings is one function.
    let mut uses: HashMap<String, (&str, Vec<&Range<usize>>)> = HashMap::new();
    for range in called {
        let name = prompt.text.get(range.clone()).unwrap_or_default();
        let (_, ranges) = uses.entry(suggest::flatten(name)).or_insert_with(|| (name, Vec::new()));
        ranges.push(range);
    }
    let known: HashSet<String> = functions.iter().map(|(it, _)| suggest::flatten(it)).collect();
    uses.retain(|name, _| !known.contains(name));
    if uses.is_empty() {
        return Verdicts::none();
    }
    let others = names_elsewhere(config);
    uses.retain(|_, (name, _)| !others.contains(*name));
    let mut unknown: Vec<(&str, Vec<&Range<usize>>)> = uses.into_values().collect();
    unknown.sort_by_key(|(_, ranges)| ranges.first().map(|range| range.start));
    let more = unknown.len().saturating_sub(MAX_TOLD);
    let told = unknown.into_iter().take(MAX_TOLD);
    let findings = told.map(|(name, ranges)| finding(prompt, name, &ranges, functions, place));
    let mut findings: Vec<Finding> = findings.collect();
    if let Some(last) = findings.last_mut().filter(|_| more > 0) {
        last.message = format!("{}, nor {more} others that it calls", last.message);
    }
    findings.into_iter().map(Finding::advice).collect()
}

/// The number of names that are told one by one.
const MAX_TOLD: usize = 100;

fn finding(
    prompt: &Prose<'_>,
    name: &str,
    uses: &[&Range<usize>],
    functions: &[(Cow<'_, str>, Node<'_>)],
    place: Option<&Place>,
) -> Finding {
    let shown = shown_name(name);
    let at = uses.first().map_or_else(|| prompt.at.clone(), |range| prompt.place((*range).clone()));
    let message = format!("the prompt calls {shown}, and the agent has no such function");
    let mut finding = Finding::new(at, message)
        .about_value(prompt.at.clone())
        .label("no such function")
        .once_for(name);
    finding = finding.also(place.cloned().map(Place::name), "the functions of the agent");
    let Some(near) = meant(name, functions) else {
        return finding.help(format!("add a function {shown}, or remove the call from the prompt"));
    };
    let near = (near, shown_name(near));
    let edits = uses.iter().map(|range| ProposedEdit::Replace {
        at: prompt.place((*range).clone()),
        replacement: Replacement::Part(near.0.to_owned()),
    });
    let fix = ProposedFix::new(format!("write {}", near.1), Safety::Unsafe, edits.collect());
    finding.help(format!("did you mean {}?", near.1)).fix(fix)
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

/// The names in the other settings: fields to extract, and arguments of functions.
fn names_elsewhere(config: &Effective<'_>) -> HashSet<String> {
    let mut names = HashSet::new();
    let mut add = |value: Node<'_>| {
        each_name(value, |name| {
            names.insert(name.to_owned());
            true
        });
    };
    for setting in config.roots().flat_map(other_settings) {
        if setting.name() == agent_functions.row.name {
            let functions = setting.value.elements();
            functions.filter_map(|it| it.field(agent_function::config.row)).for_each(&mut add);
        } else {
            add(setting.value);
        }
    }
    names
}
