use voxlint_template::{Description, TemplateSpan};

use crate::prelude::*;

rule! {
    /// A template is not valid Handlebars.
    ///
    /// `prompt_text`, `welcome_message` and `voicemail_message` are Handlebars templates: `{{name}}` stands for the value
    /// of a variable. One that does not parse is rejected. Valid means valid for the reference implementation, Handlebars
    /// 4.7; a text without `{{` is always fine. The service compiles the whole template, so braces inside code fences and
    /// JSON examples also count.
    ///
    /// Only the first error of a template is reported, because it leaves the meaning of the rest uncertain.
    ///
    /// ```json,reject
    /// { "version_number": 3, "welcome_message": "Hello {{name}, how are you?" }
    /// ```
    ///
    /// ```json,reject
    /// { "version_number": 3, "prompt_text": "{{#if vip}}Be extra polite." }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "prompt_text": "{{#if vip}}Be extra polite.{{else}}Be polite.{{/if}} Never say {this}." }
    /// ```
    "template-syntax-error": Template {
        group: Correctness,
        basis: Stated,
        section: "4.1 rule 6",
        status: 400,
        fix: Unsafe("Corrects braces, spaces, punctuation and the names of closing tags, if the intention is clear. Everything \
                     that callers or the model would read stays."),
        needs: [Template, Opener],
    }
}

fn check(template: &TemplateValue<'_>) -> Checked<Verdict> {
    let error = template.parsed.error.as_ref().ok_or(NoFinding::Holds)?;
    let description = error.describe(template.text);
    Ok(finding(template, error.span, error.related, description).reject())
}

/// The errors after the first one, as far as each is certain once those before it are corrected. They are not reported, but
/// fixed together with the first one.
pub fn further(template: &TemplateValue<'_>) -> Verdicts {
    if template.parsed.error.is_none() {
        return Verdicts::none();
    }
    let further = voxlint_template::further_errors(template.text).into_iter();
    further.map(|it| finding(template, it.span, None, it.description).reject()).collect()
}

fn finding(
    template: &TemplateValue<'_>,
    span: TemplateSpan,
    related: Option<(TemplateSpan, &'static str)>,
    description: Description,
) -> Finding {
    let fix = description.correction.map(|correction| {
        let at = template.place(correction.span);
        let title = title(&correction.text);
        ProposedFix::replace(title, Safety::Unsafe, at, Replacement::Part(correction.text))
    });
    let (other, label) = related.unzip();
    Finding::new(template.place(span), format!("{}{}", template.prefix(), description.message))
        .label(description.label)
        .help(description.help)
        .also(other.map(|span| template.place(span)), label.unwrap_or_default())
        .fix(fix)
}

/// The longest text in a title, in characters.
const MAX_SHOWN: usize = 60;

fn title(corrected: &str) -> String {
    let is_short = corrected.chars().count() <= MAX_SHOWN && !corrected.contains(char::is_control);
    if is_short { format!("write {}", quote(corrected)) } else { "correct the template".to_owned() }
}
