use voxlint_model::variables::TemplateVariables;

use crate::prelude::*;

rule! {
    /// A field that is not a template contains a template variable.
    ///
    /// According to the description, `prompt_text` supports `{{…}}`, and `welcome_message` and `voicemail_message` are
    /// validated as templates. It does not mention variables in titles, names and descriptions, or in `agent_identity` and
    /// `agent_background`. The braces are probably shown or read as they are.
    ///
    /// `variable-in-system-prompt` reports variables in `system_prompt_text`. Variables in the configuration of a function are
    /// not reported: what it contains depends on the function.
    ///
    /// ```json,advice
    /// { "version_number": 3, "title": "Front desk of {{hotel_name}}" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "title": "Front desk", "prompt_text": "This is the front desk of {{hotel_name}}." }
    /// ```
    "variable-in-other-field": Text {
        group: Suspicious,
        basis: Inferred("Only three fields are said to be templates."),
        section: "2.3",
        advice: Info,
        needs: [Opener],
    }
}

fn check(text: &TextValue<'_>) -> Verdict {
    let is_plain = matches!(text.shape.role, Role::Label | Role::Instruction)
        && !std::ptr::eq(text.value.row, settings::system_prompt_text.row);
    if !is_plain || !text.value.kind.has_settings() || !text.text.contains("{{") {
        return Verdict::Holds;
    }
    let parsed = voxlint_template::parse(text.text);
    let variables = TemplateVariables::of(text.text, &parsed.tree);
    let Some(first) = variables.uses.first() else { return Verdict::Holds };
    let name = text.value.name();
    let message =
        format!("{name} contains the variable {}, but it is not a template", quote(&first.name));
    let (start, end) = (first.path.start as usize, first.path.end as usize);
    Finding::new(text.place(start..end), message)
        .about_value(text.value.place())
        .label("used literally")
        .help("write the text it stands for")
        .section(text.value.section())
        .advice()
}
