use voxlint_schema::Presence;

use crate::prelude::*;

rule! {
    /// A text consists of white space only.
    ///
    /// The field is set, so nothing that would be said in its place is used: the agent greets callers with silence, or has a
    /// prompt without instructions. The rule is about prompts, messages, instructions, names and notes. An empty
    /// text is not reported, because it may be meant to clear the field. The description sets no minimum length: the service
    /// accepts such a text.
    ///
    /// ```json,advice
    /// { "version_number": 3, "welcome_message": " \n" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "welcome_message": "" }
    /// ```
    "blank-text": Text {
        group: Suspicious,
        basis: Inferred("The description sets no minimum length for texts."),
        section: "2.3",
    }
}

fn check(text: &TextValue<'_>) -> Verdict {
    let is_prose =
        matches!(text.shape.role, Role::Prompt | Role::Speech | Role::Instruction | Role::Label);
    if !is_prose || text.text.is_empty() || !text.text.trim().is_empty() {
        return Verdict::Holds;
    }
    let name = text.value.name();
    let help = match text.value.kind.presence(text.value.row) {
        Presence::Optional => format!("write a text, or remove {name}"),
        Presence::Required | Presence::Expected => "write a text".to_owned(),
    };
    let finding = Finding::new(text.value.place(), format!("{name} contains only white space"))
        .label("only white space")
        .help(help);
    finding.advice()
}
