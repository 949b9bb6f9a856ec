use voxlint_schema::settings::system_prompt_text;

use crate::rule::rule;
use crate::value::TextValue;
use crate::verdict::{Finding, Verdict, Verdicts};

rule! {
    /// The system prompt contains a template variable.
    ///
    /// `system_prompt_text` is static: the service does not fill in variables there, so the language model reads the
    /// braces. Dynamic variables belong in `prompt_text`.
    ///
    /// ```json,advice
    /// { "version_number": 3, "system_prompt_text": "You speak with {{customer_name}}." }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "prompt_text": "You speak with {{customer_name}}.", "system_prompt_text": "Be brief." }
    /// ```
    "variable-in-system-prompt": Text {
        group: Ineffective,
        basis: Read("It calls the text static and does not say whether variables in it are filled in."),
        section: "2.3",
        needs: [Instruction, Opener],
    }
}

fn check(text: &TextValue<'_>) -> Verdicts {
    if !std::ptr::eq(text.value.row, system_prompt_text.row) {
        return Verdict::Holds.into();
    }
    let Some(start) = text.text.find("{{") else { return Verdict::Holds.into() };
    let rest = text.text.get(start..).unwrap_or_default();
    // Only the braces of an unclosed variable are underlined, because its end is not known.
    let line = rest.split('\n').next().unwrap_or(rest);
    let end = start + line.find("}}").map_or(2, |close| close + 2);
    let more = rest.matches("{{").count() - 1;
    let message = if more == 0 {
        "the system prompt contains a variable, but it is not a template".to_owned()
    } else {
        format!("the system prompt contains {} variables, but it is not a template", more + 1)
    };
    Finding::new(text.place(start..end), message)
        .label(if more == 0 { "used literally" } else { "the first of them" })
        .help("move the variables to `prompt_text`")
        .advice()
        .into()
}
