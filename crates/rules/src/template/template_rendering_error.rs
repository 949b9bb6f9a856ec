use voxlint_template::{RenderError, certain_render_errors};

use crate::prelude::*;

rule! {
    /// A template is valid Handlebars, but fails when it is filled in.
    ///
    /// Handlebars checks the arguments of its helpers only when it renders the template with the variables of a call. `{{#if not vip}}`
    /// gives `if` two arguments, and then the whole text fails. The rule reports what fails whatever the variables are, if rendering
    /// reaches it:
    ///
    /// - `if`, `unless`, `each` and `with` without exactly one argument, or without a block
    /// - `lookup` without exactly two arguments
    /// - block parameters that nothing sets: only `each`, `with` and sections such as `{{#name}}` set them
    ///
    /// Helpers that Handlebars does not have are reported by [`unknown-helper`](unknown-helper.md). `voxlint render` shows all
    /// errors for given variables.
    ///
    /// ```json,advice
    /// { "version_number": 3, "welcome_message": "{{#if not vip}}Hello!{{/if}}" }
    /// ```
    ///
    /// ```json,advice
    /// { "version_number": 3, "prompt_text": "{{#each plan in plans}}{{plan}}{{/each}}" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "prompt_text": "{{#unless vip}}Hello!{{/unless}}{{#each plans as |plan|}}{{plan}}{{/each}}" }
    /// ```
    "template-rendering-error": Template {
        group: Suspicious,
        basis: Read("It requires valid Handlebars, and Handlebars checks these only when the template is filled in."),
        section: "4.1 rule 6",
        needs: [Template, Opener],
    }
}

fn check(template: &TemplateValue<'_>) -> Verdicts {
    let errors = certain_render_errors(template.text, &template.parsed);
    if errors.is_empty() {
        return Verdict::Holds.into();
    }
    errors.iter().map(|error| finding(template, error).advice()).collect()
}

fn finding(template: &TemplateValue<'_>, error: &RenderError) -> Finding {
    Finding::new(template.place(error.span), format!("{}{error}", template.prefix()))
        .about_value(template.value.place())
        .label("fails when the template is filled in")
        .help(error.help())
        .once_for(format!("{error} {}", error.help()))
}
