use voxlint_model::Severity;
use voxlint_model::variables::placeholder::{is_example, is_plain, is_unfilled};
use voxlint_model::variables::{FlowUse, FlowVariable, VariableRole, odd_name};

use crate::prelude::*;

rule! {
    /// A greeting or voicemail has a gap where a call does not provide a variable.
    ///
    /// Callers hear `welcome_message` and `voicemail_message` word for word. A variable without a value renders as nothing, so
    /// "Hello, is that `{{customer_name}}`?" ends in the middle of the sentence. The rule reports a variable that these
    /// messages render outside `{{#if …}}`:
    ///
    /// - if its default is the empty text, unless the gap is not heard: the variable is a part of a word, or a sentence of its own
    /// - if it has no default
    ///
    /// An update that leaves out `default_dynamic_variables` keeps the stored defaults, which only the stored configuration
    /// shows. Without it the rule is undecided, with one exception. A document that has both the prompt and the message is
    /// probably all that the team keeps of the agent. If it has no defaults and `voxlint.toml` lists no variables, its
    /// readers cannot tell where the value comes from. The rule reports that as information.
    ///
    /// Variables that the team lists under `variables` in `voxlint.toml`, and those that the service provides for every call,
    /// have a value. `unknown-template-variable` reports an unknown name among known ones, `unfilled-placeholder` one in
    /// capitals, and `default-not-spoken` a default of `null` or one that makes no sense to callers.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "default_dynamic_variables": { "customer_name": "" },
    ///   "welcome_message": "Hello, is that {{customer_name}}?"
    /// }
    /// ```
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "prompt_text": "Confirm the appointment.",
    ///   "welcome_message": "Hello, is that {{customer_name}}?"
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "default_dynamic_variables": { "customer_name": "", "offer": "" },
    ///   "welcome_message": "Hello{{#if customer_name}} {{customer_name}}{{/if}}! {{offer}} How can I help?"
    /// }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "welcome_message": "Hello, is that {{customer_name}}?" }
    /// ```
    "greeting-with-gap": Config {
        group: Heard,
        basis: Inferred("Handlebars renders a variable without a value as nothing, and only the team knows which values calls provide."),
        section: "2.3",
        reads: [
            prompt_text,
            welcome_message,
            voicemail_message,
            default_dynamic_variables,
        ],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let flow = config.variable_flow();
    let spoken = flow.variables().iter().filter_map(|it| Some((it, spoken_use(it)?)));
    let mut verdicts = Verdicts::none();
    for (variable, used) in spoken {
        if let Some(verdict) = verdict(config, variable, used) {
            verdicts.add(verdict);
        }
    }
    verdicts
}

/// The first use in a message of the document that leaves a gap if the variable has no value.
fn spoken_use(variable: &FlowVariable) -> Option<&FlowUse> {
    let mut uses = variable.own_uses();
    uses.find(|used| {
        let is_spoken = [welcome_message.row, voicemail_message.row]
            .iter()
            .any(|row| std::ptr::eq(*row, used.row));
        is_spoken && used.role == VariableRole::Text && !used.is_guarded
    })
}

fn verdict(config: &Effective<'_>, variable: &FlowVariable, used: &FlowUse) -> Option<Verdict> {
    let name = &*variable.name;
    let known = config.known_variables();
    if known.is_listed(name) || known.are_incomplete() {
        return None;
    }
    let defaults = config.get(&default_dynamic_variables);
    if let Some((object, at)) = defaults.known()
        && let Some(default) = object.members().find(|it| it.name() == name)
    {
        let text = text_of(config, used)?;
        return (is_blank(default.value) && is_audible(text, used))
            .then(|| empty(variable, used, Place::of(at.origin, default.value), text));
    }
    let are_others_plain = || flow_has_plain(config, used);
    if known.source(name).is_some()
        || odd_name(name).is_some()
        || is_example(name)
        || known.are_listed()
        || known.has_defaults()
        || is_unfilled(name, known, are_others_plain)
    {
        return None;
    }
    let text = text_of(config, used)?;
    match defaults {
        Value::Known(..) | Value::Absent(_) => Some(missing(variable, used, text, None)),
        Value::Unknown(UnknownReason::NotGiven)
            if config.is_in_document(prompt_text.row) && used.template.is_in_document() =>
        {
            Some(missing(variable, used, text, Some(Severity::Info)))
        }
        Value::Unknown(_) => Some(Verdict::Undecided),
    }
}

/// The text of the message, unless tags of another template language may guard the variable.
fn text_of<'c>(config: &'c Effective<'_>, used: &FlowUse) -> Option<&'c str> {
    let prose = config.prose().find(|prose| std::ptr::eq(prose.row, used.row))?;
    Some(&*prose.text).filter(|text| !text.contains("{%"))
}

/// Whether another variable of the same template is not in capitals.
fn flow_has_plain(config: &Effective<'_>, used: &FlowUse) -> bool {
    let all = config.variable_flow().variables().iter();
    let is_beside = |it: &FlowUse| std::ptr::eq(it.row, used.row);
    all.filter(|it| it.uses.iter().any(is_beside)).any(|it| is_plain(&it.name))
}

fn is_blank(value: Node<'_>) -> bool {
    value.kind() == Kind::String && value.as_str().is_some_and(|text| text.trim().is_empty())
}

/// Whether callers hear that nothing is in the place of a variable. They do not if it is a part of a word, or a sentence of its
/// own beside others.
fn is_audible(text: &str, used: &FlowUse) -> bool {
    let path = used.whole_path();
    let before = text.get(..path.start as usize).unwrap_or_default();
    let after = text.get(path.end as usize..).unwrap_or_default();
    let before = before.trim_end_matches(['{', '~', '&', ' ']);
    let before_tag = text.get(..before.len() + 1).unwrap_or_default();
    let has_space = before_tag.ends_with(' ');
    let after = after.trim_start_matches(['}', '~']);
    if !has_space && before.ends_with(char::is_alphanumeric) {
        return false;
    }
    let begins = before.trim_end().chars().next_back().is_none_or(|c| ".!?।\n".contains(c));
    let rest = after.trim_start();
    let ends = rest.chars().next().is_none_or(|c| c.is_uppercase() || c == '{');
    !(begins && ends && has_words(text))
}

/// Whether a message says anything beside its variables.
fn has_words(text: &str) -> bool {
    let outside = text.split("{{").enumerate().map(|(at, part)| match part.split_once("}}") {
        Some((_, after)) if at > 0 => after,
        _ => part,
    });
    outside.flat_map(str::chars).any(char::is_alphanumeric)
}

fn hearing(text: &str) -> &'static str {
    if has_words(text) { "callers hear a gap" } else { "callers hear nothing" }
}

fn empty(variable: &FlowVariable, used: &FlowUse, default: Place, text: &str) -> Verdict {
    let name = quote(shown_name(variable, used));
    let message = format!(
        "the default of {name} is empty, so {} if the call does not provide it",
        hearing(text)
    );
    let related =
        if default.origin == Origin::Document { "the default" } else { "the stored default" };
    finding(variable, used, message).also(default, related).advice()
}

fn missing(
    variable: &FlowVariable,
    used: &FlowUse,
    text: &str,
    severity: Option<Severity>,
) -> Verdict {
    let name = quote(shown_name(variable, used));
    let hearing = hearing(text);
    let message = match severity {
        None => format!("{name} has no default, so {hearing} if the call does not provide it"),
        Some(_) => format!(
            "this document gives no default for {name}: {hearing} unless the call or a stored default provides it"
        ),
    };
    let finding = finding(variable, used, message);
    match severity {
        None => finding.advice(),
        Some(severity) => finding.with_severity(severity).advice(),
    }
}

/// What the tag renders: the variable, or a field of it.
fn shown_name<'v>(variable: &'v FlowVariable, used: &'v FlowUse) -> &'v str {
    used.path.as_ref().map_or(&*variable.name, |(_, path)| path)
}

fn finding(variable: &FlowVariable, used: &FlowUse, message: String) -> Finding {
    let guarded =
        quote(&format!("{{{{#if {}}}}}", used.path.as_ref().map_or(&*variable.name, |it| &it.1)));
    Finding::new(used.place_of(used.whole_path()), message)
        .about_value(used.template.clone())
        .label("may be empty")
        .help(format!(
            "give it a default that fits every caller, put the words around it in {guarded}, or list it under `variables` in voxlint.toml"
        ))
        .once_for(&*variable.name)
}
