use std::borrow::Cow;

use crate::Safety;
use crate::quote::quote;
use crate::rule::rule;
use crate::secrets;
use crate::value::TemplateValue;
use crate::verdict::{Finding, ProposedFix, Replacement, Verdict, Verdicts};

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
                     that callers or the model would read stays. Only a comment in the syntax of another tool becomes a comment."),
        needs: [Template, Opener],
    }
}

fn check(template: &TemplateValue<'_>) -> Verdicts {
    let Some(error) = &template.parsed.error else { return Verdict::Holds.into() };
    // A description quotes the template, which may contain a secret. Masking keeps all offsets.
    let masked = secrets::mask_text(template.text);
    let description = error.describe(&masked);
    let mut finding = Finding::new(
        template.place(error.span),
        format!("{}{}", template.prefix(), description.message),
    )
    .label(description.label)
    .help(description.help);
    if let Some((span, label)) = error.related {
        finding = finding.also(template.place(span), label);
    }
    // A masked secret would make the correction wrong, and the secret itself must not be shown.
    let correction = description.correction.filter(|correction| {
        matches!(masked, Cow::Borrowed(_))
            || error.describe(template.text).correction.as_ref() == Some(correction)
    });
    if let Some(correction) = correction {
        finding = finding.fix(ProposedFix::replace(
            title(&correction.text),
            Safety::Unsafe,
            template.place(correction.span),
            Replacement::Part(correction.text),
        ));
    }
    finding.reject().into()
}

/// The longest text in a title, in characters.
const MAX_SHOWN: usize = 60;

fn title(corrected: &str) -> String {
    let is_short = corrected.chars().count() <= MAX_SHOWN && !corrected.contains(char::is_control);
    if is_short { format!("write {}", quote(corrected)) } else { "correct the template".to_owned() }
}
