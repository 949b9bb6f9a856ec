use voxlint_model::text::placeholders::is_placeholder;
use voxlint_model::variables::TemplateVariables;
use voxlint_model::variables::placeholder::{is_plain, is_unfilled};

use super::foreign_template_markup::{known_markup, overlap};
use super::shared::in_brackets;
use crate::prelude::*;

rule! {
    /// A prompt or message contains a placeholder that was never filled in.
    ///
    /// Prompt templates mark what a team has to replace. Left as they are, callers may hear the placeholders. The rule reports
    /// only what is not written for another purpose:
    ///
    /// - the name of a business or assistant in capitals in square or angle brackets: `[COMPANY_NAME]`,
    ///   `<CLINIC NAME>`, `[FIRMENNAME]`, `[NOMBRE DE LA EMPRESA]`
    /// - brackets that ask for something to be filled in: `[Your Company]`, `[insert opening hours]`, `[Datum einfügen]`,
    ///   `[A COMPLETER]`
    /// - in `welcome_message` and `voicemail_message`, also any other name in capitals in such brackets, `[CITY]`, a word such as
    ///   name, company or number, `[company name]`, `<Nummer>`, and lines to fill in, `____`
    /// - in prompts, such words and lines where only the team can know what belongs there: "You work for `[Company Name]`", "call us at
    ///   `[number]`"
    /// - names in capitals without brackets: `__COMPANY_NAME__`, "This is AGENT NAME from BUSINESS NAME"
    /// - telephone numbers without their last digits: `+44 1632 XXXXXX`
    /// - `TODO:`, `[TODO]`, `FIXME`, `TBD` and `lorem ipsum`
    /// - a variable in capitals, `{{COMPANY_NAME}}`, if the known variables of the document are not in capitals, or if they are
    ///   not known and the other variables of the text are not in capitals; in the two messages, also if it names a business, place or
    ///   assistant and no variables are known
    ///
    /// Words such as `[IMPORTANT]` and `[PAUSE]`, and what the agent is to say, as in `[caller's name]`, are not reported. Nor are
    /// headings with a text below them, tags with a closing tag (`<AGENT_NAME>Maya</AGENT_NAME>`), comments of templates, and
    /// sentences such as "Never say `[COMPANY_NAME]`."
    ///
    /// ```json,advice
    /// { "version_number": 3, "prompt_text": "You are the front desk of [COMPANY_NAME]." }
    /// ```
    ///
    /// ```json,advice
    /// { "version_number": 3, "prompt_text": "Welcome {{customer_name}} to {{FIRMENNAME}}." }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "prompt_text": "[IMPORTANT] Thank the caller: \"Goodbye, [caller's name]!\" [END CALL]" }
    /// ```
    "unfilled-placeholder": Text {
        group: Heard,
        basis: Inferred("The service treats a placeholder as text."),
        section: "2.3",
        needs: [Placeholder],
    }
}

fn check(text: &TextValue<'_>) -> Verdicts {
    if !text.shape.role.is_template() && text.shape.role != Role::Instruction {
        return Verdicts::none();
    }
    let mut verdicts = Verdicts::none();
    let mut found = in_brackets(text);
    if !found.is_empty() {
        // A known variable in other markup is not a placeholder.
        let variables = known_markup(text);
        found.retain(|range| !variables.iter().any(|it| overlap(it, range)));
    }
    for range in found {
        let shown = text.quote(range.clone());
        let start = text.text.get(range.clone()).unwrap_or_default();
        let is_note = ["TODO", "FIXME", "TBD"].iter().any(|note| start.starts_with(note));
        let finding = Finding::new(
            text.place(range),
            format!("the placeholder {shown} was never filled in, and callers may hear it"),
        );
        let help = if is_note {
            "write the missing text, or remove the note"
        } else {
            "replace it with the text it stands for"
        };
        verdicts.add(told(finding, text).help(help).once_for(shown).advice());
    }
    add_variables(text, &mut verdicts);
    verdicts
}

fn told(finding: Finding, text: &TextValue<'_>) -> Finding {
    finding.about_value(text.value.place()).label("a placeholder")
}

/// Adds the variables in capitals.
fn add_variables(text: &TextValue<'_>, verdicts: &mut Verdicts) {
    /// The number of characters in which the name of a variable begins.
    const MAX_SIGNS: usize = 16;
    let begins_with_capital = |at: usize| {
        let rest = text.text.get(at..).and_then(|rest| rest.strip_prefix("{{"));
        // The name follows after a few signs. Only these are looked at, because there may be braces without end.
        let first = |rest: &str| {
            rest.chars().take(MAX_SIGNS).find(|it| !matches!(it, '{' | '#' | ' ' | '~'))
        };
        rest.and_then(first).is_some_and(char::is_uppercase)
    };
    if !memchr::memchr_iter(b'{', text.text.as_bytes()).any(begins_with_capital) {
        return;
    }
    let Some(template) = TemplateValue::of(text) else { return };
    let variables = TemplateVariables::of(template.text, &template.parsed.tree);
    let are_others_plain = || variables.uses.iter().any(|used| is_plain(&used.name));
    // What callers hear word for word names its company, and an installer was to write it.
    let is_spoken = text.shape.role == Role::Speech;
    let is_installers = |name: &str| {
        is_spoken
            && !(text.known.are_listed() || text.known.has_defaults())
            && text.known.source(name).is_none()
            && is_placeholder(name) == Some(true)
    };
    let is_one =
        |name: &str| is_unfilled(name, text.known, are_others_plain) || is_installers(name);
    // What a syntax error is about is reported as such.
    let error = template.parsed.error.as_ref();
    let is_in_error = |span| error.is_some_and(|error| error.span.contains(span));
    let certain = variables.uses.iter().filter(|used| used.is_certain && !is_in_error(used.span));
    for used in certain.filter(|used| is_one(&used.name)) {
        let shown = quote(&format!("{{{{{}}}}}", used.name));
        let finding = Finding::new(
            template.place(used.span),
            format!("{shown} looks like a placeholder that was never filled in"),
        );
        let help = "write the text it stands for, or give the variable a default";
        verdicts.add(told(finding, text).help(help).once_for(shown).advice());
    }
}
