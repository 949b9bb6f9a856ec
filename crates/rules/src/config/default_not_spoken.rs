use voxlint_model::heard::{Words, words};
use voxlint_model::text::placeholders::is_placeholder;
use voxlint_model::variables::FlowUse;
use voxlint_model::variables::scope::VariableRole;

use crate::prelude::*;

rule! {
    /// A default should not be spoken to callers.
    ///
    /// A call that does not provide the variable uses its default. These defaults are reported if a template of the document
    /// renders the variable:
    ///
    /// - an object, which Handlebars renders as `[object Object]`
    /// - `null`, which renders as nothing, in `welcome_message` or `voicemail_message` outside `{{#if …}}`
    /// - a text that contains `{{…}}`: defaults are not templates, so callers hear the braces
    /// - a placeholder, such as `John Doe`, `Max Mustermann`, `test`, `Test Clinic`, `n/a`, `<name>` or the name of the variable
    ///   itself
    /// - a single letter, sign or repeated letter, such as `a`, `-` or `xx`, in `welcome_message` or `voicemail_message`
    ///
    /// `greeting-with-gap` reports an empty text. The description gives the defaults no types, so all of this is
    /// inferred from how Handlebars renders values.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "default_dynamic_variables": { "customer_name": "John Doe" },
    ///   "welcome_message": "Hello {{customer_name}}!"
    /// }
    /// ```
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "default_dynamic_variables": { "customer_name": null },
    ///   "welcome_message": "Hello {{customer_name}}!"
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "default_dynamic_variables": { "customer_name": "there", "order": { "id": 7 }, "nickname": null },
    ///   "welcome_message": "Hello {{customer_name}}! Your order is {{order.id}}.{{#if nickname}} Hi {{nickname}}!{{/if}}"
    /// }
    /// ```
    "default-not-spoken": Config {
        group: Suspicious,
        basis: Inferred("The defaults may have any values, but callers hear what Handlebars renders."),
        section: "2.3",
        reads: [prompt_text, welcome_message, voicemail_message, default_dynamic_variables],
    }
}

/// Texts that stand for a value that is still to be filled in.
static PLACEHOLDERS: Words = words![
    "dummy|erika mustermann|foo|foobar|insert name|insert name here|jane doe|john doe|lorem ipsum|max mustermann|\
     musterfirma|mustermann|n/a|na|nan|null|placeholder|platzhalter|string|tbd|test|test name|test user|todo|\
     undefined|xxx|xxxx|your name",
];

/// The first word of a name that is made up: `Test Clinic`.
static MADE_UP: Words = words!["demo|dummy|example|sample|test",];

/// The second word of such a name. Others are real, such as a test drive.
static NAMED: Words = words![
    "agent|bank|business|caller|client|clinic|company|customer|firm|gmbh|hospital|hotel|inc|name|patient|person|\
     practice|restaurant|salon|shop|store|user",
];

fn check(config: &Effective<'_>) -> Checked<Verdicts> {
    let defaults = config.get(&default_dynamic_variables);
    let (object, _) =
        defaults.known().filter(|(_, place)| place.is_in_document()).ok_or(NoFinding::Holds)?;
    let flow = config.variable_flow();
    let is_empty = flow.variables().is_empty();
    let members = object.members().filter(|_| !is_empty);
    let found = members.filter_map(|member| {
        let fault = fault_of(member)?;
        let variable = flow.variable(&member.name())?;
        Some(
            finding(member, fault, variable.own_uses().find(|used| fault.is_heard(used))?).advice(),
        )
    });
    Ok(found.collect())
}

/// What is wrong with a default.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    Object,
    Null,
    Template,
    Placeholder,
    Filler,
}

fn fault_of(member: Member<'_>) -> Option<Fault> {
    match member.value.kind() {
        Kind::Object => Some(Fault::Object),
        Kind::Null => Some(Fault::Null),
        Kind::String => {
            let text = member.value.as_str()?;
            let trimmed = text.trim();
            let has_mustache = text.contains('{')
                && text
                    .find("{{")
                    .is_some_and(|at| text.get(at..).is_some_and(|rest| rest.contains("}}")));
            let is_to_be_replaced = || {
                PLACEHOLDERS.contains(trimmed)
                    || is_made_up(trimmed)
                    || is_bracketed(trimmed)
                    || (trimmed.contains('_') && member.name() == trimmed)
            };
            if has_mustache {
                Some(Fault::Template)
            } else if is_to_be_replaced() {
                Some(Fault::Placeholder)
            } else {
                is_filler(trimmed).then_some(Fault::Filler)
            }
        }
        _ => None,
    }
}

/// Whether a text is a name such as `Test Clinic` or `Example Company Name`.
fn is_made_up(text: &str) -> bool {
    let mut words = text.split([' ', '_', '-']);
    words.next().is_some_and(|word| MADE_UP.contains(word))
        && words.next().is_some_and(|word| NAMED.contains(word))
        && words.next().is_none_or(|word| word.eq_ignore_ascii_case("name"))
        && words.next().is_none()
}

/// Whether a text is only there because the field must not be empty: `a`, `-`, `xx`. A capital letter may be a grade or a size.
fn is_filler(text: &str) -> bool {
    let is_one = |first: u8| {
        (first.is_ascii_lowercase() || first.is_ascii_punctuation())
            && text.bytes().all(|byte| byte == first)
    };
    text.len() <= 4 && text.bytes().next().is_some_and(is_one)
}

/// Whether a text is a name between brackets that is to be replaced: `<name>`, `[CLINIC NAME]`.
fn is_bracketed(text: &str) -> bool {
    let inner = |open: char, close: char| text.strip_prefix(open)?.strip_suffix(close);
    let is_name = |name: &str| {
        name.starts_with(char::is_alphabetic)
            && name.chars().all(|it| it.is_alphanumeric() || matches!(it, ' ' | '_' | '-'))
            && !["break", "br", "pause"].contains(&name)
    };
    inner('<', '>').is_some_and(is_name)
        || inner('[', ']').is_some_and(|name| is_placeholder(name).is_some())
}

impl Fault {
    /// Whether the use renders the default.
    fn is_heard(self, used: &FlowUse) -> bool {
        let is_spoken = std::ptr::eq(used.row, welcome_message.row)
            || std::ptr::eq(used.row, voicemail_message.row);
        used.role == VariableRole::Text
            && match self {
                Self::Object => used.path.is_none(),
                Self::Null => is_spoken && !used.is_guarded,
                Self::Filler => is_spoken,
                Self::Template | Self::Placeholder => true,
            }
    }
}

fn finding(member: Member<'_>, fault: Fault, used: &FlowUse) -> Finding {
    let name = quote(&member.name());
    let (message, label, help) = match fault {
        Fault::Object => (
            format!("the default of {name} is an object, which is rendered as `[object Object]`"),
            "not a text",
            format!(
                "use a text, or name a field of it: {}",
                quote(&format!("{{{{{}.field}}}}", member.name()))
            ),
        ),
        Fault::Null => (
            format!(
                "the default of {name} is null, so `{}` has a gap without a value",
                used.row.name
            ),
            "renders as nothing",
            "use a text that fits the sentence, or put the sentence in `{{#if …}}`".to_owned(),
        ),
        Fault::Template => (
            format!("the default of {name} contains `{{{{…}}}}`, but defaults are not templates"),
            "used literally",
            "use a text without variables".to_owned(),
        ),
        Fault::Placeholder | Fault::Filler => (
            format!("the default of {name} is a placeholder, and callers may hear it"),
            "a placeholder",
            "use a text that fits every caller, or remove the default".to_owned(),
        ),
    };
    let value = Place::of(Origin::Document, member.value);
    // An object may be spread over many lines.
    let at = if fault == Fault::Object { value.clone().name() } else { value.clone() };
    Finding::new(at, message)
        .about_value(value)
        .label(label)
        .help(help)
        .also(used.place(), "rendered here")
}
