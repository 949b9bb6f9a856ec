use voxlint_model::variables::FlowUse;
use voxlint_template::html_escape;

use crate::prelude::*;

rule! {
    /// The default of a template variable is HTML-escaped when it is rendered.
    ///
    /// Handlebars escapes what `{{name}}` renders for HTML: `&`, `<`, `>`, both kinds of straight quotes, backquotes and `=` become
    /// `&amp;`, `&lt;`, `&gt;`, `&quot;`, `&#x27;`, `&#x60;` and `&#x3D;`. Callers then hear the escapes, or the model reads them in
    /// its prompt. `{{{name}}}` and `{{&name}}` do not escape.
    ///
    /// The description does not say whether the service escapes, so the rule is off by default. It reports the first of these
    /// characters in a default, if a template of the document renders the default with escaping. `voxlint render` shows the whole
    /// text.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "default_dynamic_variables": { "clinic_name": "Smith & Sons" },
    ///   "welcome_message": "Thank you for calling {{clinic_name}}!"
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "default_dynamic_variables": { "clinic_name": "Smith & Sons" },
    ///   "welcome_message": "Thank you for calling {{{clinic_name}}}!"
    /// }
    /// ```
    "html-escaped-default": Config {
        group: Suspicious,
        default: Off,
        basis: Inferred("Handlebars escapes unless it is told not to, and the description does not say whether the service does."),
        section: "2.3",
        advice: Info,
        reads: [prompt_text, welcome_message, voicemail_message, default_dynamic_variables],
    }
}

fn check(config: &Effective<'_>) -> Checked<Verdicts> {
    let defaults = config.get(&default_dynamic_variables);
    let (object, _) =
        defaults.known().filter(|(_, place)| place.is_in_document()).ok_or(NoFinding::Holds)?;
    let flow = config.variable_flow();
    let found = object.members().filter_map(|member| {
        let escape = Escape::first_in(&member.value.as_str()?)?;
        let variable = flow.variable(&member.name())?;
        let (used, path) = variable.own_uses().find_map(|used| {
            let path = escaped_path(config, used)?;
            Some((used, path))
        })?;
        Some(finding(member, &escape, used, &path).advice())
    });
    Ok(found.collect())
}

/// A character of a text that is escaped.
struct Escape {
    /// Where it is in the text.
    at: std::ops::Range<usize>,
    /// What is rendered in its place.
    rendered: &'static str,
}

impl Escape {
    fn first_in(text: &str) -> Option<Self> {
        text.char_indices().find_map(|(at, character)| {
            let rendered = html_escape(character)?;
            Some(Self { at: at..at + character.len_utf8(), rendered })
        })
    }
}

/// The variable as the template writes it, if the use renders it with escaping.
fn escaped_path(config: &Effective<'_>, used: &FlowUse) -> Option<String> {
    let Value::Known(template, place) = config.node(used.row) else { return None };
    let text = template.as_str().filter(|_| place == used.template)?;
    used.is_html_escaped(&text).then(|| used.whole_path().of(&text).to_owned())
}

fn finding(member: Member<'_>, escape: &Escape, used: &FlowUse, path: &str) -> Finding {
    let message = format!("Handlebars HTML-escapes the default of {}", quote(&member.name()));
    let value = Place::of(Origin::Document, member.value);
    Finding::new(value.clone().decoded(escape.at.clone()), message)
        .about_value(value)
        .label(format!("rendered as `{}`", escape.rendered))
        .help(format!("write {}, which does not escape", quote(&format!("{{{{{{{path}}}}}}}"))))
        .also(used.place(), "escaped here")
}
