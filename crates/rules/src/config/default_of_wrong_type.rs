use voxlint_model::heard::{Words, words};
use voxlint_model::variables::{FlowUse, VariableRole};

use crate::prelude::*;

rule! {
    /// The default of a template variable does not fit how a template uses it.
    ///
    /// Every text but the empty one is true for Handlebars. With the default `"false"`, `{{#if is_returning}}` renders its block for
    /// everybody. The same goes for `"0"`, `"0.00"`, `"no"`, `"none"`, a space, and other texts that say no. And `{{#each services}}` visits
    /// the items of a list: of a text, a number, or `true` it renders nothing. Nor have these fields: with the default `"Jo"`,
    /// `{{customer.name}}` and `{{#with customer}}{{name}}{{/with}}` render nothing.
    ///
    /// The rule reports a default where a template of the document tests it with `if`, `unless`, `with` or a section, visits its
    /// items or reads its fields.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "default_dynamic_variables": { "is_returning": "false" },
    ///   "welcome_message": "{{#if is_returning}}Welcome back!{{/if}}"
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "default_dynamic_variables": { "is_returning": false, "services": ["cut", "colour"] },
    ///   "welcome_message": "{{#if is_returning}}Welcome back!{{/if}}{{#each services}}{{this}} {{/each}}"
    /// }
    /// ```
    "default-of-wrong-type": Config {
        group: Suspicious,
        basis: Inferred("Handlebars treats every text but the empty one as true, and visits only lists and objects."),
        section: "2.3",
        fix: Unsafe("Writes `false` or `0` without quotes."),
        reads: [prompt_text, welcome_message, voicemail_message, default_dynamic_variables],
    }
}

/// Texts that say no.
static NEGATIONS: Words =
    words!["false|f|no|n|0|off|none|null|nil|undefined|nan|n/a|never|nein|falsch|non",];

fn check(config: &Effective<'_>) -> Checked<Verdicts> {
    let defaults = config.get(&default_dynamic_variables);
    let (object, place) = defaults.known().ok_or(NoFinding::Holds)?;
    let flow = config.variable_flow();
    let found = object.members().filter_map(|member| {
        let variable = flow.variable(&member.name())?;
        let mut uses = variable.uses.iter().filter(|used| {
            used.is_certain && (place.is_in_document() || used.template.is_in_document())
        });
        if let Some(says_no) = says_no(member) {
            let is_test = |used: &&FlowUse| {
                used.path.is_none()
                    && matches!(
                        used.role,
                        VariableRole::Condition | VariableRole::Section | VariableRole::Scope
                    )
            };
            return uses.find(is_test).map(|used| always_true(member, place, used, &says_no));
        }
        let is_wrong = |used: &&FlowUse| {
            used.reads_fields || (used.path.is_none() && used.role == VariableRole::List)
        };
        has_no_items(member)
            .then(|| uses.find(is_wrong))
            .flatten()
            .map(|used| no_parts(member, place, used))
    });
    Ok(found.map(Finding::advice).collect())
}

/// The text of a default that says no.
fn says_no(member: Member<'_>) -> Option<String> {
    let text = member.value.as_str()?;
    let trimmed = text.trim().trim_end_matches('.').to_lowercase();
    let is_blank = trimmed.is_empty() && !text.is_empty();
    let is_zero = trimmed.contains('0') && trimmed.bytes().all(|byte| b"0.,+-".contains(&byte));
    (is_blank || is_zero || NEGATIONS.contains(&trimmed)).then(|| text.into_owned())
}

/// Whether a default has neither items nor fields, although it has a value.
fn has_no_items(member: Member<'_>) -> bool {
    let value = member.value;
    match value.kind() {
        Kind::String => value.as_str().is_some_and(|text| !text.is_empty()),
        Kind::Number => true,
        Kind::Bool => value.as_bool() == Some(true),
        _ => false,
    }
}

/// A finding at the default and its use. The first place is in the document.
fn finding(member: Member<'_>, defaults: &Place, used: &FlowUse, message: String) -> Finding {
    let value = Place::of(defaults.origin, member.value);
    if value.is_in_document() {
        Finding::new(value.clone(), message).about_value(value).also(used.place(), "used here")
    } else {
        Finding::new(used.place(), message)
            .about_value(used.template.clone())
            .also(value, "the default")
    }
}

fn always_true(member: Member<'_>, defaults: &Place, used: &FlowUse, text: &str) -> Finding {
    let trimmed = text.trim();
    let message = format!(
        "the default of {} is the text {}, which counts as true",
        quote(&member.name()),
        quote(&format!("\"{text}\""))
    );
    let found = finding(member, defaults, used, message).label("always true");
    let literal = ["false", "0"].into_iter().find(|literal| *literal == trimmed);
    let found = found.help(match literal {
        Some(literal) => format!("write `{literal}` without quotes"),
        None => "write `false` without quotes, or the empty text `\"\"`".to_owned(),
    });
    match literal {
        Some(literal) if defaults.is_in_document() => found.fix(ProposedFix::replace(
            format!("write `{literal}` without quotes"),
            Safety::Unsafe,
            Place::of(defaults.origin, member.value),
            Replacement::Literal(literal.to_owned()),
        )),
        _ => found,
    }
}

fn no_parts(member: Member<'_>, defaults: &Place, used: &FlowUse) -> Finding {
    let what = match member.value.kind() {
        Kind::String => "text",
        Kind::Number => "a number",
        _ => "`true`",
    };
    let name = quote(&member.name());
    let found = |without: &str, label: &'static str, help: &str| {
        let message = format!("the default of {name} is {what}, and {without}");
        finding(member, defaults, used, message).label(label).help(help)
    };
    if used.reads_fields {
        found(
            "a template reads a field of it",
            "has no fields",
            "write an object with the fields that the template reads, or render the value itself",
        )
    } else {
        found(
            "`{{#each}}` renders nothing for it",
            "not a list",
            "write a list, as in `[\"Monday\", \"Friday\"]`, or render the text itself",
        )
    }
}
