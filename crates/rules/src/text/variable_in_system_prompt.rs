use std::ops::Range;

use voxlint_model::text::forbidden::is_forbidden;
use voxlint_model::variables::placeholder::is_example;
use voxlint_schema::settings::system_prompt_text;

use crate::prelude::*;

rule! {
    /// The system prompt contains a template variable.
    ///
    /// `system_prompt_text` is static: the service does not fill in variables there, so the language model reads the
    /// braces. Dynamic variables belong in `prompt_text`. Braces without a name, `{{ }}`, and sentences such as "Never say
    /// `{{name}}`" are not reported.
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

fn check(text: &TextValue<'_>) -> Checked<Verdict> {
    if !std::ptr::eq(text.value.row, system_prompt_text.row) {
        return Err(NoFinding::Holds);
    }
    let mut variables = variables(text.text);
    let range = variables.next().ok_or(NoFinding::Holds)?;
    let more = variables.count();
    let message = if more == 0 {
        "the system prompt contains a variable, but it is not a template".to_owned()
    } else {
        format!("the system prompt contains {} variables, but it is not a template", more + 1)
    };
    Ok(Finding::new(text.place(range), message)
        .label(if more == 0 { "used literally" } else { "the first of them" })
        .help("move the variables to `prompt_text`")
        .advice())
}

/// The variables of a text. Only the braces of an unclosed one are in its range, because its end is not known.
fn variables(text: &str) -> impl Iterator<Item = Range<usize>> {
    memchr::memmem::find_iter(text.as_bytes(), "{{").filter_map(move |start| {
        let rest = text.get(start + 2..)?;
        let line = rest.split('\n').next().unwrap_or(rest);
        let close = line.find("}}");
        let inner = line.get(..close.unwrap_or(line.len()))?;
        let name = inner.trim_matches(['{', '}', '#', '^', '&', '~', ' ', '[', ']']);
        let is_name =
            name.starts_with(|first: char| first.is_alphabetic() || "_@$".contains(first));
        let range = start..close.map_or(start + 2, |close| start + close + 4);
        let is_variable =
            is_name && name != "else" && !is_example(name) && !is_forbidden(text, &range);
        is_variable.then_some(range)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_are_variables() {
        for (text, expected) in [
            ("Use {{name}} and {{#if vip}}x{{else}}y{{/if}}.", &["{{name}}", "{{#if vip}}"][..]),
            (
                "{{{raw}}} {{ first.name }} {{[a b]}}",
                &["{{{raw}}", "{{ first.name }}", "{{[a b]}}"],
            ),
            ("Never say {{variable}} or curly braces {{ }}.", &[]),
            ("Never say {{name}}. {{}} {{!-- {x} --}} {{1", &[]),
            ("You are {{name.", &["{{"]),
        ] {
            let found: Vec<&str> = variables(text).filter_map(|range| text.get(range)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
