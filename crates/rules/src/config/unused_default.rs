use std::borrow::Cow;
use std::collections::BTreeMap;

use voxlint_model::text::foreign_markup::foreign_markup;
use voxlint_model::variables::flow::TEMPLATES;
use voxlint_model::variables::known::MAX_COMPARED;
use voxlint_model::variables::mentions::{each_name, is_word_character, other_settings};

use crate::prelude::*;

rule! {
    /// A template variable has a default, but nothing uses it.
    ///
    /// The default has no effect, or the template misspells the variable. The rule only runs where all templates are known: in
    /// complete settings, or in an update with a complete stored configuration. It does not report
    ///
    /// - `agent_transfer_destinations`, which the service itself reads
    /// - a name that another string or key of the document or of the stored configuration contains, such as the configuration of
    ///   a function, or that is between the brackets of another template language, which `foreign-template-markup` reports
    /// - a name that a misspelled variable probably means: `unknown-template-variable` reports that variable
    /// - anything where a template reads all variables, as `{{#each this}}` and partials do
    ///
    /// That nothing else reads the defaults is inferred: the description only mentions template variables.
    ///
    /// ```json,stored
    /// { "version": { "version_number": 3, "prompt_text": "This is {{hotel_name}}." }, "complete": true }
    /// ```
    ///
    /// ```json,advice
    /// { "version_number": 3, "default_dynamic_variables": { "hotel_name": "Lakeside", "checkin_time": "3 pm" } }
    /// ```
    ///
    /// ```json,stored
    /// { "version": { "version_number": 3, "prompt_text": "This is {{hotel_name}}." }, "complete": true }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "default_dynamic_variables": { "hotel_name": "Lakeside" } }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "default_dynamic_variables": { "hotel_name": "Lakeside", "checkin_time": "3 pm" } }
    /// ```
    "unused-default": Config {
        group: Ineffective,
        basis: Inferred("Only templates are said to read the defaults."),
        section: "2.3",
        advice: Info,
        fix: Unsafe("Removes the default. Whatever else reads the agent's variables no longer finds it."),
        reads: [prompt_text, welcome_message, voicemail_message, default_dynamic_variables],
    }
}

fn check(config: &Effective<'_>) -> Checked<Verdicts> {
    let defaults = config.get(&default_dynamic_variables);
    let own =
        |(object, place): &(&Node<'_>, &Place)| place.is_in_document() && !object.is_incomplete();
    let (object, _) = defaults.known().filter(own).ok_or(NoFinding::Holds)?;
    let flow = config.variable_flow();
    let is_known = |value: &Value<Node<'_>>| !matches!(value, Value::Unknown(_));
    // A configuration without variables keeps its texts elsewhere, such as in the nodes of a flow.
    if flow.variables().is_empty()
        || !flow.is_complete()
        || !TEMPLATES.iter().all(|row| is_known(&config.node(row)))
    {
        return Err(NoFinding::Holds);
    }
    let mut unused: BTreeMap<String, Member<'_>> = object
        .members()
        .filter(|member| flow.variable(&member.name()).is_none() && is_free_name(&member.name()))
        .map(|member| (member.name().into_owned(), member))
        .collect();
    if unused.is_empty() {
        return Err(NoFinding::Holds);
    }
    // A default that an unknown variable may mean is used under a misspelled name.
    let mut compared = 0;
    for variable in config.unknown_variables() {
        compared += unused.len();
        if compared > MAX_COMPARED {
            return Err(NoFinding::Holds);
        }
        unused.retain(|name, _| suggest::nearest(&variable.name, [name.as_str()]).is_none());
    }
    for root in config.roots() {
        retain_unmentioned(&mut unused, root);
    }
    Ok(unused.into_iter().map(|(name, member)| finding(&name, member).advice()).collect())
}

/// Whether a default with this name only serves templates, and can be searched for as one word.
fn is_free_name(name: &str) -> bool {
    let is_word = !name.is_empty() && name.chars().all(is_word_character);
    // `setting-in-variables` reports settings.
    let is_setting =
        settings::TABLE.row(name).is_some() || default_dynamic_variables::TABLE.row(name).is_some();
    is_word && !is_setting
}

/// Removes the names that a string or key of some settings contains as a word, outside the defaults.
fn retain_unmentioned(unused: &mut BTreeMap<String, Member<'_>>, settings: Node<'_>) {
    let templates =
        settings.members().filter(|it| TEMPLATES.iter().any(|row| it.name() == row.name));
    for text in templates.filter_map(|member| member.value.as_str().map(Cow::into_owned)) {
        for markup in foreign_markup(&text) {
            unused.remove(markup.name);
        }
    }
    for member in other_settings(settings) {
        each_name(member.value, |name| {
            unused.remove(name);
            !unused.is_empty()
        });
    }
}

fn finding(name: &str, member: Member<'_>) -> Finding {
    let place = Place::of(Origin::Document, member.value);
    let fix = ProposedFix::remove(format!("remove {}", quote(name)), Safety::Unsafe, place.clone());
    Finding::new(place.clone().name(), format!("no template uses the variable {}", quote(name)))
        .about_value(place)
        .fix(fix)
        .label("unused default")
        .help(format!("remove it, or use it as {}", quote(&format!("{{{{{name}}}}}"))))
}
