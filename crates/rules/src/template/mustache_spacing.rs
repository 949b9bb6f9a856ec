use voxlint_template::{NodeKind, TemplateNode};

use crate::prelude::*;

rule! {
    /// A template writes variables both with and without spaces inside the braces.
    ///
    /// `{{name}}` and `{{ name }}` render the same. In one template, the way that is used less often is reported, once, at its
    /// first use; so is a space on one side only, as in `{{name }}`. Tags other than plain variables are not compared. The rule is
    /// a convention and off by default.
    ///
    /// ```json,advice
    /// { "version_number": 3, "prompt_text": "{{name}} called {{clinic}} about {{ topic }}." }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "prompt_text": "{{ name }} called {{ clinic }}. {{#if vip}}Be extra polite.{{/if}}" }
    /// ```
    "mustache-spacing": Template {
        group: Style,
        basis: Inferred("Handlebars ignores white space inside the braces."),
        section: "2.3",
        advice: Info,
        fix: Safe("Writes the variables of a template in the way that most of them are written. They render the same."),
        needs: [Template, Opener],
    }
}

/// How a variable is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spacing {
    /// `{{name}}`.
    Tight,
    /// `{{ name }}`.
    Spaced,
    /// Any other way, such as `{{name }}`.
    Uneven,
}

fn check(template: &TemplateValue<'_>) -> Verdict {
    if template.parsed.error.is_some() {
        // `template-syntax-error` reports it.
        return Verdict::Holds;
    }
    let variables: Vec<_> = template
        .parsed
        .tree
        .nodes()
        .filter_map(|node| Some((node, plain_variable(node, template.text)?)))
        .collect();
    let count =
        |wanted: Spacing| variables.iter().filter(|(_, (_, spacing))| *spacing == wanted).count();
    let usual = if count(Spacing::Spaced) > count(Spacing::Tight) {
        Spacing::Spaced
    } else {
        Spacing::Tight
    };
    let written = |name: &str| match usual {
        Spacing::Spaced => format!("{{{{ {name} }}}}"),
        _ => format!("{{{{{name}}}}}"),
    };
    let mut unusual = variables.iter().filter(|(_, (_, spacing))| *spacing != usual);
    let Some((first, (name, _))) = unusual.clone().next() else { return Verdict::Holds };
    let space = if usual == Spacing::Spaced { "one space" } else { "no spaces" };
    let edits = unusual.by_ref().map(|(node, (name, _))| ProposedEdit::Replace {
        at: template.place(node.span()),
        replacement: Replacement::Part(written(name)),
    });
    let title = format!("write variables with {space} inside the braces");
    let finding = Finding::new(
        template.place(first.span()),
        format!("{}variables are written with and without spaces", template.prefix()),
    )
    .about_value(template.value.place())
    .label("unlike the others")
    .help(format!("{title}: {}", quote(&written(name))))
    .fix(ProposedFix { title, safety: Safety::Safe, edits: edits.collect() });
    finding.advice()
}

/// The name of a variable and how it is written, if the tag is nothing but braces, spaces and a plain name.
fn plain_variable<'t>(tag: TemplateNode<'_>, text: &'t str) -> Option<(&'t str, Spacing)> {
    if tag.kind() != NodeKind::Mustache {
        return None;
    }
    let content = tag.span().of(text).strip_prefix("{{")?.strip_suffix("}}")?;
    let name = content.trim();
    let is_plain = name.starts_with(|it: char| it.is_alphabetic() || it == '_')
        && name.chars().all(|it| it.is_alphanumeric() || it == '_');
    let spacing = match content.strip_prefix(name) {
        Some("") => Spacing::Tight,
        _ if content.strip_prefix(' ').and_then(|it| it.strip_suffix(' ')) == Some(name) => {
            Spacing::Spaced
        }
        _ => Spacing::Uneven,
    };
    is_plain.then_some((name, spacing))
}
