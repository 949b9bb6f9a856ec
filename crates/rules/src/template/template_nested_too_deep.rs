use voxlint_template::NESTING_LIMIT;

use crate::prelude::*;

rule! {
    /// A template nests blocks or sub-expressions deeper than the reference implementation can follow.
    ///
    /// The grammar sets no limit, but the reference implementation is recursive: with the usual stack size it fails
    /// somewhere beyond a thousand levels. Only generated prompts come near that.
    ///
    /// ```json,holds
    /// { "version_number": 3, "prompt_text": "{{#if a}}{{#if b}}{{#each c}}{{this}}{{/each}}{{/if}}{{/if}}" }
    /// ```
    "template-nested-too-deep": Template {
        group: Correctness,
        basis: Inferred("The grammar has no limit, but the reference implementation does."),
        section: "4.1 rule 6",
        status: 400,
        needs: [Template, Opener],
    }
}

fn check(template: &TemplateValue<'_>) -> Verdict {
    let depth = template.parsed.depth;
    if template.parsed.error.is_some() || depth <= NESTING_LIMIT {
        return Verdict::Holds;
    }
    Finding::new(
        template.value.place(),
        format!("{} has {depth} levels of nesting, over the recommended {NESTING_LIMIT}", template.name()),
    )
    .help(format!("use at most {NESTING_LIMIT} levels"))
    .possible(Condition::unknowable("the reference implementation of Handlebars runs out of stack somewhere beyond a thousand levels"))
}
